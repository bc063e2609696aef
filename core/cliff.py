"""The smallest cliff: one tanh unit that feeds itself, its loss as a function of the bias, and descent on it.

    a_t = w·h_{t−1} + b        h_t = tanh(a_t)        t = 1 … T        loss L(b) = (h_T − target)²

The gradient is carried forward beside the state, exactly:

    ∂a_1/∂b = 1        ∂a_{t+1}/∂b = 1 + w·tanh′(a_t)·∂a_t/∂b
    dL/db = 2·(h_T − target)·tanh′(a_T)·∂a_T/∂b

For w > 1 the map h → tanh(w·h + b) has three fixed points where |b| < b_c, and a single one beyond the fold
b_c. A start that one bias leaves in the lower attractor is carried to the upper one by a slightly larger
bias: there the loss has a wall, and a step down the gradient of the wall throws the bias far away (Doya, 1993,
"Bifurcations of recurrent neural networks in gradient descent learning"; Pascanu, Mikolov and Bengio, 2013,
"On the difficulty of training recurrent neural networks").
"""

import math
from dataclasses import dataclass
from types import ModuleType

import numpy as np

from core.activations import tanh_slope
from core.products import log10_magnitude
from core.validation import finite_array, finite_number, instance_of, keep_plain, whole_number

_LOG10_OF_E = math.log10(math.e)
LARGEST = 1e150
"""The largest numbers for which nothing here overflows."""
_HALVINGS = 2200
"""More than lead from the widest interval of float64 to two neighbours at 0, so that the search always ends."""
_SMALL = 0.5
_TERMS = 30
"""The series of the fold up to h = 0.5: what comes after these is below the last digit."""


@dataclass(frozen=True)
class CliffCurve:
    """The unit at N biases; every array is (N,)."""

    bias: np.ndarray
    state: np.ndarray
    """h_T."""
    loss: np.ndarray
    """(h_T − target)²."""
    gradient: np.ndarray
    """dL/db."""
    log10_gradient: np.ndarray
    """log10|dL/db|, also where the gradient itself is beyond float64; −inf where h_T is the target."""


@dataclass(frozen=True)
class FixedPoint:
    """A state that the map leaves where it is."""

    state: float
    slope: float
    """w·tanh′ there: what one step makes of a small deviation."""
    stable: bool
    """Whether states nearby are drawn in: an attractor."""


@dataclass(frozen=True)
class CliffUnit:
    """One unit with a positive weight to itself, run for ``steps`` steps from ``start`` towards ``target``.

    Raises ValueError for a self-weight that is not finite and above 0, a start or target that is not finite,
    one of these above 1e150 in size, so that a product of two fits float64, or fewer than one step.
    """

    self_weight: float = 2.0
    start: float = -0.9
    steps: int = 20
    target: float = 0.8

    def __post_init__(self) -> None:
        keep_plain(
            self,
            self_weight=finite_number("self_weight", self.self_weight, above=0, size=LARGEST),
            start=finite_number("start", self.start, size=LARGEST),
            steps=whole_number("steps", self.steps, least=1),
            target=finite_number("target", self.target, size=LARGEST),
        )

    @property
    def fold(self) -> float | None:
        """b_c = w·h_f − artanh(h_f) with h_f = √(1 − 1/w), from where on only one fixed point is left.

        At the fold the slope w·(1 − h²) is 1. None for w ≤ 1, where there is never more than one.

        For small h_f the two terms are almost equal; there b_c = Σ_{n≥1} h_f^(2n+1)·2n/(2n+1), which is the
        difference of their series in h_f, as w = 1/(1 − h_f²).
        """
        if self.self_weight <= 1:
            return None
        h = math.sqrt((self.self_weight - 1) / self.self_weight)
        if h > _SMALL:
            return self.self_weight * h - self._turn
        return math.fsum(h ** (2 * n + 1) * 2 * n / (2 * n + 1) for n in range(1, _TERMS))

    @property
    def _turn(self) -> float:
        """The pre-activation artanh(h_f) = arsinh(√(w − 1)) at which the slope w·tanh′ is 1."""
        return math.asinh(math.sqrt(self.self_weight - 1))

    def curve(self, bias: np.ndarray) -> CliffCurve:
        """Loss and gradient at each ``bias`` of (N,). ValueError for biases that are empty or not finite."""
        bias = finite_array("bias", bias, ("N",))
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            a, growth = self.forward(bias, np)
            loss, gradient = self._judge(a, growth, np)
            logarithm = self._log10_gradient(a, growth)
        return CliffCurve(bias, np.tanh(a), loss, gradient, logarithm)

    def loss_and_gradient(self, bias: float) -> tuple[float, float]:
        """L and dL/db at one bias, in plain floats: for one number that is ten times faster than arrays."""
        return self._judge(*self.forward(finite_number("bias", bias), math), math)

    def trajectory(self, bias: float) -> np.ndarray:
        """h_0 … h_T at one bias, (T + 1,)."""
        bias = finite_number("bias", bias)
        states = [self.start]
        for _ in range(self.steps):
            states.append(math.tanh(self.self_weight * states[-1] + bias))
        return np.array(states)

    def fixed_points(self, bias: float) -> tuple[FixedPoint, ...]:
        """The one or three states with h = tanh(w·h + b), from the lowest up; of three the middle one repels.

        They are the zeros of F(a) = a − w·tanh(a) − b, which rises, falls between ∓artanh(h_f), and rises.
        Exactly at the fold, where two of them meet and vanish, the other one is given alone.
        """
        bias = finite_number("bias", bias)
        reach = self.self_weight + abs(bias) + 1

        def excess(a: float) -> float:
            return a - self.self_weight * math.tanh(a) - bias

        if self.self_weight <= 1:
            return (self._fixed_point(bisect(excess, -reach, reach), stable=True),)
        turn = self._turn
        branches = []
        if excess(-turn) > 0:
            branches.append((-reach, -turn, True))
        if excess(-turn) > 0 > excess(turn):
            branches.append((turn, -turn, False))
        if excess(turn) < 0:
            branches.append((turn, reach, True))
        return tuple(self._fixed_point(bisect(excess, low, high), stable) for low, high, stable in branches)

    def _fixed_point(self, a: float, stable: bool) -> FixedPoint:
        return FixedPoint(math.tanh(a), self.self_weight * float(tanh_slope(a)), stable)

    def forward(self, bias, xp: ModuleType):
        """a_T and ∂a_T/∂b; ``xp`` is `numpy` for an array of biases and `math` for one."""
        a, growth = self.self_weight * self.start + bias, 1.0 + 0.0 * bias
        for _ in range(self.steps - 1):
            decay = xp.exp(-2 * abs(a))
            growth = 1 + self.self_weight * (4 * decay / (1 + decay) ** 2) * growth
            a = self.self_weight * xp.tanh(a) + bias
        return a, growth

    def _judge(self, a, growth, xp: ModuleType):
        """Loss and gradient. Near ±1 the state is taken as 1 less its distance, which keeps its digits."""
        decay = xp.exp(-2 * abs(a))
        side = xp.copysign(1.0, a)
        miss = side * ((1 - side * self.target) - 2 * decay / (1 + decay))
        return miss * miss, 2 * miss * (4 * decay / (1 + decay) ** 2) * growth

    def _log10_gradient(self, a: np.ndarray, growth: np.ndarray) -> np.ndarray:
        """The same product as a sum of logarithms; for a target of ±1 the distance from it may be below float64."""
        decay = np.exp(-2 * np.abs(a))
        log10_decay = -2 * _LOG10_OF_E * np.abs(a)
        room = 1 - np.copysign(1.0, a) * self.target
        tail = log10_magnitude(2 / (1 + decay))
        miss = np.where(room == 0, log10_decay + tail, log10_magnitude(room - 2 * decay / (1 + decay)))
        return math.log10(2) + miss + log10_decay + 2 * tail + log10_magnitude(growth)


def bisect(function, low: float, high: float) -> float:
    """The zero of a function that is below 0 at ``low`` and not at ``high``, to the last digit of float64.

    The interval is halved until no number lies between its ends, also where the zero is close to 0.
    """
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        value = function(middle)
        if value == 0 or middle in (low, high):
            return middle
        if value < 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def cobweb(states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The staircase (x, y), each (2T + 1,), between a map and the diagonal that h_0 … h_T (T + 1,) climbs.

    From (h_0, h_0) up to the map at (h_0, h_1), across to (h_1, h_1), and so on.
    """
    corners = np.repeat(finite_array("states", states, ("T + 1",)), 2)
    return corners[:-1], corners[1:]


@dataclass(frozen=True)
class Descent:
    """A run of N updates of the bias; entry n is what holds after n updates."""

    bias: np.ndarray
    """(N + 1,)."""
    loss: np.ndarray
    """(N + 1,)."""
    gradient: np.ndarray
    """(N + 1,): dL/db, before clipping."""
    stuck_at: int | None
    """The first n from which no update moves the bias although the loss is not yet down, if there is one."""


ARRIVED = 1e-12
"""A loss below this is down: there a gradient of zero is no misfortune."""


def descend(
    unit: CliffUnit, bias: float, learning_rate: float, updates: int, clip_norm: float | None = None
) -> Descent:
    """``updates`` steps of gradient descent b ← b − learning_rate·g from ``bias``, which no range confines.

    With ``clip_norm`` g is shortened to that length first. A run that was thrown far out is stuck there: its
    gradient, 0 or nearly, changes no digit of the bias.

    Raises ValueError for what is no `CliffUnit`, a bias that is not finite, a learning rate or clip norm that is
    not finite and above 0, or a negative number of updates, and FloatingPointError, which names the update, for a
    gradient or a bias beyond float64.
    """
    unit, bias = instance_of("unit", unit, CliffUnit), finite_number("bias", bias)
    learning_rate = finite_number("learning_rate", learning_rate, above=0)
    updates = whole_number("updates", updates, least=0)
    limit = math.inf if clip_norm is None else finite_number("clip_norm", clip_norm, above=0)
    rows, stuck_at = [], None
    for n in range(updates + 1):
        if not math.isfinite(bias):
            raise FloatingPointError(
                f"update {n} takes the bias from {rows[-1][0]} to {bias}, beyond float64"
            )
        loss, gradient = unit.loss_and_gradient(bias)
        if not math.isfinite(gradient):
            raise FloatingPointError(f"the gradient after update {n}, at bias {bias}, is not finite")
        rows.append((bias, loss, gradient))
        after = bias - learning_rate * max(-limit, min(limit, gradient))
        if after == bias and stuck_at is None and loss > ARRIVED:
            stuck_at = n
        bias = after
    return Descent(*np.array(rows).T, stuck_at)
