"""A known mistake beside the switches that make it."""

from dataclasses import dataclass

from core.exercises.contract import Mistake


@dataclass(frozen=True)
class Slip:
    """A mistake, and each way in which it is made: the switches that are then on."""

    mistake: Mistake
    ways: tuple[frozenset[str], ...]
    group: str
    """Of all the slips of a group only one is made at a time."""
    rare: bool
    """Looked for alone and beside one that is not rare, but not beside two others."""
    exchanges: bool = False
    """Results take each other's place: each then shows mistakes that are known to alter the other."""


def slip(
    key: str,
    title: str,
    hint: str,
    *ways: str,
    group: str = "",
    rare: bool = False,
    exchanges: bool = False,
) -> Slip:
    """A slip whose ways are switches with spaces between; without any, the mistake's key is the switch."""
    made = tuple(frozenset(way.split()) for way in ways or (key,))
    return Slip(Mistake(key, title, hint), made, group or key, rare, exchanges)


SIGMOID_REVERSED = slip(
    "sigmoid_reversed",
    "the sigmoid is the wrong way round: exp(a) stands where exp(−a) should",
    "Should a gate open or close when its sum grows? Try a sum of 10.",
    rare=True,
)
"""In each cell with gates."""
