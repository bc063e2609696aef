"""The report on one file: for each function the verdict first, then its values, then what to do."""

import textwrap

from core.exercises.contract import Checked, Fault, Mistake, Row, Verdict
from core.exercises.links import address, left_out
from core.exercises.said.table import aligned
from core.exercises.said.wording import in_short, visible, word

WIDTH = 100
SERVER = "http://localhost:5006"
_PRINTED_LINES = 12
_BY_DIFFERENCES = (
    "By differences: the error against central differences of the right forward, which need no derivative."
)
_VERDICTS = {
    "right": "right",
    "wrong": "WRONG",
    "not all checked": "NOT ALL CHECKED",
    "not written": "not written yet",
    "missing": "MISSING",
    "not readable": "NOT READABLE",
    "stopped": "STOPPED",
}


def report(name: str, checked: Checked, width: int = WIDTH, server: str = SERVER) -> str:
    """All that is said about a file of this name, with addresses of labs on that server.

    Lines have at most ``width`` signs, but addresses are never broken. Without a server, "", they are relative to the
    page that shows the report.
    """
    parts = [visible(name)]
    if checked.fault:
        parts.append(
            "\n".join(
                (
                    _wrapped(f"NOTHING CHECKED. {checked.fault.sentence}", width, ""),
                    *_place(checked.fault, width),
                )
            )
        )
    parts += [_function(verdict, width, server) for verdict in checked.verdicts]
    if checked.printed.strip():
        parts.append(_printed(checked.printed, width))
    return "\n\n".join(parts)


def _function(verdict: Verdict, width: int, server: str) -> str:
    fault = verdict.fault
    lines = [_wrapped(_headline(verdict), width, "")]
    if fault and fault.kind != "unwritten":
        lines.append(_wrapped(fault.sentence, width))
    if verdict.rows:
        lines += ["", *_values(verdict.rows, width)]
    if fault:
        lines += _place(fault, width)
    for mistake in verdict.mistakes:
        lines += ["", *_mistake(mistake, width)]
    if verdict.unchecked and not (fault and not verdict.rows):
        lines += ["", *(_note(note, width) for note in verdict.unchecked)]
    return "\n".join((*lines, "", *_lab(verdict, width, server)))


def _headline(verdict: Verdict) -> str:
    said = _VERDICTS[word(verdict)]
    if verdict.right:
        return f"{verdict.exercise}: {said}. All that it returns was checked."
    rest = "" if verdict.fault else in_short(verdict)
    return f"{verdict.exercise}: {said}{': ' if rest else ''}{rest}."


def _place(fault: Fault, width: int) -> list[str]:
    lines = []
    if fault.line:
        lines += ["", f"  line {fault.line}:  {visible(fault.source)[: width - 20]}"]
    if fault.hint:
        lines += ["", _wrapped(f"Hint: {fault.hint}", width)]
    return lines


def _values(rows: tuple[Row, ...], width: int) -> list[str]:
    """The returned values as a table, of the columns that say something."""
    table = [("value", "expected", "received", "error", "by differences", "", "")]
    table += [
        (
            row.name,
            _shape(row.expected_shape),
            _shape(row.received_shape),
            _error(row.error),
            _error(row.difference_error),
            "right" if row.right else "WRONG",
            visible(row.remark),
        )
        for row in rows
    ]
    notes = [_wrapped(_BY_DIFFERENCES, width)]
    if all(row.difference_error is None for row in rows):
        table, notes = [(*row[:4], *row[5:]) for row in table], []
    return [*(f"  {line}" for line in aligned(table, width - 2)), *notes]


def _shape(shape: tuple[int, ...] | None) -> str:
    if shape is None:
        return "nothing"
    return str(tuple(shape)) if shape else "a number"


def _error(error: float | None) -> str:
    return "–" if error is None else f"{error:.1e}"


def _mistake(mistake: Mistake, width: int) -> list[str]:
    return [_wrapped(f"Mistake: {mistake.title}.", width), _wrapped(f"Hint: {mistake.hint}", width)]


def _lab(verdict: Verdict, width: int, server: str) -> list[str]:
    """Where the mathematics can be seen; with the student's own numbers once they have got it right."""
    plain = address(verdict.exercise)
    own = address(verdict.exercise, verdict.constants) if verdict.right else plain
    lead = "The lab, with your own numbers:" if own != plain else "The lab that shows its mathematics:"
    notes = left_out(verdict.exercise, verdict.constants) if verdict.right else ()
    # An address is never broken: it has to be copied.
    return [f"  {lead}", f"  {server}{own}", *(_note(note, width) for note in notes)]


def _note(text: str, width: int) -> str:
    return _wrapped(f"Note: {text.rstrip('.')}.", width)


def _printed(text: str, width: int) -> str:
    lines = text.strip().splitlines()
    shown = [f"  | {visible(line)[: width - 4]}" for line in lines[:_PRINTED_LINES]]
    more = [f"  | and {len(lines) - _PRINTED_LINES} lines more"] if len(lines) > _PRINTED_LINES else []
    return "\n".join(("What the file printed while it ran:", *shown, *more))


def _wrapped(text: str, width: int, indent: str = "  ") -> str:
    return textwrap.fill(visible(text), width, initial_indent=indent, subsequent_indent=indent + "  ")
