"""Where in the labs an exercise's mathematics can be seen, with numbers of the student's own.

An address is relative to the server, such as ``/app?lab=brackets&forget_bias=3``. The lab itself says what it makes
of a number beyond its range.
"""

from collections.abc import Mapping
from numbers import Real
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import urlencode

from core.exercises.contract import NAMES
from core.validation import one_of

LARGEST = 1e6
"""Numbers beyond it are left out of an address: no lab has a setting as large."""
LONGEST = 1000
"""Characters of a text beyond which it is left out: no lab reads as many."""
_NOTHING = MappingProxyType({})


class LabLink(NamedTuple):
    """A lab that shows an exercise's mathematics."""

    slug: str
    constants: Mapping[str, str]
    """The student's constants, each with the setting that it is given to."""
    settings: Mapping[str, str] = _NOTHING
    """Settings that go with it, as they are written in an address."""


LABS = {
    "rnn_forward": LabLink("bptt", {"TEXT": "text"}),
    "rnn_bptt": LabLink("bptt", {"TEXT": "text"}),
    "lstm_cell": LabLink("brackets", {"FORGET_BIAS": "forget_bias"}),
    "lstm_cell_backward": LabLink("gates", {"FORGET_BIAS": "forget_bias"}),
    "gru_cell": LabLink(
        "cells",
        {"RESET_BIAS": "reset_bias", "UPDATE_BIAS": "update_bias"},
        {"cell": "gru", "reset": "before", "step": "2"},
    ),
}
"""For each exercise its lab."""


def address(name: str, constants: Mapping[str, object] = _NOTHING) -> str:
    """The address of an exercise's lab, with those of the student's constants that a setting can take.

    What is no number or text of the kind that is asked for, not finite, or huge, is left out, and so is what is no
    constant of this exercise. ValueError for a name that is none of the five.
    """
    lab = LABS[one_of("name", name, NAMES)]
    own = {key: _written(constant, constants.get(constant)) for constant, key in lab.constants.items()}
    given = {key: text for key, text in own.items() if text}
    return "/app?" + urlencode({"lab": lab.slug, **lab.settings, **given})


def _written(constant: str, value: object) -> str:
    """A constant as it stands in an address; empty if it has no place there."""
    return _text(value) if constant == "TEXT" else _number(value)


def _text(value: object) -> str:
    if not isinstance(value, str) or len(value) > LONGEST:
        return ""
    # Half of a character that takes two, a lone surrogate, has no bytes of its own.
    return " ".join(value.split()).encode("utf-8", "ignore").decode("utf-8")


def _number(value: object) -> str:
    if not isinstance(value, Real) or isinstance(value, bool):
        return ""
    # Compared before it is made a float, which a whole number may be too large for.
    if not -LARGEST <= value <= LARGEST:
        return ""
    return f"{float(value) + 0.0:.12g}"
