"""What is calculated for the cases is kept for the other files of a class, and stays what it was."""

import numpy as np
import pytest

from core.exercises.contract import NAMES
from core.exercises.judged.cases import cases
from core.exercises.judged.diagnosis import diagnose
from core.exercises.judged.mistakes import KNOWN, wrong_values
from core.exercises.judged.truth import difference_values, right_values
from tests.core.exercises.judged.trying import outcomes, student

KEPT = (wrong_values, right_values, difference_values)


def misses():
    return [kept.cache_info().misses for kept in KEPT]


@pytest.mark.parametrize("name", NAMES)
def test_the_same_cases_are_calculated_once_for_all_files(name):
    drawn = cases(name, 3)
    before = misses()
    came = outcomes(student("vectors", name, ("np.tanh", "np.arctan")), drawn)
    found = diagnose(name, drawn, came)
    after = misses()
    assert after[0] > before[0]
    assert diagnose(name, drawn, came) == found
    assert misses() == after


def test_other_cases_have_their_own_values():
    of_one, of_other = (wrong_values("gru_cell", cases("gru_cell", seed)[0], frozenset()) for seed in (0, 1))
    assert not np.array_equal(of_one["h_new"], of_other["h_new"])


@pytest.mark.parametrize("name", NAMES)
def test_what_is_kept_is_not_written_into(name):
    drawn = cases(name, 4)
    diagnose(name, drawn, outcomes(student("loops", name), drawn))
    for slip in KNOWN[name].slips:
        for case in drawn:
            kept = wrong_values(name, case, slip.ways[0])
            with np.errstate(all="ignore"):
                anew = KNOWN[name].wrong(*case.arguments.values(), slip.ways[0])
            assert all(np.array_equal(kept[value], anew[value], equal_nan=True) for value in anew)
