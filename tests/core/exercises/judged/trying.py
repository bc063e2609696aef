"""A student's function tried in this process: one outcome for each case, as the run apart would bring it."""

from collections.abc import Callable, Sequence
from copy import deepcopy
from pathlib import Path
from typing import NamedTuple

import numpy as np

from core.exercises.contract import Case, Outcome, Verdict
from core.exercises.judged.cases import cases
from core.exercises.judged.diagnosis import diagnose

STUDENTS = Path(__file__).parent / "students"
SLIPS = Path(__file__).parent / "slips"
STYLES = ("vectors", "loops", "columns")


class Slipped(NamedTuple):
    """One slip in one student's file."""

    name: str
    """The function."""
    keys: tuple[str, ...]
    """Of the mistakes that are to be named."""
    style: str
    changes: tuple[tuple[str, str], ...]
    """What stood there, and what stands there now."""

    def __str__(self) -> str:
        return f"{self.name}: {' and '.join(self.keys)} in {self.style}"


def slipped(path: Path) -> list[Slipped]:
    """The slips of a file of `slips`: "## KEY, KEY in STYLE", then lines that go (-) and lines that come (+)."""
    found = []
    for block in path.read_text().split("## ")[1:]:
        head, _, text = block.partition("\n")
        keys, _, style = head.partition(" in ")
        changes: list[tuple[list[str], list[str]]] = []
        for line in text.splitlines():
            if line.startswith("-") and (not changes or changes[-1][1]):
                changes.append(([], []))
            if line:
                changes[-1][line[0] == "+"].append(line[2:])
        texts = tuple(("\n".join(old), "\n".join(new)) for old, new in changes)
        found.append(Slipped(path.stem.removesuffix("_pairs"), tuple(sorted(keys.split(", "))), style, texts))
    return found


def student(style: str, name: str, *changes: tuple[str, str]) -> Callable:
    """The function called ``name`` out of one student's file, after changes to its text.

    A change is what stood there, and must, and what stands there now.
    """
    source = (STUDENTS / f"{style}.py").read_text()
    head, mark, rest = source.partition(f"def {name}(")
    body, other, tail = rest.partition("\n\n\ndef ")
    for old, new in changes:
        assert old in body, f"{old!r} is not in {name} of {style}"
        body = body.replace(old, new)
    file = {}
    exec(compile(head + mark + body + other + tail, style, "exec"), file)
    return file[name]


def outcomes(function: Callable, cases: Sequence[Case]) -> list[Outcome]:
    """What comes of calling the function once for each case, and of looking again when all calls are done."""
    kept = []
    for case in cases:
        arguments = deepcopy(case.arguments)
        with np.errstate(all="ignore"):
            returned = function(*arguments.values())
        changed = tuple(key for key in arguments if not _same(arguments[key], case.arguments[key]))
        kept.append((returned, deepcopy(returned), changed))
    return [
        Outcome(first, changed, None if _same(returned, first) else deepcopy(returned))
        for returned, first, changed in kept
    ]


def verdict(name: str, function: Callable, seed: int = 0) -> Verdict:
    """What is said about a function on the cases of a seed."""
    drawn = cases(name, seed)
    return diagnose(name, drawn, outcomes(function, drawn))


def keys(verdict: Verdict) -> list[str]:
    """The keys of the mistakes that are named."""
    return sorted(mistake.key for mistake in verdict.mistakes)


def _same(one: object, other: object) -> bool:
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(map(_same, one, other))
    return np.array_equal(one, other)
