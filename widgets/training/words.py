"""What the training lab says: buttons, progress, sentence, readouts, samples, notes, the data table."""

from collections.abc import Callable

import numpy as np

from core.averages import bits, perplexity
from core.corpora import CORPORA
from widgets.base.formula import literal
from widgets.base.frame import MORE, Button, Line, Lost, Passage, Progress, Readout, Table
from widgets.base.numbers import number, operand, percent, result, rounded
from widgets.training.curves import steps_drawn
from widgets.training.recipes import at_steps
from widgets.training.snapshot import MEAN_OF, Snapshot, clip_limit

_AT_WORK = ("waiting", "running", "pausing")
_GO_TO_IT = Button("accept", "Go to it", "Show that run, with its settings.")
_NEAR, _FAR = 10, 20
"""Distances in characters from which on a noun is no longer near, and from which on it is far."""
_CELL_NAMES = {"rnn": "tanh RNN", "lstm": "LSTM", "gru": "GRU"}


def buttons(run: Snapshot) -> list[Button]:
    """What can be done to the run; the names and their order stay, so that no button moves."""
    begun, busy, over = run.status != "none", run.status in _AT_WORK, run.status == "stopped"
    lives = begun and not over
    given_up = (
        f"This gives up the run of {_steps(run.number)}: press again to agree."
        if lives and run.number
        else ""
    )
    taken_back = (
        f"This gives up the curves of {_steps(run.number)}: press again to agree." if given_up else ""
    )
    ready = not busy and (lives or not run.lacks_text)
    another = ready or (run.stepping and run.status != "pausing")
    return [
        Button(
            "start", _start(run), "Train until “Steps to make” are made; raise that to go on after it.",
            ready and (over or run.number < run.goal), urged=not lives,
        ),
        Button("pause", "Pause", "Rest after the present step; nothing is lost.", busy and run.status != "pausing"),
        Button("one", "One step", "Read one chunk, step once, and rest; each click is one step.", another),
        Button(
            "anew", "Start anew", "End this run, and start one with the settings now chosen.",
            lives and not run.lacks_text, urged=run.outdated and lives, asks=given_up,
        ),
        Button(
            "again", "Same weights", "Back to the weights that this run began with; its curves begin again.",
            lives and run.number > 0, asks=taken_back, place=MORE,
        ),
        Button(
            "weights", "New weights", "The next seed: other weights to begin with. A run that there is ends.",
            asks=given_up, place=MORE,
        ),
        Button(
            "end", "End the run", "Give up the run; its picture and last checkpoint stay until the next begins.",
            lives, asks=given_up, place=MORE,
        ),
        Button(
            "keep", "Download checkpoint", "The run as a file, from which it can go on: that of its last rest, or of "
            "the last second or so.", begun, place="checkpoint",
        ),
    ]  # fmt: skip


def _start(run: Snapshot) -> str:
    if not run.number or run.status == "stopped":
        return "Start"
    return f"Go on from step {run.number}" if run.status == "failed" else "Go on"


def progress(run: Snapshot) -> Progress:
    share = min(1.0, run.number / run.goal) if run.goal else 0.0
    said = f"{run.number} of {run.goal} steps"
    if run.status == "waiting" and run.place is not None:
        said += f"; waiting for a free worker, place {run.place} in the queue"
    elif run.status in _AT_WORK:
        said += f"; {_at_work(run)}"
    else:
        said += f"; {_at_rest(run)}"
        said += "; the step under way was broken off and will be made again" if run.broken_off else ""
    said += "; reading the checkpoint that you handed over" if run.reading else ""
    return Progress(share, said, _warning(run), _GO_TO_IT if run.offer else None)


def _warning(run: Snapshot) -> str:
    """What has gone wrong, and what the visitor can do about another run, or about settings that are not of this."""
    said = ["" if run.about else literal(run.message), literal(run.offer)]
    if run.outdated:
        next_run = "“Start”" if run.status == "stopped" else "“Start anew”"
        wanted = "hand over a text of your own first" if run.lacks_text else f"{next_run} trains with them"
        said.append(f"Other settings are chosen now: {wanted}.")
    return " ".join(filter(None, said))


def _at_rest(run: Snapshot) -> str:
    if run.status == "none":
        return "hand over a text of your own first" if run.lacks_text else "not begun"
    special = {
        "failed": "stopped by a fault",
        "stopped": "ended; the picture stays until the next run begins",
    }
    # A run that was done no longer is when more steps are wanted, and the other way round.
    return special.get(run.status) or ("done" if run.number >= run.goal else "paused")


def _at_work(run: Snapshot) -> str:
    """Characters per second and the time that is left, or what there is to say instead."""
    if run.status == "pausing":
        return "coming to rest"
    if run.stepping:
        return "making a single step"
    rate = run.steps_per_second
    if rate is None:
        return "going on" if run.number else "beginning"
    left = max(0, run.goal - run.number) / rate
    return f"{round(rate * run.characters_a_step):,} characters a second, about {_duration(left)} left"


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min"


def present_loss(run: Snapshot) -> float:
    """Mean of the newest steps; NaN before the first."""
    loss = run.series("steps", "loss")
    loss = loss[np.isfinite(loss)]
    return float(loss[-MEAN_OF:].mean()) if loss.size else float("nan")


def sentence(lab, run: Snapshot, entropy: float | None) -> str:
    cell = _CELL_NAMES[run.cell or lab.cell]
    loss = present_loss(run)
    if np.isnan(loss):
        if run.series("steps", "loss").size:
            return f"The {cell} diverged at once: its loss, its gradient or its weights were not finite."
        if run.number:
            more = " Raise “Steps to make” to go on." if run.number >= run.goal else ""
            return (
                f"The {cell} has made {_steps(run.number)}, of which its file holds no curve; one more shows its "
                f"loss.{more}"
            )
        if run.corpus == "own" and not run.vocabulary_size:
            return "There is no text of your own yet: hand one over under “Corpus”, then start."
        if not entropy:
            return f"Start, and see what a net of {lab.hidden_size} units learns of this text in {lab.steps} steps."
        return (
            f"The entropy of this corpus is {number(entropy)} nats per character. Start, and see how near a net of "
            f"{lab.hidden_size} units comes in {lab.steps} steps."
        )
    if run.outdated:
        return (
            f"This is still the run of {literal(run.described)}: a loss of {number(loss)} "
            f"after {_steps(run.number)}."
        )
    if run.agreement:
        return _agreement_sentence(cell, run)
    made = f"After {_steps(run.number)} the {cell} has a loss of {number(loss)} nats"
    if run.vocabulary_size and perplexity(loss) > run.vocabulary_size:
        return f"{made}, worse than guessing among its {run.vocabulary_size} characters."
    known = f"; the corpus’s own entropy is {number(entropy)}" if entropy else ""
    return f"{made} per character, as if it guessed among {number(perplexity(loss))} characters{known}."


def _agreement_sentence(cell: str, run: Snapshot) -> str:
    """How far back the net has learnt to look, by its last test."""
    last = run.agreement[-1]
    distances, accuracy = np.array(last["distances"]), np.array(last["accuracy"])
    near, middle, far = (
        percent(float(accuracy[(distances >= low) & (distances < high)].mean()))
        for low, high in ((0, _NEAR), (_NEAR, _FAR), (_FAR, np.inf))
    )
    return (
        f"After {_steps(last['number'])} the {cell} gets {near} of the endings right within {_NEAR - 1} characters of "
        f"their noun, {middle} at {_NEAR} to {_FAR - 1}, {far} beyond; chance is {percent(0.5)}."
    )


def lost(run: Snapshot) -> Lost | None:
    """What is said while the loss of the sentence lies outside its figure."""
    loss = present_loss(run)
    return None if np.isnan(loss) else Lost("loss", loss, "It has left the figure: Fit axis shows it.")


def _steps(number: int) -> str:
    return f"{number} step{'' if number == 1 else 's'}"


def readouts(run: Snapshot) -> list[Readout]:
    """All that the run will have, with a dash for what it has not yet: nothing moves when a number comes."""
    loss, norm, size = present_loss(run), run.series("steps", "norm"), run.vocabulary_size
    begun, norm = not np.isnan(loss), norm[np.isfinite(norm)]
    shown = [
        Readout("step", "steps made", str(run.number), run.number),
        _yet("loss", f"loss, mean of up to {MEAN_OF} steps", loss),
        _yet("perplexity", "perplexity", perplexity(loss) if begun else np.nan),
        _yet("bits", "bits per character", bits(loss) if begun else np.nan),
        _yet("guessing", "ln V, guessing", float(np.log(size)) if size else np.nan),
        _yet("vocabulary", "characters known, V", size or np.nan),
        _yet("norm", "gradient’s norm", _last(norm), _three_digits),
        _yet("mean_norm", "its mean so far", float(norm.mean()) if norm.size else np.nan, _three_digits),
    ]
    if run.corpus in CORPORA:
        shown.append(_yet("fresh", "loss on fresh text", _last(run.series("fresh", "loss"))))
    if run.corpus == "agreement":
        share = float(np.mean(run.agreement[-1]["accuracy"])) if run.agreement else np.nan
        shown.append(_yet("agreement", "right endings, all distances", share, percent))
    if run.cell == "rnn":
        shown.append(_yet("radius", "ρ of U", _last(run.series("spectrum", "radius"))))
        shown.append(_yet("singular", "σ_max of U", _last(run.series("spectrum", "singular"))))
    return shown


def _yet(key: str, label: str, value: float, write: Callable[[float], str] = number) -> Readout:
    """A readout, of a number that may still be to come: NaN."""
    return Readout(key, label, "–" if np.isnan(value) else write(value), float(value))


def _three_digits(value: float) -> str:
    """As norms are written, which soon are of very different sizes."""
    return rounded(value, 3, padded=True)


def _last(values: np.ndarray) -> float:
    return float(values[-1]) if values.size else np.nan


def arithmetic(run: Snapshot) -> list[str]:
    loss = present_loss(run)
    if np.isnan(loss):
        return ["perplexity: exp(loss)", "bits: loss/ln 2"]
    return [
        f"perplexity: exp({operand(loss)}) = {result(perplexity(loss))}",
        f"bits: {operand(loss)}/ln 2 = {result(bits(loss))}",
    ]


def notes(run: Snapshot) -> list[str]:
    said = []
    apart = np.diff(run.series("steps", "number")[:2])
    if apart.size and apart[0] > 1:
        said.append(
            f"Of so long a run one step in {apart[0]:.0f} is kept, and the means are of those: a mean of {MEAN_OF} "
            f"reaches back over {MEAN_OF * apart[0]:.0f}."
        )
    if run.clip_norm is None:
        return [*said, "Nothing is clipped before the step, so the clip norm plays no part."]
    mean = _mean_norm(run)
    so_far = "after some steps" if mean is None else f"so far {number(mean)}"
    return [*said, f"The gradient’s mean norm, {so_far}, is a measure for the clip norm."]


def _mean_norm(run: Snapshot) -> float | None:
    norm = run.series("steps", "norm")
    finite = norm[np.isfinite(norm)]
    return float(finite.mean()) if finite.size >= MEAN_OF else None


def samples(run: Snapshot, to_read: str = "") -> Passage:
    """From noise to sentences: every sample that is kept, the newest last; before the first what there is to read."""
    lines = [Line(f"step {sample['number']}", sample["text"]) for sample in run.samples]
    if not lines:
        corpus = [Line("it will read", to_read)] if to_read else []
        lines = [*corpus, Line("", "Nothing written yet.")]
    description = (
        "What the net writes, from its first weights on. The newest is last; scroll up to see where it began."
    )
    return Passage("samples", "Samples", description, lines, newest="It writes after")


def _recipe_columns(run: Snapshot, numbers: np.ndarray) -> list[list]:
    """The learning rate of each of these steps, and to what its gradient was clipped."""
    made = at_steps(run.recipes, numbers)
    return [[recipe["learning_rate"] for recipe in made], [clip_limit(recipe) or "–" for recipe in made]]


def data_table(run: Snapshot) -> Table:
    numbers, loss, mean, norm, _ = steps_drawn(run)
    return Table(
        "The steps that are drawn",
        [
            "step", "loss, nats per character", f"mean of up to {MEAN_OF}", "gradient’s norm",
            "its characters per second", "learning rate η", "clipped to",
        ],
        [
            numbers.astype(int).tolist(), loss.tolist(), mean.tolist(), norm.tolist(),
            run.series("steps", "speed")[run.drawn].tolist(), *_recipe_columns(run, numbers),
        ],
    )  # fmt: skip
