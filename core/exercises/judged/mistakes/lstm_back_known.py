"""The known mistakes in the backward of an LSTM's step, in words; their switches are in `lstm`."""

from core.exercises.judged.mistakes.handling import ORDER_HINT
from core.exercises.judged.mistakes.lstm import GATES, PARTS
from core.exercises.judged.mistakes.lstm_known import STEP
from core.exercises.judged.mistakes.order_known import wrong_orders_back
from core.exercises.judged.mistakes.slips import slip

FACTORS = "The derivative of a product by one factor is the other one."

LSTM_CELL_BACKWARD = (
    *STEP,
    *wrong_orders_back(PARTS),
    slip(
        "cell_error_forgotten",
        "the error that comes from step t + 1 along the cell, dc_new, is forgotten",
        "c′ acts on the loss in two ways: through h′, and through the next cell.",
        group="into the cell",
    ),
    slip(
        "second_route",
        "the second route into the cell, from h′ through tanh(c′), is left out",
        "dh_new reaches more than the output gate: what else is h′ made of?",
        group="into the cell",
    ),
    slip(
        "hidden_error_forgotten",
        "the error that comes from step t + 1 along the hidden state, dh_new, is forgotten",
        "Both h′ and c′ act on the loss.",
        group="into the cell",
        rare=True,
    ),
    slip(
        "output_gate_left_out",
        "the error goes from h′ to the cell without the output gate",
        "Take the derivative of h′ by c′ once more: it is a product of two.",
        group="into the cell",
    ),
    slip(
        "output_error_from_cell",
        "the output gate's error is taken from e, that at the cell, not from dh_new",
        "In which of the two equations does o stand: in that of c′, or in that of h′?",
    ),
    slip(
        "cell_error_twice",
        "dc_new goes into dc twice: once within e, and once more",
        "Of which two parts is e the sum? By how many ways does c reach c′?",
        "cell_error_twice",
        "cell_error_twice_past_gate",
        group="old cell",
        rare=True,
    ),
    slip(
        "hidden_error_added",
        "dh_new itself is added to dh",
        "In which equations does h stand? Is it anywhere but in the pre-activations?",
        rare=True,
    ),
    slip(
        "new_hidden_in_dU",
        "dU is made with h′, not with h",
        "Which hidden state met U on the way forward?",
    ),
    slip(
        "forget_left_out",
        "the error goes from the new cell to the old one without the forget gate",
        "By what is c multiplied in the equation of c′?",
        group="old cell",
    ),
    slip(
        "transpose_missing",
        "the transpose of U's blocks is missing in the walk back",
        "On its way forward h meets U. An error goes the same way against the arrows: which index must it be "
        "summed over?",
    ),
    slip(
        "new_cell_in_forget",
        "the forget gate's error is taken with the new cell",
        "What does the forget gate multiply: c or c′? Is c still what it was when you need it?",
    ),
    slip(
        "old_cell_shown_back",
        "the old cell c stands in tanh(c) and its slope, not the new one",
        "Which cell does the output gate show? It is not an argument: work it out first.",
    ),
    slip(
        "factors_swapped",
        "input gate and candidate are exchanged in each other's error",
        FACTORS,
        group="factors",
    ),
    slip(
        "own_factor",
        "input gate or candidate stands in its own error, where the other one should",
        FACTORS,
        "own_factor_i",
        "own_factor_g",
        group="factors",
        rare=True,
    ),
    slip(
        "output_unsquashed",
        "the output gate's error is taken with c′, not with tanh(c′)",
        "By what is o multiplied in the equation of h′?",
    ),
    slip(
        "slope_of_pre_activation",
        "tanh′ is taken at the pre-activation, as 1 less its square",
        "Is the formula that you use one in terms of tanh's input, or of its output?",
        "slopes_of_pre_activation",
        "candidate_slope_of_pre_activation",
        "cell_slope_of_pre_activation",
    ),
    slip(
        "slope_unsquared",
        "tanh′ is taken as 1 less tanh, without the square",
        "tanh is as steep on the left of 0 as on the right: is your slope?",
        "slopes_unsquared",
        "candidate_slope_unsquared",
        "cell_slope_unsquared",
        rare=True,
    ),
    slip(
        "slope_squashed_twice",
        "tanh′ is taken of what has been through tanh already, as 1 − tanh²(tanh(a))",
        "What does your function for the slope expect: what goes into tanh, or what comes out?",
        "slopes_squashed_twice",
        "candidate_slope_squashed_twice",
        "cell_slope_squashed_twice",
    ),
    slip(
        "slope_missing",
        "a tanh′ is left out",
        "There are two tanh in a step: the candidate's, and the one on the way from cell to hidden state.",
        "slopes_missing",
        "candidate_slope_missing",
        "cell_slope_missing",
    ),
    slip(
        "candidate_slope_of_sigmoid",
        "the candidate's slope is taken as that of a sigmoid",
        "Which of the four parts is not squashed by σ?",
    ),
    slip(
        "gate_slope_of_pre_activation",
        "σ′ is taken at the pre-activation, as a·(1 − a)",
        "Is the formula that you use one in terms of σ's input, or of its output?",
        "gate_slopes_of_pre_activation",
        group="gate slopes",
    ),
    slip(
        "gate_slope_squashed_twice",
        "σ′ is taken of what has been through σ already",
        "What does your function for the slope expect: the pre-activation or the gate?",
        "gate_slopes_squashed_twice",
        group="gate slopes",
    ),
    slip(
        "gate_slope_of_tanh",
        "the gates' slopes are taken as those of tanh",
        "Which function squashes a gate?",
        "gate_slopes_of_tanh",
        group="gate slopes",
    ),
    slip(
        "gate_slope_factor_twice",
        "σ′ has one factor too many",
        "What is σ′ at 0, where σ is one half? Try your formula there.",
        *(
            f"gate_slope_{factor}_twice{part}"
            for factor in ("gate", "rest")
            for part in ("", *(f"_{part}" for part in GATES))
        ),
        group="gate slopes",
        rare=True,
    ),
    slip(
        "gate_slope_missing",
        "σ′ is left out",
        "Between the error at a gate and the error at its pre-activation lies σ.",
        "gate_slopes_missing",
        "gate_slope_missing_i",
        "gate_slope_missing_f",
        "gate_slope_missing_o",
        group="gate slopes",
    ),
    slip(
        "mean",
        "a mean over the batch is taken in place of the sum",
        "All examples of a batch share the weights: their parts of the gradient are added. Look for a mean, or a "
        "division by the number of examples.",
    ),
    slip(
        "states_swapped",
        "dh and dc are returned in each other's place",
        ORDER_HINT,
        exchanges=True,
    ),
)
