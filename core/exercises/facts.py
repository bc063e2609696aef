"""What can be said of a wrong result that no known mistake explains."""

import numpy as np

from core.exercises.comparison import Beside, Compared
from core.exercises.contract import Row
from core.exercises.explanation import Explanation


def telling_facts(explanation: Explanation, seen: Compared, rows: tuple[Row, ...]) -> list[str]:
    """That nothing explains it, in words, with what narrows the search most."""
    wrong = explanation.wrong
    right = [row.name for row in rows if row.right]
    facts = [
        f"No known mistake explains what came. Wrong: {_listed(wrong)}. "
        f"Right: {_listed(right) if right else 'none of the values'}."
    ]
    facts += [fact for value in wrong for fact in _about(value, seen.values[value])]
    nearest = explanation.nearest()
    if nearest is not None:
        mistake, left = nearest
        facts.append(f"All of it but {_listed(left)} would fit this: {mistake.title}.")
    return facts


def _about(value: str, all_cases: list[Beside]) -> list[str]:
    """What the errors of one value have in common."""
    comparable = [beside for beside in all_cases if beside.came.array is not None]
    wrong = [beside for beside in comparable if not _close(beside.came.array, beside.right)]
    if len(wrong) < len(comparable):
        return [f"{value} is wrong in some cases only: {_listed([beside.case for beside in wrong])}."]
    factors = [
        float(np.vdot(beside.came.array, beside.right) / np.vdot(beside.right, beside.right))
        for beside in wrong
        if np.isfinite(beside.came.array).all()
    ]
    if len(factors) < len(wrong) or not np.allclose(factors, factors[0], rtol=1e-9):
        return []
    if not all(_close(beside.came.array, factors[0] * beside.right) for beside in wrong):
        return []
    return [f"{value} is {factors[0]:.4g} times what it should be."]


def _close(one: np.ndarray, other: np.ndarray) -> bool:
    scale = max(float(np.abs(one).max()), float(np.abs(other).max()))
    return bool(np.abs(one - other).max() <= 1e-9 * scale)


def _listed(names: list[str]) -> str:
    return ", ".join(names)
