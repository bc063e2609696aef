"""What comes in another kind, shape or number than was asked for: its remark, and the mistake that heads the report."""

from collections import namedtuple

import numpy as np
import pytest

from core.exercises.contract import Foreign
from tests.core.exercises.judged.test_diagnosis import judged, row, with_value
from tests.core.exercises.judged.trying import keys, student, verdict


@pytest.mark.parametrize(
    ("change", "shape", "remark", "named"),
    [
        (lambda dW: dW.T, (8, 4), "the shape is (8, 4), not (4, 8); its numbers are right", ["transposed"]),
        (
            lambda dW: dW[None],
            (1, 4, 8),
            "the shape is (1, 4, 8), not (4, 8); its numbers are right",
            ["form"],
        ),
        (lambda dW: dW.ravel(), (32,), "the shape is (32,), not (4, 8)", ["form"]),
        (lambda dW: dW.tolist(), (4, 8), "a list, not an array", ["form"]),
        (lambda dW: np.float32(dW), (4, 8), "float32, not float64", ["float32"]),
        (lambda dW: dW.astype(complex), None, "complex numbers, not float64", ["form"]),
        (lambda dW: None, None, "None, not an array", ["form"]),
        (lambda dW: Foreign("a str"), None, "a str, not an array", ["form"]),
        (
            lambda dW: [[1.0, 2.0], [3.0]],
            None,
            "a list, not an array, and its items do not make one",
            ["form"],
        ),
        (lambda dW: {"dW": dW}, None, "a dict, not an array", ["form"]),
    ],
)
def test_each_wrong_kind_or_shape_has_its_remark(change, shape, remark, named):
    found = judged("lstm_cell_backward", with_value(3, change))
    wrong = row(found, "dW")
    last = wrong.expected_shape == (4, 8)
    assert wrong.remark == remark if last else wrong.remark.split("(")[0] == remark.split("(")[0]
    assert not wrong.right
    assert (wrong.received_shape is None) == (shape is None)
    assert keys(found) == named
    assert all(row.right for row in found.rows if row.name != "dW")
    assert not found.right


def test_integers_and_numbers_that_are_none_are_said():
    found = judged("lstm_cell", with_value(1, lambda c: np.round(c).astype(int)))
    assert row(found, "c_new").remark == "integers, not float64"
    assert row(found, "h_new").right
    found = judged("lstm_cell", with_value(0, lambda h: np.where(h > 0, np.nan, h)))
    assert row(found, "h_new").remark == "2 of 3 entries are NaN or infinite (one example)"
    assert row(found, "h_new").error == np.inf
    assert row(found, "c_new").right
    assert not found.mistakes
    assert "No known mistake" in found.unchecked[0]


def test_a_remark_about_some_cases_says_which():
    def flat(h):
        return h.reshape(-1)

    found = judged("gru_cell", flat)
    assert row(found, "h_new").remark == "the shape is (12,), not (4, 3) (a batch of 4)"
    assert row(found, "h_new").error is None


def test_every_way_to_return_several_results_is_understood_or_explained():
    State = namedtuple("State", "h c")
    assert judged("lstm_cell", lambda pair: State(*pair)).right
    as_list = judged("lstm_cell", list)
    assert as_list.right
    assert row(as_list, "h_new").remark == "a list, not a tuple (h_new, c_new)"
    for change, remark in (
        (lambda pair: None, "nothing came back: is there a `return`?"),
        (lambda pair: (*pair, pair[0]), "3 values, not 2: h_new, c_new"),
        (lambda pair: pair[:1], "1 value, not 2: h_new, c_new"),
        (lambda pair: np.array(pair), "one array, not a tuple (h_new, c_new)"),
        (lambda pair: {"h_new": pair[0], "c_new": pair[1]}, "a dict, not a tuple (h_new, c_new)"),
        (lambda pair: {"h": pair[0], "c": pair[1]}, "a dict, not a tuple (h_new, c_new)"),
        (lambda pair: Foreign("a str"), "a str, not a tuple (h_new, c_new)"),
        (lambda pair: 3.0, "a float, not a tuple (h_new, c_new)"),
    ):
        found = judged("lstm_cell", change)
        assert not found.right
        assert all(remark in row.remark for row in found.rows)
        assert [mistake.title for mistake in found.mistakes] == [remark.split(": is")[0]]
        assert not found.unchecked


@pytest.mark.parametrize(
    ("change", "remark"),
    [
        (lambda h: (h,), "a tuple of 1, not one array"),
        (lambda h: (h, h), "a tuple of 2, not one array"),
        (lambda h: [h], "a list of 1, not one array"),
        (lambda h: h.tolist(), "a list, not an array"),
        (lambda h: (), "a tuple, not an array"),
    ],
)
def test_one_result_stands_alone(change, remark):
    found = judged("gru_cell", change)
    assert row(found, "h_new").remark.startswith(remark)
    assert not found.right
    assert [mistake.title for mistake in found.mistakes] == [row(found, "h_new").remark]
    assert found.mistakes[0].hint


def test_keys_that_are_missing_or_too_many():
    found = judged("rnn_bptt", lambda pair: (pair[0], {f"d{key}": value for key, value in pair[1].items()}))
    assert row(found, "grads['Whh']").remark == "grads has no key 'Whh', but one 'dWhh'"
    assert row(found, "grads['Whh']").received_shape is None
    assert row(found, "loss").right
    assert [mistake.title for mistake in found.mistakes] == [
        "keys of grads are called dE, dWxh, dWhh, dbh, dWhy, dby, dh0 in place of E, Wxh, Whh, bh, Why, by, h0"
    ]
    assert not found.unchecked
    found = judged("rnn_bptt", lambda pair: (pair[0], pair[1] | {"extra": np.zeros(3)}))
    assert all(row.right for row in found.rows)
    assert found.unchecked == ("grads['extra'] is not asked for, and was not looked at.",)
    assert not found.right
    found = judged("rnn_bptt", lambda pair: (pair[0], tuple(pair[1].values())))
    assert row(found, "grads['E']").remark == "grads is a tuple, not a dict"
    found = judged(
        "rnn_bptt", lambda pair: (pair[0], {key: pair[1][key] for key in pair[1] if key not in ("by", "h0")})
    )
    assert row(found, "grads['by']").remark == "grads has no key 'by'"
    assert keys(found) == ["form", "h0_missing"]
    found = judged(
        "rnn_bptt", lambda pair: (pair[0], {{"h0": "dh0"}.get(key, key): pair[1][key] for key in pair[1]})
    )
    assert row(found, "grads['h0']").remark == "grads has no key 'h0', but one 'dh0'"
    assert [mistake.title for mistake in found.mistakes] == ["a key of grads is called dh0 in place of h0"]


@pytest.mark.parametrize(
    ("name", "order"),
    [
        ("lstm_cell_backward", (3, 4, 5, 0, 1, 2)),
        ("lstm_cell_backward", (0, 1, 2, 4, 3, 5)),
        ("lstm_cell_backward", (3, 4, 5, 0, 2, 1)),
        ("rnn_forward", (0, 2, 1)),
        ("rnn_forward", (1, 2, 0)),
        ("rnn_bptt", (1, 0)),
    ],
)
def test_results_in_another_order_are_one_mistake_with_that_order(name, order):
    expected = {
        "lstm_cell_backward": ["dx", "dh", "dc", "dW", "dU", "db"],
        "rnn_forward": ["loss", "hidden", "probabilities"],
        "rnn_bptt": ["loss", "grads"],
    }[name]
    found = judged(name, lambda results: tuple(results[place] for place in order))
    (mistake,) = found.mistakes
    came = ", ".join(expected[place] for place in order)
    assert mistake.title == f"the results are returned in the order {came}"
    assert not found.unchecked
    if name != "rnn_bptt":
        wrong = [value for place, value in enumerate(expected) if order[place] != place]
        assert [row.name for row in found.rows if not row.right] == wrong


def test_what_else_is_wrong_with_results_in_another_order_is_named_too():
    slipping = student(
        "vectors",
        "lstm_cell_backward",
        ("dc_new + dh_new * o", "dh_new * o"),
        ("da @ W.T, da @ U.T, dc_all * f, dW, dU, db", "dW, dU, db, da @ W.T, da @ U.T, dc_all * f"),
    )
    found = verdict("lstm_cell_backward", slipping)
    assert keys(found) == ["cell_error_forgotten", "results_reordered"]
    assert "dW, dU, db, dx, dh, dc" in found.mistakes[0].title
    assert not found.unchecked
