"""Lab: one unit that feeds itself, the wall in its loss, and the step that clipping makes of a thrown one."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import param

from core.cliff import CliffCurve, CliffUnit, Descent, FixedPoint, cobweb, descend
from core.cliff_search import bias_grid, minimum, steepest
from core.clipping import clip_by_global_norm, clip_by_tensor_norm, clip_by_value, turning_angle
from widgets.base.frame import Frame, Preset, Readout, Table, log_readout, readout
from widgets.base.numbers import moved
from widgets.base.settings import LogNumber
from widgets.cliff import plots, words
from widgets.cliff.biases import SLIDER
from widgets.cliff.steps import steps
from widgets.lab import Lab

_UPDATES = 60
_GRID = 700
"""Points of the curves: half of them even, one for about two pixels of a wide window."""
_WINDOW = (-5.0, 5.0)
"""Room for 10⁻⁴, far right of the wall, and for 24000, the wall after a hundred steps."""
_TENSORS = {"U": np.array([3.0, 4.0]), "v": np.array([0.0, 1.0])}


class CliffLab(Lab):
    slug = "cliff"
    title = "Cliff"
    question = "Why does one step throw training away, and what does clipping do?"
    player = "update"
    sentence_lines = 2
    pointers = frozenset({"update"})

    bias = param.Number(
        0.5, bounds=SLIDER, step=0.001, label="Bias b",
        doc="The one weight that is trained. The runs of updates start here, and may leave the range of the slider.",
    )  # fmt: skip
    self_weight = param.Number(
        2.0, bounds=(0.5, 4), step=0.01, label="Self-weight w",
        doc="What the unit multiplies its own last state by. Only above 1 can it hold two states, and has a fold.",
    )  # fmt: skip
    start = param.Number(
        -0.9, bounds=(-1, 1), step=0.01, label="Start h₀", doc="The state before the first step."
    )
    steps = param.Integer(
        20, bounds=(1, 100), step=1, label="Steps T", doc="How often the unit is fed its own state."
    )
    target = param.Number(0.8, bounds=(-1, 1), step=0.01, label="Target", doc="The loss is (h_T − target)^2.")
    learning_rate = LogNumber(
        0.1, bounds=(0.001, 1), step=0.001, label="Learning rate η",
        doc="An update without clipping is b ← b − η·dL/db.",
    )  # fmt: skip
    clip_norm = LogNumber(
        0.1, bounds=(0.01, 10), step=0.01, label="Clip norm",
        doc="A gradient that is longer is shortened to this length before the update.",
    )  # fmt: skip
    update = param.Integer(
        0, bounds=(0, _UPDATES), step=1, label="Update",
        doc="How many updates both runs have made; the arrows are the next ones.",
    )  # fmt: skip

    presets = (
        Preset(
            "approach", "Before the wall",
            "Move b to the right by hundredths, from 0.5 to 0.57: the gradient grows from 4 to more than 100, "
            "and then is all but gone.",
            {}, _WINDOW,
        ),
        Preset(
            "on-the-cliff", "On the cliff",
            "At b = 0.558, the steepest place, the gradient is almost −293. Compare the two arrows: one lands 29 away.",
            {"bias": 0.558}, _WINDOW,
        ),
        Preset(
            "off-the-cliff", "Off the cliff",
            "Past the wall the gradient is tens of thousands of times smaller, the step too short to see. "
            "Press Play: b hardly moves.",
            {"bias": 0.8}, _WINDOW,
        ),
        Preset(
            "late-fold", "Late fold",
            "With weight 2.5 the lower state holds out until b = 0.905. The wall moves along with the fold, "
            "and is steeper.",
            {"bias": 0.928, "self_weight": 2.5}, _WINDOW,
        ),
        Preset(
            "clipped", "Clipped",
            "Seen close: the clipped run walks to the wall, then to and fro across the minimum. "
            "Try a smaller learning rate.",
            {"bias": 0.55, "update": _UPDATES}, _WINDOW, {"b": (0.5, 0.62)},
        ),
    )  # fmt: skip

    def unit(self) -> CliffUnit:
        return CliffUnit(self.self_weight, self.start, self.steps, self.target)

    def compute(self) -> Frame:
        unit = self.unit()
        free = descend(unit, self.bias, self.learning_rate, _UPDATES + 1)
        clipped = descend(unit, self.bias, self.learning_rate, _UPDATES + 1, self.clip_norm)
        states = unit.trajectory(self.bias)
        points = unit.fixed_points(self.bias)
        demonstration = {
            "global norm": clip_by_global_norm(_TENSORS, self.clip_norm).clipped,
            "per tensor": clip_by_tensor_norm(_TENSORS, self.clip_norm).clipped,
            "by value": clip_by_value(_TENSORS, self.clip_norm),
        }
        angles = {way: turning_angle(_TENSORS, parts) for way, parts in demonstration.items()}
        curve = unit.curve(bias_grid(unit, *SLIDER, _GRID))
        here = unit.curve([self.bias])
        return Frame(
            columns={
                "curve": {"b": curve.bias, "loss": curve.loss, "gradient": curve.log10_gradient},
                "point": plots.point(here),
                "limit": {"b": np.array(SLIDER), "level": np.full(2, math.log10(self.clip_norm))},
                "fold": plots.fold(unit),
                "free": plots.trail(free, self.update),
                "clipped": plots.trail(clipped, self.update),
                "steps": steps({"unclipped": free, "clipped": clipped}, self.update),
                "lowest": plots.lowest(unit),
                "map": plots.map_curve(unit, self.bias),
                "cobweb": dict(zip(("h", "next"), cobweb(states), strict=True)),
                "trajectory": {"t": np.arange(len(states)), "h": states},
                "attractors": plots.fixed_points(points, stable=True),
                "repellers": plots.fixed_points(points, stable=False),
                "tensors": plots.tensors(_TENSORS, demonstration, self.clip_norm),
                "angles": plots.angles(_TENSORS, demonstration, angles),
            },
            readouts=self._readouts(unit, here, points, free, clipped, angles),
            sentence=words.sentence(self, free, clipped),
            table=_table(free, clipped),
            arithmetic=words.arithmetic(self, states[-1], free, clipped),
            notes=words.notes(self, unit, free, clipped),
        )

    def _readouts(
        self,
        unit: CliffUnit,
        here: CliffCurve,
        points: Sequence[FixedPoint],
        free: Descent,
        clipped: Descent,
        angles: Mapping[str, float],
    ) -> list[Readout]:
        n = self.update
        wall, lowest = steepest(unit), minimum(unit)
        return [
            readout("gradient", "gradient dL/db at the slider’s b", here.gradient[0]),
            readout("loss", "loss at the slider’s b", here.loss[0]),
            *_attractors(points),
            readout("step_unclipped", "run: next step, unclipped", free.bias[n + 1] - free.bias[n]),
            readout("step_clipped", "run: next step, clipped", clipped.bias[n + 1] - clipped.bias[n]),
            _after("bias_unclipped", "run: b after it, unclipped", free, n),
            _after("bias_clipped", "run: b after it, clipped", clipped, n),
            log_readout(
                "gradient_unclipped",
                "run: size of the gradient there, unclipped",
                unit.curve(free.bias[n + 1 : n + 2]).log10_gradient[0],
            ),
            _bias("steepest_bias", "steepest point", wall.bias),
            readout("steepest_gradient", "gradient at the steepest point", wall.gradient),
            _bias("minimum", "minimum of the loss", lowest),
            _bias("fold", "fold b_c", unit.fold),
            readout("angle_tensor", "two tensors: turned, per tensor", angles["per tensor"], "°"),
            readout("angle_value", "two tensors: turned, by value", angles["by value"], "°"),
        ]  # fmt: skip

    def plots(self, sources):
        return plots.plots(sources, _WINDOW)


def _after(key: str, label: str, run: Descent, n: int) -> Readout:
    """Where the next update takes the bias, with the digits that show the step."""
    return Readout(key, label, moved(*run.bias[n : n + 2]), float(run.bias[n + 1]))


def _bias(key: str, label: str, value: float | None) -> Readout:
    """A bias with the digits that a wall a thousandth wide asks for."""
    return _none(key, label) if value is None else Readout(key, label, words.place(value), value)


def _none(key: str, label: str) -> Readout:
    """What there is none of at these settings."""
    return Readout(key, label, "none", math.nan)


def _attractors(points: Sequence[FixedPoint]) -> list[Readout]:
    """The lower and the upper attractor; one that is alone is the one on its side of 0."""
    stable = [point.state for point in points if point.stable]
    if len(stable) == 1:
        stable = [None, *stable] if stable[0] >= 0 else [*stable, None]
    return [
        _none(f"attractor_{end}", f"{end} attractor at the slider’s b")
        if state is None
        else readout(f"attractor_{end}", f"{end} attractor at the slider’s b", state)
        for end, state in zip(("lower", "upper"), stable, strict=True)
    ]


def _table(free: Descent, clipped: Descent) -> Table:
    return Table(
        "Update by update, without and with clipping",
        ["update", "b", "loss", "dL/db", "b clipped", "loss clipped", "dL/db clipped"],
        [
            np.arange(_UPDATES + 1),
            *(column[:-1] for run in (free, clipped) for column in (run.bias, run.loss, run.gradient)),
        ],
    )
