import mpmath
import numpy as np
import pytest

from core.cells import gru_cell, gru_cell_backward, gru_gates


def worked(size=2):
    """Reset gate before or after the product: x is the input part of the candidate, of weight 1."""
    h, x = np.array([0.6, -0.4])[:size], np.array([0.1, 0.2])[:size]
    W = np.hstack([np.zeros((size, 2 * size)), np.eye(size)])
    parts = np.diag([2.0, -2.0]), np.zeros((2, 2)), np.array([[0.5, 1], [-1, 0.5]]).T
    U = np.hstack([part[:size, :size] for part in parts])
    return x, h, W, U, np.zeros(3 * size)


@pytest.mark.parametrize(
    ("reset_after", "candidate", "state"),
    [
        (False, [0.0545135463, -0.3791869863], [0.3272567732, -0.3895934931]),
        (True, [0.0231433883, -0.3381299716], [0.3115716942, -0.3690649858]),
    ],
)
def test_reset_before_and_after_the_product_differ(reset_after, candidate, state):
    gates = gru_gates(*worked(), reset_after=reset_after)
    np.testing.assert_allclose(gates.r, [0.7685247835, 0.6899744811], atol=5e-11)
    np.testing.assert_array_equal(gates.z, 0.5)
    np.testing.assert_allclose(gates.n, candidate, atol=5e-11)
    np.testing.assert_allclose(gru_cell(*worked(), reset_after=reset_after), state, atol=5e-11)


def test_one_unit_without_recurrent_bias_is_the_same_in_both_forms():
    x, h, W, U, b = worked(size=1)
    before, after = (gru_cell(x, h, W, U, b, reset_after) for reset_after in (False, True))
    np.testing.assert_allclose(before, after, rtol=1e-15)
    biased = gru_cell(x, h, W, U, b, True, np.array([0.3]))
    r = 1 / (1 + mpmath.exp(-2 * mpmath.mpf(0.6)))
    candidate = mpmath.tanh(mpmath.mpf(0.1) + r * (mpmath.mpf(0.5) * mpmath.mpf(0.6) + mpmath.mpf(0.3)))
    assert biased[0] == pytest.approx(float((candidate + mpmath.mpf(0.6)) / 2), rel=1e-14)


def test_an_update_gate_near_one_keeps_the_state_and_its_error():
    x, h, W, U, b = worked()
    b[2:4] = 50
    np.testing.assert_array_equal(gru_cell(x, h, W, U, b), h)
    _, dh, *_ = gru_cell_backward(x, h, W, U, b, np.array([3.0, -1.0]))
    np.testing.assert_allclose(dh, [3, -1], rtol=1e-15)


@pytest.mark.parametrize("reset_after", [False, True])
@pytest.mark.parametrize("bias", [20.0, 30.0, 36.0, 40.0, 700.0])
def test_an_open_update_gate_leaves_the_candidate_its_digits(bias, reset_after):
    """1 − z is σ(−a_z): of 1 less a z that has rounded to 1 nothing would be left."""
    x, _, W, U, b = worked(size=1)
    b[1] = bias
    h = np.array([1e-30])
    (db,) = gru_cell_backward(x, h, W, U, b, np.ones(1), reset_after)[4][None, 2]
    with mpmath.workdps(400):
        U_n, h_exact = mpmath.mpf(U[0, 2]), mpmath.mpf(h[0])
        r = 1 / (1 + mpmath.exp(-2 * h_exact))
        candidate = mpmath.tanh(mpmath.mpf(x[0]) + r * h_exact * U_n)
        shut = 1 / (1 + mpmath.exp(mpmath.mpf(bias)))
        slope, state = shut * (1 - candidate**2), shut * candidate + (1 - shut) * h_exact
    assert db == pytest.approx(float(slope), rel=1e-14, abs=0)
    assert gru_cell(x, h, W, U, b, reset_after)[0] == pytest.approx(float(state), rel=1e-14, abs=0)


@pytest.mark.parametrize("answer", ["no", 1, None, np.array([True, False])])
def test_the_form_is_chosen_by_true_or_false_only(answer):
    for call, extra in ((gru_cell, ()), (gru_gates, ()), (gru_cell_backward, (np.zeros(2),))):
        with pytest.raises(ValueError, match=r"^reset_after must be True or False, got "):
            call(*worked(), *extra, reset_after=answer)
        call(*worked(), *extra, reset_after=np.True_)


def test_a_missing_recurrent_bias_is_zero_and_its_gradient_comes_only_where_it_was_given():
    x, h, W, U, b = worked()
    dh_new = np.array([1.0, -2.0])
    np.testing.assert_array_equal(gru_cell(x, h, W, U, b, True), gru_cell(x, h, W, U, b, True, np.zeros(2)))
    without = gru_cell_backward(x, h, W, U, b, dh_new, reset_after=True)
    given = gru_cell_backward(x, h, W, U, b, dh_new, reset_after=True, b_recurrent=np.zeros(2))
    assert (len(without), len(given)) == (5, 6)
    for one, other in zip(without, given, strict=False):
        np.testing.assert_array_equal(one, other)


def test_a_recurrent_bias_belongs_to_the_form_after():
    for call, extra in ((gru_cell, ()), (gru_gates, ()), (gru_cell_backward, (np.zeros(2),))):
        with pytest.raises(ValueError, match=r"^b_recurrent must be None unless reset_after is true"):
            call(*worked(), *extra, b_recurrent=np.zeros(2))
        with pytest.raises(ValueError, match=r"^b_recurrent must have shape \(2,\), got \(3,\)"):
            call(*worked(), *extra, reset_after=True, b_recurrent=np.zeros(3))
