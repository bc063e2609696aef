"""What the pictures of the training lab mark, and in which windows, as a run is drawn."""

from collections.abc import Sequence

import numpy as np
import pytest

from widgets.figures.drawing import Drawing
from widgets.training.lab import TrainingLab

NAN = float("nan")


@pytest.fixture
def drawn(run_of):
    """A function that draws a run in the windows of a preset, and gives its figures by their titles."""

    def draw(*run: Sequence[float], preset="toy-language", **changes):
        lab = TrainingLab()
        lab.adopt(**lab.defaults(**lab.preset(preset).settings))
        lab.snapshot = run_of(*run, **changes)
        drawing = Drawing(lab, lab.compute(), lab.present_preset())
        return {plot.title: plot for plot in drawing.plots}

    return draw


def marks(plot) -> list[tuple]:
    held = plot.axis.marks.source.data
    return list(zip(held["marker"], held["x"], held["text"], held["role"], strict=True))


def test_a_loss_that_leaves_the_picture_ends_in_an_arrow_with_its_value(drawn):
    # From 1 at step 99 to 61 at step 100: the edge at 4 is met after a twentieth of the way; the mean of 20 is 4.
    assert marks(drawn([1.0] * 99 + [61.0])["Loss"]) == [
        ("▲", pytest.approx(99.05), "61 (each step)", "linear")
    ]
    assert [role for *_, role in marks(drawn([1.0] * 99 + [62.0])["Loss"])] == ["linear", "lstm"]
    assert marks(drawn([1.0, 2.0])["Loss"]) == []


def test_a_spike_is_marked_with_how_far_it_went(drawn):
    spike = [1.0] * 50 + [9.5] + [1.0] * 50
    assert marks(drawn(spike)["Loss"]) == [("▲", 51.0, "up to 9.50 (each step)", "linear")]
    norms = [0.1] * 50 + [4.0e5] + [0.1] * 50
    assert ("▲", 51.0, "up to 4.00·10⁵ (each step)", "lstm") in marks(drawn([1.0] * 101, norms)["Gradient"])


def test_sigma_max_that_leaves_the_picture_is_marked(drawn):
    numbers = np.arange(1.0, 101.0)
    spectrum = {"number": numbers, "radius": np.ones(100), "singular": np.where(numbers < 100, 1.0, 7.0)}
    plot = drawn([1.0] * 100, cell="rnn", spectrum=spectrum)["Recurrent matrix"]
    assert marks(plot) == [("▲", pytest.approx(99.5), "7", "bound")]


def test_the_first_step_shows_before_there_is_a_line(drawn):
    plots = drawn([3.0], [0.5])
    assert {mark[:2] for mark in marks(plots["Loss"]) + marks(plots["Gradient"])} == {("●", 1.0)}
    assert [role for *_, role in marks(plots["Loss"])][-1] == "lstm"


def test_a_step_that_diverged_is_marked_in_both_figures_and_the_legend_stays(drawn):
    calm, wild = drawn([1.0] * 3), drawn([1.0, 1.0, NAN], [1.0, 1.0, NAN])
    for title in ("Loss", "Gradient"):
        assert marks(calm[title]) == []
        assert marks(wild[title]) == [("✕", 3.0, "diverged", "reference")]
        assert wild[title].legend == calm[title].legend


def test_the_preset_without_clipping_has_room_for_what_happens(drawn):
    # At seed 0 the loss goes up to 6.91, the norm to 6.5·10¹², σ_max to 123.
    numbers = np.array([1.0, 2.0])
    spectrum = {"number": numbers, "radius": numbers, "singular": np.array([1.0, 123.0])}
    plots = drawn([3.1, 6.91, 0.2], [0.7, 6.5e12, 30.0], cell="rnn", spectrum=spectrum, preset="no-clipping")
    for title in ("Loss", "Gradient", "Recurrent matrix"):
        assert marks(plots[title]) == []
    assert drawn([3.0])["Loss"].figure.y_range.end == 4


def test_the_shades_of_what_was_learnt_have_a_scale_from_chance_to_all_right(drawn):
    legend = drawn([1.0])["Learnt when"].legend
    assert [key.alpha for key in legend if key.marker == "■"] == [0.25, 0.5, 0.75, 1]
    assert (legend[0].marker, legend[-1].label) == ("□", "all right")
