import math
from fractions import Fraction
from itertools import product

import mpmath
import numpy as np
import pytest

from core.memory_masks import SCHEMES, memory_masks, units_left
from core.memory_noise import drawn_shares, half_life, share_law

LASTING = ("variational", "dropconnect")
SPARED = ("none", "non-recurrent")


def enumerated(scheme, rate, steps, units):
    """Mean and variance of share and value, P(any left) and P(all gone), over every possible draw of masks, exactly."""
    draws = {"fresh": steps, "variational": min(steps, 1), "dropconnect": min(steps, 1)}[scheme]
    sums = [Fraction(0)] * 6
    for kept in product((0, 1), repeat=draws * units):
        chance = math.prod(1 - rate if keep else rate for keep in kept)
        left = [all(kept[unit::units]) for unit in range(units)]
        share = Fraction(sum(left), units)
        value = share / (1 - rate) ** steps
        for place, term in enumerate((share, share**2, value, value**2, any(left), not any(left))):
            sums[place] += chance * term
    share, share_2, value, value_2, any_left, all_gone = sums
    return share, share_2 - share**2, value, value_2 - value**2, any_left, all_gone


@pytest.mark.parametrize("scheme", ["fresh", *LASTING])
@pytest.mark.parametrize("rate", [Fraction(1, 5), Fraction(1, 2), Fraction(4, 5)])
def test_closed_forms_are_the_moments_over_every_possible_draw(scheme, rate):
    units = 3
    law = share_law(scheme, float(rate), 4, units)
    for steps in range(1, 5):
        exact = enumerated(scheme, rate, steps, units)
        own = (
            law.log10_survival,
            law.log10_share_variance,
            law.log10_mean_value,
            law.log10_value_variance,
            law.log10_any_left,
            law.log10_all_gone,
        )
        for logarithm, right in zip(own, exact, strict=True):
            assert 10 ** logarithm[steps] == pytest.approx(float(right), rel=1e-12)


def test_nothing_is_lost_before_the_first_step_nor_where_the_memory_is_spared():
    for scheme, rate in (*((scheme, 0.7) for scheme in SPARED), *((scheme, 0.0) for scheme in SCHEMES)):
        law = share_law(scheme, rate, 30)
        for logarithm in (law.log10_survival, law.log10_scale, law.log10_mean_value, law.log10_any_left):
            np.testing.assert_array_equal(logarithm, np.zeros(31))
            assert not np.signbit(logarithm).any()
        assert np.isneginf(law.log10_share_variance).all()
        assert np.isneginf(law.log10_all_gone).all()
        assert (drawn_shares(scheme, rate, 30).each == 1).all()
    for scheme in SCHEMES:
        assert share_law(scheme, 0.7, 30).log10_survival[0] == 0
        assert share_law(scheme, 0.7, 30).log10_scale[0] == 0
        assert np.isneginf(share_law(scheme, 0.7, 30).log10_value_variance[0])
        assert (drawn_shares(scheme, 0.7, 30).each[:, 0] == 1).all()


def test_logarithms_go_on_where_floats_end():
    with np.errstate(all="raise"):
        law = share_law("fresh", 0.8, 1500, units=64)
    with mpmath.workdps(1300):
        q = (1 - mpmath.mpf(0.8)) ** 1500
        variance = q * (1 - q) / 64
        right = {
            "log10_survival": q,
            "log10_share_variance": variance,
            "log10_scale": 1 / q,
            "log10_value_variance": variance / q**2,
            "log10_any_left": 1 - (1 - q) ** 64,
        }
        for name, number in right.items():
            assert getattr(law, name)[-1] == pytest.approx(float(mpmath.log10(number)), rel=1e-13), name
    assert law.log10_survival[500] < -349
    np.testing.assert_allclose(law.log10_mean_value, 0, atol=1e-12)


@pytest.mark.parametrize("units", [5, 25])
@pytest.mark.parametrize("rate", [1e-12, 0.01, 0.3])
def test_any_left_keeps_its_digits_at_both_ends(rate, units):
    law = share_law("fresh", rate, 3000, units)
    with mpmath.workdps(600):
        for t in (1, 30, 100, 3000):
            q = (1 - mpmath.mpf(rate)) ** t
            right = mpmath.log10(1 - (1 - q) ** units)
            assert law.log10_any_left[t] == pytest.approx(float(right), rel=1e-11)
            variance = mpmath.log10(q * (1 - q) / units)
            assert law.log10_share_variance[t] == pytest.approx(float(variance), rel=1e-11)
            gone = units * mpmath.log10(1 - q)
            assert law.log10_all_gone[t] == pytest.approx(float(gone), rel=1e-11)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_whole_lives_have_the_law_of_masks_at_every_step(scheme):
    """The mean share of 400 memories that are masked step by step, and of those drawn at once, against q_t."""
    steps, units, rate = 25, 40, 0.08
    stepped = np.array(
        [units_left(memory_masks(scheme, rate, steps, units, seed), steps, units) for seed in range(400)]
    ).mean(axis=2)
    at_once = drawn_shares(scheme, rate, steps, units, memories=400, seed=1).each
    law = share_law(scheme, rate, steps, units)
    survival = 10**law.log10_survival
    deviation = np.sqrt(10**law.log10_share_variance)
    for shares in (stepped, at_once):
        assert (np.abs(shares.mean(axis=0) - survival) <= 4.5 * deviation / 20).all()
        spread = shares.std(axis=0)
        np.testing.assert_allclose(spread[1:], deviation[1:], rtol=0.2)
        assert (np.diff(shares, axis=1) <= 0).all()


def test_a_fresh_mask_wipes_and_a_lasting_one_takes_its_share_once():
    """By hand: .8^21 = .00922, and 1 − .2 = .8 for ever."""
    fresh, lasting = (drawn_shares(scheme, 0.2, 300, units=1000) for scheme in ("fresh", "variational"))
    assert fresh.median[21] == pytest.approx(0.00922, abs=0.002)
    assert fresh.high[100] == 0
    np.testing.assert_array_equal(lasting.each[:, 1:], lasting.each[:, 1:2].repeat(300, axis=1))
    assert lasting.median[300] == pytest.approx(0.8, abs=0.005)
    np.testing.assert_array_equal(lasting.each, drawn_shares("dropconnect", 0.2, 300, units=1000).each)


def test_percentiles_are_memories():
    shares = drawn_shares("fresh", 0.05, 20, units=30, memories=201)
    np.testing.assert_allclose(shares.median, np.median(shares.each, axis=0), rtol=1e-15)
    np.testing.assert_allclose(shares.low, np.quantile(shares.each, 0.1, axis=0), rtol=1e-12)
    np.testing.assert_allclose(shares.high, np.quantile(shares.each, 0.9, axis=0), rtol=1e-12)
    assert shares.each.shape == (201, 21)
    alone = drawn_shares("fresh", 0.05, 20, memories=1)
    for percentile in (alone.low, alone.median, alone.high):
        np.testing.assert_array_equal(percentile, alone.each[0])


def test_empty_and_half_gone_are_counted_in_the_memories():
    shares = drawn_shares("fresh", 0.2, 30, units=8, memories=51, seed=2)
    for t in range(31):
        assert shares.empty[t] == sum(not memory[t] for memory in shares.each) / 51
    for scheme in SCHEMES:
        assert not drawn_shares(scheme, 0.1, 5, units=1000, memories=51).empty.any()
    t = shares.half_gone
    halves = [sum(memory[step] <= 0.5 for memory in shares.each) for step in range(31)]
    assert halves[t] >= 26 > halves[t - 1]
    assert drawn_shares("fresh", 0.01, 10).half_gone is None
    assert drawn_shares("variational", 0.4, 10, units=1000).half_gone is None
    assert drawn_shares("variational", 0.6, 10, units=1000).half_gone == 1


@pytest.mark.parametrize("scheme", ["fresh", "variational"])
def test_the_rate_only_ends_lives_sooner_and_more_steps_go_on(scheme):
    few, many, more = (
        drawn_shares(scheme, rate, t, seed=4).each for rate, t in ((0.1, 9), (0.4, 9), (0.1, 30))
    )
    assert (many <= few).all()
    np.testing.assert_array_equal(more[:, :10], few)
    assert (drawn_shares(scheme, 0.1, 9, seed=5).each != few).any()
    with np.errstate(all="raise"):
        assert (drawn_shares(scheme, 1e-320, 9).each == 1).all()


def test_half_life():
    """By hand: .5^1, and .75^t = ½ at t = 2.409420839653209."""
    assert half_life("fresh", 0.5) == 1
    assert half_life("fresh", 0.25) == pytest.approx(2.409420839653209, rel=1e-15)
    assert half_life("fresh", 0.0) == math.inf
    assert all(half_life(scheme, 0.5) == math.inf for scheme in (*LASTING, *SPARED))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"scheme": "zoneout"}, "scheme must be one of none, fresh, variational, non-recurrent, dropconnect"),
        ({"rate": 1}, "rate must be from 0 to below 1, got 1.0"),
        ({"rate": "some"}, "rate must be a finite number, got 'some'"),
        ({"steps": 0}, "steps must be an integer of at least 1, got 0"),
        ({"units": 1.5}, "units must be an integer of at least 1, got 1.5"),
    ],
)
def test_what_is_out_of_range_is_refused_by_name(wrong, message):
    arguments = {"scheme": "fresh", "rate": 0.2, "steps": 5} | wrong
    for function in (drawn_shares, share_law):
        with pytest.raises(ValueError, match=f"^{message}"):
            function(**arguments)
    if not {"steps", "units"} & set(wrong):
        with pytest.raises(ValueError, match=f"^{message}"):
            half_life(arguments["scheme"], arguments["rate"])


def test_memories_and_seed_are_refused_by_name():
    with pytest.raises(ValueError, match=r"^memories must be an integer of at least 1, got 0"):
        drawn_shares("none", 0.2, 5, memories=0)
    with pytest.raises(ValueError, match=r"^seed must be an integer of at least 0, got -1"):
        drawn_shares("none", 0.2, 5, seed=-1)
