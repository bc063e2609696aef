"""A run's settings stand with what they made: in the table, the file, the label of a pin and the notes."""

import csv
import io
from dataclasses import replace

import numpy as np
import pytest

from core.training import restore, save
from tests.widgets.conftest import RECIPE
from widgets.base.export import csv_text
from widgets.training.curves import columns
from widgets.training.lab import TrainingLab
from widgets.training.recipes import Recipe, at_steps, history, recipes_of
from widgets.training.words import data_table


def change(number, was, now):
    return {"number": number, "was": {"learning_rate": was}, "is": {"learning_rate": now}}


def rates(*values):
    """Recipes of these learning rates, each from its step on."""
    return [Recipe(first, {"learning_rate": value}) for first, value in values]


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ([(1, 0.01)], "0.01"),
        ([(1, 0.01), (121, 0.002)], "0.01 to step 120, then 0.002"),
        ([(1, 0.01), (121, 0.002), (201, 0.05)], "0.01 to step 120, then 0.002 to step 200, then 0.05"),
        ([(1, 0.01), (50, 0.01), (121, 0.002)], "0.01 to step 120, then 0.002"),
        ([(1 + 10 * n, n) for n in range(7)], "0 to step 10, then 5 others, 6 from step 61 on"),
    ],
)
def test_the_history_of_a_setting_says_to_which_step_each_value_held(values, said):
    assert history(rates(*values), "learning_rate", str) == said


def test_what_never_changed_is_of_the_first_step():
    assert recipes_of([], {"learning_rate": 0.01}) == rates((1, 0.01))


def test_changes_follow_what_was_before_the_first_of_them():
    records = [change(1, 0.5, 0.01), change(121, 0.01, 0.002), change(121, 0.002, 0.003)]
    assert recipes_of(records, {"learning_rate": 9.0}) == rates((1, 0.01), (121, 0.003))
    assert recipes_of(records[1:], {"learning_rate": 9.0}) == rates((1, 0.01), (121, 0.003))


def test_each_step_has_the_settings_that_were_in_force():
    made = at_steps(rates((1, 0.01), (121, 0.002)), np.array([1.0, 120.0, 121.0, 400.0]))
    assert [recipe["learning_rate"] for recipe in made] == [0.01, 0.01, 0.002, 0.002]


def file_of(lab, frame):
    """The settings at the head of the file, and its rows."""
    lines = csv_text(lab, frame).splitlines()
    head = dict(line[2:].split(" = ") for line in lines[1:] if line.startswith("# "))
    return head, list(csv.DictReader(io.StringIO("\n".join(line for line in lines if line[0] != "#"))))


def half_way(desk):
    """A run whose learning rate and clip norm were changed at a rest on its way; the step that they begin with."""
    lab, engine, _ = desk.visit()
    for _ in range(3):
        engine.act("one", {})
        desk.until(lab, "paused")
        desk.loop.until(lambda: engine._run.job.status == "paused")
    changed = engine._run.number + 1
    lab.adopt(learning_rate=0.002, clip_norm=0.5)
    engine.act("start", {})
    desk.until(lab, "finished")
    return lab, changed


def test_a_change_on_the_way_labels_only_the_steps_after_it(desk):
    lab, changed = half_way(desk)
    frame = lab.compute()
    head, rows = file_of(lab, frame)
    assert head["learning_rate"] == f"0.01 to step {changed - 1}, then 0.002"
    assert head["clip_norm"] == f"1 to step {changed - 1}, then 0.5"
    assert head["clipping"] == "before"
    for row in rows:
        after = int(row["step"]) >= changed
        assert float(row["learning rate η"]) == (0.002 if after else 0.01)
        assert float(row["clipped to"]) == (0.5 if after else 1.0)
    assert f"η = 0.01 to step {changed - 1}, then 0.002" in lab.describe(frame.made_by)
    assert f"Learning rate η: 0.01 to step {changed - 1}, then 0.002." in frame.notes


def test_a_change_after_the_last_step_has_made_nothing_yet(desk):
    lab, engine, _ = desk.visit()
    engine.act("start", {})
    desk.until(lab, "finished")
    lab.adopt(learning_rate=0.5)
    head, rows = file_of(lab, lab.compute())
    assert head["learning_rate"] == "0.01"
    assert {row["learning rate η"] for row in rows} == {"0.01"}


def test_a_run_of_other_settings_heads_its_own_file(desk):
    lab, engine, _ = desk.visit(steps=50)
    engine.act("start", {})
    desk.until(lab, "finished")
    lab.adopt(corpus="brackets", hidden_size=64, cell="gru", learning_rate=0.3, seed=5, steps=900)
    frame = lab.compute()
    head, _ = file_of(lab, frame)
    made = {
        "corpus": "toy",
        "hidden_size": "16",
        "cell": "lstm",
        "learning_rate": "0.01",
        "seed": "0",
        "steps": "50",
    }
    assert made.items() <= head.items()
    label = lab.describe(frame.made_by)
    assert "Hidden size = 16" in label
    assert "gru" not in label


def test_settings_that_agree_with_the_run_are_not_named_twice(desk):
    lab, engine, _ = desk.visit()
    assert lab.compute().made_by == {}
    engine.act("one", {})
    desk.until(lab, "paused")
    assert lab.compute().made_by == {}


def test_steps_without_clipping_are_not_clipped_to_anything(run_of):
    run = run_of([2.0, 1.0], recipes=[Recipe(1, RECIPE), Recipe(2, RECIPE | {"clipping": "after"})])
    assert data_table(run).columns[-1] == [1.0, "–"]


def test_a_label_names_what_two_runs_are_compared_by_at_the_defaults_too():
    label = TrainingLab(steps=320).describe()
    assert label == "Corpus = toy, Cell = lstm, Hidden size = 128, Truncation K = 64, Steps to make = 320"


def test_a_checkpoint_of_another_recipe_goes_on_under_its_own(desk):
    lab, engine, _ = desk.visit()
    engine.act("one", {})
    desk.until(lab, "paused")
    settings, state = restore(engine._run.job.checkpoint)
    engine.act("end", {})
    desk.upload(engine, "checkpoint", save(replace(settings, learning_rate=0.25), state))
    engine.act("one", {})
    desk.loop.until(lambda: engine._run.number == 2)
    desk.until(lab, "paused")
    assert file_of(lab, lab.compute())[0]["learning_rate"] == "0.25"


def test_the_line_of_the_clip_norm_stands_where_it_stood_at_each_step(run_of):
    changes = [
        Recipe(1, RECIPE),
        Recipe(3, RECIPE | {"clip_norm": 0.1}),
        Recipe(4, RECIPE | {"clipping": "none"}),
    ]
    line = columns(run_of([1.0] * 4, recipes=changes, clip_norm=10.0), None)["clip"]
    np.testing.assert_array_equal(line["step"], [0, 2, 2, 3, 3, 4, 4, 300])
    np.testing.assert_allclose(line["level"], [0, 0, -1, -1, np.nan, np.nan, 1, 1])
