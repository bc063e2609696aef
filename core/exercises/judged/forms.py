"""What is wrong with the kind or the shape of what came, as mistakes: where the check knows it, it is named."""

from collections.abc import Sequence

from core.exercises.contract import Mistake, Row
from core.exercises.judged.comparison import Beside, Compared
from core.exercises.judged.mistakes.handling import H0_MISSING, HANDLING
from core.exercises.judged.truth import grads_name

_KEY = "form"
_HINTS = (
    ("nothing came back", "What a function has calculated is lost where no `return` hands it on."),
    ("no key", "A key is found by its exact spelling: compare yours with the names in the signature's text."),
    ("not a dict", "The gradients are returned under the names of what they are gradients of."),
    ("a list, not an array", "np.array(…) makes an array of a list, once it is complete."),
    ("a tuple, not an array", "np.array(…) makes an array of a tuple."),
    ("not one array", "One result needs no tuple around it, and a second one is not asked for."),
    ("values, not", "Compare the names and the order in the signature's text with your `return`."),
    ("value, not", "Compare the names and the order in the signature's text with your `return`."),
    (
        "not a tuple",
        "Several results are returned with commas between them, in the order of the signature's text.",
    ),
    ("integers, not", "Look for int(…), astype, or an array that was made of whole numbers."),
    ("the shape is", "Write the shape of each factor down, for one example and for a batch."),
)
"""What is said in a remark, and what leads to the mend."""
_ANY = "What does the function's text ask for here: which kind, and of what shape?"


def wrong_forms(
    seen: Compared, rows: Sequence[Row], covered: Sequence[Mistake], tolerance: float
) -> list[Mistake]:
    """A mistake for each remark on values of which nothing else is wrong, or nothing else can be told.

    What other mistakes say already is left out, and so are numbers that are NaN or infinite; a shape that does not
    fit at all may come of a mistake in what is computed, such as a step too few.
    """
    keys = {mistake.key for mistake in covered}
    by_remark: dict[str, list[str]] = {}
    for row in rows:
        if row.name == grads_name("h0") and H0_MISSING.key in keys:
            continue
        besides = seen.values[row.name]
        blamed = [beside for beside in besides if beside.came.blame]
        if any(keys & beside.came.signs for beside in besides) or "NaN" in row.remark or not blamed:
            continue
        if keys - set(HANDLING) - {H0_MISSING.key} and _does_not_fit(besides):
            continue
        if all(each.came.array is None or each.numbers_right(tolerance) for each in besides):
            by_remark.setdefault(row.remark.removesuffix("; its numbers are right"), []).append(row.name)
    return _keys(seen, by_remark) + [
        Mistake(_KEY, _title(remark, values, len(rows)), _hint(remark))
        for remark, values in by_remark.items()
    ]


def _does_not_fit(besides: Sequence[Beside]) -> bool:
    """Whether the shape is such that the numbers cannot be compared."""
    return any(each.came.shape is not None and each.came.array is None for each in besides)


def _keys(seen: Compared, by_remark: dict[str, list[str]]) -> list[Mistake]:
    """The keys of ``grads`` that are others, in one mistake; they are taken out of ``by_remark``."""
    missing = [remark for remark in by_remark if "no key" in remark]
    if not missing or not seen.extra:
        return []
    asked = [value.split("'")[1] for remark in missing for value in by_remark.pop(remark)]
    found = [name.removeprefix("grads[").rstrip("]").strip("'") for name in seen.extra]
    called = "a key of grads is" if len(found) == 1 else "keys of grads are"
    title = f"{called} called {', '.join(found)} in place of {', '.join(asked)}"
    return [Mistake("keys", title, _hint("no key"))]


def _title(remark: str, values: list[str], count: int) -> str:
    said = remark.split(": is there")[0]
    if len(values) == count or remark.startswith("grads "):
        return said
    return f"{', '.join(values)}: {said}"


def _hint(remark: str) -> str:
    return next((hint for piece, hint in _HINTS if piece in remark), _ANY)
