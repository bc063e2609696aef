"""What the cost lab counts: by the hidden size, by the length, and by the window, as exact integers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from core.attention_cost import cache_size, dearer_from, token_work
from core.cells import PARTS
from core.cost import Network, ParameterCount, layers_alone, parameters, step_cost
from core.fixed_window import (
    table_entries,
    window_layer_exceeds_from,
    window_layer_parameters,
    window_network_parameters,
)
from core.sequence_cost import kept_activations, sequence_work, state_size
from widgets.cost.declared import LONGEST, WIDEST, WINDOWS

Counts = Mapping[str, Sequence[int]]
"""One column of places, then the counts at them; 0 where there is nothing to count."""

_A_DECADE = 8
"""Places for each power of ten."""


def _places(most: int) -> list[int]:
    """Whole numbers from 1 to ``most``, evenly spread over a logarithmic axis."""
    steps = _A_DECADE * len(str(most))
    spread = {round(10 ** (step / _A_DECADE)) for step in range(steps)}
    return sorted({place for place in spread if place < most} | {most})


_WIDTHS, _LENGTHS = _places(WIDEST), _places(LONGEST)
_WINDOWS = list(range(WINDOWS[0], WINDOWS[1] + 1))


def by_width(network: Network) -> Counts:
    """Parameters by the hidden size: the layers of each cell, embedding with softmax, and the whole network.

    The projection of a tied network is gone at one width: that has its neighbours beside it.
    """
    alone = network.input_size // network.directions
    near = {alone - 1, alone, alone + 1} & set(range(1, WIDEST + 1)) if network.tied else set()
    widths = sorted({*_WIDTHS, *near})
    here = [parameters(replace(network, hidden_size=width)) for width in widths]
    layers = replace(network, vocabulary=0, tied=False)
    return {
        "d_h": widths,
        **{
            cell: [parameters(replace(layers, cell=cell, hidden_size=width)).recurrent for width in widths]
            for cell in PARTS
        },
        "ends": [ends(count) for count in here],
        "total": [count.total for count in here],
    }


def ends(count: ParameterCount) -> int:
    """What is no recurrent layer: embedding, projection and softmax."""
    return count.total - count.recurrent


def token_by_position(layer: Network) -> Counts:
    """Multiply–adds forward of token t in the layer, made of each cell, and in attention in its place."""
    return {
        "t": _LENGTHS,
        **_flat(layer, lambda made: step_cost(made).recurrent),
        "attention": [token_work(layer.output_size, position, layer.input_size) for position in _LENGTHS],
    }


def past_by_position(layer: Network) -> Counts:
    """The numbers that carry the past to token t: the state of each cell, and the keys and values of attention."""
    return {
        "t": _LENGTHS,
        **_flat(layer, state_size),
        "attention": [cache_size(layer.output_size, position) for position in _LENGTHS],
    }


def _flat(layer: Network, count: Callable[[Network], int]) -> Counts:
    """What is the same at every position."""
    return {cell: [count(made)] * len(_LENGTHS) for cell, made in _of_each_cell(layer).items()}


def _of_each_cell(layer: Network) -> dict[str, Network]:
    return {cell: replace(layer, cell=cell) for cell in PARTS}


def crossings(layer: Network) -> dict[str, tuple[int, int]]:
    """From which token on attention is dearer than the layer made of each cell, and what that costs a token."""
    return {
        cell: (dearer_from(made), step_cost(made).recurrent) for cell, made in _of_each_cell(layer).items()
    }


def kept_by_length(network: Network, truncation: int) -> Counts:
    """The numbers kept for the way back, of full BPTT and of truncated, with the parameters for scale."""
    return {
        "T": _LENGTHS,
        "full": [kept_activations(network, length).total for length in _LENGTHS],
        "truncated": [truncated(network, length, truncation) for length in _LENGTHS],
        "weights": [parameters(network).total] * len(_LENGTHS),
    }


def truncated(network: Network, length: int, truncation: int) -> int:
    """The numbers that truncated BPTT keeps; 0 for a network that reads both ways, which cannot be truncated."""
    return kept_activations(network, length, truncation).total if network.directions == 1 else 0


def by_window(network: Network) -> Counts:
    """Weights of a table and of a network that read n words, as wide as ours, and of ours."""
    return {
        "n": _WINDOWS,
        "table": [table(network, window) for window in _WINDOWS],
        "network": [window_network(network, window) for window in _WINDOWS],
        "recurrent": [parameters(network).total if network.vocabulary else 0] * len(_WINDOWS),
    }


def window_layers(network: Network) -> Counts:
    """Parameters between embedding and softmax: of a network that reads n words, and of ours, which has no n."""
    return {
        "n": _WINDOWS,
        "network": [window_layer(network, window) for window in _WINDOWS],
        "recurrent": [parameters(network).recurrent] * len(_WINDOWS),
    }


def window_layer(network: Network, window: int) -> int:
    """The parameters of a window network's layer with the network's sizes, between embedding and softmax."""
    return window_layer_parameters(window, network.input_size, network.hidden_size)


def outgrown_from(network: Network) -> int:
    """The smallest window whose layer has more parameters than the network's recurrent layers."""
    return window_layer_exceeds_from(parameters(network).recurrent, network.input_size, network.hidden_size)


def table(network: Network, window: int) -> int:
    """The entries of a table over the network's vocabulary; 0 without one."""
    return table_entries(network.vocabulary, window) if network.vocabulary else 0


def window_network(network: Network, window: int) -> int:
    """The parameters of a window network with the network's sizes; 0 without a vocabulary."""
    if not network.vocabulary:
        return 0
    return window_network_parameters(network.vocabulary, window, network.input_size, network.hidden_size)


@dataclass(frozen=True)
class Part:
    """One part of the network: its parameters, and its multiply–adds."""

    name: str
    parameters: int
    forward: int
    backward: int
    sequence: int
    """Both ways, over all steps."""

    @property
    def numbers(self) -> tuple[int, int, int, int]:
        return self.parameters, self.forward, self.backward, self.sequence


def parts(network: Network, length: int) -> list[Part]:
    """The network part by part, and whole. What of the whole's work is no layer's is the softmax's."""
    whole = _part("whole network", network, length)
    layers = [
        _part(f"layer {number}", layer, length) for number, layer in enumerate(layers_alone(network), start=1)
    ]
    embedding = Part("embedding", parameters(network).embedding, 0, 0, 0)
    others = [part.numbers for part in (embedding, *layers)]
    rest = [whole - sum(parts) for whole, *parts in zip(whole.numbers, *others, strict=True)]
    name = "projection and softmax" if parameters(network).projection else "softmax"
    return [embedding, *layers, Part(name, *rest), whole]


def _part(name: str, network: Network, length: int) -> Part:
    step, sequence = step_cost(network), sequence_work(network, length)
    return Part(name, parameters(network).total, step.forward, step.backward, sequence.training)
