import itertools

import numpy as np
import pytest

from core.exercises.contract import NAMES
from core.exercises.judged.cases import LARGE, LONG, cases
from core.exercises.judged.truth import difference_values, right_values
from core.gradcheck import relative_error


def arrays(case):
    """All arrays of a case by name, those of P among them."""
    arguments = dict(case.arguments)
    return arguments.pop("P", {}) | arguments


@pytest.mark.parametrize("name", NAMES)
def test_a_seed_gives_the_same_cases_and_another_gives_others(name):
    one, same, other = cases(name, 3), cases(name, 3), cases(name, 4)
    assert [case.name for case in one] == [case.name for case in other]
    for case, again, different in zip(map(arrays, one), map(arrays, same), map(arrays, other), strict=True):
        assert case.keys() == again.keys() == different.keys()
        for key, array in case.items():
            np.testing.assert_array_equal(array, again[key])
            assert key == "ids" or not np.array_equal(array, different[key])


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_there_behind_which_a_mistake_could_hide(name, seed):
    drawn = [arrays(case) for case in cases(name, seed)]
    ordinary = [arrays(case) for case in cases(name, seed) if case.name not in (LARGE[0], LONG[0])]
    assert len(ordinary) == len(drawn) - 1
    for case in ordinary:
        for key, array in case.items():
            assert array.flags.c_contiguous
            assert array.flags.writeable
            assert array.dtype == (np.int64 if key == "ids" else np.float64)
            if key != "ids":
                assert 0.02 < np.abs(array).max() < 6
        recurrent = case["Whh"] if "Whh" in case else case["U"]
        blocks = np.split(recurrent, recurrent.shape[1] // len(recurrent), axis=1)
        assert max(np.abs(block - block.T).max() for block in blocks) > 0.1
    shapes = [{key: array.shape for key, array in case.items()} for case in drawn]
    assert any(one == two for one, two in itertools.pairwise(shapes))
    assert len({tuple(shape.items()) for shape in shapes}) > 1


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("name", NAMES[:2])
def test_a_text_is_long_enough_and_comes_back_to_a_token(name, seed):
    for case in cases(name, seed):
        P, ids, h0 = case.arguments.values()
        V, d = P["E"].shape
        assert len({len(ids) - 1, len(ids), V, d, len(h0)}) == 5
        assert len(ids) - 1 >= 3
        assert len(set(ids[:-1])) < len(ids) - 1
        assert (ids[1:] != ids[:-1]).all()
        assert np.abs(h0).min() > 1e-4


@pytest.mark.parametrize("seed", range(20))
def test_over_the_long_text_gradients_are_large_and_central_differences_hold(seed):
    (case,) = (case for case in cases("rnn_bptt", seed) if case.name == LONG[0])
    right, differences = (values("rnn_bptt", case) for values in (right_values, difference_values))
    assert len(case.arguments["ids"]) == 31
    assert max(np.abs(right[value]).max() for value in differences) > 10
    assert all(relative_error(right[value], differences[value]) < 1e-7 for value in differences)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("name", NAMES[2:])
def test_in_one_batch_sums_are_large_and_none_is_so_large_downwards_that_an_exponential_overflows(name, seed):
    (case,) = (case for case in cases(name, seed) if case.name == LARGE[0])
    x, h, W, U, b = (case.arguments[key] for key in ("x", "h", "W", "U", "b"))
    sums = x @ W + h @ U + b
    assert sums.max() > 720
    assert -200 < sums.min() < -8
    assert (np.abs(sums) < 8).any(axis=0)[1:].all()
    if name == "lstm_cell_backward":
        right, differences = (values(name, case) for values in (right_values, difference_values))
        assert all(relative_error(right[value], differences[value]) < 1e-7 for value in differences)


@pytest.mark.parametrize("name", NAMES[2:])
def test_a_cell_gets_one_example_and_a_batch_of_sizes_that_cannot_be_confused(name):
    batches = set()
    for case in cases(name, 0):
        x, h, W = (case.arguments[key] for key in ("x", "h", "W"))
        batches.add(x.ndim)
        sizes = [*x.shape[:-1], x.shape[-1], h.shape[-1], W.shape[1]]
        assert len(set(sizes)) == len(sizes)
    assert batches == {1, 2}


@pytest.mark.parametrize("name", NAMES[2:])
def test_a_batch_of_one_and_single_numbers_are_among_the_cells_cases(name):
    assert {1} < {size for case in cases(name, 0) for size in case.arguments["x"].shape[:-1]}
    assert {1} < {case.arguments["x"].shape[-1] for case in cases(name, 0)}


@pytest.mark.parametrize("name", NAMES[:2])
def test_single_numbers_and_keys_in_another_order_are_among_the_texts(name):
    all_P = [case.arguments["P"] for case in cases(name, 0)]
    assert {1} < {P["E"].shape[1] for P in all_P}
    assert len({tuple(P) for P in all_P}) > 1
    assert len({frozenset(P) for P in all_P}) == 1


@pytest.mark.parametrize(("name", "seed"), [("lstm", 0), (None, 0), ("gru_cell", -1), ("gru_cell", 1.5)])
def test_what_is_not_known_is_refused(name, seed):
    with pytest.raises(ValueError, match="must be"):
        cases(name, seed)
