"""The addresses that `core` gives students, against the labs that they lead to: `core` cannot know these itself."""

from urllib.parse import urlsplit

import pytest

from app import address as page
from core.exercises.contract import NAMES
from core.exercises.links import LABS, LONGEST, address
from core.exercises.stubs import CONSTANTS, stub
from widgets.base.settings import Text
from widgets.catalogue import find

OWN = {
    "TEXT": "one two three",
    "FORGET_BIAS": 2.5,
    "FORGET_GATE": 0.25,
    "RESET_BIAS": -1.5,
    "UPDATE_BIAS": 3.0,
}


def visit(link: str):
    return page.read(page.parse_search(urlsplit(link).query))


@pytest.mark.parametrize("name", NAMES)
def test_the_lab_is_there_and_has_the_settings(name):
    lab = find(LABS[name].slug)
    assert lab is not None
    assert {*LABS[name].constants.values(), *LABS[name].settings} <= set(lab.settings())


@pytest.mark.parametrize("name", NAMES)
def test_the_lab_opens_with_the_students_numbers_and_without_a_notice(name):
    found = visit(address(name, OWN))
    assert list(found.notices) == []
    assert found.lab.slug == LABS[name].slug
    for constant in CONSTANTS[name]:
        assert getattr(found.lab, LABS[name].constants[constant]) == OWN[constant]
    for key, text in LABS[name].settings.items():
        assert str(getattr(found.lab, key)) == text


@pytest.mark.parametrize("name", NAMES)
def test_the_stubs_own_numbers_are_among_those_that_a_lab_takes(name):
    own = {}
    exec(compile(_head(name), name, "exec"), own)
    found = visit(address(name, {constant: own[constant] for constant in CONSTANTS[name]}))
    assert list(found.notices) == []


def _head(name: str) -> str:
    """The lines of a stub that set its constants."""
    return "\n".join(line for line in stub(name).splitlines() if line.startswith(CONSTANTS[name]))


@pytest.mark.parametrize("name", NAMES)
def test_the_range_that_a_stub_names_is_the_labs(name):
    comment = " ".join(line[2:] for line in stub(name).splitlines() if line.startswith("# "))
    for key in LABS[name].constants.values():
        setting = find(LABS[name].slug).settings()[key]
        if isinstance(setting, Text):
            assert LABS[name].bounds == (2, setting.words)
            assert setting.limit == LONGEST
            assert f"of 2 to {setting.words} words and not all the same" in comment
        else:
            low, high = setting.bounds
            assert LABS[name].bounds == (low, high)
            assert f"from {low:g} to {high:g}".replace("-", "−") in comment


@pytest.mark.parametrize("name", ["lstm_cell", "lstm_cell_backward", "gru_cell"])
def test_the_ends_of_the_range_and_what_lies_beyond_leave_a_lab_without_a_notice(name):
    low, high = LABS[name].bounds
    for number in (low, high, 99, -99, 1e-9):
        found = visit(address(name, dict.fromkeys(CONSTANTS[name], number)))
        assert list(found.notices) == []
        kept = {getattr(found.lab, key) for key in LABS[name].constants.values()}
        assert (kept == {number}) == (low <= number <= high)


def test_a_text_as_long_as_the_lab_reads_is_not_cut():
    words = "word other " * 20
    found = visit(address("rnn_bptt", {"TEXT": words}))
    assert found.lab.text.split() == words.split()
    assert list(found.notices) == []
