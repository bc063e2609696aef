"""The texts of the training lab: those of `assets/corpora`, and the visitor's own."""

from functools import cache, lru_cache
from pathlib import Path

from core.text import vocabulary_of

_FOLDER = Path(__file__).parents[2] / "assets" / "corpora"
FILES = ("toy", "brackets", "agreement", "prose")


@cache
def corpus_text(name: str) -> str:
    """The text of a corpus that comes with the project."""
    return (_FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def given_text(name: str, own: str) -> str:
    """The text that a corpus stands for; the visitor's own may be empty."""
    return own if name == "own" else corpus_text(name)


def text_of(name: str, own: str) -> str:
    """The text to train on. ValueError if it is the visitor's own and there is none."""
    text = given_text(name, own)
    if not text:
        raise ValueError("there is no text of your own yet: hand one over, or choose another corpus")
    return text


@lru_cache(maxsize=8)
def characters_known(text: str) -> int:
    """V, how many distinct characters a text has."""
    return vocabulary_of(text).size


@lru_cache(maxsize=8)
def corpus_of(text: str) -> str:
    """Which corpus a text is."""
    return next((name for name in FILES if corpus_text(name) == text), "own")
