import numpy as np
import pytest

from core.memory_masks import SCHEMES, Crossings, MemoryMasks, crossings, memory_masks, passed_on, units_left


def arrays(masks):
    return {name: array for name, array in vars(masks).items() if array is not None}


def test_each_scheme_masks_its_own_connections():
    shapes = {
        scheme: {name: array.shape for name, array in arrays(memory_masks(scheme, 0.3, 7, 5)).items()}
        for scheme in SCHEMES
    }
    assert shapes == {
        "none": {},
        "fresh": {"state": (7, 5)},
        "variational": {"state": (7, 5)},
        "non-recurrent": {"inputs": (7, 5), "outputs": (7, 5)},
        "dropconnect": {"weights": (5, 5)},
    }


@pytest.mark.parametrize("scheme", list(SCHEMES)[1:])
def test_an_entry_is_zero_as_often_as_the_rate_says_and_else_scaled_up(scheme):
    for mask in arrays(memory_masks(scheme, 0.2, 300, 300, seed=3)).values():
        # One mask that lasts has 300 entries of its own, the others 90,000.
        entries = mask[0] if scheme == "variational" else mask
        assert set(np.unique(entries)) == {0.0, 1.25}
        assert np.mean(entries == 0) == pytest.approx(0.2, abs=4 * np.sqrt(0.16 / entries.size))


def test_one_draw_lasts_or_each_step_has_its_own():
    fresh, lasting = (memory_masks(scheme, 0.5, 40, 64).state for scheme in ("fresh", "variational"))
    assert (lasting == lasting[0]).all()
    assert len(np.unique(fresh, axis=0)) == 40
    for connection in (memory_masks("non-recurrent", 0.5, 40).inputs, memory_masks("fresh", 0.5, 40).state):
        columns, rows = np.corrcoef(connection.T), np.corrcoef(connection)
        for correlations in (columns, rows):
            assert abs(correlations[np.triu_indices(len(correlations), 1)].mean()) < 0.02


def test_no_two_connections_share_a_draw():
    drawn = [memory_masks("fresh", 0.5, 64).state, memory_masks("dropconnect", 0.5, 64).weights]
    drawn += arrays(memory_masks("non-recurrent", 0.5, 64)).values()
    for one in range(4):
        for other in range(one):
            assert np.mean(drawn[one] == drawn[other]) == pytest.approx(0.5, abs=0.05)


@pytest.mark.parametrize("scheme", list(SCHEMES)[1:])
def test_the_rate_and_the_steps_only_go_on_with_what_was_drawn(scheme):
    few, many, more = (
        arrays(memory_masks(scheme, rate, steps, 16, seed=5))
        for rate, steps in ((0.2, 30), (0.6, 30), (0.2, 50))
    )
    for name, mask in few.items():
        assert ((mask == 0) <= (many[name] == 0)).all()
        assert (mask == 0).sum() < (many[name] == 0).sum()
        np.testing.assert_array_equal(mask, more[name][: len(mask)])
    other = arrays(memory_masks(scheme, 0.2, 30, 16, seed=6))
    assert any((other[name] != mask).any() for name, mask in few.items())


def stepped(masks, steps, units):
    """Which entries are left of a memory that is multiplied by its masks, step by step."""
    U, h = np.eye(units), np.ones(units)
    states = [h]
    for t in range(steps):
        seen = h if masks.state is None else masks.state[t] * h
        h = seen @ (U if masks.weights is None else masks.weights * U)
        states.append(h)
    return np.array(states) != 0


@pytest.mark.parametrize("scheme", SCHEMES)
def test_units_that_are_left_are_those_that_are_not_zero_after_all_products(scheme):
    masks = memory_masks(scheme, 0.1, 12, 20, seed=2)
    left = units_left(masks, 12, 20)
    np.testing.assert_array_equal(left, stepped(masks, 12, 20))
    assert left[0].all()
    assert left[-1].all() == (scheme in ("none", "non-recurrent"))


def test_what_a_step_lets_through_is_what_its_own_mask_says():
    fresh, wired = (memory_masks(scheme, 0.4, 9, 6) for scheme in ("fresh", "dropconnect"))
    np.testing.assert_array_equal(passed_on(fresh, 9, 6), fresh.state != 0)
    for step in passed_on(wired, 9, 6):
        np.testing.assert_array_equal(step, [wired.weights[unit, unit] != 0 for unit in range(6)])
    for scheme in ("none", "non-recurrent"):
        assert passed_on(memory_masks(scheme, 0.4, 9, 6), 9, 6).all()


def test_crossings_grow_with_the_gap_or_with_the_depth():
    for layers in (1, 2, 3):
        assert crossings("non-recurrent", 100, layers) == Crossings(layers + 1, layers + 1)
        assert crossings("fresh", 100, layers) == Crossings(99, 99)
        assert crossings("variational", 100, layers) == crossings("dropconnect", 100, layers) == (99, 1)
        assert crossings("none", 100, layers) == (0, 0)
    for scheme in ("fresh", "variational", "dropconnect"):
        assert crossings(scheme, 1) == (0, 0)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"scheme": "zoneout"}, "scheme must be one of none, fresh, variational, non-recurrent, dropconnect"),
        ({"rate": 1.0}, "rate must be from 0 to below 1, got 1.0"),
        ({"rate": -0.1}, "rate must be from 0 to below 1, got -0.1"),
        ({"rate": np.nan}, "rate must be a finite number, got nan"),
        ({"steps": 0}, "steps must be an integer of at least 1, got 0"),
        ({"units": 0}, "units must be an integer of at least 1, got 0"),
        ({"seed": -1}, "seed must be an integer of at least 0, got -1"),
    ],
)
def test_what_is_out_of_range_is_refused_by_name(wrong, message):
    for scheme in ("none", "fresh"):
        with pytest.raises(ValueError, match=f"^{message}"):
            memory_masks(**({"scheme": scheme, "rate": 0.2, "steps": 5} | wrong))


def test_crossings_and_units_left_refuse_too():
    with pytest.raises(ValueError, match=r"^scheme must be one of none, "):
        crossings("zoneout", 5)
    with pytest.raises(ValueError, match=r"^steps must be an integer of at least 1, got 0"):
        crossings("fresh", 0)
    with pytest.raises(ValueError, match=r"^layers must be an integer of at least 1, got 0"):
        crossings("none", 5, 0)
    with pytest.raises(ValueError, match=r"^masks must be a MemoryMasks, got None"):
        units_left(None, 5, 4)
    with pytest.raises(ValueError, match=r"^steps must be an integer of at least 1, got 0"):
        units_left(MemoryMasks(), 0, 4)
    with pytest.raises(ValueError, match=r"^units must be an integer of at least 1, got 0"):
        units_left(MemoryMasks(), 5, 0)
    with pytest.raises(ValueError, match=r"^masks.state must have shape \(5, 4\), got \(6, 4\)"):
        units_left(MemoryMasks(state=np.ones((6, 4))), 5, 4)
    with pytest.raises(ValueError, match=r"^masks.weights must have shape \(4, 4\), got \(6, 4\)"):
        units_left(MemoryMasks(weights=np.ones((6, 4))), 5, 4)
