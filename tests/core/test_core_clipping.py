import math

import mpmath
import numpy as np
import pytest

from core.clipping import clip_by_global_norm, clip_by_tensor_norm, clip_by_value, global_norm, turning_angle

TWO = {"W": np.array([3.0, 4.0]), "b": np.array([0.0, 1.0])}


def one(*entries):
    return {"g": np.array(entries, dtype=float)}


def random_gradient(seed=0):
    rng = np.random.default_rng(seed)
    return {"W": rng.normal(size=(5, 3)), "U": 10 * rng.normal(size=(4, 4)), "b": rng.normal(size=7)}


def test_three_four_is_cut_to_length_one_and_a_wide_limit_leaves_it():
    clipped, norm = clip_by_global_norm(one(3, 4), 1)
    np.testing.assert_allclose(clipped["g"], [0.6, 0.8], rtol=1e-15)
    assert norm == 5
    untouched, norm = clip_by_global_norm(one(3, 4), 10)
    assert untouched["g"].tolist() == [3, 4]
    assert norm == 5


@pytest.mark.parametrize(
    ("entries", "limit", "expected", "degrees"),
    [((3, 4), 1, [1, 1], 8.1301), ((0.5, 10), 1, [0.5, 1], 23.7026), ((-3, 4), 3, [-3, 3], 8.1301)],
)
def test_clipping_by_value_turns_the_gradient(entries, limit, expected, degrees):
    clipped = clip_by_value(one(*entries), limit)
    assert clipped["g"].tolist() == expected
    assert turning_angle(one(*entries), clipped) == pytest.approx(degrees, abs=5e-5)


def test_two_tensors_as_a_whole_and_one_by_one():
    whole, norm = clip_by_global_norm(TWO, 1)
    assert norm == pytest.approx(5.0990195136, abs=5e-11)
    np.testing.assert_allclose(whole["W"], [0.5883484, 0.7844645], atol=5e-8)
    np.testing.assert_allclose(whole["b"], [0, 0.1961161], atol=5e-8)
    assert turning_angle(TWO, whole) == pytest.approx(0, abs=1e-7)
    single, norms = clip_by_tensor_norm(TWO, 1)
    np.testing.assert_allclose(single["W"], [0.6, 0.8], rtol=1e-15)
    assert single["b"].tolist() == [0, 1]
    assert norms == {"W": 5, "b": 1}
    assert turning_angle(TWO, single) == pytest.approx(33.6901, abs=5e-5)


def test_huge_entries_keep_their_direction():
    huge = one(1e200, 1e200)
    for clipped, norm in (clip_by_global_norm(huge, 1), clip_by_tensor_norm(huge, 1)):
        np.testing.assert_allclose(clipped["g"], [0.7071067812, 0.7071067812], atol=5e-11)
        assert (norm if isinstance(norm, float) else norm["g"]) == pytest.approx(
            1.414213562373095e200, rel=1e-15
        )


def test_tiny_entries_are_not_lost():
    assert global_norm(one(3e-200, 4e-200)) == pytest.approx(5e-200, rel=1e-15)
    assert global_norm(one(3e-320, 4e-320)) == pytest.approx(5e-320, rel=1e-3)
    clipped, _ = clip_by_global_norm(one(3e-200, 4e-200), 1e-200)
    np.testing.assert_allclose(clipped["g"], [0.6e-200, 0.8e-200], rtol=1e-15)


def test_a_norm_beyond_float64_is_infinite_and_the_direction_still_right():
    with np.errstate(all="raise"):
        clipped, norm = clip_by_global_norm(one(1.5e308, -1.5e308, 1e-300), 2)
    assert norm == math.inf
    np.testing.assert_allclose(clipped["g"], [2 / math.sqrt(2), -2 / math.sqrt(2), 0], atol=1e-15)


@pytest.mark.parametrize("clip", [clip_by_global_norm, clip_by_tensor_norm, clip_by_value])
def test_broken_tensors_are_named_and_never_multiplied(clip):
    broken = {"E": np.array([math.inf]), "Whh": np.ones((2, 2)), "by": np.array([1.0, math.nan])}
    with pytest.raises(FloatingPointError, match=r"infinities or NaN in E, by$"):
        clip(broken, 1)


def test_the_norm_is_that_of_many_digits():
    gradient = random_gradient()
    with mpmath.workdps(40):
        squares = [mpmath.mpf(x) ** 2 for part in gradient.values() for x in part.ravel().tolist()]
        exact = float(mpmath.sqrt(mpmath.fsum(squares)))
    assert global_norm(gradient) == pytest.approx(exact, rel=1e-15)


def test_a_clipped_gradient_has_the_norm_of_the_limit():
    gradient = random_gradient()
    clipped, _ = clip_by_global_norm(gradient, 0.25)
    assert global_norm(clipped) == pytest.approx(0.25, rel=1e-14)
    parts, norms = clip_by_tensor_norm(gradient, 0.25)
    assert all(norm > 0.25 for norm in norms.values())
    assert [global_norm({"p": part}) for part in parts.values()] == pytest.approx([0.25] * 3, rel=1e-14)
    assert {name: part.shape for name, part in clipped.items()} == {"W": (5, 3), "U": (4, 4), "b": (7,)}


def test_the_gradient_that_is_given_stays_as_it_was():
    gradient, before = random_gradient(), random_gradient()
    clip_by_global_norm(gradient, 0.1)
    clip_by_tensor_norm(gradient, 0.1)
    clip_by_value(gradient, 0.1)
    for name, part in gradient.items():
        np.testing.assert_array_equal(part, before[name])


@pytest.mark.parametrize("clip", [clip_by_global_norm, clip_by_tensor_norm])
def test_single_precision_stays_single_and_does_not_overflow(clip):
    clipped = clip({"g": np.array([3e30, 4e30], dtype=np.float32)}, 1).clipped["g"]
    assert clipped.dtype == np.float32
    np.testing.assert_allclose(clipped, [0.6, 0.8], rtol=1e-6)
    assert clip_by_value({"g": np.array([3e30], dtype=np.float32)}, 1)["g"].dtype == np.float32


@pytest.mark.parametrize(
    ("large", "small", "limit", "expected"),
    [
        (1e60, np.float32(1e10), 1e50, 1.0),
        (1e200, np.float32(1), 1e190, 1e-10),
        (1e308, 1e-10, 1e300, 1e-18),
        (1.7e308, 1.0, 1.6e308, 1.6 / 1.7),
        (1e300, 1e300, 1e-5, 1e-5 / math.sqrt(2)),
        (1e300, 1e300, 1e-300, 1e-300 / math.sqrt(2)),
    ],
)
def test_a_small_part_beside_a_large_one_is_shortened_by_the_same_factor(large, small, limit, expected):
    with np.errstate(all="raise", under="ignore"):
        clipped, _ = clip_by_global_norm({"a": np.array([large]), "b": np.array([small])}, limit)
    part = clipped["b"]
    assert part[0] == pytest.approx(expected, rel=1e-6 if part.dtype == np.float32 else 1e-14, abs=0)
    assert part.dtype == np.asarray(small).dtype


def test_a_limit_beyond_single_precision_bounds_nothing_there():
    part = np.array([3e30, -np.finfo(np.float32).max], dtype=np.float32)
    with np.errstate(all="raise"):
        clipped = clip_by_value({"g": part}, 1e300)["g"]
    np.testing.assert_array_equal(clipped, part)
    assert clipped.dtype == np.float32


@pytest.mark.skipif(np.finfo(np.longdouble).maxexp == 1024, reason="long doubles are doubles here")
def test_an_entry_that_float64_cannot_hold_is_broken():
    with np.errstate(all="raise"), pytest.raises(FloatingPointError, match=r"infinities or NaN in W$"):
        clip_by_value({"W": np.array([np.longdouble("1e400")])}, 1)


@pytest.mark.parametrize(
    "part",
    [
        np.array(["1.5"]),
        np.array(["2020-01-01"], dtype="datetime64[D]"),
        np.array([1 + 2j]),
        None,
        [None, 1.0],
    ],
)
def test_what_is_not_an_array_of_real_numbers_is_refused(part):
    for clip in (clip_by_global_norm, clip_by_tensor_norm, clip_by_value):
        with pytest.raises(ValueError, match=r"grads\['W'\] must be an array of numbers"):
            clip({"W": part}, 1)


def test_parts_are_known_by_name_whatever_their_order():
    assert turning_angle(TWO, dict(reversed(TWO.items()))) == 0
    mixed = {"a": np.array([3.0]), 1: np.array([4.0])}
    assert turning_angle(mixed, {1: np.array([0.0]), "a": np.array([1.0])}) == pytest.approx(
        53.1301, abs=5e-5
    )


def test_a_zero_gradient_stays_zero():
    clipped, norm = clip_by_global_norm(one(0, 0), 1)
    assert (clipped["g"].tolist(), norm) == ([0, 0], 0)
    assert turning_angle(one(0, 0), clipped) == 0
    assert math.isnan(turning_angle(one(1, 0), one(0, 0)))


@pytest.mark.parametrize("degrees", [1e-6, 0.5, 89.0, 150.0, 180.0])
def test_angles_are_exact_however_small_or_long(degrees):
    turned = one(math.cos(math.radians(degrees)), math.sin(math.radians(degrees)))
    assert turning_angle(one(1e-250, 0), turned) == pytest.approx(degrees, rel=1e-9)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: clip_by_global_norm({}, 1), "grads must be a mapping .* with at least one, got {}"),
        (lambda: clip_by_value([1.0], 1), r"grads must be a mapping .*, got \[1.0\]"),
        (lambda: clip_by_tensor_norm({"W": "no"}, 1), r"grads\['W'\] must be an array of numbers, got 'no'"),
        (lambda: clip_by_global_norm(TWO, 0), "max_norm must be a finite number above 0, got 0"),
        (lambda: clip_by_tensor_norm(TWO, -1), "max_norm must be a finite number above 0, got -1"),
        (lambda: clip_by_global_norm(TWO, math.inf), "max_norm must be a finite number above 0, got inf"),
        (lambda: clip_by_value(TWO, math.nan), "max_value must be a finite number above 0, got nan"),
        (lambda: turning_angle(TWO, None), "clipped must be a mapping from names to arrays, .*, got None"),
        (lambda: turning_angle(TWO, {"W": None}), r"clipped\['W'\] must be an array of numbers, got None"),
        (lambda: turning_angle(TWO, one(1)), "clipped must have the names and shapes of grads"),
    ],
)
def test_what_is_out_of_range_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
