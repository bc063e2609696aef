import math

import mpmath
import numpy as np
import pytest

from core.cells import lstm_cell, lstm_cell_backward, lstm_gates


def example(batch=(), size=3, inputs=2, seed=0):
    draw = np.random.default_rng(seed).normal
    x, h, c = draw(size=(*batch, inputs)), draw(size=(*batch, size)), draw(size=(*batch, size))
    return x, h, c, draw(size=(inputs, 4 * size)), draw(size=(size, 4 * size)), draw(size=4 * size)


def test_one_step_agrees_with_the_equations_written_out_unit_by_unit():
    x, h, c, W, U, b = example()
    got = lstm_cell(x, h, c, W, U, b)
    for n in range(3):
        i, f, g, o = (
            mpmath.mpf(b[column])
            + mpmath.fdot(x.tolist(), W[:, column].tolist())
            + mpmath.fdot(h.tolist(), U[:, column].tolist())
            for column in (n, 3 + n, 6 + n, 9 + n)
        )
        i, f, o = (1 / (1 + mpmath.exp(-a)) for a in (i, f, o))
        cell = f * c[n] + i * mpmath.tanh(g)
        assert got.c[n] == pytest.approx(float(cell), rel=1e-14)
        assert got.h[n] == pytest.approx(float(o * mpmath.tanh(cell)), rel=1e-14)


def test_a_batch_is_its_examples_side_by_side():
    x, h, c, W, U, b = example(batch=(5,))
    together = lstm_cell(x, h, c, W, U, b)
    gates = lstm_gates(x, h, W, U, b)
    for n in range(5):
        alone = lstm_cell(x[n], h[n], c[n], W, U, b)
        np.testing.assert_allclose(together.h[n], alone.h, rtol=1e-13)
        np.testing.assert_allclose(together.c[n], alone.c, rtol=1e-13)
    assert all(gate.shape == (5, 3) for gate in gates)


def test_the_cell_is_composed_of_its_gates_and_unpacks():
    x, h, c, W, U, b = example()
    i, f, g, o = lstm_gates(x, h, W, U, b)
    h_new, c_new = lstm_cell(x, h, c, W, U, b)
    np.testing.assert_allclose(c_new, f * c + i * g)
    np.testing.assert_allclose(h_new, o * np.tanh(c_new))


def test_arguments_are_left_as_they_were():
    arguments = example()
    copies = [array.copy() for array in arguments]
    lstm_cell(*arguments)
    for array, copy in zip(arguments, copies, strict=True):
        np.testing.assert_array_equal(array, copy)


def test_infinite_forget_bias_is_the_constant_error_carousel():
    x, h, c, W, U, b = example()
    b[3:6] = np.inf
    gates = lstm_gates(x, h, W, U, b)
    assert gates.f.tolist() == [1, 1, 1]
    step = 1e-3
    up, down = (lstm_cell(x, h, c + sign * step, W, U, b).c for sign in (1, -1))
    np.testing.assert_allclose((up - down) / (2 * step), 1, rtol=1e-12)


def test_float32_stays_float32():
    assert all(part.dtype == np.float32 for part in lstm_cell(*(a.astype(np.float32) for a in example())))


def ideal_count(steps, forget_bias):
    """A unit whose write gates are saturated: each step adds exactly +1, −1 or 0, and σ(forget_bias) is kept."""
    W, b = np.array([[0.0, 0.0, 1000.0, 0.0]]), np.array([np.inf, forget_bias, 0.0, np.inf])
    h = c = np.zeros(1)
    for step in steps:
        h, c = lstm_cell(np.array([float(step)]), h, c, W, np.zeros((1, 4)), b)
    return c[0]


@pytest.mark.parametrize(
    ("forget_bias", "before", "after"),
    [(3, 2.85997, 0.25194), (5, None, 2.13005), (6, None, 2.64416), (8, None, 2.94912)],
)
def test_ideal_unit_writes_leak_across_fifty_fillers(forget_bias, before, after):
    if before:
        assert ideal_count([1, 1, 1], forget_bias) == pytest.approx(before, abs=5e-6)
    assert ideal_count([1, 1, 1] + [0] * 50, forget_bias) == pytest.approx(after, abs=5e-6)


@pytest.mark.parametrize(("gap", "least"), [(0, 1.536), (10, 4.091), (50, 5.632), (200, 7.005)])
def test_least_forget_bias_for_an_error_under_one_half(gap, least):
    counts = [ideal_count([1, 1, 1] + [0] * gap, least + nudge) for nudge in (-6e-4, 6e-4)]
    assert counts[0] < 2.5 < counts[1]


def test_leak_unbalances_balanced_brackets():
    assert ideal_count([1, 1, -1, -1], 3) == pytest.approx(-0.1808, abs=5e-5)
    assert ideal_count([1, 1, -1, -1], math.inf) == 0


@pytest.mark.parametrize("position", range(6))
def test_each_shape_that_does_not_fit_is_refused_by_name(position):
    arguments = list(example())
    arguments[position] = np.zeros((*arguments[position].shape[:-1], arguments[position].shape[-1] + 1))
    names = ["W", "U", "c", "W", "U", "b"]  # a longer x or h shows as weights that do not fit it
    if position == 1:
        names[1] = "W"
    with pytest.raises(ValueError, match=rf"^{names[position]} must have shape .*, got \("):
        lstm_cell(*arguments)


def test_batch_and_example_do_not_mix_and_states_need_an_axis():
    x, h, c, W, U, b = example(batch=(2,))
    with pytest.raises(ValueError, match=r"x must have shape \(2, d\) with d of at least 1, got \(2,\)"):
        lstm_cell(x[0], h, c, W, U, b)
    with pytest.raises(ValueError, match=r"c must have shape \(2, 3\), got \(3,\)"):
        lstm_cell(x, h, c[0], W, U, b)
    for wrong in (np.float64(0), np.zeros((1, 1, 3)), np.zeros(0)):
        with pytest.raises(ValueError, match=r"h must have shape \(d_h,\)"):
            lstm_gates(x, wrong, W, U, b)


def test_infinite_gate_biases_pass_back_exact_errors_and_nan_is_refused():
    x, h, c, W, U, b = example()
    b[3:6] = np.inf
    _, _, dc, dW, dU, db = lstm_cell_backward(x, h, c, W, U, b, np.zeros(3), np.ones(3))
    assert dc.tolist() == [1, 1, 1]
    for gradient in (dW[:, 3:6], dU[:, 3:6], db[3:6]):
        np.testing.assert_array_equal(gradient, 0)
    b[4] = np.nan
    with pytest.raises(
        ValueError, match=r"^b must hold numbers, finite or infinite, got nan at index \(4,\)"
    ):
        lstm_cell(x, h, c, W, U, b)
