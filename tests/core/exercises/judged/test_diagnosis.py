"""What is said of a result besides the names of mistakes: rows, remarks, faults, and what went unchecked."""

import numpy as np
import pytest

from core.exercises.contract import MISFIT, NAMES, Fault, Outcome
from core.exercises.judged.cases import cases
from core.exercises.judged.diagnosis import diagnose
from core.exercises.judged.truth import GRADS, right_values
from tests.core.exercises.judged.test_switches import returned
from tests.core.exercises.judged.trying import keys, student, verdict


def judged(name, change=lambda result: result, seed=0):
    """The verdict when what is right has been changed before it was handed back."""
    drawn = cases(name, seed)
    return diagnose(name, drawn, [Outcome(change(right(name, case))) for case in drawn])


def right(name, case):
    return returned(name, right_values(name, case))


def with_value(place, change):
    """A change of one of several results, or of one gradient of two."""

    def changed(result):
        if isinstance(place, str):
            return result[0], result[1] | {place: change(result[1][place])}
        return (*result[:place], change(result[place]), *result[place + 1 :])

    return changed


def row(found, value):
    (only,) = (row for row in found.rows if row.name == value)
    return only


@pytest.mark.parametrize("name", NAMES)
def test_what_is_right_gets_its_rows_and_nothing_else(name):
    found = judged(name)
    assert found.right
    assert found.exercise == name
    for value in found.rows:
        assert value.right
        assert value.error == 0
        assert value.received_shape == value.expected_shape
        assert not value.remark
        gradient = name == "lstm_cell_backward" or value.name.startswith("grads")
        assert (value.difference_error is not None) == gradient
        assert not gradient or value.difference_error < 1e-7


def test_rows_are_the_values_in_the_order_of_the_contract():
    assert [row.name for row in judged("rnn_bptt").rows] == ["loss", *(f"grads['{key}']" for key in GRADS)]
    assert [row.name for row in judged("lstm_cell_backward").rows] == ["dx", "dh", "dc", "dW", "dU", "db"]
    assert [row.name for row in judged("gru_cell").rows] == ["h_new"]


def test_all_shapes_are_those_of_one_case():
    rng = np.random.default_rng(0)
    found = judged(
        "rnn_bptt", lambda pair: (pair[0], {k: v + rng.normal() * 1e-3 for k, v in pair[1].items()})
    )
    (P, _, h0) = cases("rnn_bptt", 0)[0].arguments.values()
    for key, array in (P | {"h0": h0}).items():
        assert row(found, f"grads['{key}']").expected_shape == array.shape
        assert row(found, f"grads['{key}']").received_shape == array.shape


def test_errors_are_relative_and_the_largest_of_all_cases():
    drawn = cases("lstm_cell_backward", 0)
    results = [right("lstm_cell_backward", case) for case in drawn]
    results[1] = with_value(3, lambda dW: dW * 1.25)(results[1])
    results[2] = with_value(3, lambda dW: dW * 1.125)(results[2])
    found = diagnose("lstm_cell_backward", drawn, [Outcome(result) for result in results])
    assert row(found, "dW").error == pytest.approx(0.2, rel=1e-12)
    assert not found.mistakes
    assert [row.name for row in found.rows if not row.right] == ["dW"]


@pytest.mark.parametrize("name", ["lstm_cell_backward", "rnn_bptt"])
def test_a_wrong_gradient_is_far_from_the_differences_too(name):
    place = 0 if name == "lstm_cell_backward" else "Whh"
    found = judged(name, with_value(place, lambda gradient: 3 * gradient))
    wrong = [row for row in found.rows if not row.right]
    assert len(wrong) == 1
    assert wrong[0].difference_error == pytest.approx(2 / 3, rel=1e-6)


FAULT = Fault("exception", "Line 3 divides by zero.", 3, "return 1 / 0")


def test_what_came_to_no_result_is_never_right():
    drawn = cases("gru_cell", 0)
    fine = [Outcome(right("gru_cell", case)) for case in drawn]
    assert diagnose("gru_cell", drawn, fine).right
    one_fault = diagnose("gru_cell", drawn, [*fine[:2], Outcome(fault=FAULT), *fine[3:]])
    assert one_fault.fault == FAULT
    assert one_fault.rows[0].right
    assert one_fault.unchecked == ("The case “a batch of 4” came to no result: Line 3 divides by zero.",)
    assert not one_fault.right
    for short in (fine[:-1], [*fine[:-1], None]):
        found = diagnose("gru_cell", drawn, short)
        assert found.rows[0].right
        assert found.unchecked == ("The case “a batch of 3, other sizes” was not run.",)
        assert not found.right
    none = diagnose("gru_cell", drawn, [Outcome(fault=FAULT)] * len(drawn))
    assert (none.rows, none.mistakes, none.fault) == ((), (), FAULT)
    assert none.unchecked == ("The case “one example” and 7 more came to no result: Line 3 divides by zero.",)
    assert not diagnose("gru_cell", drawn, []).right


def test_a_mistake_is_named_from_the_cases_that_came_to_a_result():
    drawn = cases("lstm_cell_backward", 0)
    results = [Outcome(right("lstm_cell_backward", case)) for case in drawn]
    half = [Outcome(with_value(2, lambda dc: 0 * dc)(result.returned)) for result in results]
    assert not diagnose("lstm_cell_backward", drawn, half).mistakes
    forgotten = student("vectors", "lstm_cell_backward", ("dc_new + dh_new", "dh_new"))
    only_one = [
        Outcome(forgotten(*case.arguments.values()))
        if case.arguments["x"].ndim == 1
        else Outcome(fault=FAULT)
        for case in drawn
    ]
    found = diagnose("lstm_cell_backward", drawn, only_one)
    assert keys(found) == ["cell_error_forgotten"]
    assert len(found.unchecked) == 1


SPLIT = "operands could not be broadcast together with shapes (1,12) (4,3)."


def test_right_for_one_example_and_stopped_for_every_batch_is_said_so_once():
    drawn = cases("lstm_cell", 0)
    outcomes = [
        Outcome(right("lstm_cell", case))
        if case.arguments["x"].ndim == 1
        else Outcome(fault=Fault("exception", SPLIT, 7))
        for case in drawn
    ]
    found = diagnose("lstm_cell", drawn, outcomes)
    assert [mistake.title for mistake in found.mistakes] == ["right for one example, not for a batch"]
    assert found.mistakes[0].hint.endswith("A batch stops in line 7.")
    assert found.unchecked == (f"The case “a batch of 4” and 5 more came to no result: {SPLIT}",)
    assert found.fault is None
    assert not found.right
    # With a batch that is right, or one that ran out of time, there is another reason.
    outcomes[2] = Outcome(right("lstm_cell", drawn[2]))
    assert diagnose("lstm_cell", drawn, outcomes).fault
    outcomes[2] = Outcome(fault=Fault("time", "It took too long."))
    assert not diagnose("lstm_cell", drawn, outcomes).mistakes


REASONS = {
    "columns": f"lstm_cell stopped with a ValueError: {MISFIT}, 12 and 4.",
    "parts": f"lstm_cell stopped with a ValueError: {MISFIT}, 3 and 12.",
    "sum": "lstm_cell stopped with a ValueError: operands could not be broadcast together.",
}


@pytest.mark.parametrize("of_one_fits", [True, False])
@pytest.mark.parametrize("reason", REASONS)
def test_why_no_batch_fits_depends_on_where_it_stops(reason, of_one_fits):
    """A batch of 4 that stands on the right of a product meets a matrix of 12 columns as columns."""
    fault = Fault("exception", REASONS[reason], 7, "a = W @ x", "The shapes in this line.")
    drawn = cases("lstm_cell", 0)
    found = diagnose(
        "lstm_cell",
        drawn,
        [
            Outcome(right("lstm_cell", case))
            if case.arguments["x"].ndim == 1 or (of_one_fits and len(case.arguments["x"]) == 1)
            else Outcome(fault=fault)
            for case in drawn
        ],
    )
    assert keys(found) == ["one_example_only"]
    assert found.fault is None
    assert len(found.unchecked) == 1
    hint = found.mistakes[0].hint
    assert "stops in line 7." in hint
    assert ("The shapes in this line." in hint and "np.split" not in hint) == (reason == "columns")


def test_a_batch_that_comes_out_wrong_where_one_example_is_right_is_said_so():
    found = judged("gru_cell", lambda h: h + (0.1 * np.arange(3)[: h.shape[-1]] if h.ndim == 2 else 0))
    assert keys(found) == ["one_example_only"]
    assert not found.unchecked


def test_an_outer_product_of_a_whole_batch_is_named_beside_a_bias_that_is_not_summed():
    function = student(
        "vectors",
        "lstm_cell_backward",
        ("x.reshape(-1, x.shape[-1]).T @ rows", "np.outer(x, da)"),
        ("rows.sum(axis=0)", "da"),
    )
    assert keys(verdict("lstm_cell_backward", function)) == ["not_summed", "outer_of_batch"]


def test_what_is_changed_by_a_later_call_is_said_at_the_value():
    drawn = cases("lstm_cell", 0)
    results = [right("lstm_cell", case) for case in drawn]
    later = [with_value(1, lambda c: c + 1)(results[0]), *([None] * (len(drawn) - 1))]
    found = diagnose(
        "lstm_cell", drawn, [Outcome(*pair) for pair in zip(results, [()] * len(drawn), later, strict=True)]
    )
    assert row(found, "h_new").right
    assert row(found, "c_new").remark == "changed after it was returned, by a later call"
    assert keys(found) == ["overwritten"]


def test_the_arguments_that_were_written_into_are_listed_and_nothing_else_is_blamed():
    drawn = cases("lstm_cell", 0)
    found = diagnose("lstm_cell", drawn, [Outcome(right("lstm_cell", case), ("c", "h")) for case in drawn])
    assert keys(found) == ["in_place"]
    assert found.mistakes[0].hint.startswith("Written into: c, h. ")
    assert all(row.right for row in found.rows)
    assert not found.right


def test_what_nothing_explains_is_said_with_what_is_known():
    found = judged("rnn_bptt", with_value("Why", lambda gradient: 0.25 * gradient))
    assert not found.mistakes
    assert found.unchecked == (
        "No known mistake explains what came. Wrong: grads['Why']. "
        "Right: loss, grads['E'], grads['Wxh'], grads['Whh'], grads['bh'], grads['by'], grads['h0'].",
        "Look at the line of grads['Why']: what it has in common with the others is right.",
        "grads['Why'] is 0.25 times what it should be.",
    )
    found = judged("rnn_forward", with_value(1, lambda hidden: hidden + (0.1 if len(hidden) == 5 else 0)))
    assert (
        found.unchecked[2] == "hidden is wrong in some cases only: a short text, another of the same length, "
        "tokens as single numbers, P's keys in another order."
    )
    found = judged("rnn_forward", with_value(1, lambda hidden: hidden + (0.1 if len(hidden) != 8 else 0)))
    assert found.unchecked[2].startswith("hidden is wrong in some cases only: a short text, ")
    found = judged("lstm_cell", with_value(0, np.zeros_like))
    assert "h_new is 0 throughout." in found.unchecked


def test_one_wrong_result_among_right_ones_leads_to_its_line():
    function = student("vectors", "lstm_cell_backward", ("da @ U.T", "da @ U.T + 0.1 * h"))
    found = verdict("lstm_cell_backward", function)
    assert found.unchecked[1].startswith("Look at the line of dh:")
    several = student(
        "vectors", "lstm_cell_backward", ("da @ U.T", "da @ U.T + 0.1 * h"), ("da @ W.T", "da @ W.T + x")
    )
    for name, other in (
        ("lstm_cell_backward", several),
        ("gru_cell", student("vectors", "gru_cell", ("+ z * h", "+ 1.1 * z * h"))),
    ):
        facts = verdict(name, other).unchecked
        assert facts
        assert not any("Look at the line" in fact for fact in facts)


def test_what_a_mistake_would_explain_in_part_is_said_and_not_named():
    function = student(
        "vectors",
        "lstm_cell_backward",
        ("dc_new + dh_new * o", "dh_new * o"),
        ("db = rows.sum(axis=0)", "db = rows.sum(axis=0) + 0.01 * np.arange(4 * n)"),
    )
    found = verdict("lstm_cell_backward", function)
    assert not found.mistakes
    assert any("All of it but db would fit this: the error that comes" in fact for fact in found.unchecked)


def test_half_of_the_digits_are_not_enough_and_need_not_be_float32():
    rng = np.random.default_rng(0)
    found = judged("gru_cell", lambda h: h * (1 + 1e-7 * rng.normal(size=h.shape)))
    assert keys(found) == ["float32"]
    assert found.mistakes[0].title == "about half of the digits are lost, as with float32"
    assert judged("gru_cell", lambda h: h * (1 + 1e-12 * rng.normal(size=h.shape))).right
    if np.longdouble is not np.float64:
        wider = judged("gru_cell", lambda h: h.astype(np.longdouble))
        assert not wider.right
        assert "not float64" in wider.rows[0].remark


@pytest.mark.parametrize("name", NAMES)
def test_whatever_comes_back_there_is_a_verdict(name):
    drawn = cases(name, 0)
    for odd in (
        0, True, 1j, np.nan, "text", b"x", object(), [], (), {}, [None], [[1], [1, 2]], np.zeros(0), np.array("a"),
        np.array([object()]), np.zeros((2, 2, 2, 2)), np.full(3, np.inf), (1, 2), (1, {}), (1, {"E": "x"}),
        ("a",) * 6, (np.zeros((0, 3)),) * 6, [np.zeros(3)] * 3, {1: 2}, (1, {1: 2}), np.zeros((6, 2, 3)),
    ):  # fmt: skip
        found = diagnose(name, drawn, [Outcome(odd)] * len(drawn))
        assert not found.right
        assert not any(row.right for row in found.rows)
        assert {mistake.key for mistake in found.mistakes} <= {"form", "keys", "h0_missing"}, odd
