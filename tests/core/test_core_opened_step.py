import numpy as np
import pytest

from core.cells import gru_cell, gru_gates, lstm_cell, lstm_gates, rnn_cell
from core.opened_step import open_gru, open_lstm, open_rnn, reset_forms


def example(parts, inputs=2, size=3, seed=0):
    draw = np.random.default_rng(seed).normal
    return (
        draw(size=inputs),
        draw(size=size),
        draw(size=(inputs, parts * size)),
        draw(size=(size, parts * size)),
        draw(size=parts * size),
    )


def same(own, right):
    np.testing.assert_allclose(own, right, rtol=1e-13, atol=1e-15)


def check_gate(gate, read, state, part, x, W, U, b):
    """Each term is a product of two numbers, and the sums are those of their columns."""
    size = len(state)
    for k in range(size):
        column = part * size + k
        for j in range(len(x)):
            assert gate.input_terms[j, k] == x[j] * W[j, column]
        for j in range(size):
            assert gate.state_terms[j, k] == read[j] * U[j, column]
        assert gate.bias[k] == b[column]
    same(gate.input_part, gate.input_terms.sum(axis=0))
    same(gate.total, gate.input_part + gate.state_part + gate.bias)
    squash = {"tanh": np.tanh, "sigmoid": lambda a: 1 / (1 + np.exp(-a))}[gate.squashing]
    same(gate.value, squash(gate.total))


def test_an_rnn_step_is_the_cell():
    x, h, W, U, b = example(1)
    step = open_rnn(x, h, W, U, b)
    check_gate(step.candidate, h, h, 0, x, W, U, b)
    same(step.candidate.state_part, h @ U)
    same(step.h, rnn_cell(x, h, W, U, b))


def test_an_lstm_step_is_the_cell():
    x, h, W, U, b = example(4)
    c = np.array([0.5, -2.0, 1.0])
    step, new, gates = open_lstm(x, h, c, W, U, b), lstm_cell(x, h, c, W, U, b), lstm_gates(x, h, W, U, b)
    for part, name in enumerate("ifgo"):
        gate = getattr(step, name)
        check_gate(gate, h, h, part, x, W, U, b)
        same(gate.state_part, (h @ U)[3 * part : 3 * part + 3])
        same(gate.value, getattr(gates, name))
    same(step.kept, gates.f * c)
    same(step.written, gates.i * gates.g)
    same(step.c, new.c)
    same(step.squashed, np.tanh(new.c))
    same(step.h, new.h)


@pytest.mark.parametrize("reset_after", [False, True])
def test_a_gru_step_is_the_cell(reset_after):
    x, h, W, U, b = example(3)
    b_recurrent = np.array([0.3, -1.0, 0.2]) if reset_after else None
    arguments = x, h, W, U, b, reset_after, b_recurrent
    step, gates = open_gru(*arguments), gru_gates(*arguments)
    assert step.reset_after is reset_after
    for part, name in enumerate("rz"):
        check_gate(getattr(step, name), h, h, part, x, W, U, b)
        same(getattr(step, name).state_part, (h @ U)[3 * part : 3 * part + 3])
    check_gate(step.n, step.seen, h, 2, x, W, U, b)
    for name in "rzn":
        same(getattr(step, name).value, getattr(gates, name))
    same(step.seen, h if reset_after else gates.r * h)
    same(step.product, step.seen @ U[:, 6:] + (b_recurrent if reset_after else 0))
    same(step.n.state_part, (gates.r if reset_after else 1) * step.product)
    same(step.kept, gates.z * h)
    same(step.written, (1 - gates.z) * gates.n)
    same(step.h, gru_cell(*arguments))


def test_a_gru_without_a_recurrent_bias_has_zeros_there():
    x, h, W, U, b = example(3)
    same(open_gru(x, h, W, U, b, True).h, open_gru(x, h, W, U, b, True, np.zeros(3)).h)


def test_the_reset_forms_differ_from_two_units_on():
    """Reset gates from diag(2, −2), a candidate that crosses over: both forms digit by digit."""
    h, x = np.array([0.6, -0.4]), np.array([0.1, 0.2])
    W = np.hstack([np.zeros((2, 4)), np.eye(2)])
    U = np.hstack([np.diag([2.0, -2.0]), np.zeros((2, 2)), np.array([[0.5, -1], [1, 0.5]])])
    forms = reset_forms(x, h, W, U, np.zeros(6))
    for form, candidate, state in (
        (forms.before, [0.0545135463, -0.3791869863], [0.3272567732, -0.3895934931]),
        (forms.after, [0.0231433883, -0.3381299716], [0.3115716942, -0.3690649858]),
    ):
        np.testing.assert_allclose(form.r.value, [0.7685247835, 0.6899744811], atol=5e-11)
        np.testing.assert_allclose(form.n.value, candidate, atol=5e-11)
        np.testing.assert_allclose(form.h, state, atol=5e-11)
    np.testing.assert_allclose(forms.difference, [-0.0156850790, 0.0205285073], atol=1e-10)

    one = [array[..., :1] for array in (x, h)] + [W[:1, ::2], U[:1, ::2], np.zeros(3)]
    same(reset_forms(*one).difference, [0])
    assert abs(reset_forms(*one, b_recurrent=np.ones(1)).difference[0]) > 0.1


def test_an_update_gate_that_has_rounded_to_one_leaves_the_candidate_its_digits():
    step = open_gru(np.ones(1), np.zeros(1), np.zeros((1, 3)), np.zeros((1, 3)), np.array([0.0, 40.0, 1.0]))
    assert step.z.value[0] == 1
    assert step.h[0] == pytest.approx(np.exp(-40) * np.tanh(1), rel=1e-14, abs=0)


def test_an_infinite_forget_bias_and_sums_beyond_floats_pass_without_a_warning():
    x, h, W, U, b = example(4)
    b[3:6] = np.inf
    with np.errstate(all="raise"):
        assert open_lstm(x, h, h, W, U, b).f.value.tolist() == [1, 1, 1]
        huge = open_rnn(np.array([1e200]), np.zeros(1), np.array([[1e200]]), np.zeros((1, 1)), np.zeros(1))
    assert (huge.candidate.total[0], huge.h[0]) == (np.inf, 1)


def test_single_precision_is_opened_in_double():
    single = [array.astype(np.float32) for array in example(1)]
    step = open_rnn(*single)
    assert step.h.dtype == step.candidate.input_terms.dtype == np.float64
    same(step.h, rnn_cell(*(array.astype(float) for array in single)))


@pytest.mark.parametrize(("step", "parts"), [(open_rnn, 1), (open_lstm, 4), (open_gru, 3), (reset_forms, 3)])
def test_what_does_not_fit_is_refused_by_name(step, parts):
    x, h, W, U, b = example(parts)
    cell = [h] if step is open_lstm else []
    with pytest.raises(ValueError, match=r"^h must have shape \(d_h,\) with d_h of at least 1, got \(1, 3\)"):
        step(x, h[None], *cell, W, U, b)
    with pytest.raises(ValueError, match=rf"^W must have shape \(2, {3 * parts}\), got \(3, {3 * parts}\)"):
        step(x, h, *cell, np.vstack([W, W[:1]]), U, b)
    with pytest.raises(ValueError, match=r"^x must hold finite numbers only, got nan at index \(0,\)"):
        step(x * np.nan, h, *cell, W, U, b)
    if step is open_lstm:
        with pytest.raises(ValueError, match=r"^c must have shape \(3,\), got \(2,\)"):
            step(x, h, h[:2], W, U, b)
    if step is open_gru:
        with pytest.raises(ValueError, match=r"^b_recurrent must be None unless reset_after is true"):
            step(x, h, W, U, b, False, h)
        with pytest.raises(ValueError, match=r"^b_recurrent must have shape \(3,\), got \(2,\)"):
            step(x, h, W, U, b, True, h[:2])
        with pytest.raises(ValueError, match=r"^reset_after must be True or False, got 1"):
            step(x, h, W, U, b, 1)


def test_what_each_unit_adds_to_a_candidate_is_reset_by_its_own_gate_or_by_that_of_the_candidate():
    """By hand, with r = σ(1.2), σ(.8) and h U_n's terms .6·.5, .6·1, −.4·−1, −.4·.5: rows are units j."""
    forms = reset_forms(
        np.zeros(1), np.array([0.6, -0.4]), np.zeros((1, 6)),
        np.array([[2, 0, 0, 0, 0.5, 1], [0, -2, 0, 0, -1, 0.5]]), np.zeros(6),
    )  # fmt: skip
    r = np.array([0.7685247835, 0.6899744811])
    terms = np.array([[0.3, 0.6], [0.4, -0.2]])
    np.testing.assert_allclose(forms.before.candidate_terms, r[:, None] * terms, rtol=1e-9)
    np.testing.assert_allclose(forms.after.candidate_terms, r * terms, rtol=1e-9)
    for form in (forms.before, forms.after):
        np.testing.assert_allclose(np.tanh(form.candidate_terms.sum(axis=0)), form.n.value, rtol=1e-12)
