"""What the cost lab says: the sentence, the readouts, the arithmetic, the notes, and the sentence under a window."""

import math

from core.attention_cost import (
    attention_steps_in_a_row,
    cache_size,
    dearer_from,
    token_work,
)
from core.cells import PARTS
from core.cost import Network, parameters, step_cost
from core.fixed_window import LANTERNS, window_view
from core.sequence_cost import kept_activations, sequence_work, state_size, steps_in_a_row
from widgets.base.frame import Line, Passage, Readout
from widgets.base.numbers import count, number
from widgets.cost.counts import ends, one_layer, table, truncated, window_network
from widgets.cost.plots import NAMES
from widgets.cost.stopwatch import WIDTHS

_NOUN = LANTERNS.words[LANTERNS.noun]
_MICRO = 1e6
_NONE = "none"


def sentence(lab, network: Network) -> str:
    total = count(parameters(network).total)
    start = dearer_from(network.cell, network.hidden_size)
    dearer = "at every token" if start == 1 else f"from token {count(start)} on"
    sees = "sees" if lab.window >= LANTERNS.least_window else "misses"
    return (
        f"This {NAMES[network.cell]} network learns {total} numbers. Attention as wide is dearer {dearer}. "
        f"A window of {_words(lab.window)} {sees} the noun that the verb below agrees with; a recurrence has read it."
    )


def _words(number: int) -> str:
    return f"{number} word{'' if number == 1 else 's'}"


def readouts(lab, network: Network) -> list[Readout]:
    T, K, n, width = lab.length, lab.truncation, lab.window, network.hidden_size
    name, learnt = NAMES[network.cell], parameters(network)
    layer, step = one_layer(network.cell, width), step_cost(network)
    return [
        _counted("total", "parameters in all", learnt.total),
        _counted("recurrent", "of the recurrent layers", learnt.recurrent),
        _counted("ends", "of embedding and softmax", ends(learnt)),
        _counted("step", "multiply–adds, a step forward", step.forward),
        _counted("work", f"multiply–adds to learn, {_set('T', T)}", sequence_work(network, T).training),
        _counted("kept", "numbers kept, full BPTT", kept_activations(network, T).total),
        _counted("truncated", f"numbers kept, {_set('K', K)}", truncated(network, T, K), "not cut"),
        _counted("in_a_row", "steps in a row, recurrence", steps_in_a_row(network, T)),
        _counted("attention_in_a_row", "steps in a row, attention", attention_steps_in_a_row(network.layers)),
        _counted("crossing", "attention dearer from token", dearer_from(network.cell, width)),
        _counted("layer_token", f"multiply–adds a token, {name}", step_cost(layer).recurrent),
        _counted("attention_token", "multiply–adds at T, attention", token_work(width, T)),
        _counted("state", f"numbers held, {name} layer", state_size(layer)),
        _counted("cache", "numbers held at T, attention", cache_size(width, T)),
        _counted("table", f"entries of a table, {_set('n', n)}", table(network, n), _NONE),
        _counted(
            "window_network", f"parameters, window network, {_set('n', n)}", window_network(network, n), _NONE
        ),
        _clocked(lab),
    ]


def _set(name: str, value: int) -> str:
    """A setting with its value, which a line does not break."""
    return f"{name}\u00a0=\u00a0{count(value)}"


def _counted(key: str, label: str, value: int, nothing: str = "0") -> Readout:
    return Readout(key, label, count(value) if value else nothing, float(value))


def _clocked(lab) -> Readout:
    """The time that was measured at the width nearest to the one that is set."""
    nearest = min(WIDTHS, key=lambda width: abs(math.log(width / lab.hidden_size)))
    label = f"measured step, {_set('d_h', nearest)}"
    if lab.times is None:
        said = "failed" if lab.unmeasured else "to come"
        return Readout("measured", label, said, math.nan)
    seconds = lab.times[lab.cell][WIDTHS.index(nearest)]
    return Readout("measured", label, f"{number(_MICRO * seconds)} µs", seconds)


def arithmetic(lab, network: Network) -> list[str]:
    """The first layer, the whole, one token of attention, and what is kept, with today's numbers."""
    learnt, kept = parameters(network), kept_activations(network, lab.length)
    softmax = learnt.projection + learnt.softmax + learnt.softmax_bias
    return [
        f"layer 1: {_first_layer(network)} = {count(learnt.layers[0])}",
        f"all: {count(learnt.embedding)} embedding + {count(learnt.recurrent)} layers + {count(softmax)} softmax = "
        f"{count(learnt.total)}",
        _crossing(network),
        f"kept: {count(kept.inputs)} read + {count(kept.recurrent)} in cells + "
        f"{count(kept.start + kept.projected)} besides + {count(kept.probabilities)} probabilities = "
        f"{count(kept.total)}",
    ]


def _first_layer(network: Network) -> str:
    d, n, pair = network.input_size, network.hidden_size, "2·" * (network.directions == 2)
    return f"{pair}{PARTS[network.cell]}·({d}·{n} + {n}·{n} + {network.biases}·{n})"


def _crossing(network: Network) -> str:
    n, start = network.hidden_size, count(dearer_from(network.cell, network.hidden_size))
    layer = f"{2 * PARTS[network.cell]}·{n}²"
    return f"token t: attention 4·{n}² + 2·{n}·t, a layer {layer}: attention is dearer from t = {start} on"


def notes(lab, network: Network) -> list[str]:
    said = []
    if network.directions == 2:
        said.append("Read both ways, a text is needed to its end first: it cannot be truncated.")
    elif lab.truncation >= lab.length:
        said.append("K is not below T: nothing is cut, and both keep the same.")
    if not network.vocabulary:
        said.append(
            "Without a vocabulary there is no embedding, no softmax, and no model with a fixed window."
        )
        said.append("The whole network coincides with its recurrent layers.")
        if lab.tied:
            said.append("Nothing is there to be tied.")
    if network.tied:
        said.append(_tying(network))
    if lab.times is None:
        said.append(
            "The cells could not be timed on this server; its log says why."
            if lab.unmeasured
            else "The cells are being timed on this server: the measured curve comes in a moment."
        )
    return said


def _tying(network: Network) -> str:
    """What tying saves, or costs where the projection is larger than what is shared."""
    free = Network(
        network.cell, network.input_size, network.hidden_size, network.layers, network.vocabulary, network.biases,
        network.directions,
    )  # fmt: skip
    saved = parameters(free).total - parameters(network).total
    if saved < 0:
        return f"Tied, it has {count(-saved)} parameters more: the projection is larger than what is shared."
    return f"Tying saves {count(saved)} parameters."


def passage(window: int) -> Passage:
    """The sentence of the lanterns, up to its verb, as a window reads it and as a recurrence does."""
    seen = window_view(LANTERNS.words, LANTERNS.verb, window)
    whole = window_view(LANTERNS.words, LANTERNS.verb, LANTERNS.verb)
    verb = f"{LANTERNS.words[LANTERNS.verb]}, or {LANTERNS.other_form}"
    reached = window >= LANTERNS.least_window
    description = (
        f"Which form comes next, {verb}? It hangs on “{_NOUN}”, {LANTERNS.least_window} words before: "
        + ("within" if reached else "outside")
        + f" a window of {_words(window)}. What is read is shaded, and stands in brackets."
    )
    return Passage(
        "window",
        "The sentence under the window",
        description,
        [_read(f"window, n = {window}", seen), _read("recurrence", whole)],
        "input",
    )


def _read(label: str, view) -> Line:
    """A line of the passage: brackets and shades around what is read, and a gap for the verb."""
    before = "".join(f"{word} " for word in view.unseen)
    read = f"[{' '.join(view.seen)}]"
    after = " …?"
    return Line(label, before + read + after, [0.0] * len(before) + [1.0] * len(read) + [0.0] * len(after))
