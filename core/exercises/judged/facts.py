"""What can be said of a wrong result that no known mistake explains."""

import numpy as np

from core.exercises.contract import Row
from core.exercises.judged.comparison import Beside, Compared
from core.exercises.judged.explanation import Explanation
from core.gradcheck import relative_error


def telling_facts(explanation: Explanation, seen: Compared, rows: tuple[Row, ...]) -> list[str]:
    """That nothing explains it, in words, with what narrows the search most."""
    wrong = explanation.wrong
    right = [row.name for row in rows if row.right]
    facts = [
        f"No known mistake explains what came. Wrong: {_listed(wrong)}. "
        f"Right: {_listed(right) if right else 'none of the values'}."
    ]
    if len(wrong) == 1 and len(right) == len(rows) - 1 > 0:
        facts.append(f"Look at the line of {wrong[0]}: what it has in common with the others is right.")
    facts += [fact for value in wrong for fact in _about(value, seen.values[value])]
    nearest = explanation.nearest()
    if nearest is not None:
        mistake, left = nearest
        facts.append(f"All of it but {_listed(left)} would fit this: {mistake.title}.")
    return facts


def _about(value: str, all_cases: list[Beside]) -> list[str]:
    """What the errors of one value have in common."""
    comparable = [beside for beside in all_cases if beside.came.array is not None]
    if not all(np.isfinite(beside.came.array).all() for beside in comparable):
        return []
    wrong = [beside for beside in comparable if not _close(beside.came.array, beside.right)]
    if len(wrong) < len(comparable):
        return [f"{value} is wrong in some cases only: {_listed([beside.case for beside in wrong])}."]
    factors = [
        float(np.vdot(beside.came.array, beside.right) / np.vdot(beside.right, beside.right))
        for beside in wrong
    ]
    for beside in wrong:
        if not _close(beside.came.array, factors[0] * beside.right):
            return []
    return [
        f"{value} is {factors[0]:.4g} times what it should be." if factors[0] else f"{value} is 0 throughout."
    ]


def _close(one: np.ndarray, other: np.ndarray) -> bool:
    return bool(np.isfinite(one).all()) and relative_error(one, other) <= 1e-9


def _listed(names: list[str]) -> str:
    return ", ".join(names)
