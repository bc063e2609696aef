"""Columns on their way to the browser."""

import math

import numpy as np
import pytest
from bokeh.core.serialization import Deserializer, Serializer

from widgets.figures.columns import same, sendable


@pytest.mark.parametrize("column", [[1.5, math.nan, -math.inf, 1e-300], [1, 2, 3], np.arange(5) / 3, []])
def test_numbers_arrive_as_they_are_with_the_message_itself(column):
    sent = Serializer().serialize(sendable(np.asarray(column)))
    assert sent.buffers == []
    np.testing.assert_array_equal(Deserializer().deserialize(sent.content), column)


def test_texts_stay_a_list():
    assert sendable(["a", "b"]) == ["a", "b"]


def test_columns_are_the_same_if_they_look_the_same():
    gap = np.array([1.0, math.nan])
    assert same(sendable(gap), gap.copy())
    assert same(["a"], np.array(["a"]))
    assert not same(gap, np.array([1.0, 2.0]))
    assert not same([1, 2], [1, 2, 3])
