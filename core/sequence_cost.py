"""What a whole sequence costs a recurrent network: work, the numbers kept for the way back, and time that cannot be
shared out.

Conventions, for one sequence of T steps (a batch of B takes B times as much, and no more steps after one another):

work        T steps of `core.cost.step_cost`, a loss at every one. Truncation into chunks that do not overlap
            leaves it as it is: every step is still gone through once each way (Williams and Peng, 1990, whose
            other forms repeat steps, which costs more).
kept        the numbers that the way back needs of the way forward: what the first layer read, each layer's gates
            and states, the state a chunk starts from, what a tied softmax read, and the V probabilities of each
            step. The way back also reads an LSTM's tanh c′ and a GRU's r ⊙ h: these it works out again, from the
            gates and states of their own step. (To keep them is quicker, and makes 7 of 6 and 5 of 4.) Full
            backpropagation through time keeps those of T steps, truncated to K of the min(K, T) steps of a chunk
            (Werbos, 1990). To go through whole steps again instead of keeping them (Chen et al., 2016; Gruslys et
            al., 2016) is not counted.
in a row    steps of cells each of which needs the one before. A layer of a stack may run one step behind the layer
            beneath it, so L layers take T + L − 1 (Appleyard, Kociský and Blunsom, 2016). Read both ways, each
            layer needs the last step of the layer beneath it first: L·T. The softmax's V numbers need no order.
"""

from dataclasses import dataclass

from core.bptt import KEPT
from core.cost import Network, parameters, step_cost
from core.validation import instance_of, whole_number

STATES = {"rnn": 1, "lstm": 2, "gru": 1}
"""Numbers of a unit's state: h, and c of an LSTM."""


@dataclass(frozen=True)
class SequenceWork:
    """Multiply–adds over a sequence."""

    forward: int
    backward: int

    @property
    def training(self) -> int:
        """Both ways."""
        return self.forward + self.backward


@dataclass(frozen=True)
class Kept:
    """How many numbers are kept for the way back, part by part."""

    inputs: int
    """What the first layer read: d at each step."""
    recurrent: int
    """Gates and states of all layers and directions."""
    start: int
    """The states that the sequence or chunk starts from."""
    projected: int
    """What a tied softmax reads behind its projection, d at each step; 0 without one."""
    probabilities: int
    """V at each step."""

    @property
    def total(self) -> int:
        """All of them."""
        return self.inputs + self.recurrent + self.start + self.projected + self.probabilities


def sequence_work(network: Network, length: int) -> SequenceWork:
    """Multiply–adds over ``length`` steps. Raises ValueError for what is no `Network`, and for a length below 1."""
    length = _checked(network, length)
    step = step_cost(network)
    return SequenceWork(length * step.forward, length * step.backward)


def kept_activations(network: Network, length: int, truncation: int | None = None) -> Kept:
    """The numbers kept for the way back, of full BPTT, or truncated to ``truncation`` steps.

    A network that reads both ways cannot be truncated so, since it needs the end of the text first. Raises
    ValueError for that, for what is no `Network`, and for lengths below 1.
    """
    steps = _checked(network, length)
    if truncation is not None:
        steps = min(steps, whole_number("truncation", truncation, least=1))
        if network.directions == 2:
            raise ValueError(f"truncation must be None where directions is 2, got {truncation!r}")
    units = network.layers * network.output_size
    return Kept(
        inputs=steps * network.input_size,
        recurrent=steps * KEPT[network.cell] * units,
        start=state_size(network),
        projected=steps * network.input_size if parameters(network).projection else 0,
        probabilities=steps * network.vocabulary,
    )


def steps_in_a_row(network: Network, length: int) -> int:
    """The longest chain of cells each of which needs the one before, forward; the way back has one as long.

    Raises ValueError for what is no `Network`, and for a length below 1.
    """
    length = _checked(network, length)
    if network.directions == 2:
        return network.layers * length
    return length + network.layers - 1


def state_size(network: Network) -> int:
    """The numbers that carry all of the past to the next step, however long that past is.

    Raises ValueError for what is no `Network`.
    """
    instance_of("network", network, Network)
    return STATES[network.cell] * network.layers * network.output_size


def _checked(network: Network, length: int) -> int:
    instance_of("network", network, Network)
    return whole_number("length", length, least=1)
