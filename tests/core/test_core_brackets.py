import dataclasses
import math

import numpy as np
import pytest

from core.brackets import BracketCounter, BracketRun
from core.cells import lstm_cell, lstm_gates

LONG_GAP = "(((" + "abcdefghij" * 4 + "?"


def test_long_gap_keeps_the_count():
    run = BracketCounter().run(LONG_GAP)
    assert len(LONG_GAP) == 44
    assert run.c[-1] == pytest.approx(2.74, abs=0.005)
    assert run.forget_product[-1] == pytest.approx(0.9607, abs=5e-5)
    assert run.depth[-1] == 3
    assert run.questions.tolist() == [43]


def test_long_gap_without_forget_bias_loses_it():
    run = BracketCounter(forget_bias=0).run(LONG_GAP)
    assert run.forget_product[-1] == 2.0**-44 == pytest.approx(5.7e-14, rel=5e-3)
    assert run.log10_forget_product[-1] == pytest.approx(-44 * math.log10(2), rel=1e-14)
    assert abs(run.c[-1]) < 1e-11


def test_shallow_against_deep():
    run = BracketCounter().run("((?((?")
    assert run.questions.tolist() == [2, 5]
    np.testing.assert_allclose(run.rnn[run.questions], [0.736, 0.744], atol=5e-4)
    np.testing.assert_allclose(run.c[run.questions], [1.90, 3.79], atol=5e-3)
    np.testing.assert_allclose(run.h[run.questions], [0.956, 0.999], atol=5e-4)
    assert run.depth[run.questions].tolist() == [2, 4]


def test_latch_remembers_one_bit_and_no_count():
    run = BracketCounter(rnn_weight=2).run("(" + "x" * 150)
    deep = BracketCounter(rnn_weight=2).run("(((((" + "x" * 150)
    assert run.rnn[-1] == pytest.approx(0.9575040241, abs=5e-11)
    assert deep.rnn[-1] == pytest.approx(run.rnn[-1], abs=1e-12)


def test_carousel_of_1997_forgets_nothing_whatever_the_bias():
    run = BracketCounter(forget_bias=-2, forget_gate=False).run(LONG_GAP)
    assert BracketCounter(forget_gate=False).b[1] == math.inf
    assert (run.f == 1).all()
    assert (run.forget_product == 1).all()
    assert (run.log10_forget_product == 0).all()
    assert run.c[-1] == pytest.approx(2.85, abs=1e-6)
    balanced = BracketCounter(forget_gate=False).run("(())")
    assert balanced.c[-1] == pytest.approx(0, abs=1e-15)


def test_each_character_opens_the_gates_that_it_should():
    text = "()?x"
    run = BracketCounter(forget_bias=1.5).run(text)
    np.testing.assert_allclose((run.i * run.g)[:2], [0.95, -0.95], atol=0.005)
    np.testing.assert_allclose(run.g[:2], [1, -1], atol=1e-6)
    assert (np.abs(run.i * run.g)[2:] < 1e-3).all()
    assert (run.i[2:] < 1e-3).all()
    assert run.o[2] > 0.999
    assert (run.o[[0, 1, 3]] < 1e-3).all()
    np.testing.assert_allclose(run.f, 1 / (1 + math.exp(-1.5)), rtol=1e-15)


class Fed(BracketCounter):
    """The same cell with its hidden state fed back, so that every gate depends on the step before."""

    U = np.array([[0.5, -1.0, 2.0, 0.3]])


@pytest.mark.parametrize("kind", [BracketCounter, Fed])
def test_the_run_is_a_real_lstm_stepped_through_its_weights(kind):
    counter = kind(forget_bias=2)
    text = "((a)?)"
    run = counter.run(text)
    assert (counter.W.shape, counter.U.shape, counter.b.shape) == ((4, 4), (1, 4), (4,))
    h = c = np.zeros(1)
    for t, character in enumerate(text):
        x = np.eye(4)["()?".find(character) % 4]
        gates = lstm_gates(x, h, counter.W, counter.U, counter.b)
        h, c = lstm_cell(x, h, c, counter.W, counter.U, counter.b)
        assert (run.h[t], run.c[t]) == pytest.approx((h[0], c[0]), rel=1e-15)
        assert [getattr(run, name)[t] for name in "ifgo"] == pytest.approx([gate[0] for gate in gates])


def test_forget_product_is_the_derivative_of_the_cell():
    run = BracketCounter(forget_bias=1).run("(x)?" * 3)
    np.testing.assert_allclose(run.forget_product, np.cumprod(run.f), rtol=1e-14)
    counter, step = BracketCounter(forget_bias=1), 1e-4
    cells = []
    for c in (np.array([step]), np.array([-step])):
        h = np.zeros(1)
        for character in "(x)?" * 3:
            x = np.eye(4)["()?".find(character) % 4]
            h, c = lstm_cell(x, h, c, counter.W, counter.U, counter.b)
        cells.append(c[0])
    assert run.forget_product[-1] == pytest.approx((cells[0] - cells[1]) / (2 * step), rel=1e-9)


def test_forget_product_goes_on_as_a_logarithm():
    with np.errstate(over="raise", divide="raise", invalid="raise"):
        run = BracketCounter(forget_bias=-2).run("x" * 400)
    assert run.forget_product[-1] == 0
    assert run.log10_forget_product[-1] == pytest.approx(-400 * math.log10(1 + math.exp(2)), rel=1e-13)


def test_depth_counts_below_zero():
    run = BracketCounter().run("))(a(")
    assert run.depth.tolist() == [-1, -2, -1, -1, 0]
    assert np.issubdtype(run.depth.dtype, np.integer)


def test_empty_text_gives_empty_arrays():
    run = BracketCounter().run("")
    for field in dataclasses.fields(BracketRun):
        assert getattr(run, field.name).shape == (0,)
    assert np.issubdtype(run.depth.dtype, np.integer)


def test_every_other_character_is_the_same_distractor():
    plain = BracketCounter().run("(" + "x" * 12 + "?")
    strange = BracketCounter().run("(" + "<b>&\n[}（？é漢🙂" + "?")
    for field in dataclasses.fields(BracketRun):
        np.testing.assert_array_equal(getattr(strange, field.name), getattr(plain, field.name))


@pytest.mark.parametrize("name", ["forget_bias", "rnn_weight"])
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, "7", None])
def test_settings_that_are_no_finite_number_are_refused(name, value):
    with pytest.raises(ValueError, match=f"^{name} must be a finite number, got {value!r}"):
        BracketCounter(**{name: value})


def test_numbers_of_any_kind_are_kept_as_plain_ones():
    single = BracketCounter(np.float32(7.1), np.float32(0.3), np.True_)
    assert [type(value) for value in dataclasses.astuple(single)] == [float, float, bool]
    np.testing.assert_array_equal(
        single.run("((a)").rnn, BracketCounter(7, float(np.float32(0.3))).run("((a)").rnn
    )


def test_what_is_no_text_is_refused():
    with pytest.raises(ValueError, match="text must be a string, got 3"):
        BracketCounter().run(3)


@pytest.mark.parametrize("value", ["no", 0, None])
def test_a_forget_gate_is_there_or_not(value):
    with pytest.raises(ValueError, match="forget_gate must be True or False"):
        BracketCounter(forget_gate=value)
