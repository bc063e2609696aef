"""The known mistakes in a step of an LSTM, in words; their switches are in `lstm`."""

from core.exercises.judged.mistakes.handling import BATCH_OVERWRITTEN, ORDER_HINT
from core.exercises.judged.mistakes.lstm import PARTS
from core.exercises.judged.mistakes.order_known import wrong_orders
from core.exercises.judged.mistakes.slips import SIGMOID_REVERSED, slip

STEP = (
    *wrong_orders(
        PARTS,
        {
            "figo": ("input_forget_swapped", "the forget and the input gate are swapped"),
            "ifog": (
                "candidate_output_swapped",
                "the candidate and the output gate are swapped: the order read is i, f, o, g",
            ),
        },
    ),
    slip(
        "b_twice",
        "the bias b is added twice",
        "Follow b through one step: one sum holds the input's part, the state's part and the bias.",
        "b_twice",
        "b_twice_both_ways",
        group="b",
    ),
    slip("b_missing", "the bias b is left out", "Compare your pre-activations with the equation.", group="b"),
    slip(
        "forget_bias_added",
        "1 is added to the forget gate's pre-activation",
        "A forget bias of 1 is a good start for training, and stands in b then: the cell itself adds nothing.",
    ),
    SIGMOID_REVERSED,
    slip(
        "recurrent_transposed",
        "the blocks of U are transposed on the way forward",
        "States are rows here. With columns, as in many books, the matrix stands on the other side.",
    ),
    slip(
        "candidate_sigmoid",
        "the candidate is squashed by the sigmoid",
        "Which of the four parts may be negative?",
        "candidate_sigmoid",
        "candidate_sigmoid candidate_slope_of_sigmoid",
        group="candidate",
    ),
)
"""Mistakes on the way forward, which both functions can make."""

LSTM_CELL = (
    BATCH_OVERWRITTEN,
    *STEP,
    slip(
        "candidate_unsquashed",
        "the candidate is not squashed by tanh",
        "Between which bounds does the candidate lie?",
        group="candidate",
    ),
    slip(
        "cell_unsquashed",
        "the new cell is shown without tanh",
        "Between which bounds does a hidden state lie? And the cell?",
        group="shown",
    ),
    slip(
        "cell_shown_by_sigmoid",
        "the new cell is shown through the sigmoid, not through tanh",
        "Could a hidden state be below 0 then?",
        group="shown",
    ),
    slip(
        "output_gate_squashed",
        "tanh is taken of output gate times cell, not of the cell alone",
        "The output gate is 0.1 and the cell 100: how large is h′ by the equation, and by your line?",
        group="shown",
    ),
    slip(
        "stacked_in_other_order",
        "x and h, put side by side, meet each other's rows of W and U",
        "In a product of one long row with one tall matrix the first numbers meet the first rows. Which of x and h "
        "comes first, and which of W and U?",
        "stacked_h_first",
        "stacked_U_first",
        group="recurrent_transposed",
        rare=True,
    ),
    slip(
        "old_cell_shown",
        "the hidden state shows the old cell, not the new one",
        "Which of c and c′ stands in the equation of h′?",
    ),
    slip(
        "old_cell_forgotten",
        "nothing of the old cell is kept",
        "The new cell is a sum of two parts.",
        group="kept",
    ),
    slip(
        "hidden_kept",
        "the forget gate multiplies the old hidden state, not the old cell",
        "Two states come in from the step before: which of them is carried on as a sum?",
        group="kept",
    ),
    slip(
        "forget_reversed",
        "the forget gate is the wrong way round: 1 − f is kept",
        "A forget gate of 1 keeps everything, in spite of its name.",
        group="kept",
    ),
    slip(
        "input_coupled",
        "1 − f stands where the input gate should",
        "This LSTM has a gate of its own for what is written.",
    ),
    slip(
        "results_swapped",
        "c_new and h_new are returned in each other's place",
        ORDER_HINT,
        exchanges=True,
    ),
)
