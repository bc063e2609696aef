"""The known mistakes in a step of an LSTM and in its backward, in words; their switches are in `lstm`."""

from core.exercises.judged.mistakes.handling import BATCH_OVERWRITTEN, ORDER_HINT
from core.exercises.judged.mistakes.lstm import PARTS
from core.exercises.judged.mistakes.order_known import wrong_orders, wrong_orders_back
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
        "forget_left_out",
        "the error goes from the new cell to the old one without the forget gate",
        "By what is c multiplied in the equation of c′?",
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
        "The derivative of a product by one factor is the other one.",
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
