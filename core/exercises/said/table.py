"""Tables as text for a screen and as CSV for a spreadsheet."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

from core.exercises.contract import Checked, Verdict
from core.exercises.said.wording import in_short, visible, word, word_of_fault

_COLUMNS = ("file", "function", "verdict", "mistakes", "fault", "line")
_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
"""What makes a spreadsheet take a cell for a formula."""
_LONGEST_NAME = 34


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
    short = f"line {fault.line}: {fault.sentence}" if fault.line else fault.sentence
    return [Line(file, "", word_of_fault(fault), "", fault.sentence, fault.line, short), *verdicts]


def _line(file: str, verdict: Verdict) -> Line:
    short, fault = in_short(verdict), verdict.fault
    if fault:
        return Line(file, verdict.exercise, word(verdict), "", fault.sentence, fault.line, short)
    return Line(file, verdict.exercise, word(verdict), mistakes=short, short=short)


def text(table: Sequence[Line], width: int) -> str:
    """A table for a screen of this width."""
    rows = [("file", "function", "verdict", "remark")]
    rows += [(_short(visible(each.file)), each.function, each.verdict, visible(each.short)) for each in table]
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
    """Rows of cells under each other; what is too long for the width is cut at the end of the last cell."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    padded = ("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)
    return [line if len(line) <= width else f"{line[: width - 1]}…" for line in padded]


def _short(name: str) -> str:
    """A long path by its end, which tells most."""
    return name if len(name) <= _LONGEST_NAME else f"…{name[1 - _LONGEST_NAME :]}"


def _harmless(cell: str) -> str:
    cell = visible(cell)
    return f"'{cell}" if cell.lstrip().startswith(_FORMULA) else cell
