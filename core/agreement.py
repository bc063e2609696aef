"""Sentences whose last word must agree with their first noun, at a distance that is known, and a corpus of them.

    ask where the fisherman near the women behind the boatmen sleeps.
                         ↑ telling letter                          ↑ dependent character

The noun is one person or several, *-man* or *-men*, and the verb at the end has a form for each. Both forms of a
noun are equally long, and the numbers of the nouns between are tossed like a coin each, so that nothing but the
one letter of the first noun tells which form is right: no other noun, no length, no word.

(Linzen, Dupoux and Goldberg, 2016, *Assessing the ability of LSTMs to learn syntax-sensitive dependencies*, tested
recurrent networks by English verbs with nouns of the other number in between.)

The distance n counts the characters between the two. A network reads the telling letter n steps before the one
whose output predicts the dependent character, so n is also how many steps back the error has to travel.

In the grammar a sentence is a frame, where ``[one|several]`` stands for the two forms of what differs.
"""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from core.grammar import Grammar
from core.validation import whole_number

SHORTEST, LONGEST = 2, 60
"""The distances, every one of them as likely in the corpus."""

# No word begins like the wrong form of a verb (as "wander" does like "was"): the two forms have no other rival.
OPENINGS = ("ask", "tell us")
PEOPLE = ("", "wo", "boat", "fisher")
PLACES = ("by", "near", "behind")
ADVERBS = ("now", "still")
VERBS = (
    "[is|are]",
    "w[as|ere]",
    "go[es|]",
    "row[s|]",
    "hum[s|]",
    "live[s|]",
    "rest[s|]",
    "sleep[s|]",
    "listen[s|]",
    "shelter[s|]",
)

_FORMS = re.compile(r"\[(\w*)\|(\w*)\]")


@dataclass(frozen=True)
class AgreementSentence:
    """One sentence, with what a measure of agreement needs to know of it."""

    text: str
    """The sentence with its full stop and line end."""
    telling: int
    """Index in the text of the letter that tells the number of the first noun."""
    dependent: int
    """Index of the first character that depends on it."""
    right: str
    """The character that stands there."""
    wrong: str
    """The one that would stand there, had the noun the other number."""

    @property
    def distance(self) -> int:
        """n, the number of characters between the two."""
        return self.dependent - self.telling - 1


def _phrases() -> list[str]:
    return [f"{place} the {person}m<letter>n " for place in PLACES for person in PEOPLE]


def _endings() -> list[str]:
    return [f"{adverb}{verb}.\n" for adverb in ("", *(f"{word} " for word in ADVERBS)) for verb in VERBS]


def _rules() -> dict[str, list[str]]:
    """A symbol ``rest<n>`` for what can follow when the dependent character is n characters away."""
    rules = {"letter": ["a", "e"], "opening": list(OPENINGS), "person": list(PEOPLE)}
    for left in range(LONGEST - 1):
        patterns = [ending for ending in _endings() if ending.index("[") == left]
        for phrase in _phrases():
            rest = f"rest{left - len(phrase.replace('<letter>', 'a'))}"
            if rest in rules:
                patterns.append(f"{phrase}<{rest}>")
        if patterns:
            rules[f"rest{left}"] = patterns
    for distance in range(SHORTEST, LONGEST + 1):
        rules[f"frame{distance}"] = [f"<opening> where the <person>m[a|e]n <rest{distance - len('n ')}>"]
    rules["frame"] = [f"<frame{distance}>" for distance in range(SHORTEST, LONGEST + 1)]
    return rules


_GRAMMAR = Grammar(_rules())


def agreement(characters: int, seed: int) -> str:
    """Whole sentences, ``characters`` or somewhat more, each of a distance from 2 to 60 drawn evenly.

    Raises ValueError for characters below 1 and a seed below 0.
    """
    characters = whole_number("characters", characters, least=1)
    rng = np.random.default_rng([whole_number("seed", seed, least=0), 0])
    sentences, length = [], 0
    while length < characters:
        several = rng.random() < 0.5
        sentences.append(_in_number(_GRAMMAR.draw("frame", rng), several).text)
        length += len(sentences[-1])
    return "".join(sentences)


def agreement_entropy() -> float:
    """The corpus's entropy rate in nats per character: that of the frames and of one coin, over their length."""
    one, several = (
        _GRAMMAR.length("frame", lambda text, form=form: len(_FORMS.sub(rf"\{form}", text)))
        for form in (1, 2)
    )
    return (_GRAMMAR.entropy("frame") + math.log(2)) / ((one + several) / 2)


def agreement_set(
    frames: int, seed: int, distances: Iterable[int] = range(SHORTEST, LONGEST + 1)
) -> tuple[AgreementSentence, ...]:
    """For each of ``distances`` as many ``frames``, each as two sentences, of one person and of several.

    A frame's two sentences are alike but for the telling letter and what depends on it, so whoever does not heed
    that letter is right in half of them exactly. The draws are none of `agreement`'s. Raises ValueError for
    frames below 1, a seed below 0 and a distance that is not from 2 to 60.
    """
    frames = whole_number("frames", frames, least=1)
    seed = whole_number("seed", seed, least=0)
    sentences = []
    for distance in distances:
        distance = whole_number("distances", distance, least=SHORTEST, most=LONGEST)
        rng = np.random.default_rng([seed, 1, distance])
        for _ in range(frames):
            frame = _GRAMMAR.draw(f"frame{distance}", rng)
            sentences += [_in_number(frame, several) for several in (False, True)]
    return tuple(sentences)


def _in_number(frame: str, several: bool) -> AgreementSentence:
    """The sentence of a frame with its first noun and its verb in one number."""
    right, wrong = (_FORMS.sub(rf"\{form}", frame) for form in ((2, 1) if several else (1, 2)))
    telling, dependent = (place.start() for place in _FORMS.finditer(frame))
    dependent -= len("[a|e]") - len("a")
    return AgreementSentence(right, telling, dependent, right[dependent], wrong[dependent])
