"""What a worker does in a turn: it trains, reports, stops, rests, and outlives what diverges."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.corpora import CORPORA, agreement, toy
from core.reading import text_loss
from core.training import TrainingSettings, initial_state, restore, save, train
from widgets.training.turn import SAMPLE_LENGTH, first_payload, turn

SMALL = {"hidden_size": 16, "embedding_size": 8, "truncation": 4, "batch_size": 4}
ROOT = Path(__file__).parents[2]


def settings_for(text=None, **settings):
    return TrainingSettings(text or toy(4000, 0), **SMALL | settings)


def note_for(**changes):
    note = {"settings": {}, "corpus": "own", "steps": 50, "temperature": 0.8}
    return note | changes


def taken(settings, stop=None, payload=None, /, **note):
    """The outcome of one turn, with its records by kind as they come out of a pipe."""
    records = {}

    def report(kind, record):
        records.setdefault(kind, []).append(json.loads(json.dumps(record)))

    outcome = turn(payload or first_payload(settings), note_for(**note), report, stop or after(100_000))
    return outcome, records


def after(number, at_once=lambda: False):
    """A `stop` that is true from that step of the turn on."""
    asked = iter(range(1, 100_000))

    def stop():
        return next(asked) >= number

    stop.at_once = at_once
    return stop


def same_weights(one, two):
    assert one.keys() == two.keys()
    return all(np.array_equal(one[name], two[name]) for name in one)


def test_every_step_is_reported_as_training_makes_it():
    settings = settings_for()
    _, records = taken(settings, steps=7)
    for record, step in zip(records["step"], train(settings), strict=False):
        assert (record["number"], record["loss"], record["norm"]) == (
            step.number,
            step.loss,
            step.gradient_norm,
        )
        assert record["speed"] > 0
    assert [record["number"] for record in records["step"]] == list(range(1, 8))


def test_the_turn_ends_at_the_goal_and_is_done():
    outcome, _ = taken(settings_for(), steps=7)
    assert outcome.finished
    assert not outcome.failure
    assert restore(outcome.checkpoint)[1].number == 7


def test_the_turn_ends_when_it_is_told_to_and_the_next_goes_on_bit_for_bit():
    settings = settings_for()
    first, _ = taken(settings, after(3))
    assert not first.finished
    assert restore(first.checkpoint)[1].number == 3
    second, records = taken(settings, after(4), first.checkpoint)
    assert [record["number"] for record in records["step"]] == [4, 5, 6, 7]
    whole, _ = taken(settings, steps=7)
    assert same_weights(restore(second.checkpoint)[1].parameters, restore(whole.checkpoint)[1].parameters)


def test_a_turn_is_one_step_at_least_also_beyond_the_goal():
    settings = settings_for()
    done, _ = taken(settings, steps=7)
    more, records = taken(settings, after(1), done.checkpoint, steps=5)
    assert [record["number"] for record in records["step"]] == [8]
    assert more.finished


def test_a_step_that_is_broken_off_leaves_no_trace_and_is_made_again(monkeypatch):
    """Whenever within the third step it is: amid its chunk, or while it is looked at."""
    settings = settings_for(agreement(4000, 0), truncation=32, cell="rnn")
    monkeypatch.setattr("widgets.training.turn._TEST_EVERY", 3)
    whole, seen = taken(settings, steps=5, corpus="agreement")
    calls = []
    taken(settings, after(100, lambda: calls.append(None)), steps=2, corpus="agreement")
    third = []
    taken(settings, after(100, lambda: third.append(None)), steps=3, corpus="agreement")
    for call in range(len(calls) + 1, len(third) + 1):
        heard = iter(range(1, 100_000))
        broken, before = taken(
            settings,
            after(100, lambda heard=heard, call=call: next(heard) == call),
            steps=5,
            corpus="agreement",
        )
        assert broken.broken_off
        assert not broken.finished
        assert restore(broken.checkpoint)[1].number == 2
        assert [record["number"] for record in before["step"]] == [1, 2]
        again, later = taken(settings, None, broken.checkpoint, steps=5, corpus="agreement")
        assert not again.broken_off
        assert again.checkpoint == whole.checkpoint
        for kind in ("step", "sample", "agreement"):
            found = [{**record, "speed": 0} for record in before.get(kind, []) + later.get(kind, [])]
            assert found == [{**record, "speed": 0} for record in seen[kind]]


def test_the_first_step_that_is_broken_off_takes_the_first_sample_with_it():
    settings = settings_for()
    broken, records = taken(settings, after(100, lambda: True))
    assert (broken.broken_off, records) == (True, {})
    assert restore(broken.checkpoint)[1].number == 0
    _, records = taken(settings, after(1), broken.checkpoint)
    assert [sample["number"] for sample in records["sample"]] == [0, 1]


def test_a_large_step_asks_many_times_whether_it_is_waited_for():
    """8 steps of a layer between two questions, on the way there and on the way back."""
    settings = settings_for(layers=3, truncation=32)
    heard = []
    taken(settings, after(1, lambda: heard.append(None)))
    assert len(heard) >= 2 * 3 * 32 / 8


def test_what_the_note_says_is_taken_over_amid_a_run():
    settings = settings_for()
    half, _ = taken(settings, after(3))
    new = {"learning_rate": 0.3, "clip_norm": 0.05, "clipping": "none", "carry_state": False}
    outcome, records = taken(settings, after(2), half.checkpoint, settings=new)
    kept, state = restore(outcome.checkpoint)
    assert {name: getattr(kept, name) for name in new} == new
    by_hand = train(replace(settings, **new), restore(half.checkpoint)[1])
    expected = [next(by_hand), next(by_hand)]
    assert [record["loss"] for record in records["step"]] == [step.loss for step in expected]
    assert same_weights(state.parameters, expected[-1].state.parameters)


def diverging():
    """A run whose weights are finite, and whose gradient is not."""
    settings = settings_for(cell="rnn", truncation=64, clipping="none")
    state = initial_state(settings)
    large = {"U1": 1e3 * np.eye(16, dtype=np.float32), "W1": np.zeros((8, 16), np.float32)}
    parameters = {**state.parameters, **large, "b1": np.zeros(16, np.float32)}
    return settings, replace(state, number=4, parameters=parameters)


def test_a_run_that_diverges_keeps_the_last_finite_weights_and_says_so():
    settings, state = diverging()
    outcome, records = taken(settings, None, save(settings, state))
    assert [record["number"] for record in records["step"]] == [5]
    assert [records["step"][0][name] for name in ("loss", "norm", "speed")] == [None] * 3
    assert "Step 5 diverged" in outcome.failure
    assert "Those after step 4 are kept" in outcome.failure
    kept, last = restore(outcome.checkpoint)
    assert (kept, last.number) == (settings, 4)
    assert same_weights(last.parameters, state.parameters)
    assert not outcome.finished


def test_samples_are_taken_often_at_first_and_go_on_from_the_text():
    settings = settings_for()
    _, records = taken(settings, steps=45)
    samples = records["sample"]
    assert [sample["number"] for sample in samples] == [0, 1, 2, 5, 10, 20, 40]
    assert all(len(sample["text"]) == SAMPLE_LENGTH for sample in samples)
    assert {character for sample in samples for character in sample["text"]} <= set(settings.text)
    assert len({sample["text"] for sample in samples}) == 7


def test_the_first_sample_is_taken_once_and_not_at_every_turn():
    settings = settings_for()
    half, _ = taken(settings, after(3))
    _, records = taken(settings, after(1), half.checkpoint)
    assert "sample" not in records


def test_each_sample_has_draws_of_its_own_and_a_run_repeats_them():
    settings = settings_for(learning_rate=1e-6)
    _, records = taken(settings, steps=1)
    before, after_one_step = (sample["text"] for sample in records["sample"])
    assert sum(map(str.__eq__, before, after_one_step)) < SAMPLE_LENGTH / 4
    assert taken(settings, steps=1)[1]["sample"] == records["sample"]


def test_a_higher_temperature_writes_more_different_characters():
    counts = []
    for temperature in (0.1, 2.0):
        _, records = taken(settings_for(learning_rate=0.05), steps=20, temperature=temperature)
        counts.append(len(set(records["sample"][-1]["text"])))
    assert counts[0] < 8 < 15 < counts[1]


@pytest.mark.parametrize("text", ["ab" * 40, "abc\n" * 30, "a" * 100 + "b" * 100 + "\n"])
def test_a_text_with_lines_or_without_can_be_gone_on_from(text):
    _, records = taken(settings_for(text), steps=2)
    assert len(records["sample"]) == 3


def test_a_low_temperature_writes_the_likeliest():
    settings = settings_for("ab" * 200, learning_rate=0.05)
    _, records = taken(settings, steps=60, temperature=0.1)
    assert records["sample"][-1]["text"] in ("ab" * (SAMPLE_LENGTH // 2), "ba" * (SAMPLE_LENGTH // 2))
    assert records["sample"][-1]["temperature"] == 0.1


def test_the_recurrent_matrix_of_a_plain_rnn_is_watched_and_of_no_other():
    settings = settings_for(cell="rnn")
    outcome, records = taken(settings, steps=10)
    assert [record["number"] for record in records["spectrum"]] == [1, 5, 10]
    U = restore(outcome.checkpoint)[1].parameters["U1"].astype(float)
    assert records["spectrum"][-1]["radius"] == pytest.approx(max(abs(np.linalg.eigvals(U))))
    assert records["spectrum"][-1]["singular"] == pytest.approx(np.linalg.svd(U)[1][0])
    assert records["spectrum"][0]["radius"] == pytest.approx(1, abs=0.1)
    for cell in ("lstm", "gru"):
        assert "spectrum" not in taken(settings_for(cell=cell), steps=2)[1]


def test_fresh_text_is_another_than_the_one_that_is_learnt():
    settings = settings_for(CORPORA["toy"].text)
    outcome, records = taken(settings, steps=50, corpus="toy")
    assert [record["number"] for record in records["fresh"]] == [1, 50]
    fresh = "\n" + toy(1000, 1_000_003)
    assert fresh not in settings.text
    parameters = restore(outcome.checkpoint)[1].parameters
    right = text_loss(parameters, settings.vocabulary.encode(fresh))
    assert records["fresh"][-1]["loss"] == pytest.approx(right)
    for corpus in ("own", "prose"):
        assert "fresh" not in taken(settings, steps=2, corpus=corpus)[1]


def test_agreement_is_tested_on_its_own_corpus_alone():
    settings = settings_for(agreement(4000, 0))
    _, records = taken(settings, steps=1, corpus="agreement")
    (tested,) = records["agreement"]
    assert tested["number"] == 1
    assert tested["distances"] == list(range(2, 61))
    assert np.mean(tested["accuracy"]) == pytest.approx(0.5, abs=0.02)
    assert "agreement" not in taken(settings, steps=1, corpus="own")[1]


def test_the_first_payload_is_the_run_before_its_first_step():
    settings = settings_for()
    held, state = restore(first_payload(settings))
    assert (held, state.number) == (settings, 0)
    assert same_weights(state.parameters, initial_state(settings).parameters)


@pytest.mark.parametrize(
    ("text", "message"), [("ab" * 8, "has 16 characters, .* at least 17"), ("a" * 40, "2 distinct")]
)
def test_a_text_that_is_too_short_is_refused_before_a_run_begins(text, message):
    with pytest.raises(ValueError, match=message):
        first_payload(settings_for(text))


def test_a_worker_needs_neither_panel_nor_bokeh():
    script = (
        "import sys; sys.modules['panel'] = sys.modules['bokeh'] = sys.modules['param'] = None;"
        "import widgets.training.turn"
    )
    run = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
