"""What the parts of the exercises hand to each other: a case, what came of it, and what is to be said about it.

cases(exercise, seed)  →  the student's file, run apart, one call for each case  →  outcomes
diagnose(exercise, cases, outcomes)  →  verdict; all verdicts on a file  →  checked  →  report or table
"""

from dataclasses import dataclass, field

import numpy as np

NAMES = ("rnn_forward", "rnn_bptt", "lstm_cell", "lstm_cell_backward", "gru_cell")
"""The functions to write, in the order in which they build on each other."""

MISFIT = "a matrix product of shapes that do not fit"
"""How a fault begins to tell of one; its inner sizes follow, from left to right."""

Argument = np.ndarray | dict[str, np.ndarray]


@dataclass(frozen=True, eq=False)
class Case:
    """One call of the student's function; its arrays are not written into, so that results may be kept by case."""

    name: str
    """Such as "one example" or "a batch of 3"."""
    arguments: dict[str, Argument]
    """By name, in the order of the signature; they are passed by position, since names are the student's own."""


@dataclass(frozen=True)
class Foreign:
    """Something returned that is no number, array, tuple, list or dict: described, and not brought back."""

    description: str
    """Such as "a str" or "an array of objects"."""


Constant = bool | int | float | str | Foreign
"""What a student's own constant turned out to be."""


@dataclass(frozen=True)
class Fault:
    """Why a call, or a whole file, came to no result, in words for the student."""

    kind: str
    """not-python, no-import, missing, signature, unwritten, exception, exit, time, memory, output, crash."""
    sentence: str
    """One clear sentence: what happened, what was expected, what to do."""
    line: int | None = None
    """Line of the student's own file, counted from 1."""
    source: str = ""
    """That line's text."""
    hint: str = ""


@dataclass(frozen=True)
class Outcome:
    """What came of one case."""

    returned: object = None
    """Tuples, lists, dicts, arrays, numbers and None, as right after the call, with `Foreign` for the rest."""
    changed: tuple[str, ...] = ()
    """The arguments that the call wrote into, such as "c" or "P['Whh']"."""
    later: object = None
    """``returned`` as it read after all later calls, where that differs: a buffer used again."""
    fault: Fault | None = None
    """Set when nothing was returned."""


@dataclass(frozen=True)
class Mistake:
    """A known mistake."""

    key: str
    title: str
    """What was done, such as "the forget and the input gate are swapped"."""
    hint: str
    """What leads to the mend, without giving the line away."""


@dataclass(frozen=True)
class Row:
    """One returned value, the worst of all cases."""

    name: str
    expected_shape: tuple[int, ...]
    received_shape: tuple[int, ...] | None
    """None when nothing of the kind was returned."""
    error: float | None
    """Largest relative error against `core`; None where shapes differ."""
    difference_error: float | None = None
    """Largest relative error of a gradient against central differences of the right forward."""
    right: bool = False
    remark: str = ""
    """Such as "float32" or "a str was returned"."""


@dataclass(frozen=True)
class Verdict:
    """What is said about one function of one file."""

    exercise: str
    rows: tuple[Row, ...] = ()
    mistakes: tuple[Mistake, ...] = ()
    """The smallest set of known mistakes that explains what came, empty if none does or none is needed."""
    fault: Fault | None = None
    unchecked: tuple[str, ...] = ()
    """What could not be judged, in words: with any, all is never said to be right."""
    constants: dict[str, Constant] = field(default_factory=dict)
    """The student's own numbers for the address of a lab, such as {"FORGET_BIAS": 2.0}."""

    @property
    def right(self) -> bool:
        """All was checked, and nothing is wrong."""
        return (
            bool(self.rows)
            and all(row.right for row in self.rows)
            and not (self.mistakes or self.fault or self.unchecked)
        )


@dataclass(frozen=True)
class Checked:
    """What is said about one file."""

    verdicts: tuple[Verdict, ...] = ()
    """One for each function that the file defines, or seems to mean."""
    fault: Fault | None = None
    """Why nothing in the file could be judged."""
    printed: str = ""
    """The beginning of what it printed."""

    @property
    def has_none(self) -> bool:
        """The file was loaded, and defines none of the five functions."""
        return bool(self.fault) and self.fault.kind == "missing" and not self.verdicts

    @property
    def right(self) -> bool:
        """Something was checked, and all that was is right."""
        return bool(self.verdicts) and not self.fault and all(verdict.right for verdict in self.verdicts)
