"""What a model with a fixed window costs, and what it cannot see: the n words before the next, and nothing else.

    table     V^(n+1): a probability for each next word after each n words, an (n + 1)-gram (Shannon, 1948)
    network   V·m + (n·m·h + h) + (h·V + V): n embeddings of width m side by side, h tanh units, a softmax
              (Bengio, Ducharme, Vincent and Jauvin, 2003, "A neural probabilistic language model")

A window here is what is read, so a model of Bengio et al. "of order n" has a window of n − 1. Every entry of the table
is counted, also the one of each row that follows from the others; counts are exact integers, whose logarithm
``math.log10`` takes where they are beyond floats. A recurrent network costs the same for any past.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from core.validation import a_string, whole_number, yes_or_no


@dataclass(frozen=True)
class WindowView:
    """A sentence as a window sees it when it is to predict one of its words."""

    unseen: tuple[str, ...]
    """The words before the window."""
    seen: tuple[str, ...]
    """The words in the window, at most n."""
    word: str
    """The word to predict."""


@dataclass(frozen=True)
class AgreementExample:
    """A sentence whose verb takes its form from a noun that stands far before it."""

    words: tuple[str, ...]
    noun: int
    """Index of the noun, from 0."""
    verb: int
    """Index of the verb."""
    other_form: str
    """What the verb would be, had the noun the other number."""

    @property
    def least_window(self) -> int:
        """The smallest window that still sees the noun when the verb is to be predicted."""
        return self.verb - self.noun


LANTERNS = AgreementExample(
    words=("the", "lanterns", "on", "the", "wall", "behind", "the", "old", "mill", "were", "lit"),
    noun=1,
    verb=9,
    other_form="was",
)
"""A sentence of our own, in which a window of five sees one noun or another, but never the one that counts."""


def table_entries(vocabulary: int, window: int) -> int:
    """V^(n+1), the entries of the table for a window of n words.

    Raises ValueError for a vocabulary that is no integer from 1 and a window that is none from 0.
    """
    vocabulary = whole_number("vocabulary", vocabulary, least=1)
    return vocabulary ** (whole_number("window", window, least=0) + 1)


def window_network_parameters(
    vocabulary: int, window: int, embedding_size: int, hidden_size: int, direct: bool = False
) -> int:
    """The parameters of a window network; ``direct`` adds n·m·V from the embeddings straight to the softmax.

    Raises ValueError for sizes and a window that are no integers from 1, and a ``direct`` other than True or False.
    """
    V = whole_number("vocabulary", vocabulary, least=1)
    n, m, h = _window_sizes(window, embedding_size, hidden_size)
    softmax = V * (h + 1) + (V * n * m if yes_or_no("direct", direct) else 0)
    return V * m + h * (n * m + 1) + softmax


def window_layer_parameters(window: int, embedding_size: int, hidden_size: int) -> int:
    """n·m·h + h, the parameters between the embeddings and the softmax: what a longer window adds to.

    Raises ValueError for sizes and a window that are no integers from 1.
    """
    n, m, h = _window_sizes(window, embedding_size, hidden_size)
    return h * (n * m + 1)


def window_layer_exceeds_from(parameters: int, embedding_size: int, hidden_size: int) -> int:
    """The smallest window n with n·m·h + h above ``parameters``, such as those of the layers of a recurrent network.

    Raises ValueError for sizes that are no integers from 1, and for parameters that are none from 0.
    """
    _, m, h = _window_sizes(1, embedding_size, hidden_size)
    return max((whole_number("parameters", parameters, least=0) - h) // (m * h) + 1, 1)


def _window_sizes(window: int, embedding_size: int, hidden_size: int) -> tuple[int, int, int]:
    """n, m and h, checked."""
    m = whole_number("embedding_size", embedding_size, least=1)
    h = whole_number("hidden_size", hidden_size, least=1)
    return whole_number("window", window, least=1), m, h


def window_view(words: Sequence[str], position: int, window: int) -> WindowView:
    """What a window of n words sees of ``words`` before the one at ``position``, counted from 0.

    A recurrence reads ``unseen`` too. Raises ValueError for words that are no sequence of strings, for a text in their
    place, and for a position outside of them or a window below 1.
    """
    if isinstance(words, str) or not isinstance(words, Sequence):
        raise ValueError(f"words must be a sequence of strings, got {words!r}")
    words = tuple(a_string("each of words", word) for word in words)
    if not words:
        raise ValueError("words must hold at least one word, got none")
    position = whole_number("position", position, least=0, most=len(words) - 1)
    start = max(position - whole_number("window", window, least=1), 0)
    return WindowView(words[:start], words[start:position], words[position])
