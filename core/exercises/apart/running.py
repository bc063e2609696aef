"""Running a student's file apart: in a process of its own, shut in and limited, a call for each case.

The check never trusts that process. It has no answers, and what it sends back are numbers and words, which are
compared here: with the arguments that were sent, and with what was returned before. A file that prints, exits early,
replaces parts of NumPy or writes into the channel can spoil its own results, and no more.

It is a guard against slips and pranks, not a prison: see `guard` and `cage`, beside this, for what each system
allows. Whoever must run the files of strangers should do it on a machine that has nothing to lose.
"""

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core.exercises.apart import handin
from core.exercises.apart.limits import Limits
from core.exercises.apart.outcomes import Transcript
from core.exercises.apart.process import PACKAGES, PROJECT, converse
from core.exercises.apart.student import Student
from core.exercises.apart.values import pack
from core.exercises.contract import Case, Constant, Fault, Outcome

_DEFAULT = Limits()


@dataclass(frozen=True)
class Ran:
    """What came of one file."""

    fault: Fault | None = None
    """Set when nothing of the file could be run."""
    outcomes: dict[str, list[Outcome]] = field(default_factory=dict)
    """By function, one for each of its cases; functions that the file does not define are left out."""
    functions: tuple[str, ...] = ()
    """All functions that the file defines."""
    others: dict[str, str] = field(default_factory=dict)
    """By the name of a function asked for, what the file has under it in its stead, such as "an int"."""
    constants: dict[str, Constant] = field(default_factory=dict)
    """Those of the constants asked for that the file sets."""
    printed: str = ""
    """The beginning of what it printed, warnings among it."""


def run(
    path: Path,
    cases: Mapping[str, Sequence[Case]],
    constants: Sequence[str] = (),
    limits: Limits = _DEFAULT,
) -> Ran:
    """Make every call of every function that the file defines, one process for all.

    A function that takes the process down is not called again; the others are then called in a new process. Only
    the file itself is there, without its neighbours. Never raises for anything that a file can do.
    """
    text = handin.source(path, limits.source)
    if isinstance(text, Fault):
        return Ran(text)
    student = Student(text.split("\n"), _neighbours(path))
    transcript = Transcript(student, cases, constants, limits)
    while transcript.waiting:
        transcript.take(
            converse(
                lambda folder: _order(folder, text, transcript.waiting, constants, limits),
                limits,
                len(transcript.waiting),
            )
        )
    return Ran(
        transcript.fault,
        transcript.outcomes,
        transcript.functions,
        transcript.others,
        transcript.constants,
        transcript.printed,
    )


def _order(
    folder: str, text: str, cases: Mapping[str, Sequence[Case]], constants: Sequence[str], limits: Limits
) -> tuple[dict, bytes]:
    """What the process is to do."""
    packages = [str(path) for path in _packages() if path.exists()]
    library = os.path.dirname(os.__file__)
    calls = {name: [tuple(case.arguments.values()) for case in of_one] for name, of_one in cases.items()}
    tree, blob = pack(calls)
    order = {
        "source": text,
        "calls": tree,
        "functions": list(cases),
        "constants": list(constants),
        "hidden": [str(PROJECT), str(PACKAGES)],
        "packages": packages,
        "readable": [
            library,
            *packages,
            sys.base_prefix,
            "/usr",
            "/lib",
            "/lib64",
            "/etc/ld.so.cache",
            "/dev/urandom",
        ],
        "limits": {
            "memory": limits.memory,
            "written": limits.written,
            "processor": limits.seconds * (len(cases) + 1),
        },
    }
    return order, blob


def _packages() -> list[Path]:
    """NumPy, and what it and Python keep elsewhere."""
    return [PACKAGES / "numpy", PACKAGES / "numpy.libs", Path(sys.base_prefix) / "DLLs"]


def _neighbours(path: Path) -> list[str]:
    try:
        return [each.stem for each in path.parent.glob("*.py")]
    except OSError:
        return []
