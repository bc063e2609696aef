"""A student's own constants as another process tells them: nothing in them is believed."""

import pytest

from core.exercises.apart.constants import believed
from core.exercises.contract import Foreign


@pytest.mark.parametrize("told", [True, -2, 2.5, "to be"])
def test_numbers_and_texts_are_what_they_are(told):
    assert believed(told) is told


@pytest.mark.parametrize("told", [None, [1], {}, {"foreign": 3}, {"other": "a tuple"}, 10**4000])
def test_what_cannot_have_been_told_is_something_else(told):
    assert believed(told) == Foreign("something else")


def test_a_description_is_cut_to_size():
    assert believed({"foreign": "a tuple"}) == Foreign("a tuple")
    assert len(believed({"foreign": "a" * 10**6}).description) < 100
