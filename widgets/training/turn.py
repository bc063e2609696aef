"""What a worker process does for the training lab: train for a while, and report what a class would look at.

The checkpoint is that of `core.checkpoints`. The job's note holds the settings that a visitor may change while it
runs, the temperature of the samples, and at which step the run comes to rest.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import groupby

import numpy as np

from core.agreement import agreement_set
from core.corpora import CORPORA
from core.reading import agreement_accuracy, text_loss
from core.sampling import sample
from core.spectrum import spectrum
from core.training import (
    Step,
    TrainingDiverged,
    TrainingSettings,
    TrainingState,
    initial_state,
    restore,
    save,
    train,
)
from widgets.jobs.turn import Outcome, Report, Stop

SAMPLE_LENGTH = 160
_PROMPT = 60
"""Characters of the text, at least, that a sample goes on from; they are not part of it."""
_FIRST_LOOKS = (1, 2, 5, 10)
_LOOK_EVERY = 20
_TEST_EVERY = 50
"""Steps between two tests on fresh text or on agreement, which take as long as a few steps."""
_SPECTRUM_EVERY = 5
_FRESH_CHARACTERS = 1000
_FRESH_SEED = 1_000_003
"""Beyond every seed of a visitor, and another text than the corpus's own, of seed 0."""
_FRAMES = 4
"""Sentences of each distance and each number on which agreement is tested."""
_DISTANCES_AT_ONCE = 4


Records = list[tuple[str, dict]]


class _BrokenOffError(Exception):
    """Nobody waits for the step under way any more."""


def turn(payload: bytes, note: Mapping, report: Report, stop: Stop) -> Outcome:
    """Train from a checkpoint until it is time to stop, at least one step; a run that diverges rests before it did.

    A step that is broken off on its way, or while it is looked at, leaves no trace: it will be made again.
    """

    def listen() -> None:
        if stop.at_once():
            raise _BrokenOffError

    settings, state = restore(payload)
    was, settings = settings, replace(settings, **note["settings"])
    if was != settings:
        report("recipe", _change(was, note["settings"], state.number + 1))
    seen = [("sample", _sample(settings, state, note["temperature"]))] if state.number == 0 else []
    try:
        for step in train(settings, state, listen):
            seen += [("step", _step(step)), *_looks(settings, step.state, note, listen)]
            _report(seen, report)
            seen, state = [], step.state
            if state.number >= note["steps"] or stop():
                break
    except _BrokenOffError:
        return Outcome(save(settings, state), broken_off=True)
    except TrainingDiverged as diverged:
        nothing = {"number": diverged.number, "loss": None, "norm": None, "speed": None}
        _report([*seen, ("step", nothing)], report)
        return Outcome(save(settings, diverged.state), failure=_diverged(diverged))
    return Outcome(save(settings, state), finished=state.number >= note["steps"])


def first_payload(settings: TrainingSettings) -> bytes:
    """The checkpoint that a run begins from. ValueError for a text that is too short, or of one character."""
    check_length(settings)
    train(settings)
    return save(settings, initial_state(settings))


def check_length(settings: TrainingSettings) -> None:
    """ValueError, in words for the visitor, for a text that is too short for one chunk."""
    needed = settings.batch_size * settings.truncation + 1
    if len(settings.text) < needed:
        raise ValueError(
            f"this text has {len(settings.text):,} characters, and {settings.batch_size} rows of chunks of "
            f"{settings.truncation} take at least {needed:,}: choose a smaller batch size or truncation"
        )


def _diverged(diverged: TrainingDiverged) -> str:
    return (
        f"Step {diverged.number} diverged: loss, gradient or weights are not finite. Those after step "
        f"{diverged.state.number} are kept: lower η, clip before the step and go on, or start anew."
    )


def _change(was: TrainingSettings, told: Mapping, number: int) -> dict:
    """That from step ``number`` on the run goes by other settings than before."""
    return {"number": number, "was": {name: getattr(was, name) for name in told}, "is": dict(told)}


def _step(step: Step) -> dict:
    return {
        "number": step.number,
        "loss": step.loss,
        "norm": step.gradient_norm,
        "speed": step.characters_per_second,
    }


def _report(records: Records, report: Report) -> None:
    for kind, record in records:
        report(kind, record)


def _looks(
    settings: TrainingSettings, state: TrainingState, note: Mapping, listen: Callable[[], None]
) -> Records:
    """What is due after this step beside its loss."""
    number, seen = state.number, []
    if number in _FIRST_LOOKS or number % _LOOK_EVERY == 0:
        seen.append(("sample", _sample(settings, state, note["temperature"])))
    listen()
    if settings.cell == "rnn" and (number == 1 or number % _SPECTRUM_EVERY == 0):
        seen.append(("spectrum", _spectrum(state)))
    if number == 1 or number % _TEST_EVERY == 0:
        if note["corpus"] in CORPORA:
            seen.append(("fresh", _fresh(settings, state, note["corpus"])))
        if note["corpus"] == "agreement":
            seen.append(("agreement", _agreement(settings, state, listen)))
    return seen


def _sample(settings: TrainingSettings, state: TrainingState, temperature: float) -> dict:
    vocabulary = settings.vocabulary
    # A few lines to begin with, as the rows of the text have; then a line of its own.
    prompt = settings.text[: settings.text.find("\n", _PROMPT) + 1] or settings.text[:_PROMPT]
    rng = np.random.default_rng([settings.seed, state.number])
    text = sample(state.parameters, vocabulary, prompt, SAMPLE_LENGTH, temperature, rng)
    return {"number": state.number, "temperature": temperature, "text": text}


def _spectrum(state: TrainingState) -> dict:
    found = spectrum(state.parameters["U1"].astype(float), 1)
    return {
        "number": state.number,
        "radius": found.spectral_radius,
        "singular": found.largest_singular_value,
    }


def _fresh(settings: TrainingSettings, state: TrainingState, corpus: str) -> dict:
    text = CORPORA[corpus].draw(_FRESH_CHARACTERS, _FRESH_SEED)
    return {
        "number": state.number,
        "loss": text_loss(state.parameters, settings.vocabulary.encode("\n" + text)),
    }


def _agreement(settings: TrainingSettings, state: TrainingState, listen: Callable[[], None]) -> dict:
    """Distance by distance, a few at once: a large net needs a second for all of them."""
    sentences = sorted(agreement_set(_FRAMES, _FRESH_SEED), key=lambda sentence: sentence.distance)
    distances, accuracy = [], []
    for _, group in groupby(sentences, key=lambda sentence: sentence.distance // _DISTANCES_AT_ONCE):
        listen()
        found = agreement_accuracy(state.parameters, settings.vocabulary, list(group))
        distances += found.distances.tolist()
        accuracy += found.accuracy.tolist()
    return {"number": state.number, "distances": distances, "accuracy": accuracy}
