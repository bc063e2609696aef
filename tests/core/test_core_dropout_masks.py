import math

import numpy as np
import pytest

from core.char_lm_parameters import ModelShape
from core.dropout_masks import Masks, dropout_masks

SHAPE = ModelShape("lstm", 2, 7, 30, 50)


def masks(scheme, rate=0.2, steps=40, batch=8, seed=0):
    return dropout_masks(scheme, rate, SHAPE, steps, batch, np.random.default_rng(seed))


def test_each_scheme_masks_its_own_connections():
    fresh = masks("non-recurrent")
    assert [mask.shape for mask in fresh.inputs] == [(40, 8, 30), (40, 8, 50), (40, 8, 50)]
    assert (fresh.states, fresh.weights) == ((), ())
    lasting = masks("variational")
    assert [mask.shape for mask in lasting.inputs] == [(1, 8, 30), (1, 8, 50), (1, 8, 50)]
    assert [mask.shape for mask in lasting.states] == [(8, 50), (8, 50)]
    assert lasting.weights == ()
    weights = masks("dropconnect")
    assert [mask.shape for mask in weights.weights] == [(50, 200), (50, 200)]
    assert (weights.inputs, weights.states) == ((), ())
    assert masks("none") == masks("variational", rate=0) == Masks()


@pytest.mark.parametrize("rate", [0.2, 0.5])
def test_means_stay_as_they_are(rate):
    for mask in (*masks("non-recurrent", rate).inputs, *masks("dropconnect", rate).weights):
        assert mask.dtype == np.float32
        kept = mask > 0
        np.testing.assert_allclose(mask[kept], 1 / (1 - rate), rtol=1e-6)
        spread = math.sqrt(rate * (1 - rate) / mask.size)
        assert kept.mean() == pytest.approx(1 - rate, abs=5 * spread)


def test_masks_depend_on_the_generator_alone_and_differ_from_each_other():
    first, again, other = masks("variational"), masks("variational"), masks("variational", seed=1)
    np.testing.assert_array_equal(first.inputs[1], again.inputs[1])
    assert (first.inputs[1] != other.inputs[1]).any()
    assert (first.inputs[1] != first.inputs[2]).any()
    assert (first.inputs[1][0] != first.states[0]).any()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"scheme": "zoneout"}, "scheme must be one of none, non-recurrent, variational, dropconnect"),
        ({"rate": 1}, "rate must be from 0 to below 1, got 1"),
        ({"rate": -0.1}, "rate must be from 0 to below 1, got -0.1"),
        ({"rate": math.nan}, "rate must be a finite number, got nan"),
        ({"steps": 0}, "steps must be an integer of at least 1, got 0"),
        ({"batch": 0}, "batch must be an integer of at least 1, got 0"),
    ],
)
def test_what_is_out_of_range_is_refused(change, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        masks(**{"scheme": "none"} | change)
