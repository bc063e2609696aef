import inspect
import math
from types import SimpleNamespace

import numpy as np
import pytest
from bokeh.models import ColumnDataSource

from widgets.base.frame import Job
from widgets.base.numbers import from_log10
from widgets.jacobians import words
from widgets.jacobians.lab import JacobianLab


def computed(preset=None, **settings):
    """The frame of a preset, with some settings changed."""
    lab = JacobianLab()
    of_preset = lab.preset(preset).settings if preset else {}
    lab.adopt(**of_preset | settings)
    return lab.compute()


def value(frame, key):
    return next(r.value for r in frame.readouts if r.key == key)


def label(frame, key):
    return next(r.label for r in frame.readouts if r.key == key)


def curve(frame, name):
    return np.asarray(frame.columns["products"][name])


# Presets: the numbers of the worked cases


def test_orthogonal_0_9_is_the_default_and_lies_on_the_power_of_rho():
    assert JacobianLab().present_preset().name == "orthogonal-0.9"
    frame = computed()
    for key in ("linear", "activation", "reference", "bound"):
        assert value(frame, key) == pytest.approx(0.00515, abs=5e-6)
    np.testing.assert_allclose(curve(frame, "linear"), np.arange(1, 101) * np.log10(0.9), atol=1e-10)


def test_orthogonal_1_1_keeps_the_tanh_near_3_where_linear_is_at_117():
    frame = computed("orthogonal-1.1")
    assert value(frame, "activation") == pytest.approx(3.24, abs=0.005)
    assert value(frame, "linear") == pytest.approx(117.4, abs=0.05)


@pytest.mark.parametrize("seed", range(12))
def test_the_gaussian_bulge_stands_above_the_line_for_every_seed(seed):
    frame = computed("gaussian-bulge", seed=seed)
    above = 10 ** (curve(frame, "linear") - curve(frame, "reference"))
    assert above.min() >= 1 - 1e-9
    assert above[0] == pytest.approx(value(frame, "largest_singular_value") / 0.9)
    assert 1.485 < above[0] < 1.925


def test_the_gaussian_bulge_of_seed_0():
    frame = computed("gaussian-bulge")
    above = 10 ** (curve(frame, "linear") - curve(frame, "reference"))
    assert above[[0, 9, 99]] == pytest.approx([1.80, 2.13, 2.17], abs=0.005)


def test_identity_with_relu_stays_at_exactly_1():
    frame = computed("identity-relu")
    assert np.all(curve(frame, "activation") == 0)
    assert frame.table.columns[2] == [1.0] * 100


def test_a_saturated_tanh_vanishes_although_rho_is_above_1():
    frame = computed("saturated")
    assert value(frame, "activation") == pytest.approx(5.2e-17, abs=5e-19)
    assert value(frame, "linear") == pytest.approx(9100, abs=1)


def test_the_shear_peaks_at_9_and_falls_below_1_at_55():
    frame = computed("shear-2")
    linear = curve(frame, "linear")
    assert value(frame, "linear") == pytest.approx(19.379, abs=5e-4)
    assert 10 ** linear.max() == pytest.approx(19.3787697629, rel=1e-9)
    assert int(np.argmax(linear)) + 1 == 9
    assert int(np.argmax(linear < 0)) + 1 == 55


def test_the_sigmoid_must_vanish():
    frame = computed("sigmoid")
    assert value(frame, "activation") == pytest.approx(7.8e-34, abs=5e-36)
    assert value(frame, "gain") == pytest.approx(0.225)


@pytest.mark.parametrize("preset", JacobianLab.presets, ids=lambda preset: preset.name)
def test_a_preset_shows_its_activation_inside_its_window(preset):
    frame = computed(preset.name)
    low, high = preset.window
    for name in ("activation", "linear"):
        assert low < curve(frame, name).min() <= curve(frame, name).max() < high
    assert preset.look_for.endswith(".")


def test_the_presets_are_those_that_links_name():
    names = [preset.name for preset in JacobianLab.presets]
    assert names == [
        "orthogonal-0.9", "orthogonal-1.1", "gaussian-bulge", "identity-relu", "saturated", "shear-2", "sigmoid",
    ]  # fmt: skip


@pytest.mark.parametrize("seed", range(12))
def test_what_the_presets_say_to_look_for_holds_for_every_draw(seed):
    tamed, loud = computed("orthogonal-1.1", seed=seed), computed("saturated", seed=seed)
    assert 1 < value(tamed, "activation") < 12
    assert value(loud, "activation") < 1e-12
    assert value(loud, "mean_slope") < 0.3
    identity = computed("identity-relu", seed=seed)
    assert np.all(curve(identity, "activation") == 0)
    assert 0.25 < value(identity, "mean_slope") < 0.75


# Verdicts


@pytest.mark.parametrize(
    ("settings", "since", "verdict"),
    [
        ({}, "γσ_max < 1", "must vanish"),
        ({"spectral_radius": 1.1}, "γσ_max > 1", "may explode, need not"),
        ({"spectral_radius": 1.0}, "γσ_max = 1", "cannot explode, need not vanish"),
        ({"matrix": "gaussian"}, "γσ_max > 1", "may explode, need not"),
        ({"matrix": "gaussian", "activation": "linear"}, "ρ < 1", "must vanish in the end"),
        ({"spectral_radius": 1.1, "activation": "linear"}, "ρ > 1", "must explode in the end"),
        ({"matrix": "shear", "spectral_radius": 1.0, "activation": "linear"}, "ρ = 1",
         "no exponential growth or decay"),
        ({"spectral_radius": 1.5, "activation": "sigmoid"}, "γσ_max < 1", "must vanish"),
    ],
)  # fmt: skip
def test_the_verdict_follows_from_the_theorem(settings, since, verdict):
    frame = computed(**settings)
    assert value(frame, "verdict") == verdict
    assert label(frame, "verdict") == f"verdict, since {since}"


@pytest.mark.parametrize("seed", range(8))
def test_at_rho_1_the_verdict_does_not_hang_on_the_last_digits(seed):
    assert value(computed(spectral_radius=1.0, seed=seed), "verdict") == "cannot explode, need not vanish"


def test_a_gain_just_off_1_is_not_taken_for_1():
    run = SimpleNamespace(spectral_radius=1 + 1e-6, gain=1 - 1e-6)
    assert words.verdict(run, "linear") == ("ρ > 1", "must explode in the end")
    assert words.verdict(run, "tanh") == ("γσ_max < 1", "must vanish")


def test_the_readouts_of_one_step():
    """σ_max of the shear's block [[ρ, 5], [0, ρ]] is (5 + √(25 + 4ρ²)) / 2."""
    frame = computed("shear-2", activation="sigmoid")
    sigma_max = (5 + math.sqrt(25 + 4 * 0.81)) / 2
    assert value(frame, "largest_singular_value") == pytest.approx(sigma_max, rel=1e-12)
    assert value(frame, "gain") == pytest.approx(sigma_max / 4, rel=1e-12)
    assert value(frame, "spectral_radius") == 0.9


def test_the_equations_hold_the_numbers_of_today():
    linear, activation = computed("orthogonal-1.1", k=2).arithmetic
    assert linear == "‖W^2‖ = 1.21  ≥  ρ^2 = 1.1^2 = 1.21"
    assert activation.startswith("‖J_T … J_(T−1)‖ = ")
    assert activation.endswith("≤  (γσ_max)^2 = 1.1^2 = 1.21")
    assert computed(k=1).arithmetic[1].startswith("‖J_T‖ = ")


# The sentence


@pytest.mark.parametrize(
    ("log10_value", "text"),
    [
        (0.0, "100\u00a0%"),
        (-0.001, "99.8\u00a0%"),
        (-3.0, "0.100\u00a0%"),
        (-3.01, "9.77·10⁻⁴"),
        (2.07, "it would grow to 117 times its size"),
    ],
)
def test_a_share_is_a_percentage_where_one_can_be_read(log10_value, text):
    assert words.amount(log10_value) == text


@pytest.mark.parametrize("preset", [preset.name for preset in JacobianLab.presets])
@pytest.mark.parametrize("k", [1, 7, 50, 100])
def test_the_sentence_agrees_with_the_readout(preset, k):
    frame = computed(preset, k=k)
    left = curve(frame, "activation")[k - 1]
    readout = next(r for r in frame.readouts if r.key == "activation")
    assert readout.text == from_log10(left)
    shown = (
        from_log10(left + 2) + "\u00a0%"
        if f"{from_log10(left + 2)}\u00a0%" in frame.sentence
        else readout.text
    )
    assert shown in frame.sentence
    assert frame.sentence.startswith(f"After {k} step")


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({}, "After 50 steps this network passes on 0.515\u00a0% of an error at most"),
        ({"spectral_radius": 1.1}, "up to 3.24 times as large; without squashing it would grow to 117 times"),
        ({"input_scale": 3.0, "spectral_radius": 1.2}, "passes on 5.17·10⁻¹⁷ of an error at most"),
        ({"spectral_radius": 1.0, "start": 0.0}, "passes on 100\u00a0% of an error at most"),
        ({"k": 1}, "After 1 step this network passes on 90\u00a0% of an error at most"),
        ({"activation": "relu", "size": 2, "seed": 4}, "passes on nothing of an error"),
        ({"activation": "sigmoid", "spectral_radius": 0.1, "gap": 200, "k": 200}, "passes on 3.53·10⁻³²¹ of an error"),
    ],
)  # fmt: skip
def test_the_sentence_in_words(settings, said):
    assert said in computed(**settings).sentence


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({}, "linear, ρ^k and bound coincide, tanh too up to k = 90"),
        ({"activation": "linear", "matrix": "gaussian"}, "linear and the chosen activation coincide"),
        ({"start": 0.0}, "linear, tanh, ρ^k and bound coincide"),
        ({"matrix": "gaussian"}, "tanh and linear coincide up to k = 87"),
        ({"component": 1}, "linear, ρ^k, bound and |λ_1|^k coincide"),
        ({"matrix": "identity", "spectral_radius": 1.0, "activation": "relu"},
         "linear, relu, ρ^k and bound coincide"),
    ],
)  # fmt: skip
def test_curves_that_coincide_are_said_to(settings, said):
    assert said in computed(**settings).sentence


def test_curves_that_differ_are_not_said_to_coincide():
    assert "coincide" not in computed(matrix="gaussian", input_scale=1.0).sentence


def test_a_product_of_zero_is_named_and_kept_apart_from_the_axis():
    frame = computed(activation="relu", size=2, seed=4)
    assert np.all(np.isneginf(curve(frame, "activation")))
    assert np.isnan(frame.columns["marker"]["y"][1])
    assert "exactly 0" in frame.notes[0]
    assert value(frame, "activation") == 0


# Settings, columns and table


def test_k_and_component_stay_within_gap_and_size():
    lab = JacobianLab()
    lab.adopt(gap=200, k=180, size=64, component=60)
    assert (lab.k, lab.component) == (180, 60)
    lab.adopt(gap=20, size=4)
    assert (lab.k, lab.component) == (20, 4)
    assert (lab.param.k.bounds, lab.param.component.bounds) == ((1, 20), (0, 4))
    assert len(curve(lab.compute(), "linear")) == 20


def test_the_declared_bounds_are_those_of_the_defaults():
    lab = JacobianLab()
    limits = lab.limits(lab.values())
    assert {name: lab.param[name].bounds for name in limits} == limits


def test_the_settings_are_those_that_links_name():
    assert list(JacobianLab.settings()) == [
        "matrix", "size", "spectral_radius", "input_scale", "start", "gap", "k", "activation", "seed", "component",
    ]  # fmt: skip


def test_following_an_eigenvalue_adds_its_curve_and_marks_it():
    frame = computed(matrix="gaussian", component=3)
    values = frame.columns["eigenvalues"]
    np.testing.assert_allclose(
        10 ** curve(frame, "component"), values["modulus"][2] ** np.arange(1, 101), rtol=1e-12
    )
    assert frame.columns["followed"]["re"] == values["re"][2]
    assert frame.columns["followed"]["im"] == values["im"][2]
    assert value(frame, "component") == pytest.approx(values["modulus"][2] ** 50)
    assert len(frame.table.columns) == 7


def test_without_a_followed_eigenvalue_there_is_no_curve_of_it():
    frame = computed(matrix="gaussian")
    assert np.all(np.isnan(curve(frame, "component")))
    assert len(frame.columns["followed"]["re"]) == 0
    assert "component" not in [r.key for r in frame.readouts]


def test_the_circle_and_the_eigenvalues_are_those_of_the_matrix():
    frame = computed(matrix="gaussian")
    assert frame.columns["eigenvalues"]["modulus"].max() == pytest.approx(0.9)
    assert frame.columns["circles"]["sigma_max"] == value(frame, "largest_singular_value")


def test_the_mean_slope_is_that_of_the_steps_an_error_meets_first():
    frame = computed("orthogonal-1.1", k=10)
    assert value(frame, "mean_slope") == pytest.approx(frame.columns["slopes"]["slope"][-10:].mean())
    assert label(frame, "mean_slope").endswith("last 10 steps")


def test_moving_k_changes_the_marker_alone():
    one, other = computed(k=50).columns, computed(k=51).columns
    changed = {
        name
        for name in one
        if any(not np.array_equal(one[name][c], other[name][c], equal_nan=c != "role") for c in one[name])
    }
    assert changed == {"marker"}


def test_the_table_holds_plain_numbers_and_text_where_a_float_cannot():
    table = computed(activation="sigmoid", spectral_radius=0.1, gap=200).table
    by_heading = dict(zip(table.headings, table.columns, strict=True))
    sigmoid = by_heading["chosen activation (sigmoid)"]
    assert sigmoid[0] == pytest.approx(0.025, rel=0.1)
    assert sigmoid[-1] == "3.53·10⁻³²¹"
    assert by_heading["linear ‖W^k‖"][1] == pytest.approx(0.01)
    assert len(table.rows) == 200


def test_the_table_names_the_slope_of_the_step_at_which_an_error_arrives():
    frame = computed("orthogonal-1.1")
    np.testing.assert_array_equal(frame.table.columns[-1], frame.columns["slopes"]["slope"][::-1])


# The comparison


def test_the_comparison_at_input_scale_1():
    job = JacobianLab().comparison()
    table = job()
    assert table.headings == ["ρ", "linear", "chosen activation (tanh)"]
    assert table.columns[0] == [0.9, 1.0, 1.1]
    assert table.columns[1] == pytest.approx([0.00515, 1, 117.4], rel=1e-3)
    assert table.columns[2] == pytest.approx([6.3e-12, 5.2e-10, 2.4e-8], rel=0.01)


def test_the_comparison_follows_what_it_depends_on_and_nothing_else():
    def job(**settings):
        lab = JacobianLab()
        lab.adopt(**settings)
        return lab.comparison()

    for same in ({"input_scale": 3.0}, {"spectral_radius": 1.3}, {"k": 3}, {"component": 2}):
        assert job(**same) == job()
    for other in ({"matrix": "gaussian"}, {"size": 8}, {"seed": 1}, {"start": 2.0}, {"activation": "relu"}):
        assert job(**other) != job()
    assert job(gap=10) == job(gap=50)
    assert isinstance(job(), Job)


def test_the_work_of_the_comparison_knows_no_lab():
    work = JacobianLab().comparison().work
    assert inspect.getmodule(work).__name__ == "widgets.jacobians.lab"
    assert work.__qualname__ == "_compare"


# Figures


def test_the_figures_are_drawn_on_the_sources_of_the_frame():
    lab = JacobianLab()
    sources = {name: ColumnDataSource(dict(c), name=name) for name, c in lab.compute().columns.items()}
    products, plane, slopes = lab.plots(sources)
    assert products.axis.source == "products"
    assert plane.tap == ("eigenvalues", "component")
    drawn = {r.data_source.name for plot in (products, plane, slopes) for r in plot.figure.renderers}
    assert set(sources) <= drawn
    assert [key.label for key in products.legend][1] == "chosen activation"


def test_fit_brings_the_curves_into_view_whatever_the_bound_does():
    lab = JacobianLab()
    lab.adopt(**lab.preset("shear-2").settings)
    columns = lab.compute().columns
    sources = {name: ColumnDataSource(dict(c), name=name) for name, c in columns.items()}
    axis = lab.plots(sources)[0].axis
    axis.fit(columns["products"])
    assert (axis.figure.y_range.start, axis.figure.y_range.end) == (-6, 3)
