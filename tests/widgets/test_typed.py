"""A visitor's words within the page's own text: which of them count, and that they turn nothing round."""

import pytest

from widgets.base.settings import short
from widgets.base.typed import isolated, visible_words
from widgets.bptt.lab import BpttLab
from widgets.bptt.words import shortened

OVERRIDE, ZERO_WIDTH = "\u202e", "\u200b"
TURNS = [chr(code) for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))]


def lab_with(text: str) -> BpttLab:
    lab = BpttLab()
    lab.adopt(text=text)
    return lab


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"a {ZERO_WIDTH} {ZERO_WIDTH} b c", ("a", "b", "c")),
        (f"\u2060{ZERO_WIDTH}\ufeff \x01", ()),
        (f"a{ZERO_WIDTH}b 👩\u200d🚀 \u05d0", (f"a{ZERO_WIDTH}b", "👩\u200d🚀", "\u05d0")),
    ],
)
def test_words_that_show_nothing_are_none(text, words):
    assert visible_words(text) == words


@pytest.mark.parametrize("turn", TURNS)
def test_what_turns_text_round_is_dropped(turn):
    assert isolated(f"{turn}abc") == "abc"


def test_only_what_runs_from_right_to_left_is_wrapped():
    assert isolated("<b>é漢😀</b> x_1") == "<b>é漢😀</b> x_1"
    assert isolated("\u05e9\u05dc\u05d5\u05dd") == "\u2068\u05e9\u05dc\u05d5\u05dd\u2069"
    assert isolated("a\u0661") == "\u2068a\u0661\u2069"
    assert short("\u05e9" * 50) == f"\u2068{chr(0x5E9) * 39}…\u2069"


def test_a_long_word_is_cut_inside_its_wrapping():
    assert shortened("\u05e9" * 20) == f"\u2068{chr(0x5E9) * 11}…\u2069"
    assert shortened(f"{OVERRIDE}{'x' * 12}") == "x" * 12


def test_invisible_words_are_not_read():
    lab, plain = lab_with(f"a {ZERO_WIDTH} {ZERO_WIDTH} b c"), lab_with("a b c")
    assert lab.compute().sentence == plain.compute().sentence
    assert (lab.loss_step, lab.truncation) == (2, 2)
    assert lab.comparison()().rows == plain.comparison()().rows
    assert lab.check() == plain.check()
    assert "type at least two words" in lab_with(f"{ZERO_WIDTH} a").compute().sentence


def test_an_override_in_a_word_reaches_no_text_of_the_page():
    lab = lab_with(f"{OVERRIDE}abc def {OVERRIDE}ghi")
    frame = lab.compute()
    columns = frame.columns["text"]
    said = [
        frame.sentence,
        *frame.notes,
        *(r.label for r in frame.readouts),
        *columns["word"],
        *columns["next"],
    ]
    said += [lab.comparison()().caption, lab.describe()]
    assert "ghi" in frame.sentence
    assert not any(turn in text for turn in TURNS for text in said)
