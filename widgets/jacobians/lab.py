"""Lab: an error sent k steps back through a random recurrent network, beside ρ^k and the bound of the theorem."""

import numpy as np
import param

from core.activations import ACTIVATIONS
from core.draws import draw_inputs, draw_start
from core.jacobians import JacobianProducts, jacobian_products
from core.matrices import KINDS, recurrent_matrix
from core.products import log10_magnitude
from core.spectrum import Spectrum, recurrent_spectrum
from widgets.base.frame import Frame, Job, Preset, Readout, Table, log_readout, readout
from widgets.base.numbers import from_log10, number
from widgets.jacobians import plots, words
from widgets.lab import Lab

_COMPARED = 50, (0.9, 1.0, 1.1)
"""Steps back and spectral radii of the comparison."""


class JacobianLab(Lab):
    slug = "jacobians"
    title = "Jacobian products"
    question = "What happens to an error sent k steps back?"
    pointers = frozenset({"k", "component"})

    matrix = param.Selector(
        default="orthogonal", objects=list(KINDS), label="Recurrent matrix W",
        doc="Orthogonal turns and mirrors; gaussian is drawn entry by entry; symmetric has real eigenvalues; "
        "identity copies; shear has ρ on its diagonal and a 5 beside it. All but the shear are scaled to ρ.",
    )  # fmt: skip
    size = param.Integer(32, bounds=(2, 64), step=1, label="Size d", doc="How many units the network has.")
    spectral_radius = param.Number(
        0.9, bounds=(0.1, 1.5), step=0.01, label="Spectral radius ρ",
        doc="The size of the largest eigenvalue of W. It rescales the drawn matrix (in a shear, its diagonal).",
    )  # fmt: skip
    input_scale = param.Number(
        0.0, bounds=(0, 3), step=0.05, label="Input scale",
        doc="Every unit hears fresh normal noise at each step, times this. 0 turns inputs off.",
    )  # fmt: skip
    start = param.Number(
        0.5, bounds=(0, 2), step=0.05, label="Start scale",
        doc="The first state is normal noise, times this. 0 starts at rest.",
    )  # fmt: skip
    gap = param.Integer(100, bounds=(10, 200), step=1, label="Gap T", doc="How many steps the network runs.")
    k = param.Integer(
        50, bounds=(1, 100), step=1, label="Steps back k",
        doc="How far back the error is sent, from the last step. The numbers on this page are read here.",
    )  # fmt: skip
    activation = param.Selector(
        default="tanh", objects=list(ACTIVATIONS), label="Activation φ",
        doc="What squashes each new state. Its steepest slope γ is 1, for the sigmoid 1/4.",
    )  # fmt: skip
    seed = param.Integer(
        0,
        bounds=(0, 9999),
        step=1,
        label="Seed",
        doc="Which random matrix, inputs and first state are drawn.",
    )
    component = param.Integer(
        0, bounds=(0, 32), step=1, label="Eigenvalue followed",
        doc="Adds the curve |λ_i|^k of one eigenvalue; a click on it does the same. 0 follows none.",
    )  # fmt: skip

    presets = (
        Preset(
            "orthogonal-0.9", "Orthogonal 0.9",
            "Each step leaves exactly ρ times the error, so linear lies on ρ^k; a tanh nearly at rest does too.",
            {},
        ),
        Preset(
            "orthogonal-1.1", "Orthogonal 1.1",
            "At k = 50 linear has grown to 117. The tanh has not: states that grow lower its slopes.",
            {"spectral_radius": 1.1}, window=(-1, 5),
        ),
        Preset(
            "gaussian-bulge", "Gaussian bulge",
            "Same ρ, but linear starts at σ_max, well above ρ, and never falls below ρ^k: it comes down beside it.",
            {"matrix": "gaussian"}, window=(-6, 3),
        ),
        Preset(
            "identity-relu", "Identity, ReLU",
            "Every curve stays at 1. Some units sleep (slope 0); the others pass an error on untouched.",
            {"matrix": "identity", "spectral_radius": 1.0, "activation": "relu"}, window=(-3, 3),
        ),
        Preset(
            "saturated", "Saturated",
            "ρ is 1.2, and yet the error vanishes: loud inputs hold the tanh where its slope is low.",
            {"spectral_radius": 1.2, "input_scale": 3.0}, window=(-36, 10),
        ),
        Preset(
            "shear-2", "Shear",
            "ρ is 0.9, and yet linear climbs to 19.4 at k = 9, and falls below 1 only at k = 55.",
            {"matrix": "shear", "size": 2, "k": 9}, window=(-5, 5),
        ),
        Preset(
            "sigmoid", "Sigmoid",
            "A sigmoid is never steeper than 1/4, so γσ_max is 0.225 and every error must vanish.",
            {"activation": "sigmoid"}, window=(-70, 5),
        ),
    )  # fmt: skip

    @classmethod
    def limits(cls, values):
        return {"k": (1, values["gap"]), "component": (0, values["size"])}

    def compute(self) -> Frame:
        spectrum = recurrent_spectrum(self.matrix, self.size, self.spectral_radius, self.seed)
        run = _run(
            spectrum, self.matrix, self.size, self.spectral_radius, self.input_scale, self.start, self.gap,
            self.activation, self.seed,
        )  # fmt: skip
        curves = self._curves(run, spectrum)
        return Frame(
            columns=self._columns(run, spectrum, curves),
            readouts=self._readouts(run, curves),
            sentence=self._sentence(curves),
            table=self._table(run, curves),
            arithmetic=self._arithmetic(run, curves),
            notes=self._notes(curves),
        )

    def _curves(self, run: JacobianProducts, spectrum: Spectrum) -> dict[str, np.ndarray]:
        """Each curve of the main figure as decimal logarithms for k = 1 … T."""
        component = np.full(self.gap, np.nan)
        if self.component:
            followed = abs(spectrum.eigenvalues[self.component - 1])
            component = np.arange(1, self.gap + 1) * log10_magnitude(followed)
        return {
            "linear": run.log10_linear,
            "activation": run.log10_norms,
            "reference": run.log10_reference,
            "bound": run.log10_bound,
            "component": component,
        }

    def _columns(self, run: JacobianProducts, spectrum: Spectrum, curves: dict[str, np.ndarray]) -> dict:
        steps = np.arange(1, self.gap + 1)
        at_k = np.array([curve[self.k - 1] for curve in curves.values()])
        values = spectrum.eigenvalues
        followed = values[self.component - 1 : self.component] if self.component else values[:0]
        return {
            "products": {"k": steps, **curves},
            "marker": {
                "k": np.full(len(curves), self.k),
                "y": np.where(np.isfinite(at_k), at_k, np.nan),
                "role": [plots.ROLES_BY_CURVE[name] for name in curves],
                "size": [plots.POINT_SIZES[name] for name in curves],
            },
            "eigenvalues": {
                "i": np.arange(1, self.size + 1),
                "re": values.real,
                "im": values.imag,
                "modulus": np.abs(values),
            },
            "followed": {"re": followed.real, "im": followed.imag},
            "circles": {"sigma_max": np.array([run.largest_singular_value])},
            "slopes": {"t": steps, "slope": run.slopes},
        }

    def _readouts(self, run: JacobianProducts, curves: dict[str, np.ndarray]) -> list[Readout]:
        k = self.k
        since, verdict = words.verdict(run, self.activation)
        shown = [
            Readout("verdict", f"verdict, since {since}", verdict, verdict),
            log_readout("activation", f"{self.activation}, k = {k}", curves["activation"][k - 1]),
            log_readout("linear", f"linear, k = {k}", curves["linear"][k - 1]),
            log_readout("reference", f"ρ^k, k = {k}", curves["reference"][k - 1]),
            log_readout("bound", f"bound, k = {k}", curves["bound"][k - 1]),
            readout("spectral_radius", "ρ, spectral radius", run.spectral_radius),
            readout("largest_singular_value", "σ_max, largest singular value", run.largest_singular_value),
            readout("gain", "γσ_max, gain of one step", run.gain),
            readout("mean_slope", f"mean slope, last {words.steps(k)}", run.slopes[-k:].mean()),
        ]  # fmt: skip
        if self.component:
            label = f"|λ_{self.component}|^k, k = {k}"
            shown.append(log_readout("component", label, curves["component"][k - 1]))
        return shown

    def _sentence(self, curves: dict[str, np.ndarray]) -> str:
        left, plain = curves["activation"][self.k - 1], curves["linear"][self.k - 1]
        said = f"After {words.steps(self.k)} this network {words.passed_on(left)}"
        if self.activation != "linear":
            as_plain = from_log10(left) == from_log10(plain)
            said += ", as without squashing" if as_plain else f"; without squashing {words.amount(plain)}"
        together = self._together(curves)
        return f"{said}. Here {together}." if together else f"{said}."

    def _together(self, curves: dict[str, np.ndarray]) -> str:
        """Which curves coincide, in words; empty where none do."""
        names = {
            "linear": "linear",
            "activation": "the chosen activation" if self.activation == "linear" else self.activation,
            "reference": "ρ^k",
            "bound": "bound",
            "component": f"|λ_{self.component}|^k",
        }
        groups = words.coinciding({names[key]: curve for key, curve in curves.items()})
        said = [f"{words.listed(group)} coincide" for group in groups]
        shared = words.shared_steps(curves["activation"], curves["linear"])
        if self.gap / 4 <= shared < self.gap:
            with_linear = next((i for i, group in enumerate(groups) if "linear" in group), None)
            if with_linear is None:
                said.append(f"{self.activation} and linear coincide up to k = {shared}")
            else:
                said[with_linear] += f", {self.activation} too up to k = {shared}"
        return "; ".join(said)

    def _arithmetic(self, run: JacobianProducts, curves: dict[str, np.ndarray]) -> list[str]:
        at_k = {name: from_log10(curve[self.k - 1]) for name, curve in curves.items()}
        # As many digits as the k-th power needs to come out as printed.
        k, rho, gain = self.k, _base(run.spectral_radius), _base(run.gain)
        product = "‖J_T‖" if k == 1 else f"‖J_T … J_(T−{k - 1})‖"
        return [
            f"‖W^{k}‖ = {at_k['linear']}  ≥  ρ^{k} = {rho}^{k} = {at_k['reference']}",
            f"{product} = {at_k['activation']}  ≤  (γσ_max)^{k} = {gain}^{k} = {at_k['bound']}",
        ]

    def _notes(self, curves: dict[str, np.ndarray]) -> list[str]:
        if np.any(np.isneginf(curves["activation"])):
            return ["A product of exactly 0 has no place on a logarithmic axis: the curve ends there."]
        return []

    def _table(self, run: JacobianProducts, curves: dict[str, np.ndarray]) -> Table:
        headings = {
            "linear": "linear ‖W^k‖",
            "activation": f"chosen activation ({self.activation})",
            "reference": "ρ^k",
            "bound": "bound (γσ_max)^k",
            "component": f"|λ_{self.component}|^k",
        }
        shown = [name for name in curves if name != "component" or self.component]
        return Table(
            "Step by step, back from the last",
            ["k", *(headings[name] for name in shown), "mean slope of step T−k+1"],
            [
                list(range(1, self.gap + 1)),
                *(words.plain_numbers(curves[name]) for name in shown),
                run.slopes[::-1].tolist(),
            ],
        )

    def comparison(self) -> Job:
        gap = max(self.gap, _COMPARED[0])
        return Job(_compare, (self.matrix, self.size, self.start, gap, self.activation, self.seed))

    def plots(self, sources):
        return plots.plots(sources, self.presets[0].window)


def _base(value: float) -> str:
    return f"{value:.7g}"


def _run(
    spectrum: Spectrum, matrix: str, size: int, radius: float, input_scale: float, start: float, gap: int,
    activation: str, seed: int,
) -> JacobianProducts:  # fmt: skip
    return jacobian_products(
        recurrent_matrix(matrix, size, radius, seed),
        input_scale * draw_inputs(size, seed, gap),
        start * draw_start(size, seed),
        activation,
        spectrum,
    )


def _compare(matrix: str, size: int, start: float, gap: int, activation: str, seed: int) -> Table:
    """What is left after 50 steps for three spectral radii, at input scale 1."""
    k, radii = _COMPARED
    runs = [
        _run(
            recurrent_spectrum(matrix, size, radius, seed), matrix, size, radius, 1.0, start, gap, activation, seed
        )
        for radius in radii
    ]  # fmt: skip
    return Table(
        f"k = {k} for three spectral radii, at input scale 1 whatever the slider says "
        f"({matrix} matrix, size {size}, start scale {number(start)}, {gap} steps, seed {seed})",
        ["ρ", "linear", f"chosen activation ({activation})"],
        [
            list(radii),
            words.plain_numbers(np.array([run.log10_linear[k - 1] for run in runs])),
            words.plain_numbers(np.array([run.log10_norms[k - 1] for run in runs])),
        ],
    )
