import mpmath
import numpy as np
import pytest

from core.optimizers import Moments, adam, sgd, zero_moments

P = {"w": np.array([[1.0, -2.0], [0.5, 3.0]]), "b": np.array([0.1, -0.2])}
G = {"w": np.array([[0.3, -0.1], [0.0, 2.0]]), "b": np.array([1e-9, -5.0])}


def test_sgd_goes_down_the_gradient():
    after = sgd(P, G, 0.1)
    np.testing.assert_allclose(after["w"], [[0.97, -1.99], [0.5, 2.8]], rtol=1e-15)
    np.testing.assert_allclose(after["b"], [0.1 - 1e-10, 0.3], rtol=1e-15)


def test_adam_is_that_of_its_paper_for_three_steps():
    """Unit by unit and with the two corrections written out."""
    gradients = [G, {name: -2 * g for name, g in G.items()}, {name: g**2 for name, g in G.items()}]
    parameters, moments = P, zero_moments(P)
    for gradient in gradients:
        parameters, moments = adam(parameters, gradient, moments, 0.01)
    assert moments.steps == 3
    beta1, beta2, epsilon, rate = map(mpmath.mpf, ("0.9", "0.999", "1e-8", "0.01"))
    for name, array in P.items():
        for index, start in np.ndenumerate(array):
            p, m, v = mpmath.mpf(float(start)), mpmath.mpf(0), mpmath.mpf(0)
            for t, gradient in enumerate(gradients, start=1):
                g = mpmath.mpf(float(gradient[name][index]))
                m = beta1 * m + (1 - beta1) * g
                v = beta2 * v + (1 - beta2) * g**2
                p -= rate * (m / (1 - beta1**t)) / (mpmath.sqrt(v / (1 - beta2**t)) + epsilon)
            assert parameters[name][index] == pytest.approx(float(p), rel=1e-13)
            assert moments.first[name][index] == pytest.approx(float(m), rel=1e-13)
            assert moments.second[name][index] == pytest.approx(float(v), rel=1e-12)


def test_the_first_step_of_adam_is_the_rate_long_whatever_the_gradient():
    after, _ = adam(P, {name: 1e6 * g for name, g in G.items()}, zero_moments(P), 0.01)
    np.testing.assert_allclose(after["w"], [[0.99, -1.99], [0.5, 2.99]], rtol=1e-6)


def test_nothing_is_changed_in_place_and_float32_stays():
    parameters, gradients = ({n: a.astype(np.float32) for n, a in arrays.items()} for arrays in (P, G))
    moments = zero_moments(parameters)
    _, moments = adam(parameters, gradients, moments, 0.1)
    copies = [{n: a.copy() for n, a in arrays.items()} for arrays in (parameters, gradients, *moments[:2])]
    after, later = adam(parameters, gradients, moments, 0.1)
    plain = sgd(parameters, gradients, 0.1)
    for arrays, copy in zip((parameters, gradients, *moments[:2]), copies, strict=True):
        for name in arrays:
            np.testing.assert_array_equal(arrays[name], copy[name])
    made = (*after.values(), *plain.values(), *later.first.values(), *later.second.values())
    assert {array.dtype for array in made} == {np.dtype(np.float32)}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"learning_rate": 0}, "learning_rate must be a finite number above 0, got 0"),
        ({"learning_rate": float("nan")}, "learning_rate must be a finite number above 0, got nan"),
        ({"beta1": 1}, "beta1 must be from 0 to below 1, got 1"),
        ({"beta2": -0.1}, "beta2 must be from 0 to below 1, got -0.1"),
        ({"epsilon": 0}, "epsilon must be a finite number above 0, got 0"),
        ({"grads": {"w": G["w"]}}, "grads must have the names and shapes of the parameters"),
        ({"grads": G | {"b": np.zeros(3)}}, "grads must have the names and shapes of the parameters"),
        ({"moments": Moments({}, G, 0)}, "moments.first must have the names and shapes of the parameters"),
        ({"moments": Moments(G, {}, 0)}, "moments.second must have the names and shapes of the parameters"),
        ({"moments": Moments(G, G, -1)}, "moments.steps must be an integer of at least 0, got -1"),
    ],
)
def test_what_is_out_of_range_is_refused(change, message):
    asked = {"parameters": P, "grads": G, "moments": zero_moments(P), "learning_rate": 0.1} | change
    with pytest.raises(ValueError, match=f"^{message}"):
        adam(**asked)


def test_sgd_refuses_a_rate_and_gradients_that_do_not_fit():
    with pytest.raises(ValueError, match=r"^learning_rate must be a finite number above 0, got -1"):
        sgd(P, G, -1)
    with pytest.raises(ValueError, match=r"^grads must have the names and shapes of the parameters"):
        sgd(P, {"w": G["w"], "c": G["b"]}, 0.1)
