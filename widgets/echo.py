"""Lab: one pulse into a single recurrent unit, followed forward in time and backward as a sensitivity."""

import math

import numpy as np
import param
from bokeh.models import Scatter, Segment

from core.echo import echo
from widgets.base.frame import Frame, Preset, Table, log_readout, readout
from widgets.base.numbers import from_log10, number
from widgets.figures.axis import Axis
from widgets.figures.hover import EXACT, Row, add_hover
from widgets.figures.log_axis import COINCIDE, Curve, add_log_curves, keys, log_rows
from widgets.figures.marks import add_marks
from widgets.figures.plot import Plot
from widgets.figures.style import draw, new_figure
from widgets.lab import Lab

_CURVES = (
    Curve("state", "∂h_T/∂h_t, a state", "tanh", width=6),
    Curve("input", "∂h_T/∂x_t, an input", "input", width=3.5, dash="dashed"),
    Curve("reference", "|w| to the power T − t", "reference", width=1.5),
)
_STATE_WINDOW = (-1.1, 1.1)
_LEFT_BORDER = 84
"""Pixels, the same for both figures, so that a step stands above itself."""


class EchoLab(Lab):
    slug = "echo"
    title = "Echo"
    question = "How long does one input echo, forward and backward?"
    table_open = True

    weight = param.Number(
        0.5, bounds=(-2, 2), step=0.01, label="Recurrent weight w",
        doc="What the unit multiplies its last state by before it squashes.",
    )  # fmt: skip
    pulse = param.Number(
        1.0, bounds=(-3, 3), step=0.01, label="Pulse x₁", doc="The input at step 1. All later inputs are 0."
    )
    start = param.Number(
        0.0, bounds=(-1, 1), step=0.01, label="Start h₀", doc="The state before the first step."
    )
    steps = param.Integer(4, bounds=(2, 100), step=1, label="Steps T", doc="How many steps the unit takes.")
    activation = param.Selector(
        default="tanh", objects=["tanh", "linear"], label="Activation φ",
        doc="tanh squashes each new state into (−1, 1); linear leaves it as it is.",
    )  # fmt: skip

    presets = (
        Preset(
            "halving", "Halving",
            "Each step keeps less than half: the backward curve falls below the line |w|^(T−t).", {},
            window=(-3, 1),
        ),
        Preset(
            "knife-edge", "Knife edge",
            "Weight 1 and no squashing: nothing fades, nothing grows. The least change of w tips it over.",
            {"weight": 1.0, "activation": "linear", "steps": 30}, window=(-6, 6),
        ),
        Preset(
            "growing", "Growing",
            "At rest the tanh has slope 1, so a tiny change at the start grows like 1.5^T.",
            {"weight": 1.5, "pulse": 0.0, "steps": 20}, window=(-6, 6),
        ),
        Preset(
            "capped", "Capped",
            "A small echo grows at first, until the tanh caps it at 0.859; from there on gradients shrink.",
            {"weight": 1.5, "pulse": 0.01, "steps": 40},
        ),
        Preset(
            "saturated", "Saturated",
            "w is 1.5, and yet the gradient vanishes: the settled tanh is so flat that w·φ′ is only 0.39.",
            {"weight": 1.5, "pulse": 0.0, "start": 1.0, "steps": 20},
        ),
        Preset(
            "thirty-steps", "Thirty steps",
            "Same weight as in Halving, a longer way: nine powers of ten are lost.",
            {"steps": 30},
        ),
    )  # fmt: skip

    def compute(self) -> Frame:
        inputs = np.zeros(self.steps)
        inputs[0] = self.pulse
        run = echo(self.weight, inputs, self.start, self.activation)
        steps = np.arange(1, self.steps + 1)
        times = np.arange(self.steps + 1)
        log_weight = math.log10(abs(self.weight)) if self.weight else -math.inf
        with np.errstate(divide="ignore", invalid="ignore"):
            # ∂h_T/∂x_t = ∂h_T/∂h_t · φ′ and J_t = w·φ′: as logarithms this also holds beyond floating point.
            slopes = run.jacobians / self.weight if self.weight else np.ones(self.steps)
            log_input = run.log10_state_sensitivity + np.log10(np.abs(slopes))
            reference = np.where(times == self.steps, 0.0, (self.steps - times) * log_weight)
        columns = {
            "states": {"t": times, "h": np.concatenate([[self.start], run.states])},
            "sensitivity": {
                "t": times,
                "state": np.concatenate([[run.log10_start_sensitivity], run.log10_state_sensitivity]),
                "input": np.concatenate([[math.nan], log_input]),
                "reference": reference,
            },
        }
        return Frame(
            columns=columns,
            readouts=self._readouts(run, columns["sensitivity"]),
            sentence=self._sentence(run, columns["sensitivity"]),
            table=Table(
                "Step by step",
                ["t", "x_t", "h_t", "J_t", "∂h_T/∂h_t", "∂h_T/∂x_t"],
                [steps, inputs, run.states, run.jacobians, run.state_sensitivity, run.input_sensitivity],
            ),
            notes=self._notes(columns["sensitivity"], run.states),
        )

    def _readouts(self, run, sensitivity):
        return [
            readout("last_state", f"h_T, state after {self.steps} steps", run.states[-1]),
            readout("last_jacobian", "J_T, slope of the last step", run.jacobians[-1]),
            log_readout("start_sensitivity", "|∂h_T/∂h₀|", run.log10_start_sensitivity),
            log_readout("first_state_sensitivity", "|∂h_T/∂h₁|", run.log10_state_sensitivity[0]),
            log_readout("first_input_sensitivity", "|∂h_T/∂x₁|", sensitivity["input"][1]),
            log_readout("reference", "|w|^(T−1)", sensitivity["reference"][1]),
        ]

    def _sentence(self, run, sensitivity) -> str:
        first, plain = run.log10_state_sensitivity[0], sensitivity["reference"][1]
        if first == -math.inf:
            return f"Nothing of the first state reaches step {self.steps}: the product of slopes is zero."
        later = "1 step" if self.steps == 2 else f"{self.steps - 1} steps"
        left, unsquashed = from_log10(first), from_log10(plain)
        amount = "all of it" if left == "1" else f"{left} of it"
        said = f"Of a small change in the first state, {later} later {amount} is left"
        if first > 0 and left != "1":
            said = f"A small change in the first state is {left} times as large {later} later"
        if not self._apart(sensitivity):
            return f"{said}, just as |w|^(T−1) says: the curves coincide."
        if left == unsquashed:
            return f"{said}, as without squashing."
        return f"{said}; without squashing it would be {unsquashed}."

    @staticmethod
    def _apart(sensitivity) -> bool:
        """Whether one of the curves can be told from |w|^(T−t) anywhere."""
        drawn = np.stack([sensitivity["state"], sensitivity["input"]])
        with np.errstate(invalid="ignore"):
            gaps = np.abs(drawn - sensitivity["reference"])
        return bool(np.nanmax(gaps) > COINCIDE)

    def _notes(self, sensitivity, states) -> list[str]:
        notes = []
        if self.weight < 0:
            notes.append(
                "w is negative: the sensitivities change sign from step to step; their sizes are drawn."
            )
        if np.any(np.isneginf(sensitivity["state"])) or np.any(np.isneginf(sensitivity["input"])):
            notes.append("A sensitivity of exactly 0 has no place on a logarithmic axis: it is left out.")
        if np.max(np.abs(states)) > _STATE_WINDOW[1]:
            largest = number(np.max(np.abs(states)))
            notes.append(
                f"The state leaves the picture, up to a size of {largest}. “Fit axis” shows it whole."
            )
        return notes

    def plots(self, sources):
        forward = self._state_plot(sources["states"])
        return [self._sensitivity_plot(sources["sensitivity"], forward.figure.x_range), forward]

    def _sensitivity_plot(self, source, steps) -> Plot:
        plot = new_figure("step t", "size", x_range=steps, min_border_left=_LEFT_BORDER)
        log = add_log_curves(plot, source, "t", _CURVES, self.presets[0].window)
        add_hover(plot, plot.renderers[0], [Row("step t", "t"), *log_rows(_CURVES)])
        description = "How much of a change at step t is left at the last step T."
        return Plot(plot, "Backward", description, keys(_CURVES), log, share=0.6)

    def _state_plot(self, source) -> Plot:
        plot = new_figure("step t", "state h", y_range=_STATE_WINDOW, min_border_left=_LEFT_BORDER)
        draw(plot, source, Segment(x0="t", y0=0, x1="t", y1="h", line_width=2), "tanh")
        heads = draw(plot, source, Scatter(x="t", y="h", size=9), "tanh", pinned=True)
        add_hover(plot, heads, [Row("step t", "t"), Row("h", "h", EXACT)])
        axis = Axis(plot, source.name, ["h"], _STATE_WINDOW, add_marks(plot, "t", {"h": "tanh"}))
        description = "The state of the unit, step by step; step 0 is the start."
        return Plot(plot, "Forward", description, axis=axis, share=0.4)
