"""Values as JSON and bytes, there and back, and what is none."""

import json

import numpy as np
import pytest

from core.exercises.apart.outcomes import same
from core.exercises.apart.values import UnreadableError, is_whole, pack, unpack
from core.exercises.contract import Foreign

VALUES = [
    None,
    True,
    3,
    -2.5,
    float("inf"),
    [1, (2.0, [])],
    {"a": {"b": np.zeros((2, 0, 3))}},
    np.arange(6.0).reshape(2, 3),
    np.asfortranarray(np.arange(6, dtype=np.int32).reshape(2, 3)),
    np.arange(10.0)[::-3],
    np.float32(1.5),
    np.float16([1.5]),
    np.array([1 + 2j]),
    np.array(True),
    np.array([np.nan, -0.0]),
]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_values_come_back_bit_for_bit(value):
    tree, blob = pack(value)
    assert same(unpack(json.loads(json.dumps(tree)), blob), value)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, 1.0),
        (1, True),
        ([1], (1,)),
        (np.zeros(2), np.zeros((1, 2))),
        (np.zeros(2), np.zeros(2, np.float32)),
        (np.zeros(2), np.array([0.0, -0.0])),
        ({"a": 1}, {"b": 1}),
        ([1], [1, 2]),
    ],
)
def test_values_that_differ_are_not_the_same(one, other):
    assert not same(one, other)


@pytest.mark.parametrize(
    "tree",
    [
        {"array": ["<f8", [2], False]},
        {"array": ["<f8", [-1], False]},
        {"array": ["<f8", [1.0], False]},
        {"array": ["<f8", [10**30], False]},
        {"array": ["O", [1], False]},
        {"array": ["V8", [1], False]},
        {"array": ["S8", [1], False]},
        {"array": ["no", [1], False]},
        {"array": ["<f8", [0] * 40, False]},
        {"array": []},
        {"foreign": "a", "list": []},
        {"other": 1},
        {"dict": [["a"]]},
        {"list": 3},
        {},
        "a text",
        [1],
        10**30,
    ],
    ids=repr,
)
def test_what_is_no_packed_value_is_refused(tree):
    with pytest.raises(UnreadableError):
        unpack(tree, b"12345678")


def test_however_much_is_packed_the_result_stays_small():
    tangle = []
    tangle += [tangle] * 1000
    for value in ([0.0] * 10**6, [[0.0] * 100] * 10**4, [[0.0] * 4000] * 4000, tangle):
        tree, blob = pack(value)
        assert len(json.dumps(tree)) + len(blob) < 1_000_000


@pytest.mark.parametrize(
    ("value", "whole"),
    [
        ((1, [np.ones(2)], {"a": None}), True),
        ("text", False),
        ((1, ["text"]), False),
        ({"a": {"b": "text"}}, False),
    ],
)
def test_a_packed_value_knows_whether_it_is_whole(value, whole):
    assert is_whole(pack(value)[0]) is whole


def test_what_is_too_large_leaves_its_neighbours_readable():
    tree, blob = pack(([0.0] * 25_000, np.zeros((20_000, 1000)), {"a": np.ones(3)}))
    long, wide, small = unpack(tree, blob)
    assert long == Foreign("a list of 25,000, too large to be looked at")
    assert wide == Foreign("an array of shape (20000, 1000), too large to be looked at")
    np.testing.assert_array_equal(small["a"], np.ones(3))


def test_a_tree_too_deep_is_refused():
    tree = 1
    for _ in range(100_000):
        tree = {"list": [tree]}
    with pytest.raises(UnreadableError):
        unpack(tree, b"")
