import dataclasses
import math
import pickle
import tracemalloc
from itertools import islice

import numpy as np
import pytest

from core.char_lm import loss_and_grads
from core.clipping import global_norm
from core.corpora import entropy, toy
from core.optimizers import adam, zero_moments
from core.reading import text_loss
from core.text import streams
from core.training import (
    TrainingDiverged,
    TrainingSettings,
    TrainingState,
    initial_state,
    train,
)

SMALL = TrainingSettings(
    "abcab bca. " * 30, hidden_size=5, embedding_size=3, truncation=4, batch_size=3, learning_rate=0.1, seed=1
)
CHUNKS = 27


def steps(settings, count, state=None):
    return list(islice(train(settings, state), count))


def collect(run, seen):
    """Up to 20 steps, kept even where the next one cannot be made."""
    for step in islice(run, 20):
        seen.append(step)


def losses(settings, count=8):
    return [step.loss for step in steps(settings, count)]


def with_float64(state):
    """The same state, so that two ways to compute the same agree closely."""
    wide = {name: array.astype(np.float64) for name, array in state.parameters.items()}
    return TrainingState(state.number, wide, zero_moments(wide), state.recurrent.astype(np.float64))


def by_hand(settings, count, state, order=None, carry=True, clip=True):
    """Losses of the recipe written out: rows may be put into another ``order`` at each chunk."""
    ids = settings.vocabulary.encode(settings.text)
    rows = streams(ids, settings.batch_size, settings.truncation)
    P, moments, recurrent, seen = dict(state.parameters), state.moments, state.recurrent, []
    for number in range(count):
        inputs, targets = rows.chunk(number % rows.chunks)
        if order is not None:
            inputs, targets = inputs[order(number)], targets[order(number)]
        start = recurrent if carry and number % rows.chunks else np.zeros_like(recurrent)
        loss, grads, recurrent = loss_and_grads(P, inputs, targets, start)
        norm = math.sqrt(sum(float((g**2).sum()) for g in grads.values()))
        if clip and norm > settings.clip_norm:
            grads = {name: g * (settings.clip_norm / norm) for name, g in grads.items()}
        P, moments = adam(P, grads, moments, settings.learning_rate)
        seen.append((loss, norm))
    return np.array(seen)


def of_run(settings, count, state):
    return np.array([(step.loss, step.gradient_norm) for step in steps(settings, count, state)])


def test_the_recipe_is_read_carry_clip_step_and_starts_over_at_the_end():
    assert streams(SMALL.vocabulary.encode(SMALL.text), 3, 4).chunks == CHUNKS
    settings = dataclasses.replace(SMALL, clip_norm=0.05)
    state = with_float64(initial_state(settings))
    expected = by_hand(settings, CHUNKS + 3, state)
    assert (expected[:, 1] > 0.05).any()
    np.testing.assert_allclose(of_run(settings, CHUNKS + 3, state), expected, rtol=1e-9)


def test_a_state_that_is_not_carried_is_zero_at_every_chunk():
    settings = dataclasses.replace(SMALL, carry_state=False)
    state = with_float64(initial_state(settings))
    expected = by_hand(settings, 6, state, carry=False)
    np.testing.assert_allclose(of_run(settings, 6, state), expected, rtol=1e-9)
    assert abs(expected[1:, 0] - by_hand(SMALL, 6, state)[1:, 0]).min() > 1e-6


def test_shuffled_rows_hand_their_states_to_others():
    settings = dataclasses.replace(SMALL, shuffle_rows=True)
    state = with_float64(initial_state(settings))

    def order(number):
        return np.random.default_rng([settings.seed, number, 0]).permutation(3)

    assert any(list(order(number)) != [0, 1, 2] for number in range(6))
    np.testing.assert_allclose(of_run(settings, 6, state), by_hand(settings, 6, state, order), rtol=1e-9)


def test_clipping_after_the_step_is_too_late():
    tight = dataclasses.replace(SMALL, clip_norm=1e-3, optimizer="sgd")
    before, after, none = (
        steps(dataclasses.replace(tight, clipping=clipping), 4) for clipping in ("before", "after", "none")
    )
    moved = [
        global_norm(
            {
                name: run[0].state.parameters[name] - array
                for name, array in initial_state(tight).parameters.items()
            }
        )
        for run in (before, after, none)
    ]
    norm = before[0].gradient_norm
    assert norm > 0.1
    assert moved == pytest.approx([0.1 * 1e-3, 0.1 * norm, 0.1 * norm], rel=1e-3)
    assert all(step.clipped for step in before)
    assert not any(step.clipped for step in (*after, *none))
    assert [step.loss for step in after] == [step.loss for step in none]


def test_a_short_gradient_is_not_clipped():
    step = steps(dataclasses.replace(SMALL, clip_norm=1e3), 1)[0]
    assert not step.clipped
    assert step.gradient_norm < 1e3


def test_a_step_tells_of_itself_and_later_ones_leave_its_state_alone():
    first, second = islice(train(SMALL), 2)
    assert (first.number, second.number, second.state.number) == (1, 2, 2)
    assert first.learning_rate == 0.1
    assert first.characters_per_second > 0
    assert first.loss == pytest.approx(math.log(SMALL.vocabulary.size), rel=0.2)
    again = steps(SMALL, 1)[0]
    for name, array in again.state.parameters.items():
        np.testing.assert_array_equal(array, first.state.parameters[name])
        assert (second.state.parameters[name] != array).any()
    np.testing.assert_array_equal(again.state.recurrent, first.state.recurrent)


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"cell": "gru", "layers": 2, "dropout": "variational"},
        {"cell": "rnn", "dropout": "non-recurrent"},
        {"dropout": "dropconnect", "tied": True},
        {"shuffle_rows": True, "optimizer": "sgd"},
    ],
)
def test_the_same_settings_give_the_same_losses_and_a_run_goes_on_as_if_it_had_not_stopped(change):
    settings = dataclasses.replace(SMALL, **change)
    whole = steps(settings, 9)
    rest = steps(settings, 5, whole[3].state)
    assert [step.loss for step in whole] == losses(settings, 9)
    assert [step.loss for step in whole[4:]] == [step.loss for step in rest]
    for name, array in whole[-1].state.parameters.items():
        np.testing.assert_array_equal(array, rest[-1].state.parameters[name])


def test_settings_change_what_they_should():
    base = losses(SMALL)
    for change in (
        {"dropout": "variational"},
        {"dropout": "non-recurrent"},
        {"dropout": "dropconnect"},
        {"forget_bias": 3.0},
        {"seed": 2},
        {"tied": True},
        {"optimizer": "sgd"},
        {"learning_rate": 0.2},
        {"layers": 2},
    ):
        assert losses(dataclasses.replace(SMALL, **change))[1:] != base[1:]
    unused = dataclasses.replace(SMALL, dropout_rate=0.5)
    assert losses(unused) == base
    masked = [losses(dataclasses.replace(SMALL, dropout="variational", dropout_rate=r)) for r in (0.1, 0.5)]
    assert masked[0] != masked[1]


def test_the_toy_language_is_learnt_within_200_steps():
    """Near its entropy, which no loss on fresh text can beat for long."""
    settings = TrainingSettings(toy(80_000, seed=0))
    run = steps(settings, 200)
    assert run[0].loss == pytest.approx(math.log(settings.vocabulary.size), rel=0.05)
    assert np.mean([step.loss for step in run[-20:]]) < 0.2
    fresh = text_loss(run[-1].state.parameters, settings.vocabulary.encode(toy(8_000, seed=77)))
    assert 0.85 * entropy("toy") < fresh < 0.2


def test_memory_does_not_grow_with_the_text():
    peaks = []
    for length in (2_000, 200_000):
        run = train(dataclasses.replace(SMALL, text="abcab bca. " * (length // 11)))
        next(run)
        tracemalloc.start()
        for _ in islice(run, 30):
            pass
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.2 * peaks[0]


def test_a_run_that_diverges_keeps_the_last_finite_state():
    settings = dataclasses.replace(SMALL, learning_rate=1e38, clipping="none")
    seen = []
    with pytest.raises(TrainingDiverged, match=r"training diverged at step \d+") as caught:
        collect(train(settings), seen)
    diverged = caught.value
    assert diverged.number == len(seen) + 1
    assert diverged.state.number == len(seen)
    if seen:
        assert diverged.state is seen[-1].state
    assert all(np.isfinite(array).all() for array in diverged.state.parameters.values())
    again = pickle.loads(pickle.dumps(diverged))
    assert (again.number, str(again)) == (diverged.number, str(diverged))
    calmer = dataclasses.replace(settings, learning_rate=1e-6)
    assert math.isfinite(steps(calmer, 1, initial_state(calmer))[0].loss)


@pytest.mark.parametrize("broken", ["loss", "gradient", "moments"])
def test_each_kind_of_divergence_is_met_before_it_is_believed(broken):
    state = initial_state(SMALL)
    parameters = dict(state.parameters)
    moments = state.moments
    if broken == "loss":
        # A target that is 6e38 behind the likeliest: infinite in float32, though every gradient is finite.
        parameters["by"] = np.where(np.arange(len(parameters["by"])), -3e38, 3e38).astype(np.float32)
    elif broken == "gradient":
        parameters["Why"] = np.full_like(parameters["Why"], 3e38) * np.sign(parameters["Why"])
    else:
        moments = moments._replace(
            second={name: np.full_like(array, 3.4e38) for name, array in moments.second.items()}
        )
        parameters["Why"] = parameters["Why"] * 1e25
    start = TrainingState(7, parameters, moments, state.recurrent)
    settings = dataclasses.replace(SMALL, clipping="none")
    with pytest.raises(TrainingDiverged) as caught:
        next(train(settings, start))
    assert (caught.value.number, caught.value.state) == (8, start)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"text": b"abc"}, "text must be a string"),
        ({"cell": "tanh"}, "cell must be one of rnn, lstm, gru, got 'tanh'"),
        ({"layers": 0}, "layers must be an integer from 1 to 3, got 0"),
        ({"hidden_size": 0}, "hidden_size must be an integer of at least 1, got 0"),
        ({"embedding_size": 2.0}, "embedding_size must be an integer of at least 1, got 2.0"),
        ({"truncation": 0}, "truncation must be an integer of at least 1, got 0"),
        ({"batch_size": -1}, "batch_size must be an integer of at least 1, got -1"),
        ({"learning_rate": 0}, "learning_rate must be a finite number above 0, got 0"),
        ({"clip_norm": math.inf}, "clip_norm must be a finite number above 0, got inf"),
        ({"clipping": "yes"}, "clipping must be one of before, after, none, got 'yes'"),
        ({"forget_bias": math.nan}, "forget_bias must be a finite number, got nan"),
        ({"dropout": "zoneout"}, "dropout must be one of none, non-recurrent, variational, dropconnect"),
        ({"dropout_rate": 1.0}, "dropout_rate must be from 0 to below 1, got 1.0"),
        ({"tied": 1}, "tied must be True or False, got 1"),
        ({"carry_state": "no"}, "carry_state must be True or False, got 'no'"),
        ({"shuffle_rows": None}, "shuffle_rows must be True or False, got None"),
        ({"optimizer": "rmsprop"}, "optimizer must be one of adam, sgd, got 'rmsprop'"),
        ({"seed": -1}, "seed must be an integer of at least 0, got -1"),
    ],
)
def test_settings_out_of_range_are_refused(change, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        dataclasses.replace(SMALL, **change)


def test_texts_and_states_that_do_not_fit_are_refused_at_once():
    """By `train` itself, not only at the first step."""
    with pytest.raises(ValueError, match=r"^ids must be at least 13 characters .* got 11"):
        train(dataclasses.replace(SMALL, text="abcab bca. "))
    with pytest.raises(ValueError, match=r"^text must have at least 2 distinct characters"):
        train(dataclasses.replace(SMALL, text="a" * 100))
    state = initial_state(SMALL)
    for change, message in (
        ({"hidden_size": 6}, r"^state must be of the model that the settings describe"),
        ({"text": "ab" * 100}, r"^state must be of the model that the settings describe"),
        ({"batch_size": 4}, r"^state\.recurrent must have shape \(1, 2, 4, 5\), got \(1, 2, 3, 5\)"),
        ({"optimizer": "sgd"}, r"^state\.moments must be given for adam and None for sgd"),
    ):
        with pytest.raises(ValueError, match=message):
            train(dataclasses.replace(SMALL, **change), state)
    with pytest.raises(ValueError, match=r"^state\.number must be an integer of at least 0, got -1"):
        train(SMALL, dataclasses.replace(state, number=-1))


@pytest.mark.parametrize("cell", ["rnn", "lstm", "gru"])
@pytest.mark.parametrize("scheme", ["none", "non-recurrent"])
def test_a_step_can_be_broken_off_anywhere_and_is_the_same_when_it_is_made_again(cell, scheme):
    """With and without masks on what is read, which go separate ways through the first layer."""
    settings = dataclasses.replace(SMALL, cell=cell, layers=2, truncation=20, dropout=scheme)
    calls = []
    first, second = islice(train(settings, None, lambda: calls.append(None)), 2)
    assert len(calls) == 2 * 2 * 2 * 3  # steps, ways, layers, pieces of at most 8 characters
    for allowed in range(len(calls) // 2):
        left = iter([None] * allowed)
        with pytest.raises(InterruptedError):
            next(train(settings, first.state, lambda left=left: break_off(left)))
    again = next(train(settings, first.state))
    for name, array in second.state.parameters.items():
        np.testing.assert_array_equal(again.state.parameters[name], array)


def break_off(left):
    """What breaks a step off once nothing is left."""
    if next(left, "nothing") == "nothing":
        raise InterruptedError
