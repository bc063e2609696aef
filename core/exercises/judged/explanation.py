"""The smallest set of known mistakes from which all that was returned follows.

A set explains a value when the function with these mistakes made, or with some of them, gives just that value in
every case: a mistake may be made for one gradient and not for another. It explains a result when it
explains every value that is wrong. Sets are tried by size, one mistake first, three at most. Where none of them
explains the result, each value is looked at by itself, and what explains one is joined with what explains the
others: the smallest union may be larger.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from core.exercises.contract import Case, Mistake
from core.exercises.judged.cases import LARGE, LONG
from core.exercises.judged.mistakes import KNOWN, wrong_values
from core.exercises.judged.mistakes.measured import MEASURED, measured
from core.exercises.judged.mistakes.slips import Slip

MOST = 3
"""How many mistakes at once are looked for."""
MOST_IN_ONE = 2
"""How many of more than these may show in any one value."""

Set = frozenset[int]
"""Ways of making mistakes, by their numbers."""


@dataclass(frozen=True)
class Seen:
    """One case: what was returned beside what should have been."""

    case: Case
    received: dict[str, np.ndarray]
    right: dict[str, np.ndarray]


@dataclass(frozen=True)
class Way:
    """One way of making one mistake."""

    slip: Slip
    switches: frozenset[str]
    alters: frozenset[str]
    """The values that come out differently."""


class Explanation:
    """What known mistakes say to all that was seen, at one tolerance."""

    def __init__(self, name: str, seen: list[Seen], tolerance: float) -> None:
        # The last cases hold the longest texts and batches: they tell most sets from each other at once.
        self._seen = seen[::-1]
        self._name = name
        self._tolerance = tolerance
        self._fits: dict[tuple[Set, str], bool] = {}
        self._values = [value for value in seen[0].right if any(value in case.received for case in seen)]

    @cached_property
    def wrong(self) -> list[str]:
        """The values that are not right."""
        return [value for value in self._values if not self._gives(frozenset(), value)]

    def of_size(self, size: int) -> list[tuple[Mistake, ...]]:
        """The sets of ``size`` mistakes that explain all, and none if a smaller one does, the likeliest alone."""
        return self._likeliest(self._covers(self._to_explain, frozenset(), size, set()))

    def of_single_values(self) -> list[tuple[Mistake, ...]]:
        """The smallest unions of sets of at most `MOST_IN_ONE` mistakes, one of which explains each wrong value."""
        unions: set[Set] = {frozenset()}
        for value in self._to_explain:
            sets = _minimal(set(self._covers([value], frozenset(), MOST_IN_ONE, set())))
            joined = (union | ways for union in unions for ways in sets)
            unions = _minimal({ways for ways in joined if self._go_together(ways)})
            if not unions:
                return []
        least = min(map(len, unions))
        return self._likeliest(ways for ways in unions if len(ways) == least)

    def _likeliest(self, sets: Iterable[Set]) -> list[tuple[Mistake, ...]]:
        """The mistakes of the likeliest of these sets, or of several between which nothing decides.

        Likelier is the set that explains more when all of its mistakes are made throughout, and among those the
        set without rare mistakes.
        """
        found = {ways: self._oddity(ways) for ways in sets}
        named = {}
        for ways, oddity in found.items():
            if oddity == min(found.values()):
                mistakes = [self._ways[way].slip.mistake for way in sorted(ways)]
                named[frozenset(mistake.key for mistake in mistakes)] = tuple(mistakes)
        return list(named.values())

    def nearest(self) -> tuple[Mistake, list[str]] | None:
        """The one mistake that explains most of what is wrong, and what it leaves, if it explains any."""
        best = None
        for number, way in enumerate(self._ways):
            left = [value for value in self.wrong if not self._explained(value, frozenset({number}))]
            if len(left) < len(self.wrong if best is None else best[1]):
                best = way.slip.mistake, left
        return best

    @cached_property
    def _ways(self) -> list[Way]:
        """The ways that make a difference here, and not the same as another way of the same mistake."""
        ways = []
        for slip in (*KNOWN[self._name].slips, *self._measured):
            others: list[frozenset[str]] = [frozenset()]
            for switches in slip.ways:
                alters = [self._differ(switches, other, slip in self._measured) for other in others]
                if all(alters):
                    others.append(switches)
                    ways.append(Way(slip, switches, alters[0]))
        return ways

    @cached_property
    def _measured(self) -> list[Slip]:
        """The mistakes with a number in them of which one value at least speaks, in the case that is made for them."""
        unusual = [seen for seen in self._seen if seen.case.name in (LARGE[0], LONG[0])]
        if not unusual or self._name not in MEASURED:
            return []
        (seen,) = unusual
        values = [value for value in self.wrong if value in seen.received]

        def fits(switches: frozenset[str]) -> bool:
            made = wrong_values(self._name, seen.case, switches)
            return any(
                _difference(made[value], seen.received[value])
                <= self._tolerance
                < _difference(made[value], seen.right[value])
                for value in values
            )

        return measured(self._name, {value: seen.received[value] for value in values}, LONG[1], fits)

    def _differ(
        self, switches: frozenset[str], others: frozenset[str], in_any_case: bool = False
    ) -> frozenset[str]:
        """The values that two sets of switches give differently, in the first case in which there are any.

        A bound or a short walk back may alter fewer values there than in others: then ``in_any_case``.
        """
        differing: set[str] = set()
        for seen in self._seen:
            one, other = (wrong_values(self._name, seen.case, made) for made in (switches, others))
            differing |= {value for value in one if _difference(one[value], other[value]) > self._tolerance}
            if differing and not in_any_case:
                break
        return frozenset(differing)

    @cached_property
    def _to_explain(self) -> list[str]:
        """What is wrong, with those values first that fewest ways alter: they leave least to be tried."""
        return sorted(self.wrong, key=lambda value: sum(value in way.alters for way in self._ways))

    def _covers(self, values: list[str], ways: Set, size: int, visited: set[Set]) -> Iterator[Set]:
        """Sets of up to ``size`` that hold ``ways`` and explain these values."""
        if ways in visited:
            return
        visited.add(ways)
        unexplained = next((value for value in values if not self._explained(value, ways)), None)
        if unexplained is None:
            yield ways
        elif len(ways) < size:
            exchanged = any(self._ways[number].slip.exchanges for number in ways)
            for number, way in enumerate(self._ways):
                if (exchanged or unexplained in way.alters) and self._may_join(way, ways, size):
                    yield from self._covers(values, ways | {number}, size, visited)

    def _may_join(self, way: Way, others: Set, size: int) -> bool:
        """Whether a way is made beside others in a set of this size.

        Sets of three are many, so each way in them must be a common one and leave alone what is right; the
        latter goes for rare ones in pairs too.
        """
        if size == MOST and way.slip.rare:
            return False
        if (size == MOST or (size > 1 and way.slip.rare)) and not way.alters <= set(self.wrong):
            return False
        return not any(_excludes(way.slip, self._ways[number].slip) for number in others)

    def _go_together(self, ways: Set) -> bool:
        slips = [self._ways[number].slip for number in ways]
        return not any(_excludes(one, other) for one, other in combinations(slips, 2))

    def _explained(self, value: str, ways: Set) -> bool:
        """Whether some of the mistakes give this value."""
        return any(
            self._gives(frozenset(some), value)
            for size in range(1, len(ways) + 1)
            for some in combinations(sorted(ways), size)
        )

    def _oddity(self, ways: Set) -> tuple[int, int]:
        """How many values are others when all of the mistakes are made throughout, and how many of them are rare."""
        others = sum(not self._gives(ways, value) for value in self._values)
        return others, sum(self._ways[way].slip.rare for way in ways)

    def _gives(self, ways: Set, value: str) -> bool:
        """Whether the function with these mistakes gives what was received for one value, in every case."""
        key = ways, value
        if key not in self._fits:
            self._fits[key] = all(
                _difference(self._result(ways, seen)[value], seen.received[value]) <= self._tolerance
                for seen in self._seen
                if value in seen.received
            )
        return self._fits[key]

    def _result(self, ways: Set, seen: Seen) -> dict[str, np.ndarray]:
        """What the function with these mistakes returns in one case."""
        if not ways:
            return seen.right
        switches = frozenset().union(*(self._ways[way].switches for way in ways))
        return wrong_values(self._name, seen.case, switches)


def _minimal(sets: set[Set]) -> set[Set]:
    """The sets that hold no other of them."""
    return {ways for ways in sets if not any(other < ways for other in sets)}


def _excludes(one: Slip, other: Slip) -> bool:
    """Whether two slips are not looked for together."""
    return one.group == other.group or (one.rare and other.rare)


def _difference(one: np.ndarray, other: np.ndarray) -> float:
    """The largest difference of two entries, relative to the largest entry; infinite where it cannot be told."""
    if one.shape != other.shape:
        return math.inf
    miss = float(np.abs(one - other).max())
    if miss == 0:
        return 0.0
    scale = max(float(np.abs(one).max()), float(np.abs(other).max()))
    return miss / scale if math.isfinite(miss) else math.inf
