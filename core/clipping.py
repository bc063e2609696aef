"""Gradient clipping: three ways to shorten a gradient before a step, and the angle by which each turns it.

A gradient is a mapping from names to arrays, one for each parameter. With g all of it as one long vector, g_p
the part of the parameter p, and ‖·‖ the Euclidean norm,

    global norm    g  ← g · min(1, limit / ‖g‖)           keeps the direction
    tensor norm    g_p ← g_p · min(1, limit / ‖g_p‖)      turns it: large parts shrink, small ones stay
    value          g_j ← max(−limit, min(limit, g_j))     turns it: large entries shrink, small ones stay

The first is due to Pascanu, Mikolov and Bengio (2013, "On the difficulty of training recurrent neural
networks"), the last was used by Mikolov (2012).

Squares of large entries overflow and those of small ones vanish, so a norm is taken of entries that were
divided by a power of two near the largest. An entry that is infinite or NaN has no direction that a factor
could save: it raises FloatingPointError, which names the parameters it was found in.
"""

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from core.validation import finite_number, float_array

Gradients = Mapping[str, np.ndarray]

_FULL_DIGITS = float(np.finfo(np.float64).tiny)
"""Numbers below this have fewer digits than 53 bits."""


class GlobalClip(NamedTuple):
    """A gradient clipped as a whole."""

    clipped: dict[str, np.ndarray]
    norm: float
    """‖g‖ before clipping; inf where it is beyond float64, and the clipped gradient is right all the same."""


class TensorClip(NamedTuple):
    """A gradient clipped part by part."""

    clipped: dict[str, np.ndarray]
    norms: dict[str, float]
    """‖g_p‖ before clipping, for each part."""


class _Norm(NamedTuple):
    """A norm as ``mantissa · 2^exponent``, which neither overflows nor underflows."""

    mantissa: float
    exponent: int

    @property
    def value(self) -> float:
        with np.errstate(over="ignore", under="ignore"):
            return float(np.ldexp(self.mantissa, self.exponent))


def global_norm(grads: Gradients) -> float:
    """‖g‖, the root of the sum of the squares of all entries of all parts; inf only where it is beyond float64.

    Raises ValueError for what is not a mapping from names to arrays of numbers, or is empty, and
    FloatingPointError for entries that are not finite.
    """
    return _norm(_checked(grads).values()).value


def clip_by_global_norm(grads: Gradients, max_norm: float) -> GlobalClip:
    """Scale all parts by one factor so that the norm of the whole is at most ``max_norm``, and return both.

    Parts keep their shape. float32 stays float32, and all else comes back as float64; a gradient that is short
    enough keeps its values. Raises ValueError for a limit that is not finite and above 0, else as `global_norm`.
    """
    parts, limit = _checked(grads), finite_number("max_norm", max_norm, above=0)
    norm = _norm(parts.values())
    return GlobalClip({name: _shortened(part, norm, limit) for name, part in parts.items()}, norm.value)


def clip_by_tensor_norm(grads: Gradients, max_norm: float) -> TensorClip:
    """Scale each part by a factor of its own so that its norm is at most ``max_norm``.

    Raises as `clip_by_global_norm`.
    """
    parts, limit = _checked(grads), finite_number("max_norm", max_norm, above=0)
    norms = {name: _norm([part]) for name, part in parts.items()}
    return TensorClip(
        {name: _shortened(part, norms[name], limit) for name, part in parts.items()},
        {name: norm.value for name, norm in norms.items()},
    )


def clip_by_value(grads: Gradients, max_value: float) -> dict[str, np.ndarray]:
    """Bring each entry into [−max_value, max_value]. Raises as `clip_by_global_norm`."""
    parts, limit = _checked(grads), finite_number("max_value", max_value, above=0)
    return {name: _bounded(part, limit) for name, part in parts.items()}


def turning_angle(grads: Gradients, clipped: Gradients) -> float:
    """The angle in degrees, 0 to 180, between a gradient and what clipping made of it, each as one long vector.

    With u and v of length 1 it is 2·atan2(‖u − v‖, ‖u + v‖), which is exact for small angles too, where the
    arc cosine of u·v is not (Kahan, 2006). A zero gradient has no direction: the angle of two of them is 0, that
    of one and another is NaN.

    Raises ValueError if the parts differ in name or shape, else as `global_norm`.
    """
    before, after = _checked(grads), _checked(clipped, "clipped")
    shapes = [{name: part.shape for name, part in parts.items()} for parts in (before, after)]
    if shapes[0] != shapes[1]:
        raise ValueError(f"clipped must have the names and shapes of grads, {shapes[0]}, got {shapes[1]}")
    u, v = (_direction(parts, list(before)) for parts in (before, after))
    if not (u.any() and v.any()):
        return 0.0 if u.any() == v.any() else math.nan
    return 2 * math.degrees(math.atan2(np.linalg.norm(u - v), np.linalg.norm(u + v)))


def _checked(grads: Gradients, called: str = "grads") -> dict[str, np.ndarray]:
    """The parts as float arrays, all of them finite."""
    if not isinstance(grads, Mapping) or not grads:
        raise ValueError(f"{called} must be a mapping from names to arrays, with at least one, got {grads!r}")
    parts = {
        name: float_array(f"{called}[{name!r}]", part, keep_float32=True) for name, part in grads.items()
    }
    broken = [str(name) for name, part in parts.items() if not np.isfinite(part).all()]
    if broken:
        raise FloatingPointError(f"the gradient holds infinities or NaN in {', '.join(broken)}")
    return parts


def _norm(parts) -> _Norm:
    parts = list(parts)
    if all(part.dtype == np.float32 for part in parts):
        # Squares of float32 have room enough in float64.
        flat = [part.ravel().astype(np.float64) for part in parts]
        return _Norm(*math.frexp(math.sqrt(sum(float(part @ part) for part in flat))))
    parts = [np.asarray(part, dtype=np.float64).ravel() for part in parts]
    peak = max(float(np.abs(part).max(initial=0)) for part in parts)
    exponent = math.frexp(peak)[1]
    with np.errstate(under="ignore"):
        scaled = [np.ldexp(part, -exponent) for part in parts]
        return _Norm(math.sqrt(sum(float(part @ part) for part in scaled)), exponent)


def _shortened(part: np.ndarray, norm: _Norm, limit: float) -> np.ndarray:
    """``part · limit / norm`` if the norm is above the limit, computed in float64, in the float type of the part."""
    if norm.value <= limit:
        return part
    wide = part.astype(np.float64, copy=False)
    with np.errstate(under="ignore"):
        factor = limit / norm.value
        shortened = wide * factor if factor > _FULL_DIGITS < norm.value else _scaled(wide, norm, limit)
        return shortened.astype(part.dtype, copy=False)


def _scaled(part: np.ndarray, norm: _Norm, limit: float) -> np.ndarray:
    """``part · limit / norm`` where the norm or the quotient is out of range: powers of two join at the end."""
    digits, powers = np.frexp(part)
    limit_digits, limit_power = math.frexp(limit)
    return np.ldexp(digits * (limit_digits / norm.mantissa), powers + (limit_power - norm.exponent))


def _bounded(part: np.ndarray, limit: float) -> np.ndarray:
    """``part`` within ±limit; a limit beyond the float type of the part bounds nothing."""
    limit = min(limit, float(np.finfo(part.dtype).max))
    return np.clip(part, -limit, limit)


def _direction(parts: dict[str, np.ndarray], names: list[str]) -> np.ndarray:
    """All parts as one vector of length 1, in the order of ``names``; zero if all are zero."""
    norm = _norm(parts.values())
    flat = np.concatenate([np.asarray(parts[name], dtype=np.float64).ravel() for name in names])
    with np.errstate(under="ignore"):
        return np.ldexp(flat, -norm.exponent) / (norm.mantissa or 1.0)
