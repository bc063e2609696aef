"""How one setting is read from text, written as text, and kept within its range.

A setting is a `param` parameter of a lab. Its declaration carries bounds, step, label and doc; the
functions below turn it into an address, and an address back into it. Each dispatches on the kind of
parameter.
"""

import math
import re
from functools import singledispatch

import param

from widgets.base.typed import isolated

_INTEGER = re.compile(r"[+-]?[0-9]{1,15}")
_DECIMAL = re.compile(r"[+-]?([0-9]{1,20}\.?[0-9]{0,20}|\.[0-9]{1,20})([eE][+-]?[0-9]{1,3})?")
_YES_NO = {"yes": True, "no": False}


class LogNumber(param.Number):
    """A number whose slider runs over its logarithm: each factor of two takes the same way."""


class LogInteger(param.Integer):
    """A whole number, likewise; 0 may be the least."""


class Text(param.String):
    """Text of at most `limit` characters and, if `words` is given, of so many words."""

    __slots__ = ["limit", "words"]

    def __init__(self, default: str = "", *, limit: int = 200, words: int | None = None, **kwargs):
        self.limit, self.words = limit, words
        super().__init__(default, **kwargs)

    @property
    def holds(self) -> str:
        """How much fits in, in words that follow the setting's name."""
        words = f"{self.words} words and " if self.words else ""
        return f"holds up to {words}{self.limit} characters"

    def cut(self, text: str) -> str:
        """The text, or as much of its beginning as fits in."""
        ends = [word.end() for word in re.finditer(r"\S+", text)] if self.words else []
        last = ends[self.words - 1] if len(ends) > (self.words or 0) else None
        return text[:last][: self.limit]


def _plain(bound: float) -> str:
    return f"{bound:g}".replace("-", "−")


def _in_range(setting: param.Parameter, value):
    low, high = setting.bounds
    if not low <= value <= high:
        raise ValueError(f"expected a number from {_plain(low)} to {_plain(high)}")
    return value


@singledispatch
def parse(setting: param.Parameter, text: str):
    """The value that `text` stands for.

    Raises:
        ValueError: with what was expected, in words that follow the setting's name.
    """
    raise TypeError(f"no way to read a {type(setting).__name__} from text")


@parse.register
def _(setting: param.Number, text: str) -> float:
    if not _DECIMAL.fullmatch(text):
        raise ValueError("expected a number such as 0.5")
    return _in_range(setting, float(text))


@parse.register
def _(setting: param.Integer, text: str) -> int:
    if not _INTEGER.fullmatch(text):
        raise ValueError("expected a whole number")
    return _in_range(setting, int(text))


@parse.register
def _(setting: param.Boolean, text: str) -> bool:
    if text not in _YES_NO:
        raise ValueError("expected yes or no")
    return _YES_NO[text]


@parse.register
def _(setting: param.Selector, text: str) -> str:
    if text not in setting.objects:
        raise ValueError(f"expected one of {', '.join(setting.objects)}")
    return text


@parse.register
def _(setting: Text, text: str) -> str:
    return text


@singledispatch
def write(setting: param.Parameter, value) -> str:
    """The value as it stands in an address (numbers to twelve digits); `parse` reads it back."""
    return str(value)


@write.register
def _(setting: param.Number, value: float) -> str:
    return f"{value + 0.0:.12g}"


@write.register
def _(setting: param.Boolean, value: bool) -> str:
    return "yes" if value else "no"


def short(text: str, most: int = 40) -> str:
    """Text from outside as it may be repeated in a sentence: on one line, not too long, and turning nothing round."""
    printable = "".join(c if c.isprintable() else "�" for c in text)
    return isolated(printable if len(printable) <= most else f"{printable[: most - 1]}…")


def close(one, other) -> bool:
    """Whether two values are the same but for the rounding of a slider's steps."""
    if isinstance(one, float | int) and isinstance(other, float | int):
        return math.isclose(one, other, abs_tol=1e-9)
    return one == other


@singledispatch
def fit(setting: param.Parameter, value):
    """The nearest value that the setting allows."""
    return value


@fit.register
def _(setting: param.Number, value: float) -> float:
    low, high = setting.bounds
    # A slider adds up its steps in the browser and may end at 8e-15 instead of 0.
    return round(min(max(value, low), high), 10) if math.isfinite(value) else setting.default


@fit.register
def _(setting: param.Integer, value: float) -> int:
    low, high = setting.bounds
    return int(min(max(round(value), low), high)) if math.isfinite(value) else setting.default


@fit.register
def _(setting: Text, value: str) -> str:
    # Half of a character that takes two (a lone surrogate) cannot be sent back to the page.
    whole = value.encode("utf-8", "ignore").decode("utf-8")
    return setting.cut(" ".join(whole.splitlines()))
