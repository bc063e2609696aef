"""The corpora to train on: a toy language, sentences of agreement and bracketed code, drawn from small grammars.

What is drawn depends on the length and the seed alone, and the entropy rate of each grammar is known exactly
(see `core.grammar`), so that a loss can be held against what there is to know. The files of ``assets/corpora``
are these corpora with their usual length and the seed 0, each made by

    python -m core.corpora toy > assets/corpora/toy.txt

and likewise ``agreement`` and ``brackets``; ``prose.txt`` was written by hand. A shorter draw with the same seed
is the beginning of a longer one; with another seed the text is fresh.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.agreement import agreement, agreement_entropy
from core.grammar import Grammar
from core.validation import one_of, whole_number

TOY = Grammar(
    {
        "sentence": ["<who> <does> <where><when>.\n"],
        "who": {"the old keeper": 2, "a grey gull": 1, "the little boat": 1},
        "does": {"waits": 2, "sleeps": 1, "is singing": 1},
        "where": ["under the bridge", "at the harbour", "<near> the tower"],
        "near": ["close to", "by"],
        "when": {"": 3, " all night": 1, " in the rain": 1, " at dawn": 1},
    }
)

_DEEPEST = 3


def _code_rules() -> dict[str, list[str] | dict[str, float]]:
    """Lines of code in blocks down to `_DEEPEST` levels; each level has symbols of its own, for its indentation."""
    rules = {
        "call": ["<name>(<items>)"],
        "list": ["[<items>]"],
        "items": {"": 1, "<item>": 4, "<item>, <item>": 3, "<item>, <item>, <item>": 2},
        "item": {"<name>": 6, "<digit>": 3, '"<words>"': 4, "<call>": 3, "<list>": 2},
        "words": {"<word>": 1, "<word> <words>": 2},
        "name": ["lamp", "door", "find", "count", "open", "left", "row"],
        "word": ["red", "blue", "lost", "key", "far", "end"],
        "digit": list("0123456789"),
    }
    for level in range(_DEEPEST + 1):
        indent = "  " * level
        line = f"line{level}"
        rules[f"block{level}"] = {f"<{line}>": 2, f"<{line}><{line}>": 3, f"<{line}><{line}><{line}>": 1}
        rules[line] = {f"{indent}<call>;\n": 4, f"{indent}<name> = <list>;\n": 2}
        if level < _DEEPEST:
            rules[line][f"{indent}if <call> {{\n<block{level + 1}>{indent}}}\n"] = 3
    return rules


BRACKETS = Grammar(_code_rules())


def toy(characters: int, seed: int) -> str:
    """Whole sentences of the toy language, ``characters`` or somewhat more.

    Raises ValueError for characters below 1 and a seed below 0.
    """
    return _sentences(TOY, "sentence", characters, seed)


def brackets(characters: int, seed: int) -> str:
    """Lines of code with nested brackets, quotes and indentation: whole statements, ``characters`` or more.

    Brackets always close in the order in which they were opened, none stand between quotes, and a line is
    indented by two spaces for each brace that is open. Raises ValueError as `toy` does.
    """
    return _sentences(BRACKETS, "line0", characters, seed)


@dataclass(frozen=True)
class Corpus:
    """A corpus that can be drawn afresh."""

    draw: Callable[[int, int], str]
    """From a number of characters and a seed to a text."""
    entropy: float
    """Its entropy rate in nats per character."""
    characters: int
    """The usual length."""

    @property
    def text(self) -> str:
        """The text of usual length with the seed 0, as it lies in ``assets/corpora``."""
        return self.draw(self.characters, 0)


CORPORA = {
    "toy": Corpus(toy, TOY.entropy_rate("sentence"), 80_000),
    "agreement": Corpus(agreement, agreement_entropy(), 150_000),
    "brackets": Corpus(brackets, BRACKETS.entropy_rate("line0"), 80_000),
}


def entropy(name: str) -> float | None:
    """The entropy rate of a corpus in nats per character; None where nobody knows it, as of prose."""
    return CORPORA[name].entropy if name in CORPORA else None


def _sentences(grammar: Grammar, symbol: str, characters: int, seed: int) -> str:
    rng = np.random.default_rng(whole_number("seed", seed, least=0))
    return grammar.sentences(symbol, characters, rng)


if __name__ == "__main__":
    sys.stdout.buffer.write(CORPORA[one_of("corpus", " ".join(sys.argv[1:]), CORPORA)].text.encode())
