"""The known mistakes in a step of a GRU, in words; their switches are in `gru`."""

from core.exercises.judged.mistakes.gru import PARTS
from core.exercises.judged.mistakes.handling import BATCH_OVERWRITTEN
from core.exercises.judged.mistakes.order_known import wrong_orders
from core.exercises.judged.mistakes.slips import SIGMOID_REVERSED, slip

GRU_CELL = (
    BATCH_OVERWRITTEN,
    *wrong_orders(PARTS, {"zrn": ("reset_update_swapped", "the reset and the update gate are swapped")}),
    slip(
        "reset_after",
        "the reset gate acts after the product with U_n, not before",
        "Does r meet the old state, or what U_n has made of it? Both forms are in use; the contract's is that of "
        "Cho et al. (2014).",
        "reset_after",
        "reset_after_with_bias",
        group="reset",
    ),
    slip(
        "reset_missing",
        "the reset gate is not used",
        "What does the candidate see of the old state?",
        group="reset",
    ),
    slip(
        "reset_around_all",
        "the reset gate multiplies the whole of the candidate's pre-activation",
        "The reset gate decides about the old state alone, not about the input.",
        group="reset",
    ),
    slip(
        "update_as_reset",
        "the update gate stands in the candidate where the reset gate should",
        "Which of the two gates decides what the candidate sees of the old state?",
        group="reset",
    ),
    SIGMOID_REVERSED,
    slip(
        "update_reversed",
        "z and 1 − z are exchanged",
        "An update gate of 1 keeps the old state here. Both conventions are in use.",
        group="mixture",
    ),
    slip(
        "old_state_forgotten",
        "nothing of the old state is kept",
        "The new state is a sum of two parts.",
        group="mixture",
    ),
    slip(
        "candidate_in_full",
        "the candidate is added in full, without 1 − z",
        "The two parts of the new state share one gate: what one gets the other lacks.",
        group="mixture",
    ),
    slip(
        "reset_state_kept",
        "what the reset gate leaves of the old state is kept, not the old state",
        "The reset gate stands in the candidate alone.",
    ),
    slip(
        "b_twice",
        "a bias is added twice",
        "Follow b through one step: each part's sum holds its third of b once.",
        "b_twice",
        "candidate_b_twice",
        group="b",
    ),
    slip(
        "b_missing", "the bias b is left out", "Compare your pre-activations with the equations.", group="b"
    ),
    slip(
        "recurrent_transposed",
        "the blocks of U are transposed",
        "States are rows here. With columns, as in many books, the matrix stands on the other side.",
    ),
    slip(
        "candidate_unsquashed",
        "the candidate is not squashed by tanh",
        "Between which bounds does the candidate lie?",
        group="candidate",
    ),
    slip(
        "candidate_sigmoid",
        "the candidate is squashed by the sigmoid",
        "Which of the three parts may be negative?",
        group="candidate",
    ),
)
