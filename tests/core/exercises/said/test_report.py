"""The report on one file, from verdicts made by hand."""

import pytest

from core.exercises.contract import Checked, Fault, Foreign, Mistake, Row, Verdict
from core.exercises.said.report import report
from core.exercises.said.wording import encodable, in_short, visible, word

RIGHT = Row("h_new", (4,), (4,), 2e-16, right=True)
WRONG = Row("dW", (3, 16), (16, 3), None, remark="transposed")
SLOPE = Row("dh", (4,), (4,), 1.5, 1.25)
MISTAKE = Mistake("swapped", "the gates are swapped", "Look at the order. " * 12)
FAULT = Fault("exception", "lstm_cell stopped with a ValueError.", 3, "return x @ W", "Vectors are rows.")


def of(*verdicts, **others):
    return report("mine.py", Checked(verdicts, **others))


def test_the_verdict_comes_first_then_values_then_what_to_do():
    lines = of(Verdict("lstm_cell", (RIGHT, WRONG), (MISTAKE,))).splitlines()
    assert lines[:3] == ["mine.py", "", "lstm_cell: WRONG: the gates are swapped."]
    assert lines[4].split() == ["value", "expected", "received", "error"]
    assert lines[5].split() == ["h_new", "(4,)", "(4,)", "2.0e-16", "right"]
    assert lines[6].split() == ["dW", "(3,", "16)", "(16,", "3)", "–", "WRONG", "transposed"]
    assert lines[6].index("(16, 3)") == lines[4].index("received")
    assert lines.index("  Mistake: the gates are swapped.") < [line[:7] for line in lines].index("  Hint:")
    assert max(map(len, lines)) <= 100


def test_differences_have_their_column_where_there_are_any():
    assert "by differences" in of(Verdict("lstm_cell_backward", (SLOPE,)))
    assert "1.2e+00" in of(Verdict("lstm_cell_backward", (SLOPE,)))
    assert "\n  By differences: the error against central differences" in of(Verdict("rnn_bptt", (SLOPE,)))
    assert "by differences" not in of(Verdict("lstm_cell", (RIGHT,))).lower()


def test_a_value_that_did_not_come_and_a_number_are_words():
    rows = (Row("loss", (), (), 1e-16, right=True), Row("E", (5, 3), None, None))
    text = of(Verdict("rnn_bptt", rows))
    assert "a number" in text
    assert "nothing" in text


@pytest.mark.parametrize(
    ("verdict", "said"),
    [
        (Verdict("lstm_cell", (RIGHT,)), "right"),
        (Verdict("lstm_cell", (RIGHT, WRONG)), "wrong"),
        (Verdict("lstm_cell", (RIGHT,), (MISTAKE,)), "wrong"),
        (Verdict("lstm_cell", (RIGHT,), unchecked=("a case",)), "not all checked"),
        (Verdict("lstm_cell", (RIGHT,), fault=FAULT), "stopped"),
        (Verdict("lstm_cell"), "not all checked"),
        (Verdict("lstm_cell", fault=Fault("unwritten", "…")), "not written"),
        (Verdict("lstm_cell", fault=Fault("missing", "…")), "missing"),
    ],
)
def test_only_what_was_all_checked_is_called_right(verdict, said):
    assert word(verdict) == said
    assert ("right. All" in of(verdict)) == (said == "right")


def test_a_fault_shows_the_own_line_and_a_hint_once():
    text = of(Verdict("lstm_cell", fault=FAULT, unchecked=("The case came to no result.",)))
    assert "lstm_cell: STOPPED.\n  lstm_cell stopped with a ValueError.\n\n  line 3:  return x @ W\n" in text
    assert "Hint: Vectors are rows." in text
    assert "came to no result" not in text
    assert in_short(Verdict("lstm_cell", fault=FAULT)) == "line 3: stopped with a ValueError."


def test_what_was_not_checked_is_noted_beside_what_was():
    text = of(Verdict("lstm_cell", (RIGHT,), unchecked=("The last case came to no result.",)))
    assert "Note: The last case came to no result.\n" in text


def test_a_long_remark_is_given_whole():
    remark = "the columns of the gates " * 8
    text = of(Verdict("lstm_cell_backward", (SLOPE, Row("dW", (3, 16), (3, 16), 1.5, 1.5, remark=remark))))
    assert " ".join(text.split()).count("the columns of the gates") == 8
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= 100


def test_the_address_is_on_the_server_that_was_named_or_relative():
    checked = Checked((Verdict("lstm_cell", (RIGHT,)),))
    assert "\n  http://localhost:5006/app?lab=cells&cell=lstm" in report("a.py", checked)
    assert "\n  https://school.example/app?lab=cells&cell=lstm" in report(
        "a.py", checked, server="https://school.example"
    )
    assert report("a.py", checked, server="").endswith(
        "\n  /app?lab=cells&cell=lstm&arrangement=single&step=3"
    )


def test_a_constant_that_is_left_out_of_the_address_has_its_note():
    left_out = {"FORGET_GATE": Foreign("a tuple")}
    text = of(Verdict("lstm_cell", (RIGHT,), constants=left_out))
    assert "your own numbers" not in text
    assert "&step=3\n  Note: FORGET_GATE was left out of the address: a number from 0.01 to 0.99" in text
    assert "left out" not in of(Verdict("lstm_cell", (WRONG,), constants=left_out))
    assert "left out" not in of(Verdict("lstm_cell", (RIGHT,), constants={"FORGET_GATE": 0.2}))


def test_own_numbers_are_in_the_address_of_a_right_function_alone():
    constants = {"FORGET_GATE": 0.2}
    assert "forget_3=0.2" in of(Verdict("lstm_cell", (RIGHT,), constants=constants))
    assert "forget_3" not in of(Verdict("lstm_cell", (WRONG,), constants=constants))
    assert "lab=cells" in of(Verdict("lstm_cell", (WRONG,)))


def test_prints_are_shown_cut_and_without_what_a_screen_would_obey():
    text = of(Verdict("lstm_cell", (RIGHT,)), printed="\x1b[2J\x1b]0;title\a\n" + "line\n" * 50)
    assert "\x1b" not in text
    assert "\\x1b[2J" in text
    assert text.count("| line") == 11
    assert "and 39 lines more" in text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\tb", "a b"),
        ("a\r\nb", "a\\r\\nb"),
        ("\u202egpj", "\\u202egpj"),
        ("\ud800", "\\ud800"),
        ("Zoë′", "Zoë′"),
    ],
)
def test_text_of_others_is_made_harmless(text, shown):
    assert visible(text) == shown


@pytest.mark.parametrize(
    ("encoding", "shown"), [("utf-8", "h₀ − “Zoë” → z′"), ("ascii", 'h0 - "Zoe?" -> z\'')]
)
def test_a_console_that_lacks_signs_gets_the_nearest(encoding, shown):
    assert encodable("h₀ − “Zoë” → z′", encoding) == shown
