"""Tables as text for a screen and as CSV for a spreadsheet."""

import csv
import io
import textwrap
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from core.exercises.contract import Checked, Verdict
from core.exercises.said.wording import in_short, visible, word, word_of_fault

_COLUMNS = ("file", "function", "verdict", "mistakes", "fault", "line")
_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
"""What makes a spreadsheet take a cell for a formula."""
_LONGEST_NAME = 36
_END_OF_NAME = 13
_LEAST_ROOM = 24
"""For the last column, however wide the others are."""


@dataclass(frozen=True)
class Line:
    """What is said about one function of one file in a table."""

    file: str
    function: str
    verdict: str
    mistakes: str = ""
    fault: str = ""
    line: int | None = None
    short: str = ""
    """Mistakes or fault, in short."""


def lines(file: str, checked: Checked) -> list[Line]:
    """The lines of one file: one for each function, or one for what is the matter with all."""
    verdicts = [_line(file, verdict) for verdict in checked.verdicts]
    fault = checked.fault
    if not fault:
        return verdicts
    if checked.has_none:
        short = "none of the five functions is in it"
    else:
        short = f"line {fault.line}: {fault.sentence}" if fault.line else fault.sentence
    return [Line(file, "", word_of_fault(fault), "", fault.sentence, fault.line, short), *verdicts]


def _line(file: str, verdict: Verdict) -> Line:
    short, fault = in_short(verdict), verdict.fault
    if fault:
        return Line(file, verdict.exercise, word(verdict), "", fault.sentence, fault.line, short)
    return Line(file, verdict.exercise, word(verdict), mistakes=short, short=short)


def text(table: Sequence[Line], width: int) -> str:
    """A table for a screen of this width."""
    names = shortened([visible(each.file) for each in table])
    rows = [("file", "function", "verdict", "remark")]
    rows += [
        (name, each.function, each.verdict, visible(each.short))
        for name, each in zip(names, table, strict=True)
    ]
    return "\n".join(aligned(rows, width))


def as_csv(table: Sequence[Line]) -> str:
    """The same for a spreadsheet, with nothing in it that one would calculate."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for each in table:
        cells = (each.file, each.function, each.verdict, each.mistakes, each.fault)
        writer.writerow([*map(_harmless, cells), each.line or ""])
    return file.getvalue()


def aligned(rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """Lines of cells under each other; what is too long for the width goes on below, in the last column."""
    *widths, _ = [max(map(len, column)) for column in zip(*rows, strict=True)]
    start = sum(each + 2 for each in widths)
    lines = []
    for *cells, last in rows:
        first, *rest = textwrap.wrap(last, max(width - start, _LEAST_ROOM)) or [""]
        lines.append("  ".join((*map(str.ljust, cells, widths), first)))
        lines += [" " * start + line for line in rest]
    return [line.rstrip() for line in lines]


def shortened(names: Sequence[str]) -> list[str]:
    """Long names without a part of their middle, which is kept so far as names would become the same without it."""
    room = dict.fromkeys(names, _LONGEST_NAME)
    while True:
        short = {name: _without_middle(name, room[name]) for name in room}
        often = Counter(short.values())
        alike = [name for name in room if often[short[name]] > 1]
        if not alike:
            return [short[name] for name in names]
        for name in alike:
            room[name] += 1


def _without_middle(name: str, room: int) -> str:
    """A name by its beginning, where the student's stands, and its end, where the exercise's does."""
    if len(name) <= room:
        return name
    return f"{name[: room - _END_OF_NAME - 1]}…{name[-_END_OF_NAME:]}"


def _harmless(cell: str) -> str:
    cell = visible(cell)
    return f"'{cell}" if cell.lstrip().startswith(_FORMULA) else cell
