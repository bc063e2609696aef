import math

import numpy as np
import pytest

from core.draws import draw_inputs, draw_start, generator
from core.matrices import KINDS, largest_singular_value, recurrent_matrix, spectral_radius

SIZES = (1, 2, 3, 8, 33)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("radius", [0.1, 0.9, 1.0, 1.5])
def test_radius_is_met_to_rounding_and_never_above_the_largest_singular_value(kind, size, radius):
    W = recurrent_matrix(kind, size, radius, seed=4)
    assert W.shape == (size, size)
    assert spectral_radius(W) == pytest.approx(radius, rel=1e-13)
    assert largest_singular_value(W) >= radius * (1 - 1e-13)


@pytest.mark.parametrize("kind", KINDS)
def test_same_seed_same_matrix_whatever_was_asked_for_between(kind):
    first = recurrent_matrix(kind, 16, 0.9, 7).copy()
    recurrent_matrix("gaussian", 16, 0.3, 8)
    draw_inputs(16, 7, 13)
    np.testing.assert_array_equal(recurrent_matrix(kind, 16, 0.9, 7), first)


@pytest.mark.parametrize("kind", ["orthogonal", "gaussian", "symmetric"])
def test_draws_depend_on_the_seed_and_the_radius_only_rescales(kind):
    W = recurrent_matrix(kind, 16, 1.0, 7)
    np.testing.assert_allclose(recurrent_matrix(kind, 16, 0.3, 7), 0.3 * W, rtol=1e-15)
    assert not np.allclose(W, recurrent_matrix(kind, 16, 1.0, 8))


def test_a_matrix_may_be_changed_without_changing_the_next_draw():
    W = recurrent_matrix("orthogonal", 5, 1.0, 0)
    W[:] = 0
    assert spectral_radius(recurrent_matrix("orthogonal", 5, 1.0, 0)) == pytest.approx(1)


def test_each_kind_is_what_its_name_says():
    W = recurrent_matrix("orthogonal", 12, 0.5, 1)
    np.testing.assert_allclose(W @ W.T, 0.25 * np.eye(12), atol=1e-15)
    np.testing.assert_array_equal(recurrent_matrix("identity", 3, 0.7, 1), 0.7 * np.eye(3))
    W = recurrent_matrix("symmetric", 12, 0.9, 1)
    np.testing.assert_array_equal(W, W.T)
    assert largest_singular_value(W) == pytest.approx(0.9, rel=1e-13)
    assert largest_singular_value(recurrent_matrix("gaussian", 32, 0.9, 0)) > 1.2 * 0.9


def test_orthogonal_draws_turn_and_mirror_without_preference():
    entries = [recurrent_matrix("orthogonal", 2, 1.0, seed)[0, 0] for seed in range(400)]
    assert abs(np.mean(entries)) < 0.1
    determinants = [np.linalg.det(recurrent_matrix("orthogonal", 3, 1.0, seed)) for seed in range(100)]
    assert 0.3 < np.mean(np.array(determinants) > 0) < 0.7


def test_shear_blocks_and_last_odd_row():
    expected = [[0.9, 5, 0, 0, 0], [0, 0.9, 0, 0, 0], [0, 0, 0.9, 5, 0], [0, 0, 0, 0.9, 0], [0, 0, 0, 0, 0.9]]
    np.testing.assert_array_equal(recurrent_matrix("shear", 5, 0.9, 3), expected)
    np.testing.assert_array_equal(recurrent_matrix("shear", 1, 0.9, 3), [[0.9]])
    assert largest_singular_value(recurrent_matrix("shear", 2, 0.9, 0)) == pytest.approx(
        5.1570660511, abs=5e-11
    )


def test_inputs_are_counted_back_from_the_last_step():
    inputs = draw_inputs(6, 11)
    assert inputs.shape == (200, 6)
    np.testing.assert_array_equal(draw_inputs(6, 11, 50), inputs[-50:])
    np.testing.assert_array_equal(draw_inputs(6, 11, 300)[-200:], inputs)


def test_draws_are_standard_normal_independent_and_locked():
    inputs, start = draw_inputs(64, 0), draw_start(64, 0)
    assert inputs.mean() == pytest.approx(0, abs=0.03)
    assert inputs.std() == pytest.approx(1, abs=0.03)
    assert not np.allclose(inputs[-1], start)
    assert not np.allclose(inputs, draw_inputs(64, 1))
    for array in (inputs, start):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_no_stream_repeats_another():
    firsts = [
        generator(stream, 3, 0).normal() for stream in ("orthogonal", "gaussian", "symmetric", "inputs")
    ]
    firsts += [generator("start", 3, 0).normal(), generator("start", 0 + 4, 0).normal()]
    assert len(set(firsts)) == len(firsts)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("ring", 3, 0.9, 0),
            "kind must be one of orthogonal, gaussian, identity, symmetric, shear, got 'ring'",
        ),
        (("shear", 0, 0.9, 0), "size must be an integer of at least 1, got 0"),
        (("gaussian", 2.0, 0.9, 0), "size must be an integer of at least 1, got 2.0"),
        (("gaussian", True, 0.9, 0), "size must be an integer of at least 1, got True"),
        (("gaussian", 2, 0, 0), "spectral_radius must be a finite number above 0, got 0"),
        (("gaussian", 2, -1, 0), "spectral_radius must be a finite number above 0, got -1"),
        (("gaussian", 2, math.nan, 0), "spectral_radius must be a finite number above 0, got nan"),
        (("gaussian", 2, 1.7e308, 0), r"spectral_radius must be .* at most 1e\+150 in size, got 1\.7e\+308"),
        (("gaussian", 2, math.inf, 0), "spectral_radius must be a finite number above 0, got inf"),
        (("identity", 2, 0.9, -1), "seed must be an integer of at least 0, got -1"),
        (("shear", 2, 0.9, 0.5), "seed must be an integer of at least 0, got 0.5"),
    ],
)
def test_what_is_out_of_range_is_refused(arguments, message):
    recurrent_matrix("gaussian", 2, 0.9, 0)
    with pytest.raises(ValueError, match=message):
        recurrent_matrix(*arguments)


@pytest.mark.parametrize("measure", [spectral_radius, largest_singular_value])
def test_measures_refuse_what_is_no_finite_matrix(measure):
    for broken in ([1.0, 2.0], np.empty((0, 0)), [[1.0, math.nan], [0, 0]]):
        with pytest.raises(ValueError, match=r"^W must"):
            measure(broken)


def test_radius_needs_a_square_matrix_and_the_norm_does_not():
    with pytest.raises(ValueError, match=r"W must have shape \(d, d\) with d of at least 1, got \(2, 3\)"):
        spectral_radius(np.ones((2, 3)))
    assert largest_singular_value(np.ones((2, 3))) == pytest.approx(math.sqrt(6))


@pytest.mark.parametrize(
    ("draw", "arguments", "name"),
    [
        (draw_inputs, (0, 0), "size"),
        (draw_inputs, (2, -1), "seed"),
        (draw_inputs, (2, 0, 0), "steps"),
        (draw_inputs, (2.0, 0), "size"),
        (draw_start, (2.5, 0), "size"),
        (draw_start, (2, "0"), "seed"),
        (draw_start, ([2], 0), "size"),
        (draw_inputs, (2, [0]), "seed"),
    ],
)
def test_draws_refuse_what_is_out_of_range(draw, arguments, name):
    draw(2, 0)
    with pytest.raises(ValueError, match=f"^{name} must be an integer of at least"):
        draw(*arguments)


def test_a_generator_needs_a_stream_of_its_own():
    with pytest.raises(ValueError, match="stream must be one of orthogonal"):
        generator("noise", 2, 0)
