"""How far known mistakes are off, against the mistakes made by hand in plain loops, and where they hide."""

import numpy as np
import pytest

from core.activations import tanh_slope
from core.exercises import hiding
from core.exercises.contract import NAMES
from core.exercises.hiding import MISTAKES, RESULTS, SEEN, deviations
from core.exercises.judged.mistakes import KNOWN, mistakes
from core.gradcheck import central_differences
from core.gru_cell import gru_cell
from core.lstm_cell import lstm_cell, lstm_cell_backward
from core.rnn_cell import rnn_pull_back
from core.rnn_lm import rnn_states

ORDINARY = {"steps": 6, "size": 3, "scale": 1.0, "start": 0.5, "symmetric": False, "seed": 0}
PARTS = {"lstm_cell": 4, "lstm_cell_backward": 4, "gru_cell": 3}


def off(exercise: str, **changes) -> list[np.ndarray]:
    return [found.off for found in deviations(exercise, **ORDINARY | changes).values()]


def every_result(exercise: str, **changes) -> list[dict[str, np.ndarray]]:
    """For each mistake the relative errors of all results, by name."""
    return [
        {RESULTS[exercise][0]: found.off} | {name: other.off for name, other in found.elsewhere.items()}
        for found in deviations(exercise, **ORDINARY | changes).values()
    ]


def network(exercise: str, **changes) -> hiding.Network:
    return hiding._draw(PARTS.get(exercise, 1), *(ORDINARY | changes).values())


def relative(wrong, right) -> float:
    return np.linalg.norm(wrong - right) / max(np.linalg.norm(wrong), np.linalg.norm(right))


def sigmoid(a):
    return 1 / (1 + np.exp(-a))


@pytest.mark.parametrize("exercise", NAMES)
def test_each_exercise_has_its_two_mistakes(exercise):
    found = deviations(exercise, **ORDINARY)
    assert tuple(found) == MISTAKES[exercise]
    for deviation in found.values():
        assert deviation.off.shape == (6,)
        assert 1e-7 < deviation.off[-1] <= 2


def test_the_missing_transpose_of_the_worked_case():
    """W = [[.5, −.3], [.8, .2]] on columns, Wx = [.4, −.6], x = (1, −1, .5), loss [1, 2]·h_3."""
    U, W, x = np.array([[0.5, 0.8], [-0.3, 0.2]]), np.array([[0.4, -0.6]]), np.array([[1.0], [-1.0], [0.5]])
    a, hidden = rnn_states(x @ W, U, np.zeros(2))
    own = np.array([[0, 0], [0, 0], [1.0, 2.0]])
    right, wrong = (
        hiding._gradients_by_length(
            hidden, x, own, 2, lambda t, dh, dc, M=M: (*rnn_pull_back(tanh_slope(a)[t], M, dh), dc)
        )[0][-1].T
        for M in (U, U.T)
    )
    np.testing.assert_allclose(
        right, [[0.7218554733, -0.4276182495], [-0.0758561755, 1.2440154955]], atol=1e-10
    )
    np.testing.assert_allclose(wrong, [[-0.0774062, 0.7021207], [0.1587443, 0.9124128]], atol=1e-7)


def test_reading_with_a_transposed_matrix_and_from_zeros():
    net = network("rnn_forward")
    for found, U, h in zip(every_result("rnn_forward"), (net.U.T, net.U), (net.h, np.zeros(3)), strict=True):
        right, wrong = [net.h], [h]
        for t, x in enumerate(net.x):
            right.append(np.tanh(x @ net.W + right[-1] @ net.U + net.b))
            wrong.append(np.tanh(x @ net.W + wrong[-1] @ U + net.b))
            assert found["h_T"][t] == pytest.approx(relative(wrong[-1], right[-1]), rel=1e-9)
            assert found["hidden"][t] == pytest.approx(relative(np.array(wrong), np.array(right)), rel=1e-9)


@pytest.mark.parametrize("steps", [1, 2, 4, 6])
def test_going_back_without_transpose_or_later_errors(steps):
    net = network("rnn_bptt")

    def states(U, W=net.W, b=net.b, h=net.h):
        hidden = [h]
        for x in net.x[:steps]:
            hidden.append(np.tanh(x @ W + hidden[-1] @ U + b))
        return np.array(hidden)

    def guesses(hidden):
        logits = hidden @ net.Why
        return np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)

    rows, targets = np.arange(steps), net.targets[:steps]

    def loss(**weights):
        return float(-np.log(guesses(states(**weights)[1:])[rows, targets]).sum())

    def gradients(back, kept):
        hidden = states(net.U)
        e = guesses(hidden[1:])
        e[rows, targets] -= 1
        later, dU, dW, db = np.zeros(3), 0, 0, 0
        for t in reversed(range(steps)):
            delta = (net.Why @ e[t] + kept * later) * (1 - hidden[t + 1] ** 2)
            dU, dW, db = dU + np.outer(hidden[t], delta), dW + np.outer(net.x[t], delta), db + delta
            later = back @ delta
        return dU, dW, db, later

    point = {"U": net.U, "W": net.W, "b": net.b, "h": net.h}
    right = central_differences(lambda U, W, b, h: loss(U=U, W=W, b=b, h=h), point).values()
    for whole, expected in zip(gradients(net.U, 1), right, strict=True):
        assert relative(whole, expected) < 1e-8
    for found, made in zip(every_result("rnn_bptt"), ((net.U.T, 1), (net.U, 0)), strict=True):
        assert list(found) == ["dWhh", "dWxh", "dbh", "dh0"]
        for errors, wrong, expected in zip(found.values(), gradients(*made), right, strict=True):
            assert errors[steps - 1] == pytest.approx(relative(wrong, expected), rel=1e-6, abs=1e-8)


def test_swapped_gates():
    net = network("lstm_cell")

    def run(order):
        h, c, states = net.h, net.c, []
        for x in net.x:
            parts = dict(zip(order, np.split(x @ net.W + h @ net.U + net.b, 4), strict=True))
            c = sigmoid(parts["f"]) * c + sigmoid(parts["i"]) * np.tanh(parts["g"])
            h = sigmoid(parts["o"]) * np.tanh(c)
            states.append((h, c))
        return states

    for found, order in zip(every_result("lstm_cell"), ("figo", "ifog"), strict=True):
        for n, name in enumerate(("h_T", "c_T")):
            pairs = zip(run(order), run("ifgo"), strict=True)
            expected = [relative(wrong[n], right[n]) for wrong, right in pairs]
            np.testing.assert_allclose(found[name], expected, rtol=1e-9)


@pytest.mark.parametrize("steps", [1, 3, 6])
def test_an_lstm_back_without_one_of_the_two_ways_into_the_cell(steps):
    net = network("lstm_cell_backward")
    reading = net.Why[:, 0]

    def walk(U=net.U, W=net.W, b=net.b, h=net.h, c=net.c):
        states = [(h, c)]
        for x in net.x[:steps]:
            states.append(tuple(lstm_cell(x, *states[-1], W, U, b)))
        return states

    def loss(**point):
        return sum(float(reading @ h) for h, _ in walk(**point)[1:])

    def gradients(through_cell, through_hidden):
        dh, dc, dW, dU, db = np.zeros(3), np.zeros(3), 0, 0, 0
        states = walk()
        for t in reversed(range(steps)):
            step = net.x[t], *states[t], net.W, net.U, net.b
            dh, dc = dh + reading, through_cell * dc
            if not through_hidden:
                # What comes through h′ is taken off again beforehand.
                a = net.x[t] @ net.W + states[t][0] @ net.U + net.b
                dc = dc - dh * sigmoid(a[-3:]) * (1 - np.tanh(states[t + 1][1]) ** 2)
            _, dh, dc, of_W, of_U, of_b = lstm_cell_backward(*step, dh, dc)
            dW, dU, db = dW + of_W, dU + of_U, db + of_b
        return dU, dW, db, dh, dc

    point = {"U": net.U, "W": net.W, "b": net.b, "h": net.h, "c": net.c}
    right = central_differences(loss, point).values()
    for found, ways in zip(every_result("lstm_cell_backward"), ((0, True), (1, False)), strict=True):
        assert list(found) == ["dU", "dW", "db", "dh", "dc"]
        for errors, wrong, expected in zip(found.values(), gradients(*ways), right, strict=True):
            assert errors[steps - 1] == pytest.approx(relative(wrong, expected), rel=1e-6, abs=1e-8)


def test_a_gru_with_another_reset_or_another_update():
    net = network("gru_cell")

    def reversed_update(x, h):
        r, z, n = np.split(x @ net.W + net.b, 3)
        U_r, U_z, U_n = np.split(net.U, 3, axis=1)
        r, z = sigmoid(r + h @ U_r), sigmoid(z + h @ U_z)
        return z * np.tanh(n + (r * h) @ U_n) + (1 - z) * h

    def after(x, h):
        return gru_cell(x, h, net.W, net.U, net.b, reset_after=True)

    for found, wrong in zip(off("gru_cell"), (after, reversed_update), strict=True):
        right = h = net.h
        for t, x in enumerate(net.x):
            right, h = gru_cell(x, right, net.W, net.U, net.b), wrong(x, h)
            assert found[t] == pytest.approx(relative(h, right), rel=1e-9)


@pytest.mark.parametrize("exercise", ["lstm_cell", "gru_cell"])
def test_one_step_is_off_by_as_much_as_with_the_mistake_of_that_name(exercise):
    net = network(exercise, steps=1)
    states = (net.h, net.c) if exercise == "lstm_cell" else (net.h,)
    known = KNOWN[exercise]
    for key, found in zip(MISTAKES[exercise], off(exercise, steps=1), strict=True):
        (slip,) = [slip for slip in known.slips if slip.mistake.key == key]
        wrong, right = (
            known.wrong(net.x[0], *states, net.W, net.U, net.b, made)["h_new"]
            for made in (slip.ways[0], frozenset())
        )
        assert found[0] == pytest.approx(relative(wrong, right), rel=1e-9)


@pytest.mark.parametrize("exercise", NAMES)
def test_the_check_knows_them_under_these_keys(exercise):
    assert set(MISTAKES[exercise]) <= {mistake.key for mistake in mistakes(exercise)}


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("hides", [{"symmetric": True}, {"size": 1}])
def test_a_transpose_hides_in_a_symmetric_matrix_and_in_a_single_unit(hides, seed):
    for exercise in ("rnn_forward", "rnn_bptt"):
        found, _ = off(exercise, seed=seed, **hides)
        assert found.max() == 0
    assert off("rnn_bptt", seed=seed)[0][-1] > 1e-3


@pytest.mark.parametrize("seed", range(5))
def test_a_gradient_hides_with_one_step_and_with_two_from_a_state_of_0(seed):
    for exercise, places in (("rnn_bptt", (0, 1)), ("lstm_cell_backward", (0,))):
        for n in places:
            assert (off(exercise, seed=seed)[n] < SEEN).tolist() == [True] + 5 * [False]
            assert (off(exercise, seed=seed, start=0.0)[n] < SEEN).tolist() == 2 * [True] + 4 * [False]


@pytest.mark.parametrize("seed", range(5))
def test_what_hides_in_one_gradient_shows_in_another(seed):
    """A missing transpose: dh_0 = δ_1 Whhᵀ has it at once, and δ_1 of two steps has it whatever h_0 is."""
    found, _ = every_result("rnn_bptt", seed=seed, start=0.0)
    assert found["dWhh"][:2].max() < SEEN
    assert found["dh0"].min() > 0.1
    assert [found[name][0] < SEEN < found[name][1] for name in ("dWxh", "dbh")] == [True, True]
    ignored = every_result("rnn_forward", seed=seed, steps=80)[1]
    assert ignored["h_T"][-1] < SEEN < ignored["hidden"][-1]


@pytest.mark.parametrize("seed", range(5))
def test_a_symmetric_matrix_hides_a_missing_transpose_in_every_result(seed):
    for exercise in ("rnn_forward", "rnn_bptt"):
        found, _ = every_result(exercise, seed=seed, symmetric=True)
        assert max(errors.max() for errors in found.values()) == 0


@pytest.mark.parametrize("seed", range(5))
def test_a_reset_after_the_product_hides_in_a_single_unit_and_the_update_does_not(seed):
    reset, update = off("gru_cell", seed=seed, size=1)
    assert reset.max() == 0
    assert update.max() > 0.1


def test_small_weights_all_but_hide_most_mistakes():
    for exercise, n, most in (("rnn_bptt", 0, 0.05), ("lstm_cell", 0, 0.05), ("gru_cell", 0, 1e-3)):
        small, ordinary = off(exercise, scale=0.01)[n], off(exercise)[n]
        assert 0 < small[-1] < most
        assert small[-1] < ordinary[-1] / 5


def test_a_forgotten_start_hides_where_there_is_none_and_fades_where_there_is_one():
    assert off("rnn_forward", start=0.0)[1].max() == 0
    fading = off("rnn_forward", steps=40)[1]
    assert fading[-1] < fading[0] * 1e-4


@pytest.mark.parametrize("exercise", NAMES)
def test_a_longer_sequence_begins_like_a_shorter_one(exercise):
    for long, short in zip(off(exercise, steps=9), off(exercise, steps=4), strict=True):
        np.testing.assert_allclose(long[:4], short, rtol=1e-9, atol=1e-13)


@pytest.mark.parametrize("exercise", NAMES)
def test_draws_depend_on_the_seed(exercise):
    assert off(exercise, seed=1)[0][-1] != off(exercise, seed=2)[0][-1]
    np.testing.assert_array_equal(off(exercise)[0], off(exercise)[0])


@pytest.mark.parametrize(
    ("name", "value"),
    [("steps", 0), ("size", 0), ("scale", 0.0), ("start", np.nan), ("symmetric", "no"), ("seed", -1)],
)
def test_what_is_out_of_range_is_refused(name, value):
    with pytest.raises(ValueError, match=f"{name} must be"):
        deviations("gru_cell", **ORDINARY | {name: value})


def test_another_exercise_is_refused():
    with pytest.raises(ValueError, match="exercise must be one of rnn_forward"):
        deviations("rnn", **ORDINARY)
