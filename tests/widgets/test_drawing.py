import numpy as np
import pytest

from widgets.base.described import Described
from widgets.bptt.lab import BpttLab
from widgets.cliff.lab import CliffLab
from widgets.figures.drawing import Drawing
from widgets.figures.pins import Pins
from widgets.jacobians.lab import JacobianLab
from widgets.training.lab import TrainingLab


def drawing_of(lab):
    frame = lab.compute()
    return Drawing(lab, frame, lab.presets[0]), frame


def shown_keys(lab) -> dict[str, list[str]]:
    drawing, frame = drawing_of(lab)
    absent = drawing.absent_keys(frame)
    return {
        plot.title: [key.label for n, key in enumerate(plot.legend) if n not in absent[i]]
        for i, plot in enumerate(drawing.plots)
    }


def set_to(lab, **values):
    lab.adopt(**values)
    return lab


@pytest.mark.parametrize(("cell", "label"), [("rnn", "tanh RNN"), ("lstm", "LSTM"), ("gru", "GRU")])
def test_a_legend_names_the_cell_that_is_drawn_and_no_other(cell, label):
    keys = shown_keys(set_to(BpttLab(), cell=cell))
    assert keys["By lag"] == [label, "kept by truncation"]
    along = ["LSTM, at c", "straight along c", "the rest"] if cell == "lstm" else []
    assert keys["Walk back"] == [label, *along]


def test_a_legend_names_what_is_followed_only_while_something_is():
    assert "followed |λ_i|^k" not in shown_keys(JacobianLab())["Sent back"]
    assert "followed" not in shown_keys(JacobianLab())["Eigenvalues"]


def test_without_a_fold_its_key_is_gone():
    assert "fold b_c" in shown_keys(CliffLab())["Loss"]
    assert "fold b_c" not in shown_keys(set_to(CliffLab(), self_weight=0.9))["Loss"]


def test_the_sentence_says_that_a_loss_has_left_its_figure_until_it_is_fitted(run_of):
    lab = TrainingLab()
    lab.snapshot = run_of([5.0] * 19 + [7.0])
    drawing, frame = drawing_of(lab)
    assert drawing.told(frame).sentence == f"{frame.sentence} It has left the figure: Fit axis shows it."
    drawing.fit(frame)
    assert drawing.told(frame) is frame
    assert drawing.plots[0].figure.y_range.start < 0.106  # the corpus's entropy


def test_fit_brings_pinned_curves_into_view_too():
    lab = CliffLab()
    drawing, _ = drawing_of(lab)
    trajectory = next(plot for plot in drawing.plots if plot.title == "Trajectory")
    Pins(drawing.plots).add(Described({}))
    lab.adopt(bias=1.2, start=0.9)
    frame = lab.compute()
    drawing.fit(frame)
    low, high = trajectory.figure.y_range.start, trajectory.figure.y_range.end
    assert low < -0.9
    assert high > np.max(frame.columns["trajectory"]["h"]) > 0.9


def test_fit_leaves_the_dip_of_the_gradient_below_the_picture():
    drawing, frame = drawing_of(CliffLab())
    drawing.fit(frame)
    gradient = next(plot for plot in drawing.plots if plot.title == "Gradient").figure.y_range
    logs = frame.columns["curve"]["gradient"]
    assert logs.min() < gradient.start < np.quantile(logs, 0.05)
    assert gradient.end > logs.max()
