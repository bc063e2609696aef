"""What the cost lab says: the sentence, the readouts, the arithmetic, the notes, and the sentence under a window."""

import math

from core.attention_cost import (
    attention_steps_in_a_row,
    cache_size,
    dearer_from,
    token_work,
)
from core.cells import PARTS
from core.cost import Network, parameters, step_cost, top_layer
from core.fixed_window import LANTERNS, window_view
from core.sequence_cost import kept_activations, sequence_work, state_size, steps_in_a_row
from widgets.base.frame import Line, Passage, Readout
from widgets.base.numbers import count, number
from widgets.cost.counts import ends, table, truncated, window_network
from widgets.cost.plots import NAMES
from widgets.cost.stopwatch import WIDTHS

_NOUN = LANTERNS.words[LANTERNS.noun]
_MICRO = 1e6
_NONE = "none"


def sentence(lab, network: Network) -> str:
    total = count(parameters(network).total)
    start = dearer_from(network)
    dearer = "from the start" if start == 1 else f"from {_unit(network)} {count(start)} on"
    layer = "top layer" if network.layers > 1 else "layer"
    sees = "sees" if lab.window >= LANTERNS.least_window else "misses"
    return (
        f"This {NAMES[network.cell]} network learns {total} numbers. "
        f"Attention in its {layer}’s place is dearer {dearer}. "
        f"A window of {_words(lab.window)} {sees} the noun that the verb below agrees with; a recurrence has read it."
    )


def _unit(network: Network) -> str:
    """Read both ways, attention reads the whole text at every token: what counts is how long that is."""
    return "token" if network.directions == 1 else "length"


def _words(number: int) -> str:
    return f"{number} word{'' if number == 1 else 's'}"


def readouts(lab, network: Network) -> list[Readout]:
    T, K, n, learnt = lab.length, lab.truncation, lab.window, parameters(network)
    layer, step = top_layer(network), step_cost(network)
    name = f"{'top ' * (network.layers > 1)}{NAMES[network.cell]} layer"
    at_T = f"token\u00a0{count(T)}"
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
        _counted("crossing", f"attention dearer from {_unit(network)}", dearer_from(network)),
        _counted("layer_token", f"multiply–adds a token, {name}", step_cost(layer).recurrent),
        _counted(
            "attention_token",
            f"multiply–adds, attention, {at_T}",
            token_work(layer.output_size, T, layer.input_size),
        ),
        _counted("state", f"numbers held, {name}", state_size(layer)),
        _counted("cache", f"numbers held, attention, {at_T}", cache_size(layer.output_size, T)),
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
    d, n = network.input_size, network.hidden_size
    return f"{_gates(network)}·({d}·{n} + {n}·{n} + {network.biases}·{n})"


def _gates(network: Network) -> str:
    return f"{'2·' * (network.directions == 2)}{PARTS[network.cell]}"


def _crossing(network: Network) -> str:
    layer = top_layer(network)
    d, n, m = layer.input_size, layer.hidden_size, layer.output_size
    work = f"{_gates(layer)}·({d}·{n} + {n}²)"
    return (
        f"{_unit(network)} t: attention takes 3·{d}·{m} + {m}² + 2·{m}·t, layer {network.layers} takes {work}: "
        f"attention is dearer from t = {count(dearer_from(network))} on"
    )


def notes(lab, network: Network) -> list[str]:
    said = []
    if network.directions == 2:
        said.append(
            "Read both ways, a text is needed to its end first: it cannot be truncated, and attention reads all of it "
            "at every token, so that its t is the length of the text."
        )
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
