"""A function that is right for one example and stops with a batch: whether it is one, and where a batch stops."""

import dataclasses
import re
from collections.abc import Sequence

from core.exercises.contract import MISFIT, Case, Mistake, Outcome
from core.exercises.judged.comparison import Compared
from core.exercises.judged.mistakes.handling import BATCH_AS_COLUMNS, ONE_EXAMPLE_ONLY

_RIGHT_SIZE = re.compile(rf"{MISFIT}, \d+ and (\d+)")


def one_example_only(
    seen: Compared, cases: Sequence[Case], outcomes: Sequence[Outcome | None], tolerance: float
) -> bool:
    """Whether each example by itself comes out right and no batch of several does, by its numbers or by an exception.

    A batch of one may come out right or not: to some mistakes it is no more than an example.
    """
    if "x" not in cases[0].arguments or len(outcomes) < len(cases) or None in outcomes:
        return False
    if any(outcome.fault is not None and outcome.fault.kind != "exception" for outcome in outcomes):
        return False
    fine = {case.name for case, _ in seen.cases} - {
        beside.case
        for all_cases in seen.values.values()
        for beside in all_cases
        if beside.came.blame or not beside.numbers_right(tolerance)
    }
    return all((case.name in fine) == (_examples(case) == 0) for case in cases if _examples(case) != 1)


def why_no_batch(cases: Sequence[Case], outcomes: Sequence[Outcome]) -> Mistake:
    """The mistake, with the line in which a batch stops, and the shapes there if the batch is met as columns."""
    stopped = [
        (case, outcome.fault)
        for case, outcome in zip(cases, outcomes, strict=True)
        if outcome.fault is not None
    ]
    if not stopped:
        return ONE_EXAMPLE_ONLY
    case, fault = stopped[0]
    size = _RIGHT_SIZE.search(fault.sentence)
    as_columns = size is not None and int(size[1]) == _examples(case)
    mistake = BATCH_AS_COLUMNS if as_columns else ONE_EXAMPLE_ONLY
    line = f"A batch stops in line {fault.line}." if fault.line else ""
    said = (mistake.hint, line, fault.hint if as_columns else "")
    return dataclasses.replace(mistake, hint=" ".join(filter(None, said)))


def _examples(case: Case) -> int:
    """How many rows a batch has; 0 for a single example."""
    x = case.arguments["x"]
    return len(x) if x.ndim == 2 else 0
