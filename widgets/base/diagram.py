"""A diagram: boxes with numbers, each a term that can be pointed at, and the lines that carry the numbers on.

The page draws it, in letters of 16 pixels or more. It comes with two plans: the narrow one is for a phone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

Place = tuple[float, float]


class Piece(NamedTuple):
    """Part of a line of arithmetic; one with the key of a box lights up with it."""

    text: str
    term: str = ""


class Sign(NamedTuple):
    """An entry of the legend: a character that stands for what is drawn."""

    marker: str
    label: str


class Plan(NamedTuple):
    """Pixels of a picture whose letters are of 16; more room stretches it. `box` is the width of its boxes."""

    width: float
    height: float
    box: float


@dataclass(frozen=True)
class Box:
    """A term. `wide` and `narrow` are where its middle stands in the two plans; None where it is left out."""

    key: str
    label: str
    numbers: Sequence[str]
    name: str
    """What it is, with its number, in words."""
    wide: Place | None
    narrow: Place | None
    line: int
    """The line of the arithmetic that it is part of."""
    role: str = "reference"
    filled: float = 0.0
    """Which share of it is shaded."""
    widening: float = 1.0
    """How many times as wide as other boxes it is."""


@dataclass(frozen=True)
class Link:
    """A line from one box to another, as thick as what it carries is large, and dashed below 0.

    One that carries None is not drawn: only its `sign` is written between the two. It is left out with its boxes,
    and one for the `narrow` plan alone from the other.
    """

    source: str
    target: str
    carries: float | None = None
    sign: str = ""
    narrow: bool = False
    track: float = 0.4
    """Where between two rows it runs if it has to lead back to the left: a share of their distance."""


@dataclass(frozen=True)
class Diagram:
    """What the page draws, and says of it."""

    title: str
    description: str
    wide: Plan
    narrow: Plan
    boxes: Sequence[Box]
    links: Sequence[Link]
    start: str
    """The key of the box that is explained while none is pointed at."""
    signs: Sequence[Sign] = ()
