"""What a recurrent network costs: its parameters, and the multiply–adds of one step.

    layer       G·(d·d_h + d_h² + biases·d_h) parameters in each direction, G·(d·d_h + d_h²) multiply–adds a step
    embedding   V·d                           no multiply–adds: a row is looked up
    softmax     D·d_h·V + V                   D·d_h·V

with G = 1 for an rnn, 4 for an lstm, 3 for a gru, and D directions. The first layer reads d = input_size numbers,
every other the D·d_h beneath it. Tied, softmax and embedding share V·d weights, behind a projection of D·d_h × d
where the two widths differ (Press and Wolf, 2017; Inan, Khosravi and Socher, 2017).

Conventions. ``biases`` is 1, as in the equations, or 2, as PyTorch and cuDNN keep them (they only add, but for the
candidate of a GRU whose reset gate acts after the product). A multiply–add, one product added to a sum, is counted
in products with weights alone; what is done entry by entry is of the order of d_h and is told apart. Going back takes
two products for each one forward, the error at what was read and the gradient of the weights: twice the
multiply–adds, at every step alike (the ratio that Kaplan et al., 2020, "Scaling laws for neural language models",
count with).
"""

from dataclasses import dataclass, replace
from math import inf

from core.cells import PARTS
from core.validation import instance_of, keep_plain, one_of, whole_number, yes_or_no

SQUASHINGS = {"rnn": 1, "lstm": 5, "gru": 3}
"""Times σ or tanh for each unit and step: once for each gate, and for an LSTM's cell as it is shown."""

GATE_PRODUCTS = {"rnn": 0, "lstm": 3, "gru": 3}
"""Products of two entries for each unit and step: f ⊙ c, i ⊙ g, o ⊙ tanh c′, or r ⊙ h, (1 − z) ⊙ n, z ⊙ h."""


@dataclass(frozen=True)
class Network:
    """Embedding, recurrent layers, softmax; a vocabulary of 0 leaves the recurrent layers alone.

    Raises ValueError for another cell, for sizes and layers that are no integers from 1, a vocabulary that is none
    from 0, biases and directions other than 1 and 2, and where nothing is there to be tied.
    """

    cell: str
    input_size: int
    hidden_size: int
    layers: int = 1
    vocabulary: int = 0
    biases: int = 1
    directions: int = 1
    tied: bool = False

    def __post_init__(self) -> None:
        one_of("cell", self.cell, PARTS)
        ranges = {"vocabulary": (0, inf), "biases": (1, 2), "directions": (1, 2)}
        for name in ("input_size", "hidden_size", "layers", *ranges):
            least, most = ranges.get(name, (1, inf))
            # NumPy's integers of fixed size would overflow without a word.
            keep_plain(self, **{name: whole_number(name, getattr(self, name), least=least, most=most)})
        keep_plain(self, tied=yes_or_no("tied", self.tied))
        if self.tied and not self.vocabulary:
            raise ValueError("tied must be False where vocabulary is 0, got True")

    @property
    def output_size(self) -> int:
        """What a layer hands on at each step: D·d_h."""
        return self.directions * self.hidden_size

    def read_sizes(self) -> list[int]:
        """How many numbers each layer reads at a step, from the first layer up."""
        return [self.input_size] + [self.output_size] * (self.layers - 1)


@dataclass(frozen=True)
class ParameterCount:
    """How many numbers are learnt, part by part."""

    embedding: int
    """V·d."""
    layers: tuple[int, ...]
    """Each recurrent layer, from the first, with all of its directions."""
    projection: int
    """D·d_h·d of a tied network whose two widths differ, else 0."""
    softmax: int
    """D·d_h·V, or 0 where the weights are the embedding's."""
    softmax_bias: int
    """V."""

    @property
    def recurrent(self) -> int:
        """All recurrent layers."""
        return sum(self.layers)

    @property
    def total(self) -> int:
        """The whole network."""
        return self.embedding + self.recurrent + self.projection + self.softmax + self.softmax_bias


@dataclass(frozen=True)
class StepCost:
    """The work of one step forward, all layers and directions."""

    recurrent: int
    """Multiply–adds of the recurrent layers."""
    softmax: int
    """Multiply–adds of projection and softmax."""
    squashings: int
    """Times σ or tanh, which are dearer than a multiply–add."""
    gate_products: int
    """Products entry by entry."""

    @property
    def forward(self) -> int:
        """Multiply–adds forward."""
        return self.recurrent + self.softmax

    @property
    def backward(self) -> int:
        """Multiply–adds of the way back: twice those forward."""
        return 2 * self.forward

    @property
    def training(self) -> int:
        """Both ways."""
        return self.forward + self.backward


def layers_alone(network: Network) -> list[Network]:
    """Each recurrent layer, from the first, as a network of its own. Raises ValueError for what is no `Network`."""
    instance_of("network", network, Network)
    bare = replace(network, layers=1, vocabulary=0, tied=False)
    return [replace(bare, input_size=size) for size in network.read_sizes()]


def top_layer(network: Network) -> Network:
    """The last of `layers_alone`."""
    return layers_alone(network)[-1]


def parameters(network: Network) -> ParameterCount:
    """How many parameters the network has. Raises ValueError for what is no `Network`."""
    instance_of("network", network, Network)
    return ParameterCount(
        embedding=network.vocabulary * network.input_size,
        layers=tuple(
            network.directions * (_weights(network, size) + _biases(network)) for size in network.read_sizes()
        ),
        projection=_projection(network),
        softmax=0 if network.tied else network.output_size * network.vocabulary,
        softmax_bias=network.vocabulary,
    )


def step_cost(network: Network) -> StepCost:
    """The work of one step. Raises ValueError for what is no `Network`."""
    instance_of("network", network, Network)
    units = network.layers * network.output_size
    # A tied softmax reads what the projection made of the state, as wide as an embedding.
    read = network.input_size if network.tied else network.output_size
    return StepCost(
        recurrent=sum(network.directions * _weights(network, size) for size in network.read_sizes()),
        softmax=_projection(network) + read * network.vocabulary,
        squashings=SQUASHINGS[network.cell] * units,
        gate_products=GATE_PRODUCTS[network.cell] * units,
    )


def _weights(network: Network, input_size: int) -> int:
    """One layer's W and U, in one direction."""
    size = network.hidden_size
    return PARTS[network.cell] * (input_size * size + size * size)


def _biases(network: Network) -> int:
    return network.biases * PARTS[network.cell] * network.hidden_size


def _projection(network: Network) -> int:
    if not network.tied or network.output_size == network.input_size:
        return 0
    return network.output_size * network.input_size
