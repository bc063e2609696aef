"""The functions with switches: right without any, and with each of them as wrong as they should be."""

import itertools

import numpy as np
import pytest

from core.exercises.contract import NAMES, Outcome
from core.exercises.judged.cases import cases
from core.exercises.judged.diagnosis import diagnose
from core.exercises.judged.mistakes import KNOWN, gru, rnn
from core.exercises.judged.truth import GRADS, RESULTS, right_values
from tests.core.exercises.judged.trying import keys

NOTHING = frozenset()
TOO_SMALL = {f"log_plus:1e-{digits}" for digits in (10, 11, 12)}
"""Switches that may stay below what counts as an error."""


def slipped(name, switches, seed=0):
    """The verdict on a function with these switches on."""
    drawn = cases(name, seed)
    with np.errstate(all="ignore"):
        made = [KNOWN[name].wrong(*case.arguments.values(), switches) for case in drawn]
    return diagnose(name, drawn, [Outcome(returned(name, values)) for values in made])


def returned(name, values):
    """Values by name as the function returns them."""
    if name == "rnn_bptt":
        return values["loss"], {key: values[f"grads['{key}']"] for key in GRADS}
    results = tuple(values[key] for key in RESULTS[name])
    return results if len(results) > 1 else results[0]


@pytest.mark.parametrize("name", NAMES)
def test_without_a_switch_they_are_the_core_s_own(name):
    for seed in range(20):
        for case in cases(name, seed):
            made = KNOWN[name].wrong(*case.arguments.values(), NOTHING)
            right = right_values(name, case)
            assert list(made) == list(right)
            for value, array in made.items():
                np.testing.assert_allclose(array, right[value], rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_each_switch_alone_is_named_and_none_other_on_any_seed(name):
    for slip in KNOWN[name].slips:
        for number, way in enumerate(slip.ways):
            if name == "rnn_bptt" and way == {"probabilities_overwritten"}:
                continue  # the probabilities are not returned there
            seed = sum(map(ord, slip.mistake.key)) + number
            found = slipped(name, way, seed % 20)
            assert not found.unchecked
            if way <= TOO_SMALL and found.right:
                continue
            assert keys(found) == [slip.mistake.key], (way, seed % 20)
            assert not found.right


def test_no_mistake_is_named_twice_or_wrongly_over_twenty_seeds():
    """The mistakes that the exercises are about."""
    for name, switches in (
        ("rnn_forward", "mean recurrent_transposed hidden_overwritten_later bh_twice"),
        ("rnn_bptt", "transpose_missing last_step later_error_forgotten slope_of_pre_activation h0_zero"),
        ("lstm_cell", "order:figo order:ifog b_twice"),
        ("lstm_cell_backward", "second_route cell_error_forgotten mean order:figo slopes_of_pre_activation"),
        ("gru_cell", "reset_after update_reversed b_twice order:zrn"),
    ):
        ways = {way: slip.mistake.key for slip in KNOWN[name].slips for way in slip.ways}
        for switch, seed in itertools.product(switches.split(), range(20)):
            found = slipped(name, frozenset({switch}), seed)
            assert keys(found) == [ways[frozenset({switch})]], (switch, seed)
            assert not found.unchecked


@pytest.mark.parametrize("name", NAMES)
def test_a_pair_is_named_as_the_pair(name):
    """A sample of all pairs; where one hides the other it stands alone, and what looks the same either way is said."""
    pairs = [
        (one, other)
        for one, other in itertools.combinations(KNOWN[name].slips, 2)
        if one.group != other.group
        and not (one.rare and other.rare)
        # Rows that are too few are not compared, so what else is wrong with them does not show.
        and not (name == "rnn_forward" and "one_step_short" in (one.mistake.key, other.mistake.key))
    ]
    drawn = np.random.default_rng(0).permutation(len(pairs))[:30]
    for one, other in (pairs[number] for number in drawn):
        both = one.ways[0] | other.ways[0]
        found = slipped(name, both, seed=1)
        hiding = [
            slip.mistake.key for slip in (one, other) if any(same(name, both, way) for way in slip.ways)
        ]
        if hiding:
            assert keys(found) == hiding[:1]
        elif found.unchecked:
            assert set(keys(found)) < {one.mistake.key, other.mistake.key}
            assert other.mistake.title in found.unchecked[0] or one.mistake.title in found.unchecked[0]
        else:
            assert set(keys(found)) == {one.mistake.key, other.mistake.key}


def same(name, switches, others):
    """Whether two sets of switches give the same values."""
    for case in cases(name, 1):
        one, other = (KNOWN[name].wrong(*case.arguments.values(), on) for on in (switches, others))
        if not all(
            one[value].shape == other[value].shape and np.allclose(one[value], other[value]) for value in one
        ):
            return False
    return True


def test_two_orders_that_nothing_can_tell_apart_are_both_said():
    """With a sigmoid for a candidate, what is written is a product of two sigmoids, in either order."""
    found = slipped("lstm_cell", frozenset({"candidate_sigmoid", "order:oigf"}))
    assert keys(found) == ["candidate_sigmoid"]
    (doubt,) = found.unchecked
    assert "o, i, g, f" in doubt
    assert "o, g, i, f" in doubt
    assert not found.right


def test_the_missing_transpose_is_the_one_of_the_books():
    """Worked by hand for one unit of input and a loss at the last state alone: here its dWhh, in rows.

    W = [[.5, −.3], [.8, .2]], Wx = [.4, −.6], x = (1, −1, .5) and an error of (1, 2) at h_3, in columns.
    """
    W, x = np.array([[0.5, -0.3], [0.8, 0.2]]), np.array([1, -1, 0.5])
    hidden = np.zeros((4, 2))
    for t in range(3):
        hidden[t + 1] = np.tanh(hidden[t] @ W.T + x[t] * np.array([0.4, -0.6]))
    dh = np.zeros((3, 2))
    dh[2] = 1, 2
    for switches, expected in (
        (NOTHING, [[0.7218554733, -0.4276182495], [-0.0758561755, 1.2440154955]]),
        (frozenset({"transpose_missing"}), [[-0.0774062, 0.7021207], [0.1587443, 0.9124128]]),
    ):
        delta, _ = rnn._walk_back(dh, 1 - hidden[1:] ** 2, W.T, switches)
        np.testing.assert_allclose((hidden[:-1].T @ delta).T, expected, atol=6e-8)


@pytest.mark.parametrize(
    ("switches", "expected"),
    [
        (NOTHING, (0.3272567732, -0.3895934931)),
        (frozenset({"reset_after"}), (0.3115716942, -0.3690649858)),
    ],
)
def test_a_reset_gate_before_and_after_the_product(switches, expected):
    """h = (.6, −.4), the candidate's input (.1, .2), U_r = diag(2, −2), U_z = 0, U_n = [[.5, 1], [−1, .5]]."""
    U = np.hstack([np.diag([2.0, -2.0]), np.zeros((2, 2)), np.array([[0.5, 1], [-1, 0.5]]).T])
    W = np.array([[0, 0, 0, 0, 0.1, 0.2]])
    h_new = gru.cell(np.ones(1), np.array([0.6, -0.4]), W, U, np.zeros(6), switches)["h_new"]
    np.testing.assert_allclose(h_new, expected, atol=6e-11)
