"""What a visitor typed, as words that are seen and that leave the page's own text as it is.

A word may hold characters that are not seen but turn the text around them (Unicode Standard Annex #9), and one that
is written from right to left takes the page's punctuation beside it along, unless it is isolated.
"""

import re
import unicodedata

_TURNS = re.compile("[\u202a-\u202e\u2066-\u2069]")
_FIRST_STRONG_ISOLATE, _POP = "\u2068", "\u2069"
_UNSEEN = {"Cc", "Cf"}
"""Unicode's categories of control and format characters."""


def visible_words(text: str) -> tuple[str, ...]:
    """The words of a text; those with nothing in them to be seen, such as a zero-width space, are none."""
    return tuple(word for word in text.split() if any(unicodedata.category(c) not in _UNSEEN for c in word))


def without_turns(text: str) -> str:
    """The text without the characters that turn what follows them round."""
    return _TURNS.sub("", text)


def isolated(text: str) -> str:
    """The text without turns, and so wrapped, if any of it runs from right to left, that it turns nothing beside it."""
    plain = without_turns(text)
    leftwards = any(unicodedata.bidirectional(c) in {"R", "AL", "AN"} for c in plain)
    return f"{_FIRST_STRONG_ISOLATE}{plain}{_POP}" if leftwards else plain
