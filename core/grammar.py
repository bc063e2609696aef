"""Texts drawn from a probabilistic grammar, and how many nats a character of such a text carries.

A grammar replaces a symbol X by one of its patterns a, with probability p_a; a pattern is text in which ``<Y>``
stands for the symbol Y. Drawing one pattern costs −Σ p_a ln p_a nats, and each symbol that it leaves is drawn by
itself, so with n_a(Y) the number of times that Y stands in a and ℓ_a the characters of its text

    H(X) = Σ_a p_a (−ln p_a + Σ_Y n_a(Y) H(Y)),        L(X) = Σ_a p_a (ℓ_a + Σ_Y n_a(Y) L(Y))

are two systems of linear equations, for the entropy of a sentence and for its expected length (Soule, 1974,
*Entropies of probabilistic grammars*). A text is made of sentences drawn one after another. Where no two
derivations give the same sentence and no sentence begins another one, it can be read back without doubt, and its
entropy rate is H / L: no predictor does better in the long run than that many nats per character.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from core.validation import finite_number, one_of, whole_number

Rules = Mapping[str, Mapping[str, float] | Sequence[str]]

_SYMBOL = re.compile(r"<(\w+)>")


class _Pattern(NamedTuple):
    """One way to replace a symbol."""

    probability: float
    pieces: list[str]
    """Text, symbol, text, …, symbol, text: every second piece is a symbol; a text may be empty."""

    @property
    def text(self) -> list[str]:
        return self.pieces[::2]

    @property
    def symbols(self) -> list[str]:
        return self.pieces[1::2]


class Grammar:
    """A grammar with ``rules``: for each symbol its patterns, all as likely or each with a weight above 0.

        Grammar({"walk": {"left <walk>": 1, "home.": 2}})

    walks on with probability 1/3. Raises ValueError for a symbol without rules or patterns, for weights that are
    not finite and above 0, and for rules whose sentences have no finite expected length.
    """

    def __init__(self, rules: Rules) -> None:
        self._patterns = {symbol: _patterns(symbol, choices) for symbol, choices in rules.items()}
        self._place = {symbol: place for place, symbol in enumerate(self._patterns)}
        self._children = self._mean_children()
        if np.abs(np.linalg.eigvals(self._children)).max(initial=0) > 1 - 1e-9:
            raise ValueError(
                "rules must give sentences of a finite expected length, got some that grow for ever"
            )

    def draw(self, symbol: str, rng: np.random.Generator) -> str:
        """One text of ``symbol``, drawn from left to right; ValueError for a symbol that has no rules."""
        text, waiting = [], [("", one_of("symbol", symbol, self._patterns))]
        while waiting:
            before, symbol = waiting.pop()
            text.append(before)
            if symbol:
                waiting += reversed(_pairs(self._chosen(symbol, rng).pieces))
        return "".join(text)

    def sentences(self, symbol: str, characters: int, rng: np.random.Generator) -> str:
        """Texts of ``symbol`` one after another, as many whole ones as make ``characters`` or more.

        Raises ValueError for characters below 1 and a symbol that has no rules.
        """
        characters = whole_number("characters", characters, least=1)
        drawn, length = [], 0
        while length < characters:
            drawn.append(self.draw(symbol, rng))
            length += len(drawn[-1])
        return "".join(drawn)

    def entropy(self, symbol: str) -> float:
        """H(X) in nats, of the derivations of ``symbol``."""
        surprise = {
            name: -sum(pattern.probability * np.log(pattern.probability) for pattern in patterns)
            for name, patterns in self._patterns.items()
        }
        return self._expected(symbol, surprise)

    def length(self, symbol: str, measure: Callable[[str], float] = len) -> float:
        """L(X), the expected number of characters, or of what else ``measure`` finds in each piece of text."""
        own = {
            name: sum(pattern.probability * sum(map(measure, pattern.text)) for pattern in patterns)
            for name, patterns in self._patterns.items()
        }
        return self._expected(symbol, own)

    def entropy_rate(self, symbol: str) -> float:
        """H(X) / L(X) in nats per character, of sentences ``symbol`` that can be read back without doubt."""
        return self.entropy(symbol) / self.length(symbol)

    def _chosen(self, symbol: str, rng: np.random.Generator) -> _Pattern:
        # Only `random`: NumPy keeps its stream from release to release, and the corpora are files.
        left = rng.random()
        *others, last = self._patterns[symbol]
        for pattern in others:
            left -= pattern.probability
            if left < 0:
                return pattern
        return last

    def _mean_children(self) -> np.ndarray:
        """M (S, S): how many symbols Y one step is expected to leave of X, the coefficients of both systems."""
        M = np.zeros((len(self._place), len(self._place)))
        for symbol, patterns in self._patterns.items():
            for pattern in patterns:
                for child in pattern.symbols:
                    M[self._place[symbol], self._place[one_of("symbol", child, self._place)]] += (
                        pattern.probability
                    )
        return M

    def _expected(self, symbol: str, own: Mapping[str, float]) -> float:
        """The solution at ``symbol`` of v = own + M v."""
        place = self._place[one_of("symbol", symbol, self._place)]
        return float(np.linalg.solve(np.eye(len(own)) - self._children, list(own.values()))[place])


def _patterns(symbol: str, choices: Mapping[str, float] | Sequence[str]) -> list[_Pattern]:
    """The patterns of one symbol, their probabilities adding up to 1."""
    if not choices:
        raise ValueError(f"rules must give {symbol!r} at least one pattern, got {choices!r}")
    weights = choices if isinstance(choices, Mapping) else dict.fromkeys(choices, 1.0)
    for pattern, weight in weights.items():
        finite_number(f"the weight of {pattern!r}", weight, above=0)
    total = sum(weights.values())
    return [_Pattern(weight / total, _SYMBOL.split(pattern)) for pattern, weight in weights.items()]


def _pairs(pieces: list[str]) -> list[tuple[str, str]]:
    """Each text with the symbol after it; the last has none."""
    return list(zip(pieces[::2], [*pieces[1::2], ""], strict=True))
