"""The LSTM cell and its backward once more, with a switch at every place where a known mistake is made.

``made`` holds the switches that are on; with none of them these are the equations of `core.lstm_cell` on unchecked
arguments. What each switch stands for is said in `lstm_known` and `lstm_back_known`.
"""

from dataclasses import dataclass, replace

import numpy as np

from core.exercises.judged.mistakes.measures import measure
from core.exercises.judged.mistakes.orders import order, transposed_parts
from core.exercises.judged.mistakes.rows import all_as_last

Switches = frozenset[str]
Values = dict[str, np.ndarray]

PARTS = "ifgo"
GATES = "ifo"
"""The parts that a sigmoid squashes."""


@dataclass
class Step:
    """One step forward: what its backward needs of it."""

    a: Values
    """The pre-activations, by the names of their parts."""
    gates: Values
    c_new: np.ndarray
    h_new: np.ndarray


def cell(
    x: np.ndarray, h: np.ndarray, c: np.ndarray, W: np.ndarray, U: np.ndarray, b: np.ndarray, made: Switches
) -> Values:
    """What `lstm_cell` returns, by name."""
    step = _step(x, h, c, W, U, b, made)
    results = step.h_new, step.c_new
    if "results_swapped" in made:
        results = results[::-1]
    if "rows_overwritten" in made:
        results = map(all_as_last, results)
    return dict(zip(("h_new", "c_new"), results, strict=True))


def backward(
    x: np.ndarray,
    h: np.ndarray,
    c: np.ndarray,
    W: np.ndarray,
    U: np.ndarray,
    b: np.ndarray,
    dh_new: np.ndarray,
    dc_new: np.ndarray,
    made: Switches,
) -> Values:
    """What `lstm_cell_backward` returns, by name."""
    step = _step(x, h, c, W, U, b, made)
    if "old_cell_shown_back" in made:
        step = replace(step, c_new=c)
    dh_out = np.zeros_like(dh_new) if "hidden_error_forgotten" in made else dh_new
    through = dh_out * _cell_slope(step.c_new, made)
    if "output_gate_left_out" not in made:
        through = through * step.gates["o"]
    if "second_route" in made:
        through = 0
    e = through if "cell_error_forgotten" in made else dc_new + through
    delta = _deltas(step, c, e, dh_out, made)
    dc = _old_cell_error(step, e, dc_new, made)
    dh = delta @ (transposed_parts(U, 4) if "transpose_missing" in made else U).T
    if "hidden_error_added" in made:
        dh = dh + dh_new
    met_U = step.h_new if "new_hidden_in_dU" in made else h
    rows_x, rows_h, errors = np.atleast_2d(x), np.atleast_2d(met_U), np.atleast_2d(delta)
    count = len(errors) if "mean" in made else 1
    return {
        "dx": delta @ W.T,
        "dh": dc if "states_swapped" in made else dh,
        "dc": dh if "states_swapped" in made else dc,
        "dW": rows_x.T @ errors / count,
        "dU": rows_h.T @ errors / count,
        "db": errors.sum(axis=0) / count * (2 if "b_twice_both_ways" in made else 1),
    }


def _step(
    x: np.ndarray, h: np.ndarray, c: np.ndarray, W: np.ndarray, U: np.ndarray, b: np.ndarray, made: Switches
) -> Step:
    times = 2 if {"b_twice", "b_twice_both_ways"} & made else 1
    a = _products(x, h, W, U, made)
    if "b_missing" not in made:
        a += times * b
    a = dict(zip(order("order", PARTS, made), np.split(a, 4, axis=-1), strict=True))
    if "forget_bias_added" in made:
        a["f"] = a["f"] + 1
    gates = _squashed(a, made)
    if "candidate_sigmoid" in made:
        gates["g"] = _sigmoid(a["g"])
    if "candidate_unsquashed" in made:
        gates["g"] = a["g"]
    i, f, g, o = gates.values()
    kept, written = f, i
    if "forget_reversed" in made:
        kept = 1 - f
    if "input_coupled" in made:
        written = 1 - f
    old = h if "hidden_kept" in made else c
    c_new = written * g + (0 if "old_cell_forgotten" in made else kept * old)
    shown = c if "old_cell_shown" in made else c_new
    return Step(a, gates, c_new, _shown(o, shown, made))


def _products(x: np.ndarray, h: np.ndarray, W: np.ndarray, U: np.ndarray, made: Switches) -> np.ndarray:
    """x W + h U."""
    if "stacked_h_first" in made:
        return np.concatenate([h, x], axis=-1) @ np.concatenate([W, U])
    if "stacked_U_first" in made:
        return np.concatenate([x, h], axis=-1) @ np.concatenate([U, W])
    return x @ W + h @ (transposed_parts(U, 4) if "recurrent_transposed" in made else U)


def _shown(o: np.ndarray, cell: np.ndarray, made: Switches) -> np.ndarray:
    """h′."""
    if "output_gate_squashed" in made:
        return np.tanh(o * cell)
    if "cell_shown_by_sigmoid" in made:
        return o * _sigmoid(cell)
    return o * (cell if "cell_unsquashed" in made else np.tanh(cell))


def _squashed(a: Values, made: Switches) -> Values:
    """The gates and the candidate, by name."""
    bound = measure("sums_clipped", made) or np.inf
    gate_bound = min(bound, measure("gate_sums_clipped", made) or np.inf)
    sign = -1 if "sigmoid_reversed" in made else 1
    return {
        part: np.tanh(np.clip(a[part], -bound, bound))
        if part == "g"
        else _sigmoid(np.clip(sign * a[part], -gate_bound, gate_bound))
        for part in PARTS
    }


def _old_cell_error(step: Step, e: np.ndarray, dc_new: np.ndarray, made: Switches) -> np.ndarray:
    """dc."""
    if "forget_left_out" in made:
        return e
    once_more = 0
    if "cell_error_twice" in made:
        once_more = dc_new * step.gates["f"]
    if "cell_error_twice_past_gate" in made:
        once_more = dc_new
    return e * step.gates["f"] + once_more


def _deltas(step: Step, c: np.ndarray, e: np.ndarray, dh_out: np.ndarray, made: Switches) -> np.ndarray:
    """The errors at the pre-activations, side by side."""
    i, _, g, _ = step.gates.values()
    times_i = i if {"factors_swapped", "own_factor_i"} & made else g
    times_g = g if {"factors_swapped", "own_factor_g"} & made else i
    old = step.c_new if "new_cell_in_forget" in made else c
    delta = {
        "i": e * times_i * _gate_slope("i", step, made),
        "f": e * old * _gate_slope("f", step, made),
        "g": e * times_g * _candidate_slope(step, made),
        "o": (e if "output_error_from_cell" in made else dh_out)
        * (step.c_new if "output_unsquashed" in made else np.tanh(step.c_new)),
    }
    delta["o"] = delta["o"] * _gate_slope("o", step, made)
    places = order("order_back", order("order", PARTS, made), made)
    return np.concatenate([delta[part] for part in places], axis=-1)


def _gate_slope(part: str, step: Step, made: Switches) -> np.ndarray:
    """σ′ at one of the gates."""
    gate, a = step.gates[part], step.a[part]
    if {"gate_slopes_missing", f"gate_slope_missing_{part}"} & made:
        return np.ones_like(gate)
    if "gate_slopes_squashed_twice" in made:
        return _sigmoid(gate) * (1 - _sigmoid(gate))
    if "gate_slopes_of_pre_activation" in made:
        return a * (1 - a)
    if "gate_slopes_of_tanh" in made:
        return 1 - gate**2
    slope = gate * (1 - gate)
    if {"gate_slope_gate_twice", f"gate_slope_gate_twice_{part}"} & made:
        return slope * gate
    if {"gate_slope_rest_twice", f"gate_slope_rest_twice_{part}"} & made:
        return slope * (1 - gate)
    return slope


def _candidate_slope(step: Step, made: Switches) -> np.ndarray:
    """∂g/∂a_g."""
    if "candidate_slope_of_sigmoid" in made:
        return step.gates["g"] * (1 - step.gates["g"])
    return _tanh_slope("candidate", step.a["g"], step.gates["g"], made)


def _cell_slope(c_new: np.ndarray, made: Switches) -> np.ndarray:
    """∂tanh(c′)/∂c′."""
    return _tanh_slope("cell", c_new, np.tanh(c_new), made)


def _tanh_slope(place: str, a: np.ndarray, squashed: np.ndarray, made: Switches) -> np.ndarray:
    """tanh′, at the candidate or at the cell."""
    if {f"{place}_slope_missing", "slopes_missing"} & made:
        return np.ones_like(a)
    if {f"{place}_slope_of_pre_activation", "slopes_of_pre_activation"} & made:
        return 1 - a**2
    if {f"{place}_slope_squashed_twice", "slopes_squashed_twice"} & made:
        return 1 - np.tanh(squashed) ** 2
    if {f"{place}_slope_unsquared", "slopes_unsquared"} & made:
        return 1 - squashed
    return 1 - squashed**2


def _sigmoid(a: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-a))
