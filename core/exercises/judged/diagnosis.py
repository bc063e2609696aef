"""A student's outcomes judged: value by value against `core`, and by name the mistakes that explain them all.

    right        within 1e-9 of `core`'s value, which any order of operations in float64 keeps to
    float32      within 2e-5, but no nearer, or of that type
    a mistake    as near to the value that comes out with it, in every case

On the inputs of `core.exercises.judged.cases` known mistakes differ from each other by far more.
"""

import dataclasses
from collections.abc import Sequence

import numpy as np

from core.exercises.contract import Case, Mistake, Outcome, Row, Verdict
from core.exercises.judged.cases import LARGE
from core.exercises.judged.comparison import Compared, compared
from core.exercises.judged.explanation import MOST, Explanation, Seen
from core.exercises.judged.facts import telling_facts
from core.exercises.judged.forms import wrong_forms
from core.exercises.judged.mistakes.handling import (
    DIGITS_LOST,
    FLOAT32,
    H0_MISSING,
    HANDLING,
    IN_PLACE,
    NOT_SUMMED,
    OUTER_OF_BATCH,
    OVERFLOW,
    OVERWRITTEN,
    TRANSPOSED,
)
from core.exercises.judged.one_example import one_example_only, why_no_batch
from core.exercises.judged.reordered import in_order, returned_order
from core.exercises.judged.reordered import mistake as of_order
from core.exercises.judged.truth import grads_name

EXACT = 1e-9
COARSE = 2e-5

_SHAPES = {TRANSPOSED.key, NOT_SUMMED.key, OUTER_OF_BATCH.key}
"""The mistakes that show in a shape and say already what is wrong with a batch."""


def diagnose(name: str, cases: Sequence[Case], outcomes: Sequence[Outcome | None]) -> Verdict:
    """What is to be said about the function called ``name``, from what came of each of its cases.

    A value that is right is never blamed; where no set of known mistakes explains the rest, none is named. What
    was not checked, and what between several explanations nothing decides, is said under ``unchecked``. Results that
    came in another order are judged in the right one; the rows show them as they came.
    """
    order = returned_order(name, cases, outcomes)
    if order is None:
        return _in_order(name, cases, outcomes)
    seen = compared(name, cases, outcomes)
    besides = _in_order(name, cases, in_order(name, outcomes, order))
    rows = tuple(seen.row(value, EXACT) for value in seen.values)
    return dataclasses.replace(besides, rows=rows, mistakes=(of_order(order), *besides.mistakes))


def _in_order(name: str, cases: Sequence[Case], outcomes: Sequence[Outcome | None]) -> Verdict:
    """The same for results that came in order."""
    seen = compared(name, cases, outcomes)
    faults = [outcome.fault for outcome in outcomes if outcome is not None and outcome.fault is not None]
    rows = tuple(seen.row(value, EXACT) for value in seen.values)
    explained, doubts = _explained(name, seen, rows)
    handled = _handled(seen, outcomes, doubts)
    unfinished = _unfinished(cases, outcomes)
    says_enough = explained or _SHAPES & {mistake.key for mistake in handled}
    if not says_enough and one_example_only(seen, cases, outcomes, EXACT):
        handled = [why_no_batch(cases, outcomes), *handled]
        # One batch stands for all.
        faults, doubts, unfinished = [], [], unfinished[:1]
    else:
        handled += wrong_forms(seen, rows, [*handled, *explained], COARSE)
    named = {(mistake.key, mistake.title): mistake for mistake in explained}
    handled = [mistake for mistake in handled if mistake.key not in {key for key, _ in named}]
    keys_named = any(mistake.key == "keys" for mistake in handled)
    return Verdict(
        exercise=name,
        rows=rows,
        mistakes=(*handled, *named.values()),
        fault=faults[0] if faults else None,
        unchecked=(*unfinished, *(() if keys_named else _extra(seen)), *doubts),
    )


def _explained(name: str, seen: Compared, rows: tuple[Row, ...]) -> tuple[tuple[Mistake, ...], list[str]]:
    """The mistakes that explain the numbers, and what has to be said where none do, or more than one set does."""
    cases = _usable(seen)
    if not any(case.received for case in cases):
        return (), []
    coarse = Explanation(name, cases, COARSE)
    if not coarse.wrong and _any_sign(seen, FLOAT32):
        return (), []
    exact = coarse if _any_sign(seen, FLOAT32) else Explanation(name, cases, EXACT)
    if not exact.wrong:
        return (), []
    for size in range(1, MOST + 1):
        found = exact.of_size(size)
        if found:
            return _decided(found)
        rounded = _rounded(coarse, size - 1) if exact is not coarse else []
        if rounded:
            return _decided(rounded)
    found = exact.of_single_values()
    return _decided(found) if found else ((), telling_facts(exact, seen, rows))


def _rounded(coarse: Explanation, size: int) -> list[tuple[Mistake, ...]]:
    """The sets of a loss of digits and ``size`` other mistakes that explain all."""
    if size == 0:
        return [] if coarse.wrong else [(DIGITS_LOST,)]
    return [(DIGITS_LOST, *mistakes) for mistakes in coarse.of_size(size)]


def _decided(found: list[tuple[Mistake, ...]]) -> tuple[tuple[Mistake, ...], list[str]]:
    """What all explanations have in common, and what nothing decides between them."""
    common = [mistake for mistake in found[0] if all(mistake in other for other in found)]
    if len(found) == 1:
        return tuple(common), []
    rest = [" and ".join(m.title for m in mistakes if m not in common) for mistakes in found]
    return tuple(common), ["Nothing here decides between: " + "; or ".join(rest) + "."]


def _handled(seen: Compared, outcomes: Sequence[Outcome | None], doubts: list[str]) -> list[Mistake]:
    """The mistakes in handling that were seen; those that show in a shape only where the numbers bear it out."""
    besides = [beside for all_cases in seen.values.values() for beside in all_cases]
    signs = {
        sign
        for beside in besides
        for sign in beside.came.signs
        if sign == FLOAT32.key or not doubts or beside.numbers_right(COARSE)
    }
    handled = [HANDLING[sign] for sign in sorted(signs)]
    changed = dict.fromkeys(
        argument for outcome in outcomes if outcome is not None for argument in outcome.changed
    )
    if changed:
        hint = f"Written into: {', '.join(changed)}. {IN_PLACE.hint}"
        handled.append(dataclasses.replace(IN_PLACE, hint=hint))
    if any(beside.changed_later for beside in besides):
        handled.append(OVERWRITTEN)
    if _overflows(seen):
        handled.append(OVERFLOW)
    if _without_h0(seen):
        handled.append(H0_MISSING)
    return handled


def _without_h0(seen: Compared) -> bool:
    """Whether there are gradients, but none of h0, not even under another name."""
    came = {
        value: any(beside.came.shape is not None for beside in all_cases)
        for value, all_cases in seen.values.items()
        if value.startswith("grads")
    }
    return any(came.values()) and not came[grads_name("h0")] and not seen.extra


def _overflows(seen: Compared) -> bool:
    """Whether the case of large sums, and no other, has entries that are NaN or infinite."""
    cases = {
        beside.case
        for all_cases in seen.values.values()
        for beside in all_cases
        if beside.came.array is not None and not np.isfinite(beside.came.array).all()
    }
    return cases == {LARGE[0]}


def _any_sign(seen: Compared, mistake: Mistake) -> bool:
    return any(mistake.key in beside.came.signs for all_cases in seen.values.values() for beside in all_cases)


def _usable(seen: Compared) -> list[Seen]:
    """The cases with all that came in a shape in which it can be compared; not the one whose numbers overflowed."""
    overflows = _overflows(seen)
    return [
        Seen(
            case,
            {
                value: all_cases[number].came.array
                for value, all_cases in seen.values.items()
                if all_cases[number].came.array is not None
            },
            right,
        )
        for number, (case, right) in enumerate(seen.cases)
        if not (overflows and case.name == LARGE[0])
    ]


def _unfinished(cases: Sequence[Case], outcomes: Sequence[Outcome | None]) -> list[str]:
    """The cases that came to no result, in words, those together that have one reason."""
    by_reason: dict[str, list[str]] = {}
    for number, case in enumerate(cases):
        outcome = outcomes[number] if number < len(outcomes) else None
        if outcome is None:
            by_reason.setdefault("not run.", []).append(case.name)
        elif outcome.fault is not None:
            by_reason.setdefault(outcome.fault.sentence, []).append(case.name)
    return [_no_result(reason, names) for reason, names in by_reason.items()]


def _no_result(reason: str, names: list[str]) -> str:
    """What is said of cases with one reason; the first stands for many."""
    which, was = (
        (f"case “{names[0]}”", "was")
        if len(names) == 1
        else (f"case “{names[0]}” and {len(names) - 1} more", "were")
    )
    return (
        f"The {which} {was} not run." if reason == "not run." else f"The {which} came to no result: {reason}"
    )


def _extra(seen: Compared) -> list[str]:
    return [f"{name} is not asked for, and was not looked at." for name in seen.extra]
