"""A run as columns for its figures, and records as a run."""

import math

import numpy as np
import pytest

from widgets.training.curves import columns
from widgets.training.snapshot import Snapshot, table_of

NAN = float("nan")


def of(run, source, entropy=None):
    return columns(run, entropy)[source]


def record_at(number, *accuracy):
    return {"number": number, "distances": [2, 30], "accuracy": list(accuracy)}


def test_records_become_columns_and_nothing_becomes_nan():
    found = table_of([{"number": 1, "loss": 2.5}, {"number": 2, "loss": None}])
    np.testing.assert_array_equal(found["number"], [1, 2])
    np.testing.assert_array_equal(found["loss"], [2.5, NAN])
    assert table_of([]) == {}


def test_a_series_that_has_not_come_is_empty():
    run = Snapshot(steps={"loss": np.ones(2)})
    assert run.series("steps", "loss").tolist() == [1, 1]
    assert run.series("steps", "norm").size == run.series("fresh", "loss").size == 0


@pytest.mark.parametrize("cell", ["rnn", "lstm", "gru"])
def test_the_curve_is_in_the_colour_of_its_cell(run_of, cell):
    loss = of(run_of([3.0, 1.0], cell=cell), "loss")
    np.testing.assert_array_equal(loss[cell], [3.0, 2.0])
    np.testing.assert_array_equal(loss["loss"], [3.0, 1.0])
    for other in {"rnn", "lstm", "gru"} - {cell}:
        assert np.isnan(loss[other]).all()


def test_the_running_mean_looks_back_twenty_steps(run_of):
    loss = of(run_of([5.0] * 10 + [1.0] * 20), "loss")
    assert loss["lstm"][19] == pytest.approx(3.0)
    assert loss["lstm"][29] == pytest.approx(1.0)


def test_of_a_long_run_fewer_steps_are_drawn_and_their_means_stay_as_they_were(run_of):
    losses = np.random.default_rng(0).uniform(size=5000)
    losses[777] = np.nan
    short, long = (columns(run_of(losses[:length]), None)["loss"] for length in (900, 5000))
    assert len(short["step"]) == 900
    assert len(long["step"]) < 1005
    assert long["step"][-1] == 5000
    assert long["diverged"][long["step"] == 778] == 778
    for step in (1, 41, 801):
        assert long["lstm"][long["step"] == step] == short["lstm"][step - 1]
        assert short["lstm"][step - 1] == pytest.approx(np.nanmean(losses[max(0, step - 20) : step]))


def test_the_levels_are_ln_v_and_the_entropy_over_all_steps_to_make(run_of):
    levels = of(run_of([1.0], goal=300), "levels", entropy=0.118)
    assert levels["step"].tolist() == [0, 300]
    np.testing.assert_allclose(levels["start"], math.log(22))
    assert levels["entropy"].tolist() == [0.118, 0.118]
    beyond = of(run_of([1.0] * 400), "levels")
    assert beyond["step"].tolist() == [0, 400]
    assert np.isnan(beyond["entropy"]).all()


def test_norms_are_decimal_logarithms_and_a_spike_that_is_not_finite_a_gap(run_of):
    norm = of(run_of([1.0, 1.0, NAN], norms=[0.1, 100.0, NAN]), "norm")
    np.testing.assert_allclose(norm["lstm"], [-1, 2, NAN])
    np.testing.assert_allclose(norm["mean"], [-1, math.log10(50.05), NAN])
    assert of(run_of(clip_norm=0.01), "clip")["level"].tolist() == [-2, -2]
    zero = of(run_of([1.0], norms=[0.0]), "norm")
    assert np.isnan(zero["lstm"][0])


def test_the_newest_agreement_is_drawn_with_the_one_half_way(run_of):
    run = run_of(
        [1.0] * 200,
        agreement=[
            record_at(1, 0.5, 0.5),
            record_at(100, 0.75, 0.5),
            record_at(150, 0.9, 0.5),
            record_at(200, 1.0, 0.625),
        ],
        corpus="agreement",
    )
    newest, half = of(run, "agreement"), of(run, "earlier")
    assert newest["distance"].tolist() == [2, 30]
    assert newest["lstm"].tolist() == [1.0, 0.625]
    assert np.isnan(newest["rnn"]).all()
    assert half["accuracy"].tolist() == [0.75, 0.5]
    assert of(run, "chance")["half"].tolist() == [0.5, 0.5]


@pytest.mark.parametrize(
    ("truncation", "line", "label_at", "label", "align"),
    [
        (24, 24, 24, "K = 24", "left"),
        (60, 60, 60, "K = 60", "right"),
        (64, NAN, 60, "K = 64 ▶", "right"),
        (128, NAN, 60, "K = 128 ▶", "right"),
    ],
)
def test_a_truncation_beyond_the_farthest_distance_is_named_at_the_edge(
    run_of, truncation, line, label_at, label, align
):
    reach = of(run_of(corpus="agreement", truncation=truncation), "reach")
    np.testing.assert_array_equal(reach["distance"], [line])
    assert (reach["label_at"], reach["label"], reach["align"]) == ([label_at], [label], [align])


def test_where_a_loss_was_not_finite_training_diverged(run_of):
    run = run_of([1.0, 2.0, NAN, 1.0], norms=[1.0, 0.0, NAN, 1.0])
    for source in ("loss", "norm"):
        np.testing.assert_array_equal(of(run, source)["diverged"], [NAN, NAN, 3, NAN])


def test_after_a_step_that_diverged_the_mean_goes_on_without_it(run_of):
    loss = of(run_of([4.0, 2.0, NAN, 3.0]), "loss")
    np.testing.assert_array_equal(loss["lstm"], [4, 3, NAN, 3])


def test_without_agreement_its_figure_is_empty(run_of):
    run = run_of([1.0])
    assert of(run, "agreement")["distance"].size == of(run, "earlier")["distance"].size == 0
    assert of(run, "reach")["distance"] == []
    assert np.isnan(of(run, "chance")["half"]).all()


def test_each_test_is_a_column_of_tiles_from_the_one_before_it(run_of):
    learnt = of(run_of([1.0] * 50, agreement=[record_at(10, 0.5, 0.25), record_at(50, 1.0, 0.75)]), "learnt")
    assert learnt["step"].tolist() == [5, 5, 30, 30]
    assert learnt["width"].tolist() == [10, 10, 40, 40]
    assert learnt["distance"].tolist() == [2, 30, 2, 30]
    assert learnt["accuracy"].tolist() == [0.5, 0.25, 1.0, 0.75]
    assert learnt["above_chance"].tolist() == [0, 0, 1, 0.5]


def test_fresh_text_and_the_recurrent_matrix_are_drawn_as_they_came(run_of):
    run = run_of(
        [1.0],
        fresh={"number": np.array([1.0]), "loss": np.array([2.0])},
        spectrum={"number": np.array([1.0]), "radius": np.array([1.1]), "singular": np.array([1.5])},
    )
    assert of(run, "fresh") == {"step": [1.0], "loss": [2.0]}
    assert of(run, "spectrum") == {"step": [1.0], "radius": [1.1], "singular": [1.5]}


def test_every_source_has_columns_of_one_length(run_of):
    for run in (Snapshot(), run_of([1.0, NAN]), run_of([1.0] * 9, agreement=[record_at(9, 1.0, 1.0)])):
        for name, held in columns(run, None).items():
            assert len({len(column) for column in held.values()}) == 1, name
