"""The known mistakes in handling arrays, most of which are seen by looking on, not by what was computed: in words."""

from core.exercises.contract import Mistake
from core.exercises.judged.mistakes.slips import Slip

ORDER_HINT = "In which order does the text under “Returns” name the results?"

IN_PLACE = Mistake(
    "in_place",
    "an argument is written into",
    "Whoever called the function still needs what was passed. `a += b` and `a[...] = b` write into the array itself, "
    "where `a = a + b` makes a new one.",
)
OVERWRITTEN = Mistake(
    "overwritten",
    "what was returned changes afterwards: an array is used again",
    "Is an array that you return made anew at each call, or kept outside of the function and written once more?",
)
FLOAT32 = Mistake(
    "float32",
    "float32 is used",
    "Half of the digits are lost. Look for dtype=np.float32, astype, or a conversion; NumPy's default keeps float64.",
)
DIGITS_LOST = Mistake(
    FLOAT32.key,
    "about half of the digits are lost, as with float32",
    "What comes back is float64 and not exact. Is something inside float32? Or is a slope taken as a difference?",
)
TRANSPOSED = Mistake(
    "transposed",
    "a result is transposed",
    "Rows are examples, or steps, and a gradient has the shape of what it is a gradient of: where is the "
    "first axis taken for the last, or which factor comes first in an outer product?",
)
NOT_SUMMED = Mistake(
    "not_summed",
    "parts are returned side by side in place of their sum",
    "What is shared, by the examples of a batch or by the steps of a text, gets the sum of all their parts.",
)
OUTER_OF_BATCH = Mistake(
    "outer_of_batch",
    "an outer product is taken of the whole batch at once: each example meets every other",
    "np.outer makes one long vector of a batch. Which product of two matrices adds up the outer products of their "
    "rows?",
)
ONE_EXAMPLE_ONLY = Mistake(
    "one_example_only",
    "right for one example, not for a batch",
    "The batch is the first axis: take parts and sizes from the last, as with np.split(a, 4, axis=-1), a[..., :n] "
    "and h.shape[-1].",
)
BATCH_AS_COLUMNS = Mistake(
    ONE_EXAMPLE_ONLY.key,
    ONE_EXAMPLE_ONLY.title,
    "A single vector fits a matrix from either side, a batch from one alone: its rows are the examples. Write both "
    "shapes of the product down.",
)
RESULTS_REORDERED = Mistake(
    "results_reordered",
    "the results are returned in the order",
    ORDER_HINT,
)
H0_MISSING = Mistake(
    "h0_missing",
    "the gradient of h0 is missing",
    "The walk back does not end at the first step: h0 acts on the loss too.",
)

OVERFLOW = Mistake(
    "overflow",
    "an exponential overflows: where sums are large, NaN comes out",
    "From 710 on exp(a) is infinite, and infinite by infinite is NaN. Can the sigmoid be written so that for a large "
    "sum its exponential goes to 0?",
)

HANDLING = {
    mistake.key: mistake
    for mistake in (IN_PLACE, OVERWRITTEN, FLOAT32, TRANSPOSED, NOT_SUMMED, OUTER_OF_BATCH)
}

BATCH_OVERWRITTEN = Slip(
    Mistake(
        OVERWRITTEN.key,
        "the examples of a batch share one array: all rows come out as the last",
        "Is the array that holds one example's result made anew for each of them?",
    ),
    (frozenset({"rows_overwritten"}),),
    group=OVERWRITTEN.key,
    rare=False,
)
"""The same within one call, in a cell."""
