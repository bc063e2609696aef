"""The known mistakes in reading a text and in going back through it, in words; their switches are in `rnn`.

A way that makes no difference to one of the two functions does no harm there.
"""

from core.exercises.judged.mistakes.handling import H0_MISSING
from core.exercises.judged.mistakes.rnn import EPSILONS
from core.exercises.judged.mistakes.slips import Slip, slip

READING = (
    slip(
        "mean",
        "a mean over the positions is taken in place of the sum",
        "The contract sums over the T predictions. Look for a division by the length, or for a mean.",
        "mean",
        "mean_over_ids",
        group="positions",
    ),
    slip(
        "last_loss",
        "only the last position's loss counts",
        "Each of the T predictions has a loss, and each sends an error back.",
        group="positions",
    ),
    slip(
        "one_step_short",
        "the last step is left out",
        "A text of T + 1 tokens has T predictions: for which of its tokens is the last one made?",
        group="positions",
    ),
    slip("bits", "the loss is in bits", "The contract asks for nats. Which base has your logarithm?"),
    slip(
        "log_epsilon",
        "a small number is added inside the logarithm",
        "A probability of 0 comes from an exponential that ran out of range, not from the softmax: move the logits "
        "before the exponential and leave the logarithm as it stands in the equation.",
        *EPSILONS,
    ),
    slip(
        "target_off_by_one",
        "each prediction is compared with the token just read, not with the one that follows",
        "Step t reads one token and predicts the next: write down both indices for the first and the last step.",
    ),
    slip(
        "old_state_shown",
        "each prediction is made from the state before its step",
        "There is one state more than there are predictions. Which state has seen the token of step t?",
    ),
    slip(
        "start_ignored",
        "the text is read from zeros, not from h0",
        "What is the third argument for?",
    ),
    slip(
        "bh_twice",
        "the bias bh is added twice",
        "Follow bh through one step: one sum holds the input's part, the state's part and the bias.",
        "bh_twice",
        "bh_twice_both_ways",
        group="bh",
    ),
    slip(
        "bh_missing", "the bias bh is left out", "Compare your pre-activation with the equation.", group="bh"
    ),
    slip(
        "by_twice",
        "the bias by is added twice",
        "Follow by through one prediction.",
        "by_twice",
        "by_twice_both_ways",
        group="by",
    ),
    slip("by_missing", "the bias by is left out", "Compare your logits with the equation.", group="by"),
    slip(
        "recurrent_transposed",
        "Whh is transposed on the way forward",
        "States are rows here. With columns, as in many books, the matrix stands on the other side.",
        "recurrent_transposed",
        "columns",
    ),
    slip(
        "tanh_missing",
        "the new state is not squashed by tanh",
        "What does the equation make of the pre-activation?",
        "tanh_missing",
        "tanh_missing slope_missing",
    ),
    slip(
        "overwritten",
        "the steps share one array: what later steps write shows in the earlier rows",
        "Appending an array to a list keeps the array itself, not what it holds at that moment. Does each step make "
        "an array of its own?",
        "hidden_overwritten_later",
        "hidden_overwritten_later first_row_kept",
        "hidden_overwritten",
        "hidden_overwritten first_row_kept",
        "probabilities_overwritten",
        "probabilities_overwritten hidden_overwritten_later",
        "probabilities_overwritten hidden_overwritten_later first_row_kept",
    ),
)

RNN_FORWARD = (
    *READING,
    slip(
        "logits_returned",
        "logits are returned in the place of the probabilities",
        "A row of probabilities is positive, and its sum is 1.",
        group="softmax",
    ),
    slip(
        "logarithms_returned",
        "logarithms are returned in the place of the probabilities",
        "A row of probabilities is positive, and its sum is 1.",
        group="softmax",
    ),
)

RNN_BPTT = (
    *READING,
    slip(
        "transpose_missing",
        "the transpose is missing in the walk back",
        "On its way forward the state meets Whh. An error goes the same way against the arrows: which index of Whh "
        "must it be summed over?",
        "transpose_missing",
        "transpose_missing_between_steps",
        "transpose_missing_at_h0",
    ),
    slip(
        "later_error_forgotten",
        "the error that comes from step t + 1 is forgotten",
        "h_t acts on the loss in two ways: through its own prediction, and through all that follows.",
    ),
    slip(
        "slope_of_pre_activation",
        "tanh′ is taken as 1 − a², at the pre-activation",
        "Is the formula that you use one in terms of tanh's input, or of its output?",
        group="slope",
    ),
    slip(
        "slope_squashed_twice",
        "tanh′ is taken as 1 − tanh²(h), of what has been through tanh already",
        "What does your function for the slope expect: the pre-activation or the state?",
        group="slope",
    ),
    slip(
        "slope_missing",
        "tanh′ is left out",
        "Between the error at the state and the error at the pre-activation lies tanh.",
        group="slope",
    ),
    slip(
        "slope_not_squared",
        "tanh′ is taken as 1 − h",
        "Look the derivative of tanh up once more.",
        group="slope",
    ),
    slip(
        "slope_of_sigmoid",
        "tanh′ is taken as h·(1 − h), the sigmoid's slope",
        "Which function squashes the state?",
        group="slope",
    ),
    slip(
        "slope_on_one_part",
        "tanh′ multiplies one of the two errors at the state, not their sum",
        "Both errors meet at h_t before either goes on through tanh. Where do the brackets stand?",
        "slope_on_later_only",
        "slope_on_own_only",
        group="slope",
    ),
    slip(
        "target_not_subtracted",
        "the error at the logits lacks the minus one at the target",
        "The errors of one position's logits have a sum of 0. Have yours?",
    ),
    slip(
        "sign",
        "the error at the logits has the wrong sign",
        "A step against the gradient makes the loss smaller: should the target's logit grow or shrink?",
    ),
    Slip(H0_MISSING, (frozenset({"h0_zero"}),), group="h0", rare=False),
    slip(
        "h0_one_step_short",
        "the gradient of h0 stops one step short",
        "An error at h1, or at its pre-activation, is no error at h0 yet: what lies between them?",
        "h0_one_step_short",
        "h0_without_matrix",
        group="h0",
    ),
    slip(
        "recurrent_off_by_one",
        "the gradient of Whh pairs each error with the state after its step",
        "Which state was multiplied by Whh at step t?",
    ),
    slip(
        "recurrent_first_left_out",
        "the first step is left out of the gradient of Whh",
        "Which state does Whh meet at the very first step? It is not nothing.",
    ),
    slip(
        "output_off_by_one",
        "the gradient of Why pairs each error with the state before its step",
        "Which state was multiplied by Why at step t?",
    ),
    slip(
        "last_step",
        "only the last step's gradient is there, not the sum over all steps",
        "All steps share the same weights, so each has its part in their gradient.",
        "last_step",
        "last_step stopped:1",
        "stopped:1",
        group="steps",
    ),
    slip(
        "assigned",
        "each step's gradient takes the place of the one before: only the first step's is left",
        "Walk back with pencil and paper for two steps: what happens to the first of two contributions?",
        group="steps",
    ),
    slip(
        "embedding_assigned",
        "a token that comes twice keeps the gradient of one of its places only",
        "Two steps that read the same token share a row of E. With repeated indices `+=` on an array adds only once.",
        "embedding_latest",
        "embedding_earliest",
    ),
    slip(
        "outer_transposed",
        "the outer product in the gradient of Whh is the wrong way round",
        "Row i of Whh belongs to unit i of the old state, column j to unit j of the new one.",
    ),
)
