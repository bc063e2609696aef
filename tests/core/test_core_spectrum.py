import math

import numpy as np
import pytest

from core.matrices import KINDS, largest_singular_value, recurrent_matrix
from core.spectrum import power_norms, recurrent_spectrum, spectrum


def test_shear_of_radius_below_one_grows_before_it_fades():
    norms = 10 ** power_norms(recurrent_matrix("shear", 2, 0.9, 0), 100)
    for k, norm in {
        1: 5.1570660511,
        2: 9.0723188865,
        9: 19.3787697629,
        10: 19.3772986297,
        20: 13.5096112780,
        50: 1.4316227776,
        100: 0.0147563805,
    }.items():
        assert norms[k - 1] == pytest.approx(norm, abs=5e-11)
    assert norms.argmax() == 9 - 1
    assert np.flatnonzero(norms < 1)[0] == 55 - 1


@pytest.mark.parametrize("size", [1, 2, 7, 32])
@pytest.mark.parametrize("radius", [0.1, 0.9, 1.0, 1.5])
def test_powers_of_an_orthogonal_matrix_are_the_powers_of_its_radius(size, radius):
    k = np.arange(1, 201)
    expected = k * math.log10(radius)
    np.testing.assert_allclose(
        power_norms(recurrent_matrix("orthogonal", size, radius, 3), 200), expected, atol=1e-12
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [1, 2, 5, 12])
@pytest.mark.parametrize("radius", [0.1, 0.9, 1.5])
def test_powers_lie_between_the_radius_and_the_largest_singular_value(kind, size, radius):
    facts = recurrent_spectrum(kind, size, radius, seed=2)
    k = np.arange(1, 201)
    assert (facts.log10_powers >= k * math.log10(facts.spectral_radius) + math.log10(1 - 1e-9)).all()
    assert (facts.log10_powers <= k * math.log10(facts.largest_singular_value) + math.log10(1 + 1e-9)).all()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [1, 2, 5, 12])
@pytest.mark.parametrize("radius", [0.1, 0.9, 1.5])
def test_kept_spectrum_is_that_of_the_matrix_itself(kind, size, radius):
    W = recurrent_matrix(kind, size, radius, 2)
    kept, direct = recurrent_spectrum(kind, size, radius, 2, steps=60), spectrum(W, 60)
    assert kept.spectral_radius == pytest.approx(radius, rel=1e-15)
    assert direct.spectral_radius == pytest.approx(radius, rel=1e-13)
    assert kept.largest_singular_value == pytest.approx(largest_singular_value(W), rel=1e-13)
    np.testing.assert_allclose(kept.log10_powers, direct.log10_powers, atol=1e-11)
    np.testing.assert_allclose(
        np.sort_complex(kept.eigenvalues), np.sort_complex(direct.eigenvalues), atol=1e-12
    )
    assert kept.eigenvalues.shape == (size,)


def test_eigenvalues_solve_their_equation():
    W = recurrent_matrix("gaussian", 9, 1.1, 5)
    for eigenvalue in spectrum(W, 1).eigenvalues:
        assert np.linalg.svd(W - eigenvalue * np.eye(9), compute_uv=False)[-1] < 1e-12


def test_a_nilpotent_matrix_ends_in_a_true_zero():
    assert power_norms([[0, 3], [0, 0]], 3).tolist() == pytest.approx([math.log10(3), -math.inf, -math.inf])


def test_what_was_kept_cannot_be_spoilt_by_a_caller():
    facts = recurrent_spectrum("gaussian", 4, 1.0, 0)
    before = facts.log10_powers.copy()
    facts.log10_powers[:] = 0
    facts.eigenvalues[:] = 0
    again = recurrent_spectrum("gaussian", 4, 1.0, 0)
    np.testing.assert_array_equal(again.log10_powers, before)
    assert np.abs(again.eigenvalues).max() == pytest.approx(1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: power_norms([[1, 2]], 3), r"W must have shape \(d, d\)"),
        (lambda: power_norms([[1.0]], 0), "steps must be an integer of at least 1, got 0"),
        (lambda: spectrum([[math.inf]], 3), r"W must hold finite numbers only, got inf at index \(0, 0\)"),
        (lambda: spectrum([[1.0]], 2.5), "steps must be an integer of at least 1, got 2.5"),
        (lambda: recurrent_spectrum("ring", 3, 1, 0), "kind must be one of"),
        (lambda: recurrent_spectrum("shear", 0, 1, 0), "size must be an integer of at least 1, got 0"),
        (lambda: recurrent_spectrum("gaussian", 2.0, 1, 0), "size must be an integer of at least 1, got 2.0"),
        (lambda: recurrent_spectrum("gaussian", 2, 0, 0), "spectral_radius must be a finite number above 0"),
        (lambda: recurrent_spectrum(["gaussian"], 3, 1, 0), "kind must be one of"),
        (
            lambda: recurrent_spectrum("gaussian", [2], 1, 0),
            r"size must be an integer of at least 1, got \[2\]",
        ),
        (
            lambda: recurrent_spectrum("gaussian", 2, 1, [0]),
            r"seed must be an integer of at least 0, got \[0\]",
        ),
        (lambda: recurrent_spectrum("shear", 2, 1, -1), "seed must be an integer of at least 0, got -1"),
        (lambda: recurrent_spectrum("gaussian", 2, 1, 0, 0), "steps must be an integer of at least 1, got 0"),
    ],
)
def test_what_is_out_of_range_is_refused(call, message):
    recurrent_spectrum("gaussian", 2, 1, 0)
    with pytest.raises(ValueError, match=message):
        call()
