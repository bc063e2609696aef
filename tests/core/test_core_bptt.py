import math
import warnings

import numpy as np
import pytest

from core.bptt import (
    _against_the_last,
    _norms,
    itemised_gradient,
    parameter_gradients,
    same_chunk,
    stored_activations,
    summed_by_lag,
    walk_factors,
)
from core.cells import gru_cell, lstm_cell, lstm_gates, rnn_cell
from core.gradcheck import central_differences, check_gradients
from core.initialisation import language_model, with_forget_bias
from core.language_model import softmax_losses
from core.rnn_lm import rnn_bptt

IDS = np.array([2, 0, 3, 3, 1])
T, SIZE = 4, 3
CELLS = ("rnn", "lstm", "gru")


def model(cell, seed=0):
    """Five tokens, weights of ordinary size, and first states that are not 0."""
    P = language_model(cell, 5, 2, SIZE, seed, spectral_radius=1.3)
    h0, c0 = np.random.default_rng(seed).normal(size=(2, SIZE))
    return P, h0, c0 if cell == "lstm" else None


def unrolled(cell, P, h0, c0, Whh=None, h=None, c=None, x=None):
    """Losses (T,) step by step, from cells alone, with an own Whh at each step and nudges to h, c and x of each."""
    nudge = {name: np.zeros((T, SIZE)) if given is None else given for name, given in (("h", h), ("c", c))}
    x = np.zeros((T, 2)) if x is None else x
    Whh = [P["Whh"]] * T if Whh is None else Whh
    h, losses = h0, []
    for t in range(T):
        inputs = P["E"][IDS[t]] + x[t]
        weights = P["Wxh"], Whh[t], P["bh"]
        if cell == "lstm":
            gates = lstm_gates(inputs, h, *weights)
            c0 = gates.f * c0 + gates.i * gates.g + nudge["c"][t]
            h = gates.o * np.tanh(c0)
        else:
            h = {"rnn": rnn_cell, "gru": gru_cell}[cell](inputs, h, *weights)
        h = h + nudge["h"][t]
        logits = h @ P["Why"] + P["by"]
        losses.append(np.log(np.exp(logits).sum()) - logits[IDS[t + 1]])
    return np.array(losses)


def norms_of_differences(cell, name, nudges):
    """(T, T): the norm of the central difference of each loss at the nudge of each step."""
    P, h0, c0 = model(cell)
    table = np.zeros((T, T))
    for t in range(T):
        found = central_differences(
            lambda **given: unrolled(cell, P, h0, c0, **given)[t],  # noqa: B023
            {name: nudges},
        )[name]
        table[t] = np.linalg.norm(found.reshape(T, -1), axis=1)
    return table


@pytest.fixture(params=CELLS)
def cell(request):
    return request.param


def items(cell):
    return itemised_gradient(cell, *model(cell)[:1], IDS, *model(cell)[1:])


def test_losses_are_those_of_the_cells(cell):
    P, h0, c0 = model(cell)
    np.testing.assert_allclose(items(cell).losses, unrolled(cell, P, h0, c0), rtol=1e-13)


def test_contributions_are_the_differences_at_each_steps_own_copy_of_the_weights(cell):
    copies = np.stack([model(cell)[0]["Whh"]] * T)
    differences = norms_of_differences(cell, "Whh", copies)
    contributions = items(cell).contributions
    np.testing.assert_allclose(contributions, differences, rtol=1e-7, atol=1e-10)
    assert (contributions[np.tril_indices(T)] > 1e-5).all()
    assert (contributions[np.triu_indices(T, 1)] == 0).all()


def test_errors_are_the_differences_at_each_steps_states_and_inputs(cell):
    got = items(cell)
    tables = {"h": (got.h_errors, SIZE), "x": (got.x_errors, 2)}
    if cell == "lstm":
        tables["c"] = got.c_errors, SIZE
    else:
        assert got.c_errors is got.straight is got.rest is None
    for name, (table, size) in tables.items():
        differences = norms_of_differences(cell, name, np.zeros((T, size)))
        np.testing.assert_allclose(table, differences, rtol=1e-7, atol=1e-10)


def test_the_gradient_is_the_difference_of_the_whole_loss(cell):
    P, h0, c0 = model(cell)
    differences = central_differences(
        lambda Whh: unrolled(cell, P | {"Whh": Whh}, h0, c0).sum(), {"Whh": P["Whh"]}
    )
    np.testing.assert_allclose(items(cell).gradient, differences["Whh"], rtol=1e-7, atol=1e-9)


def test_sums_by_lag(cell):
    got = items(cell)
    for lag in range(T):
        assert got.contributions_by_lag[lag] == pytest.approx(
            np.trace(got.contributions, offset=-lag), rel=1e-13
        )
    assert got.contributions_by_lag.shape == (T,)


def test_no_term_passes_through_a_first_state_of_zero(cell):
    P, _, _ = model(cell)
    got = itemised_gradient(cell, P, IDS)
    assert (got.contributions[:, 0] == 0).all()
    assert (got.contributions[1:, 1] > 0).all()
    assert (got.h_errors[:, 0] > 0).all()


@pytest.mark.parametrize("forget_bias", [None, 4.0, math.inf])
def test_the_straight_path_is_the_product_of_forget_gates(forget_bias):
    P, h0, c0 = model("lstm")
    if forget_bias is not None:
        P |= {"bh": with_forget_bias(P["bh"], forget_bias)}
    got = itemised_gradient("lstm", P, IDS, h0, c0)
    h, c, forget = h0, c0, []
    full = np.zeros((T, T, SIZE))
    for t in range(T):
        forget.append(lstm_gates(P["E"][IDS[t]], h, P["Wxh"], P["Whh"], P["bh"]).f)
        h, c = lstm_cell(P["E"][IDS[t]], h, c, P["Wxh"], P["Whh"], P["bh"])
        full[t] = central_differences(
            lambda c: unrolled("lstm", P, h0, c0, c=c)[t],  # noqa: B023
            {"c": np.zeros((T, SIZE))},
        )["c"]
    for t in range(T):
        for s in range(t + 1):
            straight = full[t, t] * np.prod(forget[s + 1 : t + 1], axis=0)
            assert got.straight[t, s] == pytest.approx(np.linalg.norm(straight), rel=1e-7)
            rest = np.linalg.norm(full[t, s] - straight)
            assert got.rest[t, s] == pytest.approx(rest, rel=1e-7, abs=1e-9)
    if forget_bias == math.inf:
        np.testing.assert_allclose(got.straight[-1], got.straight[-1, -1], rtol=1e-14)


def test_truncation_loses_what_the_chunks_gradients_do_not_hold(cell):
    """The truncated gradient is that of the chunks read alone, each from the state that the one before left."""
    P, h0, c0 = model(cell)
    got = items(cell)
    for K in range(1, T + 1):
        state, total = (h0, c0), 0.0
        for first in range(0, T, K):
            ids = IDS[first : first + K + 1]
            total = total + itemised_gradient(cell, P, ids, *state).gradient
            for token in ids[:-1]:
                state = step(cell, P, token, state)
        miss = np.linalg.norm(total - got.gradient) / np.linalg.norm(got.gradient)
        assert got.relative_error[K - 1] == pytest.approx(miss, rel=1e-10, abs=1e-14)
        cosine = (total * got.gradient).sum() / np.linalg.norm(total) / np.linalg.norm(got.gradient)
        assert got.cosine[K - 1] == pytest.approx(cosine, rel=1e-13)
    assert got.relative_error[-1] == 0
    assert got.cosine[-1] == pytest.approx(1, abs=1e-15)
    assert (got.relative_error[:-1] > 1e-3).all()


def step(cell, P, token, state):
    h, c = state
    weights = P["Wxh"], P["Whh"], P["bh"]
    if cell == "lstm":
        return lstm_cell(P["E"][token], h, c, *weights)
    return {"rnn": rnn_cell, "gru": gru_cell}[cell](P["E"][token], h, *weights), None


@pytest.mark.parametrize("truncation", range(1, T + 1))
def test_the_gradient_of_the_rnn_is_that_of_its_language_model(truncation):
    P, h0, _ = model("rnn")
    got = items("rnn")
    grads = rnn_bptt(P, IDS, h0, truncation)[1]
    miss = np.linalg.norm(grads["Whh"] - got.gradient) / np.linalg.norm(got.gradient)
    assert got.relative_error[truncation - 1] == pytest.approx(miss, rel=1e-12, abs=1e-15)


def test_a_single_step_from_zero_has_no_gradient_to_compare(cell):
    P, _, _ = model(cell)
    got = itemised_gradient(cell, P, IDS[:2])
    assert got.contributions.tolist() == [[0]]
    assert np.isnan([*got.cosine, *got.relative_error]).all()


def test_errors_far_below_the_root_of_the_smallest_number_are_still_measured():
    P = language_model("rnn", 5, 2, SIZE, 0, spectral_radius=1e-13)
    ids = np.arange(21) % 5
    with np.errstate(all="raise", under="ignore"):
        got = itemised_gradient("rnn", P, ids)
    assert 1e-260 < got.h_errors[-1, 0] < 1e-240
    factors = walk_factors(got.h_errors)
    lower = np.tril_indices(20, -1)
    assert (factors[lower] > 1e-14).all()
    assert (factors[lower] < 1.01e-13).all()


def test_factors_multiply_up_to_the_error(cell):
    got = items(cell)
    factors = walk_factors(got.h_errors)
    for t in range(T):
        for s in range(t):
            product = np.prod(factors[t, s:t]) * got.h_errors[t, t]
            assert product == pytest.approx(got.h_errors[t, s], rel=1e-13)
    assert np.isnan(factors[np.triu_indices(T)]).all()


def test_factors_end_where_an_error_has_come_to_zero():
    with np.errstate(all="raise"):
        factors = walk_factors([[1, 0, 0], [1, 1, 0], [0, 0, 1]])
    assert factors[2, 1] == 0
    assert np.isnan(factors[2, 0])


def test_chunks_keep_what_lies_within_them():
    assert same_chunk(5, 2).astype(int).tolist() == [
        [1, 0, 0, 0, 0],
        [1, 1, 0, 0, 0],
        [0, 0, 1, 0, 0],
        [0, 0, 1, 1, 0],
        [0, 0, 0, 0, 1],
    ]
    np.testing.assert_array_equal(same_chunk(4, 4), np.tril(np.ones((4, 4), bool)))


def test_activations_stored():
    assert stored_activations("rnn", 20, 16) == (320, 2560)
    assert stored_activations("rnn", 20, 16, truncation=5) == (80, 640)
    assert stored_activations("lstm", 20, 16) == (6 * 320, 6 * 2560)
    assert stored_activations("gru", 20, 16, 5, bytes_each=4) == (4 * 80, 4 * 320)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda P, h0: itemised_gradient("elman", P, IDS), "cell must be one of rnn, lstm, gru, got 'elman'"),
        (lambda P, h0: itemised_gradient("lstm", P, IDS), r"Wxh must have shape \(2, 12\), got \(2, 3\)"),
        (lambda P, h0: itemised_gradient("rnn", P, IDS[:1]), r"ids must have shape \(T \+ 1,\)"),
        (lambda P, h0: itemised_gradient("rnn", P, [0, 5]), "ids must be from 0 to 4, got 5 at index 1"),
        (lambda P, h0: itemised_gradient("rnn", P, IDS, h0[:2]), r"h0 must have shape \(3,\), got \(2,\)"),
        (lambda P, h0: itemised_gradient("rnn", P, IDS, h0, h0), "c0 must be None for a cell without"),
        (lambda P, h0: same_chunk(0, 1), "steps must be an integer of at least 1, got 0"),
        (lambda P, h0: same_chunk(5, 6), "truncation must be an integer from 1 to 5, got 6"),
        (
            lambda P, h0: stored_activations("rnn", 5, 3, 0),
            "truncation must be an integer from 1 to 5, got 0",
        ),
        (lambda P, h0: stored_activations("rnn", 0, 3), "steps must be an integer of at least 1, got 0"),
        (
            lambda P, h0: stored_activations("rnn", 5, 0),
            "hidden_size must be an integer of at least 1, got 0",
        ),
        (lambda P, h0: stored_activations("mlp", 5, 3), "cell must be one of rnn, lstm, gru, got 'mlp'"),
        (lambda P, h0: walk_factors(np.ones((2, 3))), r"errors must have shape \(T, T\)"),
    ],
)
def test_what_is_out_of_range_is_refused(call, message):
    P, h0, _ = model("rnn")
    with pytest.raises(ValueError, match=f"^{message}"):
        call(P, h0)


def test_only_an_lstm_may_have_an_infinite_bias():
    for kind in ("rnn", "gru"):
        P, _, _ = model(kind)
        P["bh"][0] = math.inf
        with pytest.raises(ValueError, match=r"^bh must hold finite numbers only, got inf"):
            itemised_gradient(kind, P, IDS)


def test_the_gradient_of_every_parameter_against_differences(cell):
    P, h0, c0 = model(cell)
    gradients = parameter_gradients(cell, P, IDS, h0, c0)
    errors = check_gradients(
        lambda **moved: itemised_gradient(cell, moved, IDS, h0, c0).losses.sum(), P, gradients
    )
    assert errors.keys() == P.keys()
    assert max(errors.values()) < 1e-7
    assert min(np.linalg.norm(gradient) for gradient in gradients.values()) > 1e-3
    np.testing.assert_allclose(gradients["Whh"], items(cell).gradient, rtol=1e-12, atol=1e-15)


def test_parameter_gradients_refuse_what_the_itemised_ones_do():
    P, h0, _ = model("rnn")
    with pytest.raises(ValueError, match=r"ids must have shape \(T \+ 1,\) with T of at least 1, got \(1,\)"):
        parameter_gradients("rnn", P, IDS[:1])
    with pytest.raises(ValueError, match="c0 must be None"):
        parameter_gradients("rnn", P, IDS, h0, h0)


def test_sums_by_lag_run_along_the_diagonals(cell):
    np.testing.assert_array_equal(
        summed_by_lag(np.array([[1.0, 99, 99], [10, 2, 99], [100, 20, 4]])), [7, 30, 100]
    )
    np.testing.assert_allclose(
        summed_by_lag(items(cell).contributions), items(cell).contributions_by_lag, rtol=1e-14
    )


def test_sums_by_lag_refuse_what_is_no_table():
    with pytest.raises(
        ValueError, match=r"table must have shape \(T, T\) with T of at least 1, got \(2, 3\)"
    ):
        summed_by_lag(np.zeros((2, 3)))


def test_an_overflow_stays_where_it_is():
    errors = np.array([[1.0, 0, 0], [2, 1, 0], [np.inf, np.inf, 4]])
    factors = walk_factors(errors)
    assert factors[1, 0] == 2
    assert factors[2, 1] == np.inf
    assert np.isnan(factors[2, 0])
    np.testing.assert_array_equal(summed_by_lag(errors), [6, np.inf, np.inf])


def test_losses_of_steps_whose_logits_differ_much_in_size():
    sizes = np.array([-1000.0, 0.0, 1000.0])
    logits = sizes[:, None] + [0.0, 1.0, 2.0]
    losses, probabilities = softmax_losses({"Why": np.eye(3), "by": np.zeros(3)}, logits, np.array([0, 1, 2]))
    total = 1 + math.e + math.e**2
    np.testing.assert_allclose(losses, np.log(total) - [0, 1, 2], rtol=1e-12)
    np.testing.assert_allclose(
        probabilities, [[1 / total, math.e / total, math.e**2 / total]] * 3, rtol=1e-12
    )


@pytest.mark.parametrize("size", [1e-300, 1e-160, 1.0, 1e160, 1e200])
def test_norms_of_entries_whose_squares_no_float_holds(size):
    with np.errstate(all="raise", under="ignore"):
        found = _norms(size * np.array([[3.0, 4.0], [0.0, 0.0], [0.0, -5.0]]))
    np.testing.assert_allclose(found, [5 * size, 0, 5 * size], rtol=1e-14)


def test_no_cosine_is_above_one():
    rng = np.random.default_rng(0)
    for _ in range(100):
        gradient = rng.normal(size=7)
        cosine, _ = _against_the_last(np.stack([3 * gradient, gradient]))
        assert (cosine <= 1).all()
        np.testing.assert_allclose(cosine, 1, rtol=1e-14)


@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.parametrize("name", ["E", "Wxh", "Whh", "bh", "Why", "by"])
def test_huge_weights_end_without_a_warning(cell, name):
    P, h0, c0 = model(cell)
    huge = P | {name: np.copysign(1.7e308, P[name])}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = itemised_gradient(cell, huge, IDS, h0, c0)
        gradients = parameter_gradients(cell, huge, IDS, h0, c0)
    assert np.isfinite(found.losses).all() or name in ("Why", "by")
    assert not (found.losses < 1e307).all() or name not in ("Why", "by")
    np.testing.assert_allclose(gradients["Whh"], found.gradient, rtol=1e-12, atol=1e-15)
