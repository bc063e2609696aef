"""The sentence of the cost lab: one answer, to what is looked at."""

from core.attention_cost import attention_steps_in_a_row, cache_size, dearer_from
from core.cost import Network, parameters, step_cost, top_layer
from core.fixed_window import LANTERNS
from core.sequence_cost import kept_activations, state_size, steps_in_a_row
from widgets.base.numbers import count, number
from widgets.cost.counts import truncated
from widgets.cost.lanterns import NOUN
from widgets.cost.plots import NAMES
from widgets.cost.stopwatch import WIDTHS, nearest_width

_NANO = 1e-9
MICRO = 1e-6


def sentence(lab, network: Network) -> str:
    return _ANSWERS[lab.picture](lab, network)


def _weights(lab, network: Network) -> str:
    learnt = parameters(network)
    layers = "layer" if network.layers == 1 else "layers"
    share = "all" if learnt.total == learnt.recurrent else count(learnt.recurrent)
    name = NAMES[network.cell]
    return f"This {name} network learns {count(learnt.total)} numbers, {share} of them in its recurrent {layers}."


def _work(lab, network: Network) -> str:
    start = dearer_from(network)
    since = "From the start" if start == 1 else f"From {unit(network)} {count(start)} on"
    dearer = f"{since}, attention takes more work for a token than this {layer_name(network)}"
    here, there = steps_in_a_row(network, lab.length), attention_steps_in_a_row(network.layers)
    if here == there:
        return f"{dearer} in its place."
    return f"{dearer}; but {count(here)} steps wait in a row, with attention {count(there)}."


def _memory(lab, network: Network) -> str:
    layer, T = top_layer(network), lab.length
    if network.directions == 2:
        return (
            f"Of a text of {many(T, 'token')} attention holds {count(cache_size(layer.output_size, T))} numbers; this "
            f"{layer_name(network)} holds {count(state_size(layer))}, both ways together, however long it is."
        )
    return (
        f"After {many(T, 'token')} attention holds {count(cache_size(layer.output_size, T))} numbers; "
        f"this {layer_name(network)} holds {count(state_size(layer))}, however many came before."
    )


def _learning(lab, network: Network) -> str:
    T, K = lab.length, lab.truncation
    full = f"To learn from {many(T, 'token')}, full BPTT keeps {count(kept_activations(network, T).total)} numbers"
    if network.directions == 2:
        return f"{full}; read both ways, the text cannot be truncated."
    if K >= T:
        return f"{full}, and truncation to {many(K, 'step')} cuts nothing."
    return f"{full}; truncated to {many(K, 'step')} it keeps {count(truncated(network, T, K))}."


def _window(lab, network: Network) -> str:
    sees = "sees" if lab.window >= LANTERNS.least_window else "misses"
    return (
        f"A window of {many(lab.window, 'word')} {sees} “{NOUN}”, on which the verb hangs; "
        "the state of a recurrence has read it, whatever n."
    )


def _time(lab, network: Network) -> str:
    width = nearest_width(lab.hidden_size)
    work = step_cost(Network(network.cell, width, width)).recurrent
    if lab.times is None:
        return NOT_MEASURED[lab.unmeasured]
    seconds = lab.times[lab.cell][WIDTHS.index(width)]
    return (
        f"With as many inputs as units, d = d_h = {count(width)}, a step of the {NAMES[network.cell]} takes "
        f"{in_time(seconds)} here; at 10⁹ multiply–adds a second, {in_time(work * _NANO)}."
    )


NOT_MEASURED = {
    False: "The cells are being timed on this server: the measured curve comes in a moment.",
    True: "The cells could not be timed on this server; its log says why.",
}
"""What is said instead of a time: by whether there will be none."""

_ANSWERS = {
    "weights": _weights,
    "work": _work,
    "memory": _memory,
    "learning": _learning,
    "window": _window,
    "time": _time,
}


def unit(network: Network) -> str:
    """Read both ways, attention reads the whole text at every token: what counts is how long that is."""
    return "token" if network.directions == 1 else "length"


def layer_name(network: Network) -> str:
    """The layer in whose place attention is put."""
    return f"{'top ' * (network.layers > 1)}{NAMES[network.cell]} layer"


def in_time(seconds: float) -> str:
    """`33.3 µs`, and `2.10 ms` where there are a thousand of them."""
    micro = seconds / MICRO
    return f"{number(micro)} µs" if micro < 999.5 else f"{number(micro / 1000)} ms"


def many(number: int, noun: str) -> str:
    """So many of them, of one in the singular."""
    return f"{count(number)} {noun}{'s' * (number != 1)}"
