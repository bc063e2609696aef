"""What the training lab says of a run: buttons, progress, sentence, readouts, notes, samples, table."""

import math

import numpy as np
import pytest

from core.corpora import entropy
from widgets.training import words
from widgets.training.lab import TrainingLab
from widgets.training.snapshot import Snapshot

NAN = float("nan")
STATUSES = ("none", "paused", "waiting", "running", "pausing", "finished", "failed", "stopped")


def usable(run):
    return {button.name for button in words.buttons(run) if button.enabled}


def values(run):
    return {readout.key: readout.value for readout in words.readouts(run)}


def notes(run):
    return " ".join(words.notes(run))


def sentence(run, known=None):
    return words.sentence(TrainingLab(), run, known)


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ("none", {"start", "one", "weights"}),
        ("paused", {"start", "one", "again", "weights", "anew", "end", "keep"}),
        ("waiting", {"pause", "again", "weights", "anew", "end", "keep"}),
        ("running", {"pause", "again", "weights", "anew", "end", "keep"}),
        ("pausing", {"again", "weights", "anew", "end", "keep"}),
        ("failed", {"start", "one", "again", "weights", "anew", "end", "keep"}),
        ("stopped", {"start", "one", "weights", "keep"}),
    ],
)
def test_each_button_can_be_pressed_when_it_makes_sense(run_of, status, expected):
    run = Snapshot(goal=300) if status == "none" else run_of([3.0, 2.0], status=status)
    assert usable(run) == expected


def asking(run):
    return {button.name for button in words.buttons(run) if button.asks}


@pytest.mark.parametrize("status", ["paused", "waiting", "running", "failed", "finished"])
def test_what_throws_a_run_away_asks_first(run_of, status):
    assert asking(run_of([3.0, 2.0], status=status)) == {"again", "weights", "anew", "end"}
    said = {button.name: button.asks for button in words.buttons(run_of([3.0, 2.0], status=status))}
    assert said["end"].startswith("This gives up the run of 2 steps: ")
    assert said["again"].startswith("This gives up the curves of 2 steps: ")


def test_where_there_is_nothing_to_lose_nothing_is_asked(run_of):
    assert asking(Snapshot(goal=300)) == set()
    assert asking(run_of([], number=0)) == set()
    assert asking(run_of([3.0, 2.0], status="stopped")) == set()


def test_no_button_moves(run_of):
    names = {
        tuple(button.name for button in words.buttons(run_of([2.0], status=status))) for status in STATUSES
    }
    assert len(names) == 1


def test_a_run_goes_on_until_its_goal_and_further_when_the_goal_moves(run_of):
    done = run_of([2.0] * 50, status="finished", goal=50)
    assert "start" not in usable(done)
    assert "one" in usable(done)
    assert "start" in usable(run_of([2.0] * 50, status="finished", goal=100))


def test_a_run_of_no_steps_has_nothing_to_go_back_to(run_of):
    assert "again" not in usable(run_of([], number=0))


@pytest.mark.parametrize(
    ("changes", "label"),
    [
        ({"number": 0}, "Start"),
        ({"number": 7}, "Go on"),
        ({"number": 7, "status": "failed"}, "Go on from step 7"),
        ({"number": 7, "status": "stopped"}, "Start"),
    ],
)
def test_the_first_button_says_what_it_does(run_of, changes, label):
    assert words.buttons(run_of([], **changes))[0].label == label


@pytest.mark.parametrize(
    ("changes", "share", "text"),
    [
        ({"status": "none", "number": 0}, 0, "0 of 300 steps; not begun"),
        ({"status": "paused", "number": 150}, 0.5, "150 of 300 steps; paused"),
        ({"status": "finished", "number": 300}, 1, "300 of 300 steps; done"),
        ({"status": "finished", "number": 300, "goal": 600}, 0.5, "300 of 600 steps; paused"),
        ({"status": "paused", "number": 400}, 1, "400 of 300 steps; done"),
        ({"status": "failed", "number": 30}, 0.1, "30 of 300 steps; stopped by a fault"),
        ({"status": "stopped", "number": 30}, 0.1, "30 of 300 steps; ended"),
        ({"status": "waiting", "number": 0, "place": 3}, 0, "0 of 300 steps; waiting for a free worker, place 3"),
        ({"status": "running", "number": 0}, 0, "0 of 300 steps; beginning"),
    ],
)  # fmt: skip
def test_progress_says_how_far_it_is(run_of, changes, share, text):
    found = words.progress(run_of([], **changes))
    assert found.share == pytest.approx(share)
    assert found.text.startswith(text)


@pytest.mark.parametrize(
    ("goal", "left"), [(101, "1 s"), (300, "10 s"), (1880, "89 s"), (2000, "2 min"), (5000, "4 min")]
)
def test_the_time_left_is_what_is_left_over_the_rate(run_of, goal, left):
    """20 steps a second of 100 characters each, whatever the steps themselves took."""
    run = run_of(np.ones(100), status="running", goal=goal, characters_a_step=100, steps_per_second=20.0)
    run.steps["speed"][:] = 999.0
    assert words.progress(run).text.endswith(f"steps; 2,000 characters a second, about {left} left")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"status": "running", "number": 0}, "beginning"),
        ({"status": "running", "number": 5}, "going on"),
        ({"status": "running", "stepping": True, "steps_per_second": 9.0}, "making a single step"),
        ({"status": "pausing", "steps_per_second": 9.0}, "coming to rest"),
        ({"broken_off": True}, "paused; the step under way was broken off and will be made again"),
        ({"reading": True}, "paused; reading the checkpoint that you handed over"),
    ],
)
def test_without_a_rate_the_page_says_what_is_going_on(run_of, changes, said):
    assert words.progress(run_of([1.0], **changes)).text.endswith(f"; {said}")


def test_a_step_can_be_asked_for_while_one_is_made(run_of):
    for status in ("waiting", "running"):
        assert usable(run_of([1.0], status=status, stepping=True)) >= {"one", "pause"}
        assert "one" not in usable(run_of([1.0], status=status))
    assert "one" not in usable(run_of([1.0], status="pausing", stepping=True))


def test_a_fault_is_a_warning_and_its_letters_are_no_formula(run_of):
    assert words.progress(run_of([1.0], status="failed", message="Went wrong.")).warning == "Went wrong."
    assert words.progress(run_of([1.0], message="a*b_c <b>")).warning != "a*b_c <b>"
    assert words.progress(run_of([1.0])).warning == ""


def test_an_offer_stands_beside_what_went_wrong_with_a_button_that_takes_it(run_of):
    found = words.progress(run_of([1.0], message="Lost.", offer="Another is there."))
    assert found.warning == "Lost. Another is there."
    assert found.remedy.name == "accept"
    assert words.progress(run_of([1.0], message="Lost.")).remedy is None


def test_the_loss_of_the_moment_is_the_mean_of_the_last_twenty_finite_ones(run_of):
    losses = [9.0] * 5 + [2.0] * 10 + [1.0] * 10
    assert values(run_of(losses))["loss"] == pytest.approx(1.5)
    assert values(run_of([*losses, NAN]))["loss"] == pytest.approx(1.5)
    assert values(run_of([3.0, 1.0]))["loss"] == pytest.approx(2.0)


def test_perplexity_and_bits_are_those_of_that_loss(run_of):
    found = values(run_of([math.log(8)] * 30))
    assert found["perplexity"] == pytest.approx(8)
    assert found["bits"] == pytest.approx(3)
    assert found["guessing"] == pytest.approx(math.log(22))
    assert found["vocabulary"] == 22
    assert found["step"] == 30


def test_the_arithmetic_is_of_the_numbers_shown(run_of):
    lines = " ".join(words.arithmetic(run_of([math.log(8)] * 30)))
    assert "exp(2.079442) = 8.000" in lines
    assert "2.079442/ln 2 = 3.000" in lines
    assert words.arithmetic(run_of([])) == ["perplexity: exp(loss)", "bits: loss/ln 2"]


def test_what_a_run_has_not_yet_is_a_dash_and_what_it_never_has_is_left_out(run_of):
    assert {r.key for r in words.readouts(Snapshot()) if r.text != "–"} == {"step"}
    known = {r.key for r in words.readouts(run_of([], number=0)) if r.text != "–"}
    assert known == {"step", "guessing", "vocabulary"}
    assert not {"agreement", "radius", "singular"} & set(values(run_of([1.0])))


def test_the_newest_of_each_measure_is_read_out(run_of):
    run = run_of(
        [1.0, 1.0],
        corpus="agreement",
        cell="rnn",
        norms=[4.0, 2.0],
        fresh={"number": np.array([1.0, 50.0]), "loss": np.array([3.0, 0.25])},
        spectrum={
            "number": np.ones(2),
            "radius": np.array([1.0, 1.25]),
            "singular": np.array([1.0, 2.5]),
        },
        agreement=[
            {"number": 1, "distances": [2, 3], "accuracy": [0.5, 0.5]},
            {"number": 50, "distances": [2, 3], "accuracy": [1.0, 0.75]},
        ],
    )
    found = values(run)
    assert (found["fresh"], found["radius"], found["singular"]) == (0.25, 1.25, 2.5)
    assert found["agreement"] == pytest.approx(0.875)
    assert (found["norm"], found["mean_norm"]) == (2.0, 3.0)
    assert next(r.text for r in words.readouts(run) if r.key == "agreement") == "87.5\u00a0%"


def test_a_norm_that_is_not_finite_is_left_out_of_the_mean(run_of):
    found = values(run_of([1.0, 1.0, NAN], norms=[4.0, 2.0, NAN]))
    assert (found["norm"], found["mean_norm"]) == (2.0, 3.0)


def test_the_sentence_of_a_run_says_what_it_is_as_good_as(run_of):
    said = sentence(run_of([math.log(4)] * 20), 0.118)
    assert said == (
        "After 20 steps the LSTM has a loss of 1.39 nats per character, as if it guessed among 4 characters; "
        "the corpus’s own entropy is 0.118."
    )
    assert "entropy" not in sentence(run_of([1.0]))


def test_of_agreement_the_sentence_says_how_far_back_the_net_looks(run_of):
    distances = np.arange(2, 61)
    accuracy = np.select([distances < 10, distances < 20], [1.0, 0.75], 0.5)
    test = {"number": 50, "distances": distances.tolist(), "accuracy": accuracy.tolist()}
    assert sentence(run_of([1.0] * 60, corpus="agreement", agreement=[test])) == (
        "After 50 steps the LSTM gets 100\u00a0% of the endings right within 9 characters of their noun, "
        "75\u00a0% at 10 to 19, 50\u00a0% beyond; chance is 50\u00a0%."
    )


def test_above_ln_v_the_sentence_says_that_it_is_worse_than_guessing(run_of):
    # ln 22 = 3.091.
    assert "as if it guessed among 21.8 characters" in sentence(run_of([3.08] * 20))
    said = sentence(run_of([7.84] * 20), 0.118)
    assert (
        said
        == "After 20 steps the LSTM has a loss of 7.84 nats, worse than guessing among its 22 characters."
    )


def test_norms_are_written_with_three_digits_whatever_their_size(run_of):
    readouts = words.readouts(run_of([1.0, 1.0], norms=[2.39e10, 22646.3]))
    found = {readout.key: readout.text for readout in readouts}
    assert (found["norm"], found["mean_norm"]) == ("2.26·10⁴", "1.20·10¹⁰")


def test_before_the_first_step_the_sentence_says_what_there_is_to_know():
    assert sentence(Snapshot(), entropy("toy")).startswith("The entropy of this corpus is 0.1")
    assert sentence(Snapshot()).startswith(
        "Start, and see what a net of 128 units learns of this text in 300 steps"
    )


def test_a_run_out_of_a_file_says_what_the_file_does_not_hold_and_how_to_go_on(run_of):
    said = sentence(run_of([], number=300, goal=300))
    assert said.endswith("one more shows its loss. Raise “Steps to make” to go on.")
    assert "Raise" not in sentence(run_of([], number=300, goal=320))


@pytest.mark.parametrize(
    ("run", "said"),
    [
        ({"losses": [NAN], "status": "failed", "number": 0}, "The tanh RNN diverged at once"),
        (
            {"losses": [], "number": 300},
            "The tanh RNN has made 300 steps, of which its file holds no curve; one more",
        ),
        ({"losses": [], "number": 0, "status": "failed"}, "Start"),
        (
            {"losses": [1.0, NAN], "number": 1, "status": "failed"},
            "After 1 step the tanh RNN has a loss of 1 nats",
        ),
    ],
)
def test_a_run_without_a_loss_has_a_true_sentence(run_of, run, said):
    assert sentence(run_of(cell="rnn", **run)).startswith(said)


def test_the_mean_norm_is_offered_as_a_measure_once_there_are_enough(run_of):
    assert "mean norm, after some steps, is a measure" in notes(run_of([1.0] * 19))
    assert "mean norm, so far 3, is a measure" in notes(run_of([1.0] * 20, norms=[2.0, 4.0] * 10))


def test_that_other_settings_are_chosen_is_said_once_at_the_run(run_of):
    assert words.progress(run_of([1.0])).warning == ""
    run = run_of([1.0], outdated=True, described="toy, lstm of 128, K = 64")
    assert words.progress(run).warning == "Other settings are chosen now: “Start anew” trains with them."
    assert "Start anew" not in notes(run) + sentence(run)


def test_a_fault_and_other_settings_are_both_said(run_of):
    warning = words.progress(run_of([1.0], outdated=True, message="It diverged.")).warning
    assert warning.startswith("It diverged. Other settings are chosen now")


def test_without_a_text_of_ones_own_nothing_can_be_started_and_the_page_says_why(run_of):
    run = Snapshot(goal=300, corpus="own", lacks_text=True)
    assert usable(run) == {"weights"}
    assert words.progress(run).text == "0 of 300 steps; hand over a text of your own first"
    there = run_of([1.0], outdated=True, lacks_text=True)
    assert {"start", "one"} <= usable(there)
    assert "anew" not in usable(there)
    assert "hand over a text of your own first" in words.progress(there).warning


def test_a_run_of_which_not_every_step_is_kept_says_so(run_of):
    run = run_of([1.0] * 30)
    assert "is kept" not in notes(run)
    run.steps["number"][:] = 1 + 4 * np.arange(30)
    assert "one step in 4 is kept" in notes(run)
    assert "a mean of 20 reaches back over 80" in notes(run)


def test_samples_are_lines_as_they_were_written_the_newest_last():
    assert words.samples(Snapshot()).lines[0].text == "Nothing written yet."
    before = words.samples(Snapshot(), "a b c").lines
    assert [(line.label, line.text) for line in before] == [
        ("it will read", "a b c"),
        ("", "Nothing written yet."),
    ]
    records = [{"number": n, "temperature": 1.0, "text": f"<b>{n}\n"} for n in (0, 20)]
    lines = words.samples(Snapshot(samples=records), "a b c").lines
    assert [(line.label, line.text) for line in lines] == [("step 0", "<b>0\n"), ("step 20", "<b>20\n")]
    assert words.samples(Snapshot()).newest == "It writes after"


def test_the_table_holds_every_step_that_is_drawn(run_of):
    table = words.data_table(run_of([3.0, 1.0, NAN], norms=[4.0, 2.0, NAN]))
    np.testing.assert_array_equal(
        table.rows,
        [
            (1, 3.0, 3.0, 4.0, 1000.0, 0.01, 1.0),
            (2, 1.0, 2.0, 2.0, 1000.0, 0.01, 1.0),
            (3, NAN, NAN, NAN, 1000.0, 0.01, 1.0),
        ],
    )
    assert words.data_table(Snapshot()).rows == []


def test_a_run_of_other_settings_says_whose_loss_it_is(run_of):
    run = run_of([1.0] * 3, outdated=True, described="toy, lstm of 128, K = 64")
    assert sentence(run).startswith(
        "This is still the run of toy, lstm of 128, K = 64: a loss of 1 after 3 steps."
    )


def test_without_clipping_no_measure_for_it_is_given(run_of):
    said = notes(run_of([1.0] * 20, clip_norm=None))
    assert "Nothing is clipped before the step" in said
    assert "measure" not in said
