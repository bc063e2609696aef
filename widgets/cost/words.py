"""What the cost lab says beside its sentence: the readouts, the arithmetic, the notes, and its button."""

import math
from dataclasses import replace

from core.attention_cost import (
    attention_steps_in_a_row,
    cache_size,
    dearer_from,
    token_work,
)
from core.cells import PARTS
from core.cost import Network, parameters, step_cost, top_layer
from core.fixed_window import LANTERNS
from core.sequence_cost import kept_activations, sequence_work, state_size, steps_in_a_row
from widgets.base.frame import Button, Readout
from widgets.base.numbers import count, equals, number
from widgets.cost.counts import ends, outgrown_from, table, truncated, window_layer, window_network
from widgets.cost.lanterns import NOUN
from widgets.cost.plots import CLOCK, NAMES
from widgets.cost.sentences import NOT_MEASURED, in_microseconds, layer_name, many, unit
from widgets.cost.stopwatch import TURNS, WIDTHS, nearest_width

_NANO = 1e-9
_NONE = "none"


def readouts(lab, network: Network) -> list[Readout]:
    """In groups, each under its heading."""
    groups = {
        "Weights": _weights(network),
        "Work": _work(lab, network),
        "Kept for learning": _kept(lab, network),
        "In sequence": _sequence(lab, network),
        "Beside attention": _attention(lab, network),
        "Fixed window": _window(lab, network),
        CLOCK: _clock(lab),
    }
    return [replace(readout, group=heading) for heading, held in groups.items() for readout in held]


def _weights(network: Network) -> list[Readout]:
    learnt = parameters(network)
    return [
        _counted("total", "parameters in all", learnt.total),
        _counted("recurrent", "of the recurrent layers", learnt.recurrent),
        _counted("ends", "of embedding and softmax", ends(learnt)),
    ]


def _work(lab, network: Network) -> list[Readout]:
    T = lab.length
    return [
        _counted("step", "multiply–adds, a step forward", step_cost(network).forward),
        _counted("work", f"multiply–adds to learn, {_set('T', T)}", sequence_work(network, T).training),
    ]


def _kept(lab, network: Network) -> list[Readout]:
    T, K = lab.length, lab.truncation
    return [
        _counted("kept", f"numbers, full BPTT, {_set('T', T)}", kept_activations(network, T).total),
        _counted("truncated", f"numbers, truncated, {_set('K', K)}", truncated(network, T, K), "not cut"),
    ]


def _sequence(lab, network: Network) -> list[Readout]:
    return [
        _counted("in_a_row", "steps one after another, recurrence", steps_in_a_row(network, lab.length)),
        _counted(
            "attention_in_a_row",
            "steps one after another, attention",
            attention_steps_in_a_row(network.layers),
        ),
    ]


def _attention(lab, network: Network) -> list[Readout]:
    T, layer, name = lab.length, top_layer(network), layer_name(network)
    at_T = f"token\u00a0{count(T)}"
    work = token_work(layer.output_size, T, layer.input_size)
    return [
        _counted("layer_token", f"multiply–adds a token, {name}", step_cost(layer).recurrent),
        _counted("attention_token", f"multiply–adds, attention, {at_T}", work),
        _counted("crossing", f"attention dearer from {unit(network)}", dearer_from(network)),
        _counted("state", f"numbers held, {name}", state_size(layer)),
        _counted("cache", f"numbers held, attention, {at_T}", cache_size(layer.output_size, T)),
    ]


def _window(lab, network: Network) -> list[Readout]:
    n = lab.window
    read = "yes" if n >= LANTERNS.least_window else "no"
    return [
        Readout("noun", f"“{NOUN}” read, {_set('n', n)}", read, float(n >= LANTERNS.least_window)),
        _counted(
            "window_layer", f"parameters, window network’s layer, {_set('n', n)}", window_layer(network, n)
        ),
        _counted("outgrown", "more than in these layers, from n", outgrown_from(network)),
        _counted(
            "window_network", f"parameters, window network, {_set('n', n)}", window_network(network, n), _NONE
        ),
        _counted("table", f"entries of a table, {_set('n', n)}", table(network, n), _NONE),
    ]


def _clock(lab) -> list[Readout]:
    """The time that was measured at the width nearest to the one that is set."""
    width = nearest_width(lab.hidden_size)
    work = step_cost(Network(lab.cell, width, width)).recurrent
    step, each = (
        f"{NAMES[lab.cell]} step, {equals('d', _set('d_h', width))}",
        "for each of its multiply–adds",
    )
    if lab.times is None:
        said = "failed" if lab.unmeasured else "to come"
        return [Readout("measured", step, said, math.nan), Readout("each", each, said, math.nan)]
    seconds = lab.times[lab.cell][WIDTHS.index(width)]
    return [
        Readout("measured", step, in_microseconds(seconds), seconds),
        Readout("each", each, f"{number(seconds / work / _NANO)} ns", seconds / work),
    ]


def _set(name: str, value: int) -> str:
    """A setting with its value."""
    return equals(name, count(value))


def _counted(key: str, label: str, value: int, nothing: str = "0") -> Readout:
    return Readout(key, label, count(value) if value else nothing, float(value))


def arithmetic(lab, network: Network) -> list[str]:
    """The first layer, the whole, one token of attention, what is kept, and a window's layer, with today's numbers."""
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
        _window_layer(lab, network),
    ]


def _first_layer(network: Network) -> str:
    """In letters, then in numbers."""
    d, n = network.input_size, network.hidden_size
    twice = f"{network.biases}·" * (network.biases == 2)
    gates = _gates(network)
    return f"{gates}·(d·d_h + d_h² + {twice}d_h) = {gates}·({d}·{n} + {n}² + {twice}{n})"


def _gates(network: Network) -> str:
    return f"{'2·' * (network.directions == 2)}{PARTS[network.cell]}"


def _crossing(network: Network) -> str:
    layer = top_layer(network)
    d, n, m = layer.input_size, layer.hidden_size, layer.output_size
    work = f"{_gates(layer)}·({d}·{n} + {n}²)"
    return (
        f"{unit(network)} t: attention takes 3·{d}·{m} + {m}² + 2·{m}·t, layer {network.layers} takes {work}: "
        f"attention is dearer from t = {count(dearer_from(network))} on"
    )


def _window_layer(lab, network: Network) -> str:
    n, d, width = lab.window, network.input_size, network.hidden_size
    return f"window: n·d·d_h + d_h = {n}·{d}·{width} + {width} = {count(window_layer(network, n))}"


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
        said.append("Without a vocabulary there is no embedding, no softmax, and no table of words.")
        said.append("The whole network coincides with its recurrent layers.")
        if lab.tied:
            said.append("Nothing is there to be tied.")
    if network.tied:
        said.append(_tying(network))
    # That they are being timed is said by the button: a note that goes would move what stands below it.
    if lab.unmeasured:
        again = "The cells could not be timed again, and the old times stand; the server’s log says why."
        said.append(again if lab.times else NOT_MEASURED[True])
    return said


def _tying(network: Network) -> str:
    """What tying saves, or costs where the projection is larger than what is shared."""
    saved = parameters(replace(network, tied=False)).total - parameters(network).total
    if saved < 0:
        return f"Tied, it has {many(-saved, 'parameter')} more: the projection is larger than what is shared."
    if saved == 0:
        return "Tying saves nothing: the projection is as large as what is shared."
    return f"Tying saves {many(saved, 'parameter')}."


def time_again(lab) -> Button:
    """Under the clock."""
    return Button(
        "time",
        "Time again" if lab.turn is None else f"Timing: {lab.turn} of {TURNS} turns",
        "Time all cells once more on this server, for everybody who is here; the old times stand until then.",
        enabled=lab.turn is None,
        place=CLOCK,
    )
