import numpy as np
import pytest

from core.cat_sat import (
    GATES,
    GIVEN,
    INPUTS,
    WORDS,
    cat_sat_both_ways,
    cat_sat_gru,
    cat_sat_lstm,
    cat_sat_rnn,
    cat_sat_stacked,
)
from core.cells import gru_cell, lstm_cell, lstm_gates, rnn_cell
from core.opened_step import reset_forms


def test_the_second_unit_keeps_the_cat():
    steps = cat_sat_lstm().layer.steps
    assert [step.f.value[1] for step in steps] == pytest.approx([0.5, 0.9, 0.95], rel=1e-14)
    assert steps[1].c[1] == pytest.approx(0.14, rel=1e-13)
    assert (steps[2].i.value[1], steps[2].g.value[1]) == pytest.approx((0.3, 0.9), rel=1e-14)
    assert steps[2].kept[1] == pytest.approx(0.133, rel=1e-13)
    assert steps[2].written[1] == pytest.approx(0.27, rel=1e-13)
    assert steps[2].c[1] == pytest.approx(0.403, rel=1e-13)


def test_the_first_unit_lets_go():
    """By hand: .6·.3 = .18; .4·.18 − .5·.4 = −.128; −.2·.128 + .7·.6 = .3944."""
    np.testing.assert_allclose(cat_sat_lstm().layer.memory[:, 0], [0.18, -0.128, 0.3944], rtol=1e-13)


def test_the_weights_are_those_of_a_real_lstm():
    example = cat_sat_lstm()
    assert example.weights.U.all()
    h = c = np.zeros(2)
    for t in range(3):
        gates = lstm_gates(INPUTS[t], h, *example.weights)
        for name in "ifgo":
            np.testing.assert_allclose(getattr(gates, name), getattr(GATES, name)[t], rtol=1e-13)
        h, c = lstm_cell(INPUTS[t], h, c, *example.weights)
    np.testing.assert_allclose(h, np.array([0.8, 0.9]) * np.tanh([0.3944, 0.403]), rtol=1e-13)


def test_what_was_open_is_marked_as_ours():
    ours = cat_sat_lstm().ours
    given = {(name, int(t), int(unit)) for name in "ifgo" for t, unit in np.argwhere(~ours[name])}
    assert given == {("f", 0, 1), ("f", 1, 1), ("f", 2, 1), ("i", 2, 1), ("g", 2, 1)}
    for example in (cat_sat_lstm(), cat_sat_rnn(), cat_sat_gru()):
        for name, array in example.weights._asdict().items():
            assert example.ours[name].shape == array.shape
            assert example.ours[name].all()
    assert [gate.shape for gate in (*GATES, *GIVEN)] == 8 * [(3, 2)]


def told(example, name) -> set[tuple[int, int]]:
    return {(int(t), int(unit)) for t, unit in np.argwhere(~example.ours[name])}


def test_what_follows_from_our_numbers_alone_counts_as_ours_too():
    """The example gives c_2 = .14 whole, and with it all of .95 · .14 + .3 · .9 = .403; c_0 = 0 is no choice."""
    example = cat_sat_lstm()
    assert told(example, "kept") == {(0, 1), (2, 1)}
    assert told(example, "written") == {(2, 1)}
    assert told(example, "c") == {(1, 1), (2, 1)}
    assert told(example, "h") == set()
    i = GATES.i.copy()
    i[1, 1] = 0.2
    assert told(cat_sat_lstm(GATES._replace(i=i)), "c") == set()
    g = GATES.g.copy()
    g[1, 1] = 0.55  # c_2 = .9 · .1 + .1 · .55 = .145, which is not .14
    assert told(cat_sat_lstm(GATES._replace(g=g)), "c") == set()
    f = GATES.f.copy()
    f[2, 1] = 0.1
    changed = cat_sat_lstm(GATES._replace(f=f))
    assert (told(changed, "kept"), told(changed, "c")) == ({(0, 1)}, {(1, 1)})


def test_changed_gates_are_met_and_count_as_ours():
    f = GATES.f.copy()
    f[1:, 1] = 0.1
    example = cat_sat_lstm(GATES._replace(f=f))
    assert [step.f.value[1] for step in example.layer.steps] == pytest.approx([0.5, 0.1, 0.1], rel=1e-13)
    # By hand: .1·.1 + .05 = .06; .1·.06 + .27 = .276.
    np.testing.assert_allclose(example.layer.memory[:, 1], [0.1, 0.06, 0.276], rtol=1e-13)
    assert example.ours["f"][:, 1].tolist() == [False, True, True]
    assert GATES.f[1, 1] == 0.9


def test_the_tanh_rnn_writes_its_state_anew():
    example, h = cat_sat_rnn(), np.zeros(2)
    for x, step in zip(INPUTS, example.layer.steps, strict=True):
        h = rnn_cell(x, h, *example.weights)
        np.testing.assert_allclose(step.h, h, rtol=1e-13)
    after_cat, after_sat = example.layer.hidden[1:, 1]
    assert after_cat > 0.5
    assert after_sat < -0.5


def test_the_gru_reads_in_both_forms_and_they_differ():
    readings = []
    for reset_after in (False, True):
        example, h = cat_sat_gru(reset_after), np.zeros(2)
        for x, step in zip(INPUTS, example.layer.steps, strict=True):
            h = gru_cell(x, h, *example.weights, reset_after=reset_after)
            np.testing.assert_allclose(step.h, h, rtol=1e-13)
        readings.append(example.layer.hidden)
    before, after = readings
    np.testing.assert_array_equal(before[0], after[0])
    assert (np.abs(before - after)[1:] > 0.01).all()
    forms = reset_forms(INPUTS[1], before[0], *cat_sat_gru().weights)
    np.testing.assert_allclose(forms.difference, after[1] - before[1], rtol=1e-12)


def test_biases_move_the_gates_of_the_gru_alone():
    """By hand at the first word, whose W is (1, −1), (0, −1): r = σ(1 + 2), σ(−1 + 2), z = σ(0 − 1), σ(−1 − 1)."""
    step = cat_sat_gru(reset_bias=2.0, update_bias=-1.0).layer.steps[0]
    np.testing.assert_allclose(step.r.value, [0.9525741268, 0.7310585786], rtol=1e-9)
    np.testing.assert_allclose(step.z.value, [0.2689414214, 0.1192029220], rtol=1e-9)
    np.testing.assert_allclose(step.n.value, np.tanh([0.4, 0.3]), rtol=1e-13)
    with pytest.raises(ValueError, match=r"^reset_bias must be a finite number, got nan"):
        cat_sat_gru(reset_bias=float("nan"))


@pytest.mark.parametrize("cell", ["rnn", "lstm", "gru"])
def test_a_layer_above_and_one_from_the_end_are_read_beside_the_example(cell):
    example = {"rnn": cat_sat_rnn, "lstm": cat_sat_lstm, "gru": cat_sat_gru}[cell]()
    lower, upper = cat_sat_stacked(cell, example.weights)
    np.testing.assert_array_equal(lower.hidden, example.layer.hidden)
    np.testing.assert_array_equal(upper.inputs, example.layer.hidden)
    both = cat_sat_both_ways(cell, example.weights)
    np.testing.assert_array_equal(both.hidden[:, :2], example.layer.hidden)
    # At "sat" the layer that reads backwards has nothing behind it.
    first = both.back.steps[2]
    for gate in ("i", "r", "candidate"):
        if hasattr(first, gate):
            np.testing.assert_array_equal(getattr(first, gate).state_terms, 0)
    assert np.abs(both.back.hidden).min() > 0.02
    assert np.abs(upper.hidden).min() > 0.02
    with pytest.raises(ValueError, match=r"^cell must be one of rnn, lstm, gru"):
        cat_sat_stacked("other", example.weights)


def test_the_numbers_cannot_be_changed_by_who_reads_them():
    for example in (cat_sat_rnn(), cat_sat_gru()):
        for array in example.weights:
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 1
    assert WORDS == ("the", "cat", "sat")


@pytest.mark.parametrize(
    ("name", "value", "low"), [("i", 0.0, 0), ("f", 1.0, 0), ("g", -1.0, -1), ("o", 1.5, 0)]
)
def test_gates_that_no_sum_can_give_are_refused(name, value, low):
    gate = getattr(GATES, name).copy()
    gate[2, 0] = value
    with pytest.raises(ValueError, match=rf"^{name} must lie between {low} and 1, got {value}"):
        cat_sat_lstm(GATES._replace(**{name: gate}))
    with pytest.raises(ValueError, match=rf"^{name} must have shape \(3, 2\), got \(2, 2\)"):
        cat_sat_lstm(GATES._replace(**{name: gate[:2]}))
    with pytest.raises(ValueError, match=r"^gates must be i, f, g and o, got 3"):
        cat_sat_lstm(3)
    with pytest.raises(ValueError, match=r"^reset_after must be True or False, got 2"):
        cat_sat_gru(2)
