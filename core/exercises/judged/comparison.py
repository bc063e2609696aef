"""The outcomes of all cases beside what is right: for each value its fitted arrays, and the row that reports it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from core.exercises.contract import Case, Outcome, Row
from core.exercises.judged.received import Fitted, Parts, fitted, taken_apart, value_names
from core.exercises.judged.truth import difference_values, right_values
from core.gradcheck import relative_error


@dataclass(frozen=True)
class Beside:
    """One value in one case: what came beside what is right."""

    case: str
    right: np.ndarray
    came: Fitted
    aside: str
    """What could be done better, though it is right."""
    changed_later: bool
    differences: np.ndarray | None
    """Central differences, for a gradient, in the last case: one is enough to bear `core`'s own gradients out."""

    @property
    def error(self) -> float | None:
        """The relative error; None where the shape is another."""
        return _error(self.came, self.right)

    @property
    def difference_error(self) -> float | None:
        """The same against central differences."""
        return None if self.differences is None else _error(self.came, self.differences)

    def numbers_right(self, tolerance: float) -> bool:
        """Whether the numbers are right, whatever their shape was."""
        array = self.came.array
        return array is not None and bool(
            np.isfinite(array).all() and relative_error(array, self.right) <= tolerance
        )


@dataclass(frozen=True)
class Compared:
    """All that came of one function."""

    values: dict[str, list[Beside]]
    """By the name of the value: one for each case that came to a result."""
    extra: tuple[str, ...] = ()
    """What was returned and nobody asked for."""
    cases: list[tuple[Case, dict[str, np.ndarray]]] = field(default_factory=list)
    """The cases that came to a result, with the right values."""

    def row(self, value: str, tolerance: float) -> Row:
        """The row of one value, the worst of all cases."""
        all_cases = self.values[value]
        worst = max(all_cases, key=_badness)
        # Where nothing is wrong with shape and kind, the shapes of all rows are those of one case.
        shown = worst if worst.came.blame else all_cases[0]
        return Row(
            name=value,
            expected_shape=shown.right.shape,
            received_shape=shown.came.shape,
            error=_largest(beside.error for beside in all_cases),
            difference_error=_largest(
                beside.difference_error for beside in all_cases if beside.differences is not None
            ),
            right=all(_is_right(beside, tolerance) for beside in all_cases),
            remark=_remark(all_cases, worst, tolerance),
        )


def compared(name: str, cases: Sequence[Case], outcomes: Sequence[Outcome | None]) -> Compared:
    """What came of each case beside what is right, leaving out the cases that came to no result."""
    finished = [
        (case, outcome)
        for case, outcome in zip(cases, outcomes, strict=False)
        if outcome is not None and outcome.fault is None
    ]
    if not finished:
        return Compared({})
    values: dict[str, list[Beside]] = {value: [] for value in value_names(name)}
    extra: dict[str, None] = {}
    rights = [right_values(name, case) for case, _ in finished]
    for number, (case, outcome) in enumerate(finished):
        differences = difference_values(name, case) if number == len(finished) - 1 else {}
        parts = taken_apart(name, outcome.returned)
        later = parts if outcome.later is None else taken_apart(name, outcome.later)
        extra |= dict.fromkeys(parts.extra)
        for value, beside in values.items():
            beside.append(
                Beside(
                    case=case.name,
                    right=rights[number][value],
                    came=_came(parts, value, rights[number][value]),
                    aside=parts.aside,
                    changed_later=not _same(parts.values.get(value), later.values.get(value)),
                    differences=differences.get(value),
                )
            )
    return Compared(
        values, tuple(extra), [(case, right) for (case, _), right in zip(finished, rights, strict=True)]
    )


def _came(parts: Parts, value: str, right: np.ndarray) -> Fitted:
    if value not in parts.values:
        return Fitted(None, None, parts.missing[value])
    came = fitted(parts.values[value], right)
    blames = [blame for blame in (parts.blame, came.blame) if blame]
    return Fitted(came.shape, came.array, "; ".join(blames), came.signs)


def _error(came: Fitted, other: np.ndarray) -> float | None:
    if came.array is None or came.shape != other.shape:
        return None
    return relative_error(came.array, other) if np.isfinite(came.array).all() else np.inf


def _is_right(beside: Beside, tolerance: float) -> bool:
    error = beside.error
    return error is not None and error <= tolerance and not beside.came.blame and not beside.changed_later


def _badness(beside: Beside) -> tuple[bool, bool, bool, float]:
    error = beside.error
    return beside.came.shape is None, error is None, bool(beside.came.blame), error or 0.0


def _largest(errors: Iterable[float | None]) -> float | None:
    """The largest of all errors; None where one of them is, or where there are none."""
    errors = list(errors)
    return None if None in errors else max(errors, default=None)


def _remark(all_cases: list[Beside], worst: Beside, tolerance: float) -> str:
    """What is to be said of a value beside its numbers."""
    remarks = []
    if worst.came.blame:
        blame = worst.came.blame
        if any(not beside.came.blame for beside in all_cases):
            blame += f" ({worst.case})"
        remarks.append(blame)
        if worst.came.shape != worst.right.shape:
            remarks += ["its numbers are right"] if worst.numbers_right(tolerance) else []
    elif worst.aside:
        remarks.append(worst.aside)
    if any(beside.changed_later for beside in all_cases):
        remarks.append("changed after it was returned, by a later call")
    return "; ".join(remarks)


def _same(one: object, other: object) -> bool:
    """Whether two readings of one value agree in every entry, NaN with NaN."""
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return one.shape == other.shape and one.tobytes() == other.tobytes()
    return type(one) is type(other) and repr(one) == repr(other)
