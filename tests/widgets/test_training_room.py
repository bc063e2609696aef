"""What a run will show has its room before the run: the same readouts, legends and figures, in the same order."""

from dataclasses import replace

import numpy as np
import pytest

from widgets.figures.drawing import Drawing
from widgets.training.before import before_a_run
from widgets.training.lab import TrainingLab


def table(**columns):
    return {name: np.array(values, float) for name, values in columns.items()}


def begun(lab):
    """The same run, some steps later."""
    numbers = [1, 2, 3]
    agreement = {"number": 1, "distances": list(range(2, 61)), "accuracy": [0.5] * 59}
    return replace(
        before_a_run(lab),
        status="running",
        number=3,
        steps=table(number=numbers, loss=[3, 2, 1], norm=[0.5, 0.4, 0.3], speed=[1e5] * 3),
        fresh=table(number=[1], loss=[2.9]) if lab.corpus not in ("prose", "own") else {},
        spectrum=table(number=[1], radius=[1.0], singular=[1.1]) if lab.cell == "rnn" else {},
        agreement=[agreement] if lab.corpus == "agreement" else [],
    )


@pytest.mark.parametrize("cell", ["rnn", "lstm", "gru"])
@pytest.mark.parametrize("corpus", ["toy", "brackets", "agreement", "prose", "own"])
def test_nothing_is_added_when_the_first_numbers_come(corpus, cell):
    lab = TrainingLab()
    lab.adopt(corpus=corpus, cell=cell)
    before = lab.compute()
    lab.snapshot = begun(lab)
    after = lab.compute()
    drawing = Drawing(lab, before, lab.presets[0])
    assert [r.key for r in before.readouts] == [r.key for r in after.readouts]
    assert len(before.arithmetic) == len(after.arithmetic)
    assert len(before.notes) == len(after.notes)
    assert [b.name for b in before.buttons] == [b.name for b in after.buttons]
    counter = len(drawing.plots) - 1  # of the text that is looked at, which a run changes
    assert drawing.absent_keys(before)[:counter] == drawing.absent_keys(after)[:counter]


def test_ln_v_is_known_before_the_run():
    shown = {r.key: r for r in TrainingLab().compute().readouts}
    assert shown["vocabulary"].value == 22
    assert shown["guessing"].value == pytest.approx(3.0910424533583156)
    assert shown["loss"].text == "–"
    assert np.isnan(shown["loss"].value)


def test_the_button_that_is_wanted_next_stands_out():
    lab = TrainingLab()
    assert [b.name for b in lab.compute().buttons if b.urged] == ["start"]
    lab.snapshot = replace(begun(lab), outdated=True)
    assert [b.name for b in lab.compute().buttons if b.urged] == ["anew"]
    lab.snapshot = replace(lab.snapshot, outdated=False)
    assert not any(b.urged for b in lab.compute().buttons)
