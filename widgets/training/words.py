"""What the training lab says: buttons, progress, sentence, readouts, samples, notes, the data table."""

from collections.abc import Callable

import numpy as np

from core.averages import bits, perplexity, trailing_mean
from core.corpora import CORPORA
from widgets.base.formula import literal
from widgets.base.frame import Button, Line, Passage, Progress, Readout, Table
from widgets.base.numbers import number, operand, percent, result
from widgets.training.snapshot import Snapshot

LOSS_TOP = 4.0
RADIUS_TOP = 4.0
"""Where the windows of the loss and of ρ and σ_max end."""
LAST = 20
"""Steps over which the loss of the moment is averaged."""
_AT_WORK = ("waiting", "running", "pausing")
_CELL_NAMES = {"rnn": "tanh RNN", "lstm": "LSTM", "gru": "GRU"}


def buttons(run: Snapshot) -> list[Button]:
    """What can be done to the run; the names and their order stay, so that no button moves."""
    begun, busy, over = run.status != "none", run.status in _AT_WORK, run.status == "stopped"
    another = not over and (not busy or (run.stepping and run.status != "pausing"))
    start = (
        "Start" if not run.number else f"Go on from step {run.number}" if run.status == "failed" else "Go on"
    )
    return [
        Button(
            "start", start, "Train until “Steps to make” are made; raise that to go on after it.",
            not (busy or over) and run.number < run.goal, urged=not begun,
        ),
        Button("pause", "Pause", "Rest after the present step; nothing is lost.", busy and run.status != "pausing"),
        Button("one", "One step", "Read one chunk, step once, and rest; each click is one step.", another),
        Button(
            "again", "Same weights", "Back to the weights that this run began with; its curves begin again.",
            begun and not over and run.number > 0,
        ),
        Button("weights", "New weights", "The next seed: other weights to begin with. A run that there is ends."),
        Button(
            "anew", "Start anew", "End this run, and start one with the settings now chosen.", begun,
            urged=run.outdated,
        ),
        Button("end", "End the run", "Give up the run, its weights and curves; download it to keep it.", begun),
        Button("keep", "Download checkpoint", "The run as a file, from which it can go on.", begun and not busy),
    ]  # fmt: skip


def progress(run: Snapshot) -> Progress:
    share = min(1.0, run.number / run.goal) if run.goal else 0.0
    said = f"{run.number} of {run.goal} steps"
    if run.status == "waiting" and run.place is not None:
        said += f"; waiting for a free worker, place {run.place} in the queue"
    elif run.status in _AT_WORK:
        said += f"; {_at_work(run)}"
    else:
        said += f"; {_at_rest(run)}" + (", with other settings" if run.outdated else "")
        said += "; the step under way was broken off and will be made again" if run.broken_off else ""
    said += "; reading the checkpoint that you handed over" if run.reading else ""
    return Progress(share, said, literal(run.message))


def _at_rest(run: Snapshot) -> str:
    special = {"none": "not begun", "failed": "stopped by a fault", "stopped": "ended"}
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
    """Mean of the last steps; NaN before the first."""
    loss = run.series("steps", "loss")
    loss = loss[np.isfinite(loss)]
    return float(loss[-LAST:].mean()) if loss.size else float("nan")


def sentence(lab, run: Snapshot, entropy: float | None) -> str:
    cell = _CELL_NAMES[run.cell or lab.cell]
    loss = present_loss(run)
    if np.isnan(loss):
        if run.series("steps", "loss").size:
            return f"The {cell} diverged at once: no loss was finite."
        if run.number:
            return f"The {cell} has made {_steps(run.number)}; one more shows its loss."
        if run.corpus == "own" and not run.vocabulary_size:
            return "There is no text of your own yet: hand one over below the settings, then start."
        known = f"The entropy of this corpus is {number(entropy)} nats per character. " if entropy else ""
        return f"{known}Start, and see how near a net of {lab.hidden_size} units comes in {lab.steps} steps."
    if run.outdated:
        return (
            f"This is still the run of {literal(run.described)}: a loss of {number(loss)} after {_steps(run.number)}. "
            "“Start anew” begins one with the settings now chosen."
        )
    known = f"; the corpus’s own entropy is {number(entropy)}" if entropy else ""
    return (
        f"After {_steps(run.number)} the {cell} has a loss of {number(loss)} nats per character, "
        f"as if it guessed among {number(perplexity(loss))} characters{known}."
    )


def _steps(number: int) -> str:
    return f"{number} step{'' if number == 1 else 's'}"


def readouts(run: Snapshot) -> list[Readout]:
    """All that the run will have, with a dash for what it has not yet: nothing moves when a number comes."""
    loss, norm, size = present_loss(run), run.series("steps", "norm"), run.vocabulary_size
    begun, norm = not np.isnan(loss), norm[np.isfinite(norm)]
    shown = [
        Readout("step", "steps made", str(run.number), run.number),
        _yet("loss", f"loss, mean of the last {LAST}", loss),
        _yet("perplexity", "perplexity", perplexity(loss) if begun else np.nan),
        _yet("bits", "bits per character", bits(loss) if begun else np.nan),
        _yet("guessing", "ln V, guessing", float(np.log(size)) if size else np.nan),
        _yet("vocabulary", "characters known, V", size or np.nan),
        _yet("norm", "gradient’s norm", _last(norm)),
        _yet("mean_norm", "its mean so far", float(norm.mean()) if norm.size else np.nan),
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
    if run.outdated:
        said.append(
            f"The curves are of the run with other settings ({literal(run.described)}), which stays as it is. "
            "“Start anew” begins one with the settings above."
        )
    apart = np.diff(run.series("steps", "number")[:2])
    if apart.size and apart[0] > 1:
        said.append(f"Of so long a run one step in {apart[0]:.0f} is kept, and the means are of those.")
    said += _out_of_the_picture(run)
    if run.clip_norm is None:
        return [*said, "Nothing is clipped before the step, so the clip norm plays no part."]
    mean = _mean_norm(run)
    so_far = "after some steps" if mean is None else f"so far {number(mean)}"
    return [*said, f"The gradient’s mean norm, {so_far}, is a measure for the clip norm."]


def _out_of_the_picture(run: Snapshot) -> list[str]:
    """What has left the fixed windows of the linear figures, and how far."""
    left = {
        "The loss": (run.series("steps", "loss"), LOSS_TOP),
        "σ_max": (run.series("spectrum", "singular"), RADIUS_TOP),
    }
    highest = {name: (np.nanmax(values, initial=0), top) for name, (values, top) in left.items()}
    return [
        f"{name} leaves the picture, up to {number(float(most))}: Fit axis shows it whole."
        for name, (most, top) in highest.items()
        if most > top
    ]


def _mean_norm(run: Snapshot) -> float | None:
    norm = run.series("steps", "norm")
    finite = norm[np.isfinite(norm)]
    return float(finite.mean()) if finite.size >= LAST else None


def samples(run: Snapshot) -> Passage:
    """From noise to sentences: every sample that is kept, the newest last."""
    lines = [Line(f"step {sample['number']}", sample["text"]) for sample in run.samples]
    if not lines:
        lines = [Line("", "Nothing written yet.")]
    description = (
        "What the net writes, from its first weights on. The newest is last; scroll up to see where it began."
    )
    return Passage("samples", "Samples", description, lines)


def data_table(run: Snapshot) -> Table:
    loss, norm = run.series("steps", "loss"), run.series("steps", "norm")
    return Table(
        "The steps that are kept",
        ["step", "loss, nats per character", f"mean of {LAST}", "gradient’s norm", "its characters per second"],
        [
            run.series("steps", "number").astype(int).tolist(), loss.tolist(), trailing_mean(loss, LAST).tolist(),
            norm.tolist(), run.series("steps", "speed").tolist(),
        ],
    )  # fmt: skip
