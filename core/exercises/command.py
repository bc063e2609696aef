"""The command `-m core.exercises`: a file to begin with, a check of one file or of a class, the answers."""

import argparse
import difflib
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TextIO
from urllib.parse import urlsplit

from core.exercises import checking, folder, solution, stubs
from core.exercises.calling import command_here
from core.exercises.contract import NAMES, Checked
from core.exercises.said import report, table
from core.exercises.said.wording import encodable, visible

_MOST_OTHERS = 10
RIGHT, WRONG, MISUSED, INTERRUPTED = 0, 1, 2, 130
"""Exit codes: all is right; something is not, or could not be checked; the command was not understood; Ctrl-C."""

_DESCRIPTION = """\
Write one of five functions yourself, and be told which mistake was made.

  {command} new lstm_cell
      writes lstm_cell.py to begin with, here
  {command} check lstm_cell.py
      says what is right and what is wrong in it
  {command} check hand-ins
      a table of a whole folder, and with --csv for a spreadsheet
  {command} --solution NAME
      the answer, for teachers

The functions: {names}.
"""
_CODES = (
    "The exit code is 0 if all is right, 1 if anything is wrong or could not be checked, 2 if the command is."
)
_SAFETY = """\
Each file runs in a process of its own, without its neighbours and with NumPy alone, for a few seconds and within
limits of memory and of what it prints, in an empty folder, and as far as the system allows without the network and
other files. That stops slips and pranks; it is no prison. Run strangers' files where nothing can be lost.
"""
_NEW = "Write NAME.py into the present folder, never over a file that exists."
_CHECK = """\
Check every one of the five functions that a file defines: values, shapes and gradients, and which known mistake
explains what is wrong. Several files, or a folder with all that ends in .py in it, make a table.
"""
_SERVER_VARIABLE = "LONG_GAP_SERVER"
_SERVER = (
    "where Long Gap is served, for the address of a lab, such as http://school.example:5006 "
    f"(without it: the variable {_SERVER_VARIABLE}, or {report.SERVER})"
)
_CSV = (
    "print the table as CSV (UTF-8), to be kept with > FILE; a ' keeps spreadsheets from calculating a cell"
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out the command; the exit code."""
    parser = _parser()
    asked = parser.parse_args(arguments)
    try:
        if asked.solution:
            return _solution(asked.solution)
        if asked.command == "new":
            return _new(asked.name)
        if asked.command == "check":
            return _check(asked.paths, asked.seed, asked.csv, asked.server)
    except KeyboardInterrupt:
        return INTERRUPTED
    parser.print_help()
    return MISUSED


def _parser() -> argparse.ArgumentParser:
    layout = argparse.RawDescriptionHelpFormatter
    called = command_here()
    description = _DESCRIPTION.format(command=called, names=", ".join(NAMES))
    parser = argparse.ArgumentParser(
        prog=called, description=description, epilog=_CODES, formatter_class=layout
    )
    parser.add_argument(
        "--solution", metavar="NAME", type=_name, help="print core's own version and explain it"
    )
    commands = parser.add_subparsers(dest="command", metavar="new | check")
    new = commands.add_parser("new", help="write a file to begin with", description=_NEW)
    new.add_argument("name", metavar="NAME", type=_name, help=", ".join(NAMES))
    check = commands.add_parser(
        "check",
        help="check a file or a folder",
        description=_CHECK,
        epilog=f"{_SAFETY}\n{_CODES}",
        formatter_class=layout,
    )
    check.add_argument("paths", metavar="FILE or FOLDER", nargs="+", type=Path)
    check.add_argument("--csv", action="store_true", help=_CSV)
    check.add_argument("--seed", type=_seed, default=0, help="draw other numbers for the calls (0)")
    default = os.environ.get(_SERVER_VARIABLE) or report.SERVER
    check.add_argument("--server", metavar="URL", type=_server, default=default, help=_SERVER)
    return parser


def _name(text: str) -> str:
    if text in NAMES:
        return text
    near = difflib.get_close_matches(text, NAMES, n=1)
    meant = f" (is {near[0]} meant?)" if near else ""
    raise argparse.ArgumentTypeError(f"there is no exercise {text!r}{meant}; there are {', '.join(NAMES)}")


def _seed(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise argparse.ArgumentTypeError(f"a seed is a whole number from 0 to 999999999, not {text!r}")
    return int(text)


def _server(text: str) -> str:
    """Where the page is served, without the page's own name."""
    try:
        parts = urlsplit(text)
        is_served = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        is_served = False
    if not is_served or parts.query or parts.fragment or not text.isprintable() or " " in text:
        raise argparse.ArgumentTypeError(
            f"a server is an address such as http://school.example:5006, not {text!r}"
        )
    return text.rstrip("/").removesuffix("/app").rstrip("/")


def _new(name: str) -> int:
    try:
        path = stubs.new_file(name, Path())
    except FileExistsError:
        _print(f"{name}.py is here already, and was left as it is.", sys.stderr)
        return WRONG
    except OSError as error:
        _print(f"{name}.py could not be written: {error.strerror}.", sys.stderr)
        return WRONG
    _print(f"{path.name} is written. Open it, and check it with: {command_here()} check {path.name}")
    return RIGHT


def _solution(name: str) -> int:
    _print(solution.solution(name))
    return RIGHT


def _check(paths: Sequence[Path], seed: int, is_csv: bool, server: str) -> int:
    files, others = _files(paths)
    if not files:
        _print("There is no file that ends in .py in there.", sys.stderr)
        return WRONG
    if len(paths) == 1 and files == list(paths) and not is_csv:
        checked = checking.check(files[0], seed)
        _print(report.report(str(files[0]), checked, server=server))
        return RIGHT if checked.right else WRONG
    names = _names(files, paths)
    results = folder.check_all(files, seed)
    found = dict(zip(names, _with_progress(results, len(files)), strict=True))
    if is_csv:
        _print_csv(found)
    else:
        _print_table(found)
    if others:
        _print(
            f"Not looked at, since they do not end in .py: {_some(path.name for path in others)}.", sys.stderr
        )
    return RIGHT if all(checked.right for checked in found.values()) else WRONG


def _with_progress(results: Iterable[Checked], count: int) -> Iterator[Checked]:
    """The results as they come, and how many there are, on a terminal."""
    is_seen = sys.stderr.isatty()
    for number, checked in enumerate(chain([None], results)):
        if is_seen:
            end = "\n" if number == count else ""
            print(f"\rChecked: {number} of {count} ", end=end, file=sys.stderr, flush=True)
        if checked:
            yield checked


def _print_csv(found: Mapping[str, Checked]) -> None:
    sys.stdout.reconfigure(encoding="utf-8")
    _print(table.as_csv(_lines(found)).rstrip("\n"))


def _print_table(found: Mapping[str, Checked]) -> None:
    _print(f"{table.text(_lines(found), report.WIDTH)}\n")
    rights = sum(checked.right for checked in found.values())
    _print(f"Files: {len(found)}. All right: {rights}. Not right, or not all checked: {len(found) - rights}.")


def _lines(found: Mapping[str, Checked]) -> list[table.Line]:
    return [line for name, checked in found.items() for line in table.lines(name, checked)]


def _names(files: Sequence[Path], paths: Sequence[Path]) -> list[str]:
    """What the files are called: within the folder, if one was given."""
    within = paths[0] if len(paths) == 1 and paths[0].is_dir() else None
    return [str(path.relative_to(within) if within else path) for path in files]


def _some(names: Iterable[str]) -> str:
    shown = [visible(name) for name in names]
    rest = f", and {len(shown) - _MOST_OTHERS} more" if len(shown) > _MOST_OTHERS else ""
    return ", ".join(shown[:_MOST_OTHERS]) + rest


def _files(paths: Sequence[Path]) -> tuple[list[Path], list[Path]]:
    """The files to check, each once, and those in the folders that are no Python files."""
    files, others = [], []
    for path in paths:
        python, rest = folder.hand_ins(path) if path.is_dir() else ([path], [])
        files += python
        others += rest
    return list(dict.fromkeys(files)), others


def _print(text: str, stream: TextIO | None = None) -> None:
    """Text for a console of any encoding."""
    stream = stream or sys.stdout
    print(encodable(text, stream.encoding or "utf-8"), file=stream)
