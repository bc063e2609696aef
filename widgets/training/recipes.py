"""The recipe of a run, which may change on its way: from which step on it went by which settings."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

_FEW = 4
"""Up to so many values of one setting are all told."""


@dataclass(frozen=True)
class Recipe:
    """The settings by which the steps from ``first`` on were made."""

    first: int
    settings: Mapping[str, object]


def recipes_of(records: Sequence[Mapping], unchanged: Mapping[str, object]) -> list[Recipe]:
    """What the records of changes amount to; without any, a run went by what is ``unchanged`` from its first step."""
    by_step = {1: records[0]["was"] if records else unchanged}
    by_step |= {record["number"]: record["is"] for record in records}
    return [Recipe(first, settings) for first, settings in sorted(by_step.items())]


def at_steps(recipes: Sequence[Recipe], numbers: np.ndarray) -> list[Mapping[str, object]]:
    """The settings by which each of these steps was made."""
    firsts = [recipe.first for recipe in recipes]
    return [recipes[n].settings for n in np.searchsorted(firsts, numbers, side="right") - 1]


def history(recipes: Sequence[Recipe], name: str, write: Callable[[object], str]) -> str:
    """The values of one setting in their order: `0.01 to step 120, then 0.002`."""
    values = [(recipe.first, write(recipe.settings[name])) for recipe in recipes]
    changes = values[:1] + [now for before, now in pairwise(values) if before[1] != now[1]]
    if len(changes) > _FEW:
        (_, value), (second, _), (last, newest) = changes[0], changes[1], changes[-1]
        return f"{value} to step {second - 1}, then {len(changes) - 2} others, {newest} from step {last} on"
    ends = [f" to step {first - 1}" for first, _ in changes[1:]] + [""]
    return ", then ".join(value + end for (_, value), end in zip(changes, ends, strict=True))
