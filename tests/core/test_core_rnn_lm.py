import itertools
import math
import tracemalloc
import warnings

import mpmath
import numpy as np
import pytest

from core.gradcheck import check_gradients
from core.initialisation import language_model
from core.rnn_lm import rnn_bptt, rnn_forward

IDS = np.array([2, 0, 3, 3, 1, 0, 4, 2])
T = len(IDS) - 1


def model(hidden_size=3, seed=0):
    """A language model of five tokens, its weights of ordinary size, and a first state."""
    P = language_model("rnn", 5, 2, hidden_size, seed, spectral_radius=1.3)
    return P, np.random.default_rng(seed).normal(size=hidden_size)


def test_forward_agrees_with_the_equations_written_out_unit_by_unit():
    P, h0 = model()
    trace = rnn_forward(P, IDS, h0)
    h, loss = [mpmath.mpf(a) for a in h0.tolist()], mpmath.mpf(0)
    for t, (token, target) in enumerate(itertools.pairwise(IDS)):
        x = P["E"][token].tolist()
        h = [
            mpmath.tanh(
                mpmath.fdot(x, P["Wxh"][:, n].tolist()) + mpmath.fdot(h, P["Whh"][:, n].tolist()) + P["bh"][n]
            )
            for n in range(3)
        ]
        weights = [mpmath.exp(mpmath.fdot(h, P["Why"][:, k].tolist()) + P["by"][k]) for k in range(5)]
        loss -= mpmath.log(weights[target] / sum(weights))
        np.testing.assert_allclose(trace.hidden[t + 1], [float(a) for a in h], rtol=1e-13)
        np.testing.assert_allclose(
            trace.probabilities[t], [float(w / sum(weights)) for w in weights], rtol=1e-13
        )
    assert trace.loss == pytest.approx(float(loss), rel=1e-14)
    np.testing.assert_array_equal(trace.hidden[0], h0)
    assert (trace.hidden.shape, trace.probabilities.shape) == ((T + 1, 3), (T, 5))


def test_results_unpack():
    P, h0 = model()
    trace = rnn_forward(P, IDS, h0)
    loss, hidden, probabilities = trace
    assert loss == trace.loss
    assert hidden is trace.hidden
    assert probabilities is trace.probabilities


def test_a_model_that_knows_nothing_pays_ln_v_for_each_token():
    P, h0 = model()
    P |= {"Why": np.zeros((3, 5)), "by": np.full(5, 700.0)}
    assert rnn_forward(P, IDS, h0).loss == pytest.approx(T * math.log(5), rel=1e-13)


def test_a_loss_beyond_the_range_of_exp_stays_right():
    P, h0 = model()
    P |= {"by": np.array([0.0, 5000, 0, 0, 0])}
    assert rnn_forward(P, [2, 0, 3], h0).loss == pytest.approx(10000, abs=20)
    assert np.isfinite(rnn_bptt(P, [2, 0, 3], h0)[1]["Whh"]).all()


def test_every_gradient_is_the_central_difference():
    P, h0 = model()
    loss, grads = rnn_bptt(P, IDS, h0)
    assert set(grads) == {*P, "h0"}
    assert loss == rnn_forward(P, IDS, h0).loss
    found = check_gradients(lambda h0, **P: rnn_forward(P, IDS, h0).loss, P | {"h0": h0}, grads)
    assert set(found) == set(grads)
    assert max(found.values()) < 1e-7


@pytest.mark.parametrize("truncation", [1, 2, 3, 5, 6, T])
def test_truncated_gradients_are_those_of_chunks_whose_first_state_is_a_constant(truncation):
    """Central differences of a loss in which each chunk starts from a state that no parameter moves."""
    P, h0 = model()
    hidden = rnn_forward(P, IDS, h0).hidden
    starts = range(0, T, truncation)

    def loss(h0, **P):
        return sum(
            rnn_forward(P, IDS[first : first + truncation + 1], hidden[first] if first else h0).loss
            for first in starts
        )

    own, grads = rnn_bptt(P, IDS, h0, truncation)
    assert own == pytest.approx(rnn_forward(P, IDS, h0).loss, rel=1e-14)
    assert max(check_gradients(loss, P | {"h0": h0}, grads).values()) < 1e-7


def test_nothing_crosses_a_cut_but_the_state():
    """Token 4 and h0 meet the first chunk alone: what the later losses are makes no difference, to the bit."""
    P, h0 = model()
    ids = np.array([4, 1, 0, 2, 1, 3, 0, 2])
    alone = rnn_bptt(P, ids[:4], h0)[1]
    cut = rnn_bptt(P, ids, h0, truncation=3)[1]
    other = rnn_bptt(P, [*ids[:4], 0, 0, 1, 1], h0, truncation=3)[1]
    full = rnn_bptt(P, ids, h0)[1]
    for grads in (cut, other):
        np.testing.assert_array_equal(grads["h0"], alone["h0"])
        np.testing.assert_array_equal(grads["E"][4], alone["E"][4])
    assert not np.isclose(full["h0"], alone["h0"]).any()
    assert not np.isclose(full["E"][4], alone["E"][4]).any()
    whole = rnn_bptt(P, ids, h0, truncation=7)[1]
    for name, gradient in full.items():
        np.testing.assert_array_equal(gradient, whole[name])


def test_memory_grows_with_the_chunk_and_not_with_the_text():
    P, h0 = model(hidden_size=32)
    peaks = {}
    for steps, truncation in ((400, None), (1600, None), (400, 20), (1600, 20)):
        ids = np.arange(steps + 1) % 5
        tracemalloc.start()
        rnn_bptt(P, ids, h0, truncation)
        peaks[steps, truncation] = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peaks[1600, None] > 3 * peaks[400, None]
    assert peaks[1600, 20] < 1.5 * peaks[400, 20] < peaks[400, None] / 4


def test_arguments_are_left_as_they_were():
    P, h0 = model()
    copies = {name: array.copy() for name, array in P.items()}
    start, ids = h0.copy(), IDS.copy()
    rnn_bptt(P, ids, h0, 2)
    rnn_forward(P, ids, h0)
    for name, array in P.items():
        np.testing.assert_array_equal(array, copies[name])
    np.testing.assert_array_equal(h0, start)
    np.testing.assert_array_equal(ids, IDS)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"ids": []}, r"ids must have shape \(T \+ 1,\) with T of at least 1, got \(0,\)"),
        ({"ids": [1]}, r"ids must have shape \(T \+ 1,\) with T of at least 1, got \(1,\)"),
        ({"ids": [[1, 2]]}, r"ids must have shape \(T \+ 1,\) with T of at least 1, got \(1, 2\)"),
        ({"ids": [[1], [1, 2]]}, "ids must be a row of integers"),
        ({"ids": [1, 5]}, "ids must be from 0 to 4, got 5 at index 1"),
        ({"ids": [-1, 2]}, "ids must be from 0 to 4, got -1 at index 0"),
        ({"ids": [1.0, 2.0]}, "ids must be integers"),
        ({"ids": [True, False]}, "ids must be integers"),
        ({"ids": ["a", "b"]}, "ids must be integers"),
        ({"ids": "text"}, r"ids must have shape \(T \+ 1,\)"),
        ({"h0": np.zeros(4)}, r"h0 must have shape \(3,\), got \(4,\)"),
        ({"h0": [0, 0, math.nan]}, r"h0 must hold finite numbers only, got nan at index \(2,\)"),
        ({"E": np.zeros((0, 2))}, r"E must have shape \(V, d\) with V and d of at least 1, got \(0, 2\)"),
        ({"Wxh": np.zeros((3, 3))}, r"Wxh must have shape \(2, 3\), got \(3, 3\)"),
        ({"Whh": np.full((3, 3), math.inf)}, "Whh must hold finite numbers only, got inf"),
        ({"Whh": np.zeros((3, 4))}, r"Whh must have shape \(3, 3\), got \(3, 4\)"),
        ({"bh": np.array([0, math.nan, 0])}, "bh must hold finite numbers only, got nan"),
        ({"Why": np.zeros((3, 4))}, r"Why must have shape \(d_h, 5\) with d_h of at least 1, got \(3, 4\)"),
        ({"Why": np.zeros((0, 5))}, r"Why must have shape \(d_h, 5\) with d_h of at least 1, got \(0, 5\)"),
        ({"by": "bias"}, "by must be an array of numbers, got 'bias'"),
        ({"extra": np.zeros(3)}, "P must have the keys E, Wxh, Whh, bh, Why, by, got .*extra"),
    ],
)
def test_what_does_not_fit_is_refused(change, message):
    P, h0 = model()
    asked = P | {"ids": IDS, "h0": h0} | change
    ids, h0 = asked.pop("ids"), asked.pop("h0")
    for function in (rnn_forward, rnn_bptt):
        with pytest.raises(ValueError, match=f"^{message}"):
            function(asked, ids, h0)


@pytest.mark.parametrize("truncation", [0, -1, T + 1, 2.0, True, "2"])
def test_truncation_lies_between_one_and_the_length(truncation):
    P, h0 = model()
    with pytest.raises(
        ValueError, match=rf"^truncation must be an integer from 1 to {T}, got {truncation!r}"
    ):
        rnn_bptt(P, IDS, h0, truncation)


def test_parameters_must_be_named():
    P, h0 = model()
    for wrong in ({name: P[name] for name in ("E", "Whh")}, list(P.values()), None):
        with pytest.raises(ValueError, match=r"^P must have the keys E, Wxh, Whh, bh, Why, by, got"):
            rnn_forward(wrong, IDS, h0)


@pytest.mark.parametrize("name", ["E", "Wxh", "Whh", "bh", "Why", "by"])
def test_huge_weights_end_without_a_warning(name):
    P, h0 = model()
    huge = P | {name: np.copysign(1.7e308, P[name])}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        trace = rnn_forward(huge, IDS, h0)
        loss, _ = rnn_bptt(huge, IDS, h0, 2)
    np.testing.assert_allclose(loss, trace.loss, rtol=1e-14)
    if name in ("Why", "by"):
        assert not math.isfinite(loss)
    else:
        # A state that is saturated, with h = ±1, is no worse than any other.
        assert math.isfinite(loss)
