"""Addresses of labs with a student's own numbers: whatever those are, the address stands."""

from decimal import Decimal
from fractions import Fraction
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest

from core.exercises.contract import NAMES, Foreign
from core.exercises.links import LONGEST, address, left_out


def query(name: str, **constants) -> dict[str, list[str]]:
    link = urlsplit(address(name, constants))
    assert (link.scheme, link.netloc, link.path, link.fragment) == ("", "", "/app", "")
    return parse_qs(link.query, strict_parsing=True)


def test_a_forget_bias_goes_into_the_address():
    assert address("lstm_cell_backward", {"FORGET_BIAS": 2.5}) == "/app?lab=gates&forget_bias=2.5"


def test_each_exercise_has_a_lab():
    labs = {"rnn_forward": "bptt", "rnn_bptt": "bptt", "lstm_cell": "cells", "lstm_cell_backward": "gates"}
    assert {name: query(name)["lab"] for name in NAMES} == {
        name: [lab] for name, lab in (labs | {"gru_cell": "cells"}).items()
    }


def test_a_step_of_an_lstm_is_opened_at_the_word_whose_gate_is_the_student_s():
    """The lab's third word is read with its third forget gate."""
    shown = query("lstm_cell", FORGET_GATE=0.25)
    assert shown == {
        "lab": ["cells"], "cell": ["lstm"], "arrangement": ["single"], "step": ["3"], "forget_3": ["0.25"]
    }  # fmt: skip


def test_a_gru_is_shown_in_the_form_that_was_asked_for():
    shown = query("gru_cell", RESET_BIAS=-1, UPDATE_BIAS=0)
    assert shown["cell"] == ["gru"]
    assert shown["reset"] == ["before"]
    assert (shown["reset_bias"], shown["update_bias"]) == (["-1"], ["0"])


@pytest.mark.parametrize(
    ("number", "written"),
    [
        (3, "3"), (-0.0, "0"), (1 / 3, "0.333333333333"), (np.float32(0.5), "0.5"), (np.int64(-2), "-2"),
        (Fraction(1, 4), "0.25"), (1e-300, "1e-300"), (-2, "-2"), (6, "6"),
    ],
)  # fmt: skip
def test_a_number_is_written_so_that_a_lab_reads_it(number, written):
    assert query("lstm_cell_backward", FORGET_BIAS=number)["forget_bias"] == [written]


@pytest.mark.parametrize(
    "value",
    [
        None, True, np.bool_(True), "3", "", b"3", [3], {"a": 1}, np.zeros(2), np.zeros(()), 3j, float("nan"),
        float("inf"), -float("inf"), 1e300, 10**5000, -(10**400), Decimal(3), 6.01, -2.01, 99, object(), print,
        Foreign("a tuple"),
    ],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_what_is_no_ordinary_number_is_left_out(value):
    assert address("lstm_cell_backward", {"FORGET_BIAS": value}) == "/app?lab=gates"


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("the cat sat", "the cat sat"),
        ("a &lab=echo#x?=%20+", "a &lab=echo#x?=%20+"),
        ("<script>alert(1)</script> \"'", "<script>alert(1)</script> \"'"),
        ("zwei\nZeilen\tund Größe ∂h", "zwei Zeilen und Größe ∂h"),
        ("half \ud83d of two", "half of two"),
        ("nul\0 and bell\a", "nul\0 and bell\a"),
        ("w v " * 20, "w v " * 19 + "w v"),
    ],
)
def test_a_text_is_percent_encoded(text, read):
    for name in ("rnn_forward", "rnn_bptt"):
        assert query(name, TEXT=text) == {"lab": ["bptt"], "text": [read]}
    assert address("rnn_bptt", {"TEXT": text}).isascii()
    assert " " not in address("rnn_bptt", {"TEXT": text})


@pytest.mark.parametrize(
    "text",
    [
        "", "  \n", 3, None, b"bytes", ["a", "b"], f"a {'w' * LONGEST}", "\ud83d", "one", "so so so", "w v " * 21,
        Foreign("a list"),
    ],
)  # fmt: skip
def test_what_is_no_text_of_several_words_is_left_out(text):
    assert address("rnn_bptt", {"TEXT": text}) == "/app?lab=bptt"


def test_constants_of_other_exercises_are_left_out():
    assert address("gru_cell", {"TEXT": "a b", "FORGET_BIAS": 1}) == address("gru_cell")


@pytest.mark.parametrize(
    ("name", "constant", "value", "said"),
    [
        ("lstm_cell", "FORGET_GATE", Foreign("a tuple"), "a number from 0.01 to 0.99 is expected, got a tuple (a dec"),
        ("lstm_cell", "FORGET_GATE", 1, "a number from 0.01 to 0.99 is expected, got 1."),
        ("lstm_cell_backward", "FORGET_BIAS", -2.5, "a number from −2 to 6 is expected, got −2.5."),
        ("lstm_cell", "FORGET_GATE", "3", "got a text of 1 character."),
        ("lstm_cell", "FORGET_GATE", True, "got True."),
        ("lstm_cell", "FORGET_GATE", float("nan"), "got nan."),
        ("gru_cell", "UPDATE_BIAS", 7, "a number from −6 to 6 is expected, got 7."),
        ("rnn_bptt", "TEXT", "one", "of 2 to 40 words, not all the same"),
        ("rnn_bptt", "TEXT", "one", "got one word."),
        ("rnn_bptt", "TEXT", "so so so", "got the same word again and again."),
        ("rnn_bptt", "TEXT", "a b " * 21, "got 42 words."),
        ("rnn_bptt", "TEXT", " ", "got an empty text."),
        ("rnn_bptt", "TEXT", f"a {'b' * 400}", "got a text of 402 characters."),
        ("rnn_bptt", "TEXT", 3, "got 3."),
    ],
)  # fmt: skip
def test_what_is_left_out_is_told(name, constant, value, said):
    [sentence] = left_out(name, {constant: value})
    assert sentence.startswith(f"{constant} was left out of the address: ")
    assert said in sentence


def test_nothing_is_told_of_what_is_in_the_address_or_was_not_set():
    assert left_out("lstm_cell", {"FORGET_GATE": 0.5, "TEXT": "one"}) == []
    assert left_out("gru_cell", {}) == []


def test_another_name_is_refused():
    with pytest.raises(ValueError, match="name must be one of rnn_forward"):
        address("rnn", {})
