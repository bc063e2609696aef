"""Results that were returned in another order than was asked for: which order it was, and the results put right."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.exercises.contract import Case, Mistake, Outcome
from core.exercises.judged.mistakes.handling import RESULTS_REORDERED
from core.exercises.judged.received import fitted
from core.exercises.judged.truth import RESULTS, right_values
from core.gradcheck import relative_error

_CLOSE = 2e-5
"""Within this, what came is taken for the result of another name."""


def returned_order(
    name: str, cases: Sequence[Case], outcomes: Sequence[Outcome | None]
) -> tuple[str, ...] | None:
    """The names of the results as they came; None where they came in order, or no other order has their shapes.

    A result goes by its numbers where they are those of one name, otherwise by its shape, and among alike ones by
    its place. Results that take each other's place and are of one shape have switches of their own.
    """
    names = RESULTS[name]
    finished = [
        (outcome.returned, right_values(name, case))
        for case, outcome in zip(cases, outcomes, strict=False)
        if outcome is not None and outcome.fault is None
    ]
    if len(names) == 1 or not finished:
        return None
    if any(not isinstance(came, tuple | list) or len(came) != len(names) for came, _ in finished):
        return None

    def fits(place: int, value: str) -> bool:
        return all(_has_shape(came[place], value, right) for came, right in finished)

    def agrees(place: int, value: str) -> bool:
        return fits(place, value) and all(_has_numbers(came[place], value, right) for came, right in finished)

    if all(fits(place, value) for place, value in enumerate(names)):
        return None
    order: list[str | None] = [None] * len(names)
    for matches in (agrees, fits):
        for place, value in enumerate(order):
            left = [name for name in names if name not in order]
            order[place] = value or next((name for name in left if matches(place, name)), None)
    return None if None in order else tuple(order)


def in_order(name: str, outcomes: Sequence[Outcome | None], order: Sequence[str]) -> list[Outcome | None]:
    """The outcomes with their results in the order that was asked for."""
    places = [order.index(value) for value in RESULTS[name]]

    def sorted_out(results: Sequence[object]) -> tuple[object, ...]:
        return tuple(results[place] for place in places)

    return [
        outcome
        if outcome is None or outcome.fault is not None
        else replace(
            outcome,
            returned=sorted_out(outcome.returned),
            later=None if outcome.later is None else sorted_out(outcome.later),
        )
        for outcome in outcomes
    ]


def mistake(order: Sequence[str]) -> Mistake:
    """The mistake, with the order that came."""
    return replace(RESULTS_REORDERED, title=f"{RESULTS_REORDERED.title} {', '.join(order)}")


def _has_shape(came: object, value: str, right: dict[str, np.ndarray]) -> bool:
    if value == "grads":
        return isinstance(came, dict)
    return fitted(came, right[value]).shape == right[value].shape


def _has_numbers(came: object, value: str, right: dict[str, np.ndarray]) -> bool:
    """Whether a result of the right shape has the numbers too; a dict goes by what it is."""
    if value == "grads":
        return True
    array = fitted(came, right[value]).array
    return bool(np.isfinite(array).all()) and relative_error(array, right[value]) <= _CLOSE
