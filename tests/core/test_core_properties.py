import mpmath
import numpy as np
import pytest

from core.brackets import BracketCounter
from core.corpora import brackets
from core.properties import (
    PROPERTIES,
    bracket_depth,
    indentation,
    inside_quotes,
    line_position,
    nearest_reading,
    rank_units,
)


def marks(values):
    return "".join(f"{value:g}" for value in values)


@pytest.mark.parametrize(
    ("read", "text", "expected"),
    [
        (inside_quotes, 'a "bc" d"e', "0011100011"),
        (inside_quotes, "it's “so” now", "0000011100000"),
        (inside_quotes, '"a\nb', "1111"),
        (inside_quotes, '"a\n\nb"c"', "11100110"),
        (bracket_depth, "a(b[c{d}e]f)g", "0112233221100"),
        (bracket_depth, '("(" x)', "1111110"),
        (bracket_depth, "a)) (", "00001"),
        (line_position, "ab\ncde\n\nf", "120123001"),
        (indentation, "  a b\n\t c\n", "1222201220"),
        (indentation, "a  b\n\n   ", "000000123"),
    ],
)
def test_properties_by_hand(read, text, expected):
    values = read(text)
    assert values.shape == (len(text),)
    assert marks(values) == expected


def test_depth_of_generated_code_is_what_the_hand_wired_counter_counts():
    text = brackets(3000, 2)
    only_round = text.translate(str.maketrans("[{]}", "(())"))
    np.testing.assert_array_equal(bracket_depth(text), BracketCounter().run(only_round).depth)


@pytest.mark.parametrize("read", PROPERTIES.values())
def test_an_empty_text_has_none_and_what_is_no_text_is_refused(read):
    assert read("").shape == (0,)
    with pytest.raises(ValueError, match="text must be a string, got 3"):
        read(3)


def pearson(a, p):
    a, p = ([mpmath.mpf(x) for x in column.tolist()] for column in (a, p))
    da, dp = ([x - mpmath.fsum(column) / len(column) for x in column] for column in (a, p))
    return float(mpmath.fdot(da, dp) / mpmath.sqrt(mpmath.fdot(da, da) * mpmath.fdot(dp, dp)))


def test_units_are_ranked_by_their_correlation():
    rng = np.random.default_rng(0)
    values = rng.integers(0, 4, 200).astype(float)
    noise = rng.normal(size=(200, 5))
    activations = np.array([0.1, -2, 0, 0.5, -0.3]) * values[:, None] + noise
    ranking = rank_units(activations, values)
    expected = np.array([pearson(column, values) for column in activations.T])
    assert ranking.units[0] == 1
    assert ranking.correlations[0] < -0.8
    assert sorted(ranking.units.tolist()) == [0, 1, 2, 3, 4]
    np.testing.assert_allclose(ranking.correlations, expected[ranking.units], rtol=1e-12)
    assert (np.diff(np.abs(ranking.correlations)) <= 0).all()


def test_the_unit_that_is_the_property_comes_first():
    text = brackets(2000, 1)
    depth = bracket_depth(text)
    activations = np.tanh(np.random.default_rng(1).normal(size=(len(text), 6)))
    activations[:, 4] = 3 - 0.25 * depth
    ranking = rank_units(activations, depth)
    assert ranking.units[0] == 4
    assert ranking.correlations[0] == pytest.approx(-1, abs=1e-12)
    assert abs(ranking.correlations).max() <= 1


def test_the_nearest_reading_finds_scale_and_sign():
    depth = np.array([0.0, 1, 2, 2, 1, 0])
    np.testing.assert_allclose(nearest_reading(5 - 3 * depth, depth), depth, atol=1e-14)
    np.testing.assert_array_equal(nearest_reading(np.full(6, 0.1), depth), np.full(6, 1.0))


def test_the_nearest_reading_is_the_line_of_least_squares():
    rng = np.random.default_rng(3)
    signal, values = rng.normal(size=40), rng.normal(size=40)
    line = np.polynomial.Polynomial.fit(signal, values, 1)
    np.testing.assert_allclose(nearest_reading(signal, values), line(signal), rtol=1e-12)


@pytest.mark.parametrize(
    ("signal", "values", "name"),
    [([1, np.nan], [0, 1], "signal"), ([], [], "signal"), ([1, 2], [0, 1, 2], "values")],
)
def test_what_cannot_be_read_is_refused(signal, values, name):
    with pytest.raises(ValueError, match=name):
        nearest_reading(np.array(signal, float), np.array(values, float))


def test_ties_keep_their_order_and_constant_units_come_last():
    values = np.array([0.0, 1, 0, 1])
    follows, ignores = np.array([0.1, 0.7, 0.1, 0.7]), np.array([1.0, 1, -1, -1])
    constant = np.full(4, 0.1)
    activations = np.stack([constant, ignores, 1 - follows, constant * 7, follows, 3 * follows], axis=1)
    ranking = rank_units(activations, values)
    assert ranking.units.tolist() == [2, 4, 5, 1, 0, 3]
    np.testing.assert_allclose(ranking.correlations, [-1, 1, 1, 0, 0, 0], atol=1e-15)


def test_units_that_agree_up_to_rounding_are_ties():
    rng = np.random.default_rng(3)
    values, unit = rng.normal(size=(2, 101))
    factors = np.array([0.1, -0.3, 0.7, 11, -13, 1 / 3, 1e-5, 0.9])
    shifts = np.array([0.2, 0, -3, 5, 0.1, 0, 0, 0])
    ranking = rank_units(unit[:, None] * factors + shifts, values)
    assert ranking.units.tolist() == list(range(8))
    assert (np.sign(ranking.correlations) == np.sign(factors) * np.sign(ranking.correlations[0])).all()


def test_a_constant_unit_follows_nothing_whatever_its_value():
    values = np.random.default_rng(4).normal(size=1001)
    ranking = rank_units(np.tile([0.1, -1 / 3, 7e9, 0], (1001, 1)), values)
    assert ranking.correlations.tolist() == [0, 0, 0, 0]
    assert ranking.units.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("scale", [1e-300, 1e-170, 1e170, 1e300])
def test_the_size_of_activations_and_property_does_not_matter(scale):
    rng = np.random.default_rng(2)
    values, activations = rng.normal(size=50), rng.normal(size=(50, 3))
    plain, scaled = rank_units(activations, values), rank_units(activations * scale, values * scale)
    assert plain.units.tolist() == scaled.units.tolist()
    np.testing.assert_allclose(scaled.correlations, plain.correlations, rtol=1e-12)


@pytest.mark.parametrize(
    ("activations", "values", "message"),
    [
        (np.zeros((3, 2)), np.full(3, 2.5), "values must not be the same at all characters, got 2.5"),
        (np.zeros((3, 2)), np.zeros(4), r"values must have shape \(3,\)"),
        (np.zeros(3), np.zeros(3), "activations must have shape"),
        (np.zeros((0, 2)), np.zeros(0), "activations must have shape"),
        (np.array([[np.nan], [1]]), np.array([0, 1]), "activations must hold finite numbers only, got nan"),
        (np.array([[0], [1]]), np.array([0, np.inf]), "values must hold finite numbers only, got inf"),
        ("ab", np.zeros(2), "activations must be an array of numbers"),
    ],
)
def test_what_cannot_be_ranked_is_refused(activations, values, message):
    with pytest.raises(ValueError, match=message):
        rank_units(activations, values)
