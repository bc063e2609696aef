import math

import numpy as np
import pytest

from core.bptt import itemised_gradient, parameter_gradients
from core.cells import lstm_cell, lstm_cell_backward, rnn_cell, rnn_cell_backward
from core.gradcheck import (
    central_differences,
    check_backward,
    check_gradients,
    check_vjp,
    relative_error,
)
from core.initialisation import language_model
from core.language_model import KEYS


def scalar_network(w, x=0.3, steps=20):
    h = np.zeros_like(w)
    for _ in range(steps):
        h = np.tanh(w * h + np.asarray(x, dtype=w.dtype))
    return h


@pytest.mark.parametrize(
    ("dtype", "step", "error"),
    [
        (np.float64, 1e-5, 3e-11),
        (np.float64, 1e-10, 3e-7),
        (np.float32, 1e-3, 3e-5),
        (np.float32, 1e-5, 3e-3),
        (np.float32, 1e-8, 1.0),
    ],
)
def test_which_epsilon(dtype, step, error):
    """The error of a difference has a least point, and float32 needs a larger step; from a worked case."""
    found = central_differences(scalar_network, {"w": np.array(0.9, dtype=dtype)}, step)["w"]
    assert found.dtype == dtype
    got = abs(float(found) - 0.537801052054819) / 0.537801052054819
    assert error / 4 < got < error * 4


def test_differences_of_a_known_function_and_the_step_chosen_for_it():
    arguments = {"a": np.array([[0.3, -1.2], [2.0, 0.1]]), "b": np.array([0.7, -0.4])}
    found = central_differences(lambda a, b: np.sin(a @ b).sum(), arguments)
    slope = np.cos(arguments["a"] @ arguments["b"])
    np.testing.assert_allclose(found["a"], np.outer(slope, arguments["b"]), rtol=1e-9)
    np.testing.assert_allclose(found["b"], slope @ arguments["a"], rtol=1e-9)
    assert central_differences(lambda a: a**3, {"a": np.array(2.0)}, 0.5)["a"] == pytest.approx(12.25)
    single = central_differences(lambda a: a**3, {"a": np.array(2.0, np.float32)})["a"]
    assert single == pytest.approx(12 + np.cbrt(np.finfo(np.float32).eps) ** 2, rel=1e-4)


def test_arguments_are_left_as_they_were_and_whole_numbers_will_do():
    a = np.array([1, 2])
    found = central_differences(lambda a: (a**2).sum(), {"a": a})["a"]
    np.testing.assert_allclose(found, [2, 4], rtol=1e-9)
    assert a.tolist() == [1, 2]
    locked = np.array([1.0, 2.0])
    locked.flags.writeable = False
    np.testing.assert_allclose(central_differences(lambda a: (a**2).sum(), {"a": locked})["a"], [2, 4])


@pytest.mark.parametrize("size", [1.0, 399.0, 1e4, -1e15, 1e300])
def test_large_entries_are_moved_far_enough(size):
    asked = {"a": np.array([size, 1.0])}
    found = central_differences(lambda a: 3 * a[0] / abs(size) + np.sin(a[1]), asked)["a"]
    np.testing.assert_allclose(found, [3 / abs(size), math.cos(1)], rtol=1e-7)
    for check in (check_backward, check_vjp):
        assert check(lambda a: 3 * a, lambda a, error: [3 * error], asked)["a"] < 1e-7
        assert check(lambda a: 3 * a, lambda a, error: [2 * error], asked)["a"] > 0.05


def test_large_entries_of_single_precision_are_moved_far_enough():
    found = central_differences(lambda a: a.sum(), {"a": np.array([1e6], np.float32)})["a"]
    assert found == pytest.approx(1, rel=1e-3)


def test_an_infinite_entry_cannot_be_moved_and_has_no_gradient():
    found = central_differences(lambda a: np.tanh(a).sum(), {"a": np.array([math.inf, 0.0])})["a"]
    np.testing.assert_allclose(found, [0, 1], rtol=1e-9)
    found = check_vjp(np.tanh, lambda a, error: [error / np.cosh(a) ** 2], {"a": np.array([math.inf, 0.3])})
    assert found["a"] < 1e-7


def doubled_in_place(a):
    a *= 2
    return a


def doubles_its_error(a, error):
    error *= 2
    return [error]


@pytest.mark.parametrize("check", [check_backward, check_vjp])
def test_functions_that_write_over_their_arguments_are_judged_rightly(check):
    asked = {"a": np.array([0.5, -1.5]), "b": np.array([2.0, 3.0])}
    assert check(doubled_in_place, doubles_its_error, {"a": asked["a"]})["a"] < 1e-9
    assert check(doubled_in_place, lambda a, error: [error], {"a": asked["a"]})["a"] > 0.1

    def loss(a, b):
        return float((doubled_in_place(a) * doubled_in_place(b)).sum())

    right = {"a": 4 * asked["b"], "b": 4 * asked["a"]}
    assert max(check_gradients(loss, asked, right).values()) < 1e-9
    assert check_gradients(loss, asked, {"a": right["a"]})["a"] < 1e-9


def test_relative_error_of_tensors():
    assert relative_error(np.array([3.0, 4.0]), np.array([3.0, 4.0])) == 0
    assert relative_error(np.zeros(2), np.zeros(2)) == 0
    assert relative_error(np.array([3.0, 0.0]), np.array([3.0, 4.0])) == pytest.approx(4 / 5)
    assert relative_error(np.array([6.0, 8.0]), np.array([3.0, 4.0])) == pytest.approx(1 / 2)
    assert relative_error(np.array([0.0]), np.array([5.0])) == 1
    assert relative_error(np.array([math.nan]), np.array([5.0])) == math.inf
    with pytest.raises(ValueError, match=r"both must have the same shape, got \(1,\) and \(2,\)"):
        relative_error(np.zeros(1), np.zeros(2))


@pytest.mark.parametrize("size", [1e-320, 1e-200, 1e-180, 1e-8, 1.0, 1e200, 1e308])
def test_relative_error_is_the_same_at_every_size(size):
    assert relative_error(np.array([size, 0]), np.array([size, 0])) == 0
    assert relative_error(np.array([size, 0]), np.array([-size, 0])) == 2
    assert relative_error(np.array([size / 5, 0]), np.array([size, 0])) == pytest.approx(4 / 5, rel=1e-3)
    assert relative_error(np.array([size, 0]), np.array([0, size])) == pytest.approx(math.sqrt(2))
    assert relative_error(np.array([size, math.nan]), np.array([size, 1.0])) == math.inf


@pytest.mark.parametrize("check", [check_backward, check_vjp])
@pytest.mark.parametrize("size", [1e-180, 1e-8, 1.0, 1e180])
def test_a_wrong_gradient_of_any_size_is_found(check, size):
    def forward(a):
        return size * a**2

    asked = {"a": np.array([0.5, -1.5])}
    assert check(forward, lambda a, error: [2 * a * size * error], asked)["a"] < 1e-9
    assert check(forward, lambda a, error: [5 * a * size * error], asked)["a"] > 0.1


def exploding(factor):
    """The losses of forty words in a tanh RNN whose errors grow, and its gradients times a factor."""
    vocabulary = 20
    ids = np.random.default_rng(0).integers(vocabulary, size=40)
    P = language_model("rnn", vocabulary, 8, 64, 16, 1.5)

    def loss(*tensors):
        return np.asarray(itemised_gradient("rnn", dict(zip(KEYS, tensors, strict=True)), ids).losses.sum())

    def backward(*tensors_and_error):
        *tensors, error = tensors_and_error
        gradients = parameter_gradients("rnn", dict(zip(KEYS, tensors, strict=True)), ids)
        return [factor * error * gradients[name] for name in KEYS]

    return loss, backward, {name: P[name] for name in KEYS}


def test_the_bend_of_a_network_whose_errors_grow_is_not_taken_for_a_fault():
    assert max(check_vjp(*exploding(1)).values()) < 1e-7
    assert max(check_vjp(*exploding(1 + 1e-5)).values()) > 1e-7


def example(size=3, inputs=2):
    draw = np.random.default_rng(0).normal
    shapes = {
        "x": inputs,
        "h": size,
        "c": size,
        "W": (inputs, 4 * size),
        "U": (size, 4 * size),
        "b": 4 * size,
    }
    return {name: draw(size=shape) for name, shape in shapes.items()}


def spoil(position, change):
    def backward(*arguments):
        gradients = list(lstm_cell_backward(*arguments))
        gradients[position] = change(gradients[position])
        return gradients

    return backward


@pytest.mark.parametrize("check", [check_backward, check_vjp])
@pytest.mark.parametrize("position", range(6))
def test_a_wrong_gradient_is_found_and_named(check, position):
    name = list(example())[position]
    for change in (lambda g: 1.01 * g, lambda g: g + 1e-3, np.zeros_like, lambda g: g * np.nan):
        found = check(lstm_cell, spoil(position, change), example())
        assert found.pop(name) > 1e-4
        assert max(found.values()) < 1e-7


@pytest.mark.parametrize("check", [check_backward, check_vjp])
def test_a_missing_transpose_is_found_unless_the_matrix_is_symmetric(check):
    asked = {name: a[:3] if name in ("W", "U") else a for name, a in example().items() if name != "c"}
    asked = {name: a[..., :3] if name in ("W", "U", "b") else a for name, a in asked.items()}

    def forgets(x, h, W, U, b, dh_new):
        dx, dh, *rest = rnn_cell_backward(x, h, W, U, b, dh_new)
        delta = np.linalg.solve(U, dh)
        return dx, delta @ U, *rest

    assert check(rnn_cell, forgets, asked)["h"] > 0.1
    symmetric = asked | {"U": asked["U"] + asked["U"].T}
    assert check(rnn_cell, forgets, symmetric)["h"] < 1e-7


def test_the_direction_of_the_dot_product_test_follows_the_seed():
    first, again, other = (check_vjp(lstm_cell, lstm_cell_backward, example(), seed=s) for s in (1, 1, 2))
    assert first == again != other


def test_gradients_may_be_checked_for_some_arguments_only():
    asked = {"a": np.array([0.5, 1.5]), "unused": np.array([7.0])}
    found = check_gradients(lambda a, unused: float(np.exp(a).sum()), asked, {"a": np.exp(asked["a"])})
    assert list(found) == ["a"]
    assert found["a"] < 1e-9


def test_what_does_not_fit_is_refused():
    def loss(a):
        return float((a**2).sum())

    asked = {"a": np.ones(2)}
    with pytest.raises(ValueError, match="gradients must be of a, got one of 'b'"):
        check_gradients(loss, asked, {"b": np.ones(2)})
    with pytest.raises(ValueError, match=r"the gradient of a must have its shape \(2,\), got \(3,\)"):
        check_gradients(loss, asked, {"a": np.ones(3)})
    for step in (0, -1e-5, math.nan, "1"):
        with pytest.raises(ValueError, match="step must be a finite number above 0"):
            check_gradients(loss, asked, {"a": 2 * np.ones(2)}, step)
    with pytest.raises(ValueError, match="a must be an array of numbers"):
        central_differences(loss, {"a": "one"})
    for check in (check_backward, check_vjp):
        with pytest.raises(ValueError, match="backward must return 6 gradients, of x, h, c, W, U, b, got 5"):
            check(lstm_cell, lambda *a: lstm_cell_backward(*a)[:5], example())
        with pytest.raises(
            ValueError, match=r"the gradient of U must have its shape \(3, 12\), got \(12, 3\)"
        ):
            check(lstm_cell, spoil(4, np.transpose), example())
        with pytest.raises(ValueError, match="seed must be an integer of at least 0, got -1"):
            check(lstm_cell, lstm_cell_backward, example(), seed=-1)


def plain(a):
    return 2 * a


def plain_backward(a, error):
    return [2 * error]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda a: central_differences(np.sum, [1]),
            r"arguments must be a mapping from names to .*, got \[1\]",
        ),
        (
            lambda a: central_differences(np.sum, {1: [2.0]}),
            "arguments must be a mapping from names to arrays",
        ),
        (lambda a: central_differences(None, a), "loss must be a function, got None"),
        (lambda a: central_differences(lambda a: None, a), "loss must return one number, got None"),
        (lambda a: central_differences(lambda a: a, a), "loss must return one number, got array"),
        (lambda a: central_differences(lambda a: 1j, a), "loss must return one number, got 1j"),
        (
            lambda a: check_gradients(np.sum, a, None),
            "gradients must be a mapping from names to .*, got None",
        ),
        (
            lambda a: check_gradients(np.sum, [1], {}),
            r"arguments must be a mapping from names to .*, got \[1\]",
        ),
        (
            lambda a: check_gradients(np.sum, a, {"a": "x"}),
            "the gradient of a must be an array of numbers, got 'x'",
        ),
        (lambda a: relative_error([1 + 5j], [1.0]), "one must be an array of numbers"),
        (lambda a: relative_error([1.0], ["x"]), "other must be an array of numbers"),
        (lambda a: relative_error([[1.0], [1.0, 2.0]], [1.0]), "one must be an array of numbers"),
    ],
)
def test_near_misses_are_refused_by_name(call, message):
    with pytest.raises(ValueError, match=message):
        call({"a": np.ones(2)})


@pytest.mark.parametrize("check", [check_backward, check_vjp])
@pytest.mark.parametrize(
    ("forward", "backward", "message"),
    [
        (lambda a: None, plain_backward, "each output of forward must be an array of numbers, got None"),
        (lambda a: [a, a], plain_backward, r"forward must return an array or a tuple of arrays, got \["),
        (lambda a: (a, "x"), plain_backward, "each output of forward must be an array of numbers, got 'x'"),
        (plain, lambda a, error: None, "backward must return 1 gradients, of a, got None"),
        (plain, lambda a, error: 2 * error, "backward must return 1 gradients, of a, got array"),
        (plain, lambda a, error: [None], "the gradient of a must be an array of numbers, got None"),
        (plain, lambda a, error: [[[1.0], 2.0]], "the gradient of a must be an array of numbers"),
        (1, plain_backward, "forward must be a function, got 1"),
        (plain, None, "backward must be a function, got None"),
    ],
)
def test_near_misses_of_a_pair_are_refused_by_name(check, forward, backward, message):
    with pytest.raises(ValueError, match=message):
        check(forward, backward, {"a": np.ones(2)})
    with pytest.raises(ValueError, match="arguments must be a mapping from names to arrays"):
        check(plain, plain_backward, [np.ones(2)])


@pytest.mark.parametrize("check", [check_backward, check_vjp])
def test_a_forward_may_return_a_plain_number(check):
    assert check(lambda a: float(a @ a), lambda a, error: [2 * a * error], {"a": np.ones(2)})["a"] < 1e-9
