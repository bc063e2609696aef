"""Checks of arguments: the value comes back, or a ValueError names the argument, the value and the range."""

import math
from collections.abc import Callable, Iterable
from numbers import Integral, Real
from typing import TypeVar

import numpy as np

Instance = TypeVar("Instance")


def finite_number(name: str, value: float, *, above: float = -math.inf, size: float = math.inf) -> float:
    """A real number that is neither infinite nor NaN, greater than ``above``, and from −``size`` to ``size``."""
    if not isinstance(value, Real) or isinstance(value, bool | np.bool_) or not above < value < math.inf:
        limits = "" if above == -math.inf else f" above {above:g}"
        raise ValueError(f"{name} must be a finite number{limits}, got {value!r}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if math.isinf(number):
        raise ValueError(f"{name} must be a number that fits float64, got one beyond it")
    if abs(number) > size:
        raise ValueError(f"{name} must be a number of at most {size:g} in size, got {value!r}")
    return number


def share_below_one(name: str, value: float) -> float:
    """A real number from 0 to below 1: a share that is dropped, or a decay."""
    value = finite_number(name, value)
    if not 0 <= value < 1:
        raise ValueError(f"{name} must be from 0 to below 1, got {value!r}")
    return value


def whole_number(name: str, value: int, *, least: int, most: float = math.inf) -> int:
    """An integer, Python's or NumPy's, from ``least`` to ``most``."""
    if not isinstance(value, Integral) or isinstance(value, bool) or not least <= value <= most:
        limits = f"of at least {least}" if most == math.inf else f"from {least} to {most}"
        raise ValueError(f"{name} must be an integer {limits}, got {value!r}")
    return int(value)


def yes_or_no(name: str, value: bool) -> bool:
    """True or False, Python's or NumPy's; a text such as "no" would count as true."""
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"{name} must be True or False, got {value!r}")
    return bool(value)


def a_string(name: str, value: str) -> str:
    """A string, which may be empty."""
    if not isinstance(value, str):
        raise ValueError(f"{name} must be a string, got {value!r}")
    return value


def a_function(name: str, value: Callable) -> Callable:
    """Something that can be called."""
    if not callable(value):
        raise ValueError(f"{name} must be a function, got {value!r}")
    return value


def instance_of(name: str, value: Instance, kind: type[Instance]) -> Instance:
    """An instance of the class ``kind``."""
    if not isinstance(value, kind):
        raise ValueError(f"{name} must be a {kind.__name__}, got {value!r}")
    return value


def keep_plain(settings: object, **checked: float | bool) -> None:
    """Put checked numbers into a frozen dataclass: a float32 that stayed in it would be computed with as such."""
    for name, value in checked.items():
        object.__setattr__(settings, name, value)


def one_of(name: str, value: str, choices: Iterable[str]) -> str:
    """One of the names in ``choices``."""
    choices = tuple(choices)
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(choices)}, got {value!r}")
    return value


def finite_array(
    name: str, value: np.ndarray, shape: tuple[int | str, ...], *, keep_float32: bool = False
) -> np.ndarray:
    """A float64 array of the given shape without infinities or NaN.

    A letter in ``shape`` stands for any length from 1; the same letter twice stands for the same length
    twice. With ``keep_float32`` an array of float32 stays one.
    """
    array = float_array(name, value, keep_float32=keep_float32)
    check_shape(name, array, shape)
    finite = np.isfinite(array)
    if not finite.all():
        raise _refusal(name, array, ~finite, "finite numbers only")
    return array


def float_array(name: str, value: np.ndarray, *, keep_float32: bool = False) -> np.ndarray:
    """An array of float64, or of float32 if it is one and may stay so: no text, no complex numbers."""
    try:
        array = np.asarray(value)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must be an array of numbers, got {value!r}") from error
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{name} must be an array of numbers, got {value!r}")
    if array.dtype == np.float64 or (keep_float32 and array.dtype == np.float32):
        return array
    # A wider float may hold more than float64 does, and is infinite then.
    with np.errstate(over="ignore"):
        return array.astype(np.float64)


def array_without_nan(name: str, value: np.ndarray, shape: tuple[int | str, ...]) -> np.ndarray:
    """Like `finite_array` with ``keep_float32``, but infinities may stay."""
    array = float_array(name, value, keep_float32=True)
    check_shape(name, array, shape)
    missing = np.isnan(array)
    if missing.any():
        raise _refusal(name, array, missing, "numbers, finite or infinite")
    return array


def _refusal(name: str, array: np.ndarray, wrong: np.ndarray, expected: str) -> ValueError:
    where = tuple(int(i) for i in np.argwhere(wrong)[0])
    return ValueError(f"{name} must hold {expected}, got {array[where]} at index {where}")


def check_shape(name: str, array: np.ndarray, shape: tuple[int | str, ...]) -> None:
    """Refuse an array whose shape does not fit; letters as in `finite_array`."""
    if array.shape == shape:
        return
    lengths = {want: got for want, got in zip(shape, array.shape, strict=False) if isinstance(want, str)}
    if array.shape != tuple(lengths.get(want, want) for want in shape) or 0 in lengths.values():
        wanted = ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "")
        letters = " and ".join(dict.fromkeys(want for want in shape if isinstance(want, str)))
        letters = f" with {letters} of at least 1" if letters else ""
        raise ValueError(f"{name} must have shape ({wanted}){letters}, got {array.shape}")
