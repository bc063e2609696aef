"""Settings as text: what is read, what is refused, what is written."""

import param
import pytest

from widgets.base.settings import Text, fit, parse, write

NUMBER = param.Number(0.5, bounds=(-2, 2))
WHOLE = param.Integer(4, bounds=(2, 100))
CHOICE = param.Selector(default="tanh", objects=["tanh", "linear"])
SWITCH = param.Boolean(True)
TEXT = Text("abc", limit=5)
WORDS = Text("abc", limit=9, words=2)


@pytest.mark.parametrize(
    ("setting", "text", "value"),
    [
        (NUMBER, "1.5", 1.5), (NUMBER, "-2", -2.0), (NUMBER, "+.5", 0.5), (NUMBER, "1e-3", 0.001), (NUMBER, "2.", 2.0),
        (WHOLE, "100", 100), (CHOICE, "linear", "linear"), (SWITCH, "no", False),
        (SWITCH, "yes", True), (TEXT, "<b>", "<b>"),
    ],
)  # fmt: skip
def test_good_text_is_read(setting, text, value):
    read = parse(setting, text)
    assert read == value
    assert type(read) is type(value)


@pytest.mark.parametrize(
    ("setting", "text"),
    [
        (NUMBER, t)
        for t in (
            "",
            " ",
            "banana",
            "nan",
            "inf",
            "-inf",
            "2.1",
            "1e309",
            "1_0",
            "²",
            "٣",
            "9" * 5000,
            "0x1",
            "1,5",
            "--1",
        )
    ]
    + [(WHOLE, t) for t in ("", "4.0", "1", "101", "²", "9" * 5000, "1e1")]
    + [(CHOICE, t) for t in ("", "TANH", "relu")]
    + [(SWITCH, t) for t in ("", "1", "True")],
)
def test_bad_text_is_refused_with_what_was_expected(setting, text):
    with pytest.raises(ValueError, match=r"^expected "):
        parse(setting, text)


@pytest.mark.parametrize(
    ("setting", "value", "text"),
    [
        (NUMBER, 0.1 + 0.2, "0.3"),
        (NUMBER, -2.0, "-2"),
        (WHOLE, 7, "7"),
        (SWITCH, False, "no"),
        (TEXT, "a&b=c", "a&b=c"),
    ],
)
def test_values_are_written_short(setting, value, text):
    assert write(setting, value) == text


@pytest.mark.parametrize(
    ("setting", "value", "fitted"),
    [
        (NUMBER, 9.0, 2), (NUMBER, float("nan"), 0.5), (WHOLE, 3.6, 4), (WHOLE, -1, 2),
        (NUMBER, 8e-15, 0), (NUMBER, 0.1 + 0.2, 0.3),
        (TEXT, "123456789", "12345"),
        (WORDS, " ab  cd ", " ab  cd "), (WORDS, " ab  cd e", " ab  cd"), (WORDS, "abcdefghij k", "abcdefghi"),
        (TEXT, "a\nb", "a b"), (TEXT, "a\ud800b", "ab"), (CHOICE, "tanh", "tanh"),
    ],
)  # fmt: skip
def test_values_are_fitted_into_their_range(setting, value, fitted):
    assert fit(setting, value) == fitted


def test_a_text_says_how_much_it_holds():
    assert TEXT.holds == "holds up to 5 characters"
    assert WORDS.holds == "holds up to 2 words and 9 characters"
