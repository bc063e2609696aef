"""Where in the labs an exercise's mathematics can be seen, with numbers of the student's own.

An address is relative to the server, such as ``/app?lab=gates&forget_bias=3``. A constant that the lab has no room
for is left out of it, and `left_out` says so.
"""

from collections.abc import Mapping
from numbers import Real
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import urlencode

from core.exercises.contract import NAMES, Foreign
from core.validation import one_of

LONGEST = 320
"""Characters of a text beyond which it is left out: the lab reads no more."""
_NOTHING = MappingProxyType({})


class LabLink(NamedTuple):
    """A lab that shows an exercise's mathematics."""

    slug: str
    constants: Mapping[str, str]
    """The student's constants, each with the setting that it is given to."""
    bounds: tuple[float, float]
    """The least and the largest number that those settings take; of a text, the fewest and the most words."""
    settings: Mapping[str, str] = _NOTHING
    """Settings that go with it, as they are written in an address."""


LABS = {
    "rnn_forward": LabLink("bptt", {"TEXT": "text"}, (2, 40)),
    "rnn_bptt": LabLink("bptt", {"TEXT": "text"}, (2, 40)),
    "lstm_cell": LabLink(
        "cells",
        {"FORGET_GATE": "forget_3"},
        (0.01, 0.99),
        {"cell": "lstm", "arrangement": "single", "step": "3"},
    ),
    "lstm_cell_backward": LabLink("gates", {"FORGET_BIAS": "forget_bias"}, (-2, 6)),
    "gru_cell": LabLink(
        "cells",
        {"RESET_BIAS": "reset_bias", "UPDATE_BIAS": "update_bias"},
        (-6, 6),
        {"cell": "gru", "reset": "before", "step": "2"},
    ),
}
"""For each exercise its lab."""


def address(name: str, constants: Mapping[str, object] = _NOTHING) -> str:
    """The address of an exercise's lab, with those of the student's constants that a setting can take.

    What is no number or text of the kind and the range that is asked for is left out, and so is what is no constant
    of this exercise. ValueError for a name that is none of the five.
    """
    lab = LABS[one_of("name", name, NAMES)]
    own = {key: _written(constant, constants.get(constant), lab) for constant, key in lab.constants.items()}
    given = {key: text for key, text in own.items() if text}
    return "/app?" + urlencode({"lab": lab.slug, **lab.settings, **given})


def left_out(name: str, constants: Mapping[str, object]) -> list[str]:
    """A sentence for each of the exercise's constants that `address` leaves out though the student set it."""
    lab = LABS[one_of("name", name, NAMES)]
    return [
        f"{constant} was left out of the address: {_expected(constant, lab)} is expected, "
        f"got {_got(constant, constants[constant])}."
        for constant in lab.constants
        if constant in constants and not _written(constant, constants[constant], lab)
    ]


def _written(constant: str, value: object, lab: LabLink) -> str:
    """A constant as it stands in an address; empty if it has no place there."""
    return _text(value, *lab.bounds) if constant == "TEXT" else _number(value, *lab.bounds)


def _text(value: object, fewest: int, most: int) -> str:
    if not isinstance(value, str) or len(value) > LONGEST:
        return ""
    # Half of a character that takes two, a lone surrogate, has no bytes of its own.
    words = value.encode("utf-8", "ignore").decode("utf-8").split()
    return " ".join(words) if len(words) <= most and len(set(words)) >= fewest else ""


def _number(value: object, least: float, largest: float) -> str:
    if not isinstance(value, Real) or isinstance(value, bool):
        return ""
    # Compared before it is made a float, which a whole number may be too large for.
    if not least <= value <= largest:
        return ""
    return f"{float(value) + 0.0:.12g}"


def _expected(constant: str, lab: LabLink) -> str:
    least, largest = (f"{bound:g}".replace("-", "−") for bound in lab.bounds)
    if constant != "TEXT":
        return f"a number from {least} to {largest}"
    return f"a text of {least} to {largest} words, not all the same, and of no more than {LONGEST} characters"


def _got(constant: str, value: object) -> str:
    """What came in the place of a constant, in few words."""
    if isinstance(value, Foreign):
        comma = " (a decimal number is written with a point)" if value.description == "a tuple" else ""
        return f"{value.description}{comma}"
    if not isinstance(value, str):
        return f"{value:g}".replace("-", "−") if type(value) in (int, float) else str(value)
    if constant != "TEXT" or len(value) > LONGEST:
        return f"a text of {len(value)} character{'s' * (len(value) != 1)}"
    words = value.split()
    if len(words) > 1:
        return f"{len(words)} words" if len(set(words)) > 1 else "the same word again and again"
    return "one word" if words else "an empty text"
