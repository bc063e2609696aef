"""Where labels stand in the figure of the shares: clear of each other and of the lines, and within the frame."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from widgets.figures.lines import Lines

_FRAMES = ((770, 170), (265, 255))
"""About the width and the height of the figure in pixels where it is least, on a projector and on a phone."""
_CHARACTER, _HALF_LINE, _HALF_LETTER = 8.2, 9, 8
"""Pixels: the width of a character, half the height of a line of text, and half that of its letters."""


class Spot(NamedTuple):
    """Where a label may stand: pixels to the right of its place, negative to the left, and below it.

    `x`: at another place of the same height.
    """

    aside: int
    down: int
    align: str = "right"
    x: float | None = None


class Label(NamedTuple):
    """A text for a place in the figure, with spots for it from the best to the last."""

    x: float
    y: float
    text: str
    role: str
    spots: Sequence[Spot]
    marker: str = ""


class Window(NamedTuple):
    """The ranges of x and y that are seen."""

    span: tuple[float, float]
    window: tuple[float, float]


class _Rect(NamedTuple):
    """The middle line of a label: from left to right at a height, counted from below, in a frame of this size."""

    left: float
    right: float
    middle: float
    width: float
    height: float

    def is_within(self) -> bool:
        return (
            self.left >= 0
            and self.right <= self.width
            and _HALF_LINE <= self.middle <= self.height - _HALF_LINE
        )

    def overlaps(self, other: "_Rect") -> bool:
        return (
            self.left < other.right
            and other.left < self.right
            and abs(self.middle - other.middle) < 2 * _HALF_LINE
        )

    def is_crossed(self, lines: Lines) -> bool:
        up = ((self.middle + side * _HALF_LETTER) / self.height for side in (-1, 1))
        return lines.cross((self.left / self.width, self.right / self.width), tuple(up))


def placed(labels: Sequence[Label], standing: Sequence[Mapping], seen: Window, lines: Lines) -> list[dict]:
    """A row of a figure's marks for each label whose place is seen; `standing` are the rows that are there already.

    Where there is no clear spot, the marker alone is left, if there is one: better no name than that of another line.
    """
    taken = [_rects(row, seen) for row in standing if row["text"]]
    rows = []
    for label in labels:
        candidates = _candidates(label, seen)
        found = _best(candidates, taken, seen, lines)
        if found:
            rows.append(found[0])
            taken.append(found[1])
        elif label.marker:
            rows += [row | {"text": ""} for row in candidates[:1]]
    return rows


def _best(
    candidates: Sequence[dict], taken: Sequence[list[_Rect]], seen: Window, lines: Lines
) -> tuple | None:
    """The first row that is free and clear of lines, with its rectangles; else the first that is so on a projector."""
    fallback = None
    for row in candidates:
        rects = _rects(row, seen)
        if not _is_free(rects, taken) or rects[0].is_crossed(lines):
            continue
        if not rects[1].is_crossed(lines):
            return row, rects
        fallback = fallback or (row, rects)
    return fallback


def _candidates(label: Label, seen: Window) -> list[dict]:
    if not seen.window[0] <= label.y <= seen.window[1]:
        return []
    return [
        {
            "x": label.x if spot.x is None else spot.x, "y": label.y, "marker": label.marker, "inward": 0,
            "text": label.text, "role": label.role, "shift": spot.down, "aside": spot.aside, "align": spot.align,
        }
        for spot in label.spots
    ]  # fmt: skip


def _is_free(rects: Sequence[_Rect], taken: Sequence[Sequence[_Rect]]) -> bool:
    """Whether a label is within the frame and on no other, on a projector and on a phone."""
    return all(rect.is_within() for rect in rects) and not any(
        rect.overlaps(other) for others in taken for rect, other in zip(rects, others, strict=True)
    )


def _rects(row: Mapping, seen: Window) -> list[_Rect]:
    """Where a row's label stands in each of the frames; on a phone only what follows a colon is written."""
    (left, right), (low, high) = seen
    texts = (row["text"], row["text"].split(": ")[-1])
    found = []
    for text, (width, height) in zip(texts, _FRAMES, strict=True):
        at = (row["x"] - left) / (right - left) * width + row["aside"]
        reach = _CHARACTER * len(text) * (1 if row["align"] == "left" else -1)
        middle = (row["y"] - low) / (high - low) * height - row["shift"]
        found.append(_Rect(*sorted((at, at + reach)), middle, width, height))
    return found
