"""What a student's function returned, taken apart into values with names, and each fitted to what is expected."""

from dataclasses import dataclass, field, replace
from difflib import get_close_matches

import numpy as np

from core.exercises.contract import Foreign
from core.exercises.judged.mistakes.handling import FLOAT32, NOT_SUMMED, OUTER_OF_BATCH, TRANSPOSED
from core.exercises.judged.truth import GRADS, RESULTS, grads_name


@dataclass(frozen=True)
class Parts:
    """The values of one result."""

    values: dict[str, object] = field(default_factory=dict)
    """By name, those that came."""
    missing: dict[str, str] = field(default_factory=dict)
    """Why a value did not come, by its name."""
    blame: str = ""
    """What is wrong with the whole, although its values could be told from each other."""
    aside: str = ""
    """What could be done better."""
    extra: tuple[str, ...] = ()
    """What nobody asked for."""


@dataclass(frozen=True)
class Fitted:
    """One value, fitted to the shape that is expected."""

    shape: tuple[int, ...] | None
    """As it came."""
    array: np.ndarray | None = None
    """float64, in the shape that is expected; None where there is no telling."""
    blame: str = ""
    """What is wrong with kind or shape."""
    signs: frozenset[str] = frozenset()
    """Keys of mistakes in handling that show, once the numbers agree."""


def value_names(name: str) -> tuple[str, ...]:
    """The names of all values of a function's result."""
    if name == "rnn_bptt":
        return ("loss", *map(grads_name, GRADS))
    return RESULTS[name]


def taken_apart(name: str, returned: object) -> Parts:
    """The values of one result by their names."""
    expected = RESULTS[name]
    if returned is None:
        return _nothing(name, "nothing came back: is there a `return`?")
    if len(expected) == 1:
        return _single(name, returned)
    asked = f"not a tuple ({', '.join(expected)})"
    if isinstance(returned, np.ndarray) and returned.shape[:1] == (len(expected),):
        return replace(_named(name, list(returned)), blame=f"one array, {asked}")
    if isinstance(returned, dict) and set(expected) <= set(returned):
        return replace(_named(name, [returned[key] for key in expected]), blame=f"a dict, {asked}")
    if not isinstance(returned, tuple | list):
        return _nothing(name, f"{_kind(returned)}, {asked}")
    if len(returned) != len(expected):
        values = "1 value" if len(returned) == 1 else f"{len(returned)} values"
        return _nothing(name, f"{values}, not {len(expected)}: {', '.join(expected)}")
    aside = f"a list, {asked}" if isinstance(returned, list) else ""
    return replace(_named(name, returned), aside=aside)


def fitted(value: object, expected: np.ndarray) -> Fitted:
    """A value as an array of float64 in the shape of ``expected``, and what had to be done for it."""
    array, blame, signs = _as_array(value)
    if array is None:
        return Fitted(None, None, blame)
    shape, wanted = array.shape, expected.shape
    if shape != wanted:
        array, found, sign = _reshaped(array, wanted)
        blame = f"{blame}; {found}" if blame else found
        signs |= sign
    if array is not None and not np.isfinite(array).all():
        count = int((~np.isfinite(array)).sum())
        found = f"{count} of {array.size} entries {'is' if count == 1 else 'are'} NaN or infinite"
        blame = f"{blame}; {found}" if blame else found
    return Fitted(shape, array, blame, signs)


def _single(name: str, returned: object) -> Parts:
    """The one value of a function that returns one array."""
    (only,) = RESULTS[name]
    if not isinstance(returned, tuple | list) or not any(isinstance(item, np.ndarray) for item in returned):
        return Parts({only: returned})
    blame = f"a {type(returned).__name__} of {len(returned)}, not one array"
    return Parts({only: returned[0]}, blame=blame) if len(returned) == 1 else _nothing(name, blame)


def _nothing(name: str, why: str) -> Parts:
    return Parts(missing=dict.fromkeys(value_names(name), why))


def _named(name: str, results: tuple | list) -> Parts:
    """Results that are as many as expected, by name; ``grads`` is taken apart too."""
    values = dict(zip(RESULTS[name], results, strict=True))
    if "grads" not in values:
        return Parts(values)
    grads = values.pop("grads")
    if not isinstance(grads, dict):
        why = f"grads is {_kind(grads)}, not a dict"
        return Parts(values, {grads_name(key): why for key in GRADS})
    extra = [key for key in grads if key not in GRADS]
    values |= {grads_name(key): grads[key] for key in GRADS if key in grads}
    missing = {grads_name(key): _no_key(key, extra) for key in GRADS if key not in grads}
    return Parts(values, missing, extra=tuple(f"grads[{key!r}]" for key in extra))


def _no_key(key: str, extra: list[object]) -> str:
    near = get_close_matches(key, [str(other) for other in extra], 1, 0.5)
    return f"grads has no key {key!r}" + (f", but one {near[0]!r}" if near else "")


def _as_array(value: object) -> tuple[np.ndarray | None, str, frozenset[str]]:
    """An array of float64 or None, what is wrong with its kind, and the signs of mistakes."""
    blame = ""
    if isinstance(value, list | tuple):
        blame = f"{_kind(value)}, not an array"
        try:
            value = np.array(value, dtype=np.float64)
        except (TypeError, ValueError):
            return None, f"{blame}, and its items do not make one", frozenset()
    if not isinstance(value, np.ndarray | np.generic | float | int | complex):
        return None, f"{_kind(value)}, not an array", frozenset()
    array = np.asarray(value)
    if array.dtype.kind not in "fiub":
        kind = "complex numbers" if array.dtype.kind == "c" else f"an array of {array.dtype}"
        return None, f"{kind}, not float64", frozenset()
    if array.dtype.kind != "f" or array.dtype.itemsize != 8:
        kind = {"b": "truth values", "f": str(array.dtype)}.get(array.dtype.kind, "integers")
        blame = f"{kind}, not float64"
    signs = frozenset({FLOAT32.key} if array.dtype == np.float32 else ())
    with np.errstate(all="ignore"):
        return array.astype(np.float64), blame, signs


def _reshaped(array: np.ndarray, wanted: tuple[int, ...]) -> tuple[np.ndarray | None, str, frozenset[str]]:
    """An array of another shape than wanted, in the shape wanted where that can be guessed."""
    came = f"the shape is {array.shape}, not {wanted}"
    if tuple(size for size in array.shape if size != 1) == tuple(size for size in wanted if size != 1):
        return array.reshape(wanted), came, frozenset()
    if array.ndim == 2 and array.shape[::-1] == wanted:
        return array.T.copy(), came, frozenset({TRANSPOSED.key})
    if array.ndim == len(wanted) == 2 and _is_of_batch(array.shape, wanted):
        (rows, columns), count = wanted, array.shape[0] // wanted[0]
        blocks = array.reshape(count, rows, count, columns)
        return np.einsum("brbc->rc", blocks), came, frozenset({OUTER_OF_BATCH.key})
    if array.shape[1:] == wanted:
        return array.sum(axis=0), came, frozenset({NOT_SUMMED.key})
    return None, came, frozenset()


def _is_of_batch(shape: tuple[int, ...], wanted: tuple[int, ...]) -> bool:
    """Whether both sizes are the same number of times what they should be."""
    count = shape[0] // wanted[0]
    return count > 1 and shape == (count * wanted[0], count * wanted[1])


def _kind(value: object) -> str:
    if isinstance(value, Foreign):
        return value.description
    if value is None:
        return "None"
    kind = "array" if isinstance(value, np.ndarray) else type(value).__name__
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"
