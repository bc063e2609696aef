"""Where curves leave the window: at which place of its edge, with what value, and where the label of that stands."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from widgets.base.numbers import number
from widgets.figures.lines import NO_LINES, Lines

_STEP = 22
"""Pixels between labels that would stand on each other."""
_INWARD, _ASIDE = 9, 10
"""Pixels from the edge to the middle of a marker, and from there to its label."""
_LEVEL_SHARES = (0.07, 0.14)
"""About the share of the height that a label takes, in a high figure and in a low one."""
_GAPS = (0, 25, 50, 75, 100)
"""Pixels that a label may stand farther aside, where nearer it would lie on a line."""
_PIXELS, _NARROW_PIXELS = 780, 270
"""About the width of a figure as wide as the page allows, and on a phone."""
_CHARACTER_SHARE = 0.01
"""About the share of the width that one character of a label takes, in a figure as wide as the page allows."""
_NARROW_SHARE = 0.027
"""The same on a phone, where of a label its value alone is written, and figures stand below each other."""
_LETTER_SHARE = 0.03
"""The same that the letter of a pin keeps clear of a label."""
_MARKER_SHARE = 0.01
"""The same of half a marker."""
_NEAR = 0.02
"""The share of the width within which exits of one kind are one, and a curve ends where it leaves."""


@dataclass(frozen=True)
class Room:
    """What curves leave: the ranges of x and y that are seen."""

    span: tuple[float, float]
    window: tuple[float, float]
    name: str
    """What x is called."""
    write: Callable[[float], str]
    """How a value of y is written."""
    write_x: Callable[[float], str] = number
    """How a value of x is written."""
    width_share: float = 1.0
    """What of the page's width the figure has; one beside another has less."""

    @property
    def width(self) -> float:
        return (self.span[1] - self.span[0]) or 1

    @property
    def near(self) -> float:
        """How far apart places are that look like one."""
        return _NEAR * self.width


class Exit(NamedTuple):
    """A labelled marker at the upper or the lower edge."""

    x: float
    at_top: bool
    text: str
    role: str
    marker: str = ""
    """An arrow out of the window, unless it is another."""


def exits(x: np.ndarray, y: np.ndarray, role: str, room: Room) -> list[Exit]:
    """The exits of one curve: one for each of its ends that lies outside."""
    finite, inside = np.flatnonzero(np.isfinite(y)), _inside(y, room)
    if not finite.size:
        return []
    ends = [finite[0], finite[-1]] if inside.size else [finite[-1]]
    nearest = (inside[0], inside[-1]) if inside.size else (finite[-1],)
    return [
        _exit(x, y, near, end, role, room)
        for end, near in zip(ends, nearest, strict=True)
        if not room.window[0] <= y[end] <= room.window[1]
    ]


def peaks(x: np.ndarray, y: np.ndarray, role: str, room: Room) -> list[Exit]:
    """Where a curve is farthest outside, above and below, unless that is at one of its ends."""
    finite = np.flatnonzero(np.isfinite(y))
    if not finite.size:
        return []
    highest, lowest = finite[np.argmax(y[finite])], finite[np.argmin(y[finite])]
    farthest = ((highest, True, y[highest] > room.window[1]), (lowest, False, y[lowest] < room.window[0]))
    return [
        Exit(float(x[n]), at_top, f"{'up' if at_top else 'down'} to {room.write(float(y[n]))}", role)
        for n, at_top, is_outside in farthest
        if is_outside and n not in finite[[0, -1]]
    ]


def told_once(ends: Sequence[Exit], farthest: Sequence[Exit]) -> list[Exit]:
    """The marks of one curve, where that which ends outside tells by its one label how far outside it was."""
    told = list(ends)
    for peak in farthest:
        beside = [n for n, end in enumerate(told) if end.at_top == peak.at_top]
        if not beside:
            told.append(peak)
        elif told[beside[-1]].text.split(": ")[-1] != peak.text.split(" to ")[-1]:
            told[beside[-1]] = told[beside[-1]]._replace(text=f"{told[beside[-1]].text}, {peak.text}")
    return told


def placed(found: Sequence[Exit], room: Room, lines: Lines = NO_LINES) -> list[dict]:
    """A row for each marker, with its label in pixels from its place at the edge; exits that are alike share one.

    `lines` are what a label does not lie on, if it can be helped: in shares of the width and the height.
    """
    rows = []
    for at_top in (False, True):
        alike = _merged([end for end in found if end.at_top == at_top], room.near)
        shares = [(end.x - room.span[0]) / room.width for end in alike]
        side = 1 if at_top else -1
        lengths = [_CHARACTER_SHARE / room.width_share * len(end.text) for end in alike]
        narrow = [_NARROW_SHARE * len(end.text.split(": ")[-1]) for end in alike]
        gaps = [(gap, (_ASIDE + gap) / _PIXELS / room.width_share, gap / _NARROW_PIXELS) for gap in _GAPS]
        clear = partial(_is_clear, lines, at_top)
        spots = _places(shares, lengths, narrow, gaps, clear)
        for end, (direction, level, gap) in zip(alike, spots, strict=True):
            rows.append({
                "x": end.x,
                "y": room.window[at_top],
                "marker": end.marker or ("▲" if at_top else "▼"),
                "inward": side * _INWARD,
                "text": end.text,
                "role": end.role,
                "shift": side * (_INWARD + level * _STEP),
                "aside": direction * (_ASIDE + gap),
                "align": "left" if direction > 0 else "right",
            })  # fmt: skip
    return rows


def _is_clear(lines: Lines, at_top: bool, level: int, low: float, high: float) -> bool:
    """Whether no line runs through a label that reaches from `low` to `high`."""
    boxes = [(level * share, (level + 1) * share) for share in _LEVEL_SHARES]
    return not any(
        lines.cross((low, high), (1 - upper, 1 - lower) if at_top else (lower, upper))
        for lower, upper in boxes
    )


def covers(row: Mapping, x: np.ndarray, y: np.ndarray, room: Room) -> np.ndarray:
    """Which points a placed label may lie on, in figures of any height."""
    side = 1 if row["align"] == "left" else -1
    share, away = (row["x"] - room.span[0]) / room.width, abs(row["aside"]) / _PIXELS / room.width_share
    reach = _CHARACTER_SHARE / room.width_share * len(row["text"]) + _LETTER_SHARE
    across = side * ((x - room.span[0]) / room.width - share)
    down = (row["y"] - y) / (room.window[1] - room.window[0])
    level = np.any([np.abs(down - row["shift"] / _STEP * high) <= high for high in _LEVEL_SHARES], axis=0)
    return (across >= away - _LETTER_SHARE) & (across <= away + reach) & level


def _inside(y: np.ndarray, room: Room) -> np.ndarray:
    return np.flatnonzero(np.isfinite(y) & (y >= room.window[0]) & (y <= room.window[1]))


def _exit(x: np.ndarray, y: np.ndarray, near: int, end: int, role: str, room: Room) -> Exit:
    """The value at the curve's end, and where that is unless it is here."""
    crossing, text = _crossing(x, y, near, end, room.window), room.write(float(y[end]))
    if abs(x[end] - crossing) >= room.near:
        text = f"{room.name} = {room.write_x(float(x[end]))}: {text}"
    return Exit(crossing, bool(y[end] > room.window[1]), text, role)


def _crossing(x: np.ndarray, y: np.ndarray, near: int, end: int, window: tuple[float, float]) -> float:
    """Where the line from the last point inside to the next one meets the edge."""
    edge = window[1] if y[end] > window[1] else window[0]
    outer = near + np.sign(end - near)
    step = y[outer] - y[near]
    share = (edge - y[near]) / step if np.isfinite(step) and step else 0.0
    return float(x[near] + share * (x[outer] - x[near]))


def _merged(exits: Sequence[Exit], near: float) -> list[Exit]:
    """The exits from left to right, without those that would read as one before them, and stand upon it."""
    kept: list[Exit] = []
    for end in sorted(exits):
        if not any(
            (other.role, other.text) == (end.role, end.text) and end.x - other.x < near for other in kept
        ):
            kept.append(end)
    return kept


def _places(
    shares: Sequence[float],
    widths: Sequence[float],
    narrow: Sequence[float],
    gaps: Sequence[tuple[int, float, float]],
    clear: Callable[[int, float, float], bool],
) -> list[tuple[int, int, int]]:
    """For each label the side of its marker, 1 or −1, that it stands on, its level, and its gap: beside the marker
    if it can.

    On either side it stays within the frame, on a phone too, if that can be; on a line it lies only if it must.
    """
    taken: list[tuple[int, float, float]] = []
    places = []
    for n, (share, width, phone) in enumerate(zip(shares, widths, narrow, strict=True)):
        markers = [marker for m, marker in enumerate(shares) if m != n]
        spots = [
            (level, side, gap, *sorted((share + side * away, share + side * (away + width))))
            for level in range(len(shares) + 2)
            for gap, away, phone_away in gaps
            for side in _sides(share, width + away, phone + phone_away, bool(gap))
        ]
        free = [spot for spot in spots if _is_free(spot[0], *spot[3:], taken, markers)]
        level, side, gap, low, high = next((spot for spot in free if clear(spot[0], *spot[3:])), free[0])
        taken.append((level, low, high))
        places.append((side, level, gap))
    return places


def _sides(share: float, width: float, phone: float, optional: bool) -> list[int]:
    """Those on which a label is within the frame; if on none, the wider one, unless there is another way."""
    fitting = [side for side in (1, -1) if 0 <= share + side * max(width, phone) <= 1]
    return fitting or ([] if optional else [1 if share < 0.5 else -1])


def _is_free(
    level: int,
    low: float,
    high: float,
    taken: Sequence[tuple[int, float, float]],
    markers: Sequence[float],
) -> bool:
    """Whether a label may stand here: on no label before it, and on the lowest level, that of the markers, on none."""
    if any(at == level and low < end and high > start for at, start, end in taken):
        return False
    return level > 0 or not any(low - _MARKER_SHARE < marker < high + _MARKER_SHARE for marker in markers)
