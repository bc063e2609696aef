"""A run as columns for its figures."""

from collections.abc import Mapping

import numpy as np

from core.agreement import LONGEST, SHORTEST
from core.averages import trailing_mean
from core.products import log10_magnitude
from widgets.base.frame import Columns
from widgets.training.snapshot import MEAN_OF, Snapshot, clip_limit

CELLS = ("rnn", "lstm", "gru")


def columns(run: Snapshot, entropy: float | None) -> dict[str, Columns]:
    """Everything but what is inside the net."""
    number, loss, mean, norm, mean_norm = steps_drawn(run)
    last = max(run.goal, run.number, 1)
    diverged = np.where(np.isfinite(loss), np.nan, number)
    ends = np.array([0.0, last])
    start = np.log(run.vocabulary_size) if run.vocabulary_size else np.nan
    tested = run.corpus == "agreement"
    return {
        "loss": {
            "step": number,
            "loss": loss,
            **_by_cell(run, mean),
            # Here too, since the window that is fitted is to show them, and labels keep clear of them.
            "start": np.full(len(number), start),
            "entropy": np.full(len(number), np.nan if entropy is None else entropy),
            "diverged": diverged,
        },
        "levels": {
            "step": ends,
            "start": np.full(2, start),
            "entropy": np.full(2, np.nan if entropy is None else entropy),
            "one": np.full(2, 1.0 if run.cell == "rnn" else np.nan),
            **_by_cell(run, np.zeros(2)),
        },
        "fresh": {"step": run.series("fresh", "number"), "loss": run.series("fresh", "loss")},
        "norm": {
            "step": number,
            "mean": _logs(mean_norm),
            **_by_cell(run, _logs(norm)),
            "diverged": diverged,
        },
        "clip": _clip_norm(run, last),
        "agreement": _agreement(run),
        "earlier": _earlier(run),
        "learnt": _learnt(run),
        "chance": {
            "distance": np.array([SHORTEST, LONGEST], float),
            "half": np.full(2, 0.5 if tested else np.nan),
            **_by_cell(run, np.full(2, 0.0 if tested else np.nan)),
        },
        "reach": _reach(run.truncation) if tested else _reach(),
        "spectrum": {
            "step": run.series("spectrum", "number"),
            "radius": run.series("spectrum", "radius"),
            "singular": run.series("spectrum", "singular"),
        },
    }


def steps_drawn(run: Snapshot) -> tuple[np.ndarray, ...]:
    """Number, loss, its running mean, norm and its running mean of the steps that are drawn.

    The means are of all steps, so that what has been drawn of them stays as more steps come and fewer are drawn.
    """
    loss, norm = run.series("steps", "loss"), run.series("steps", "norm")
    all_steps = (
        run.series("steps", "number"), loss, trailing_mean(loss, MEAN_OF), norm, trailing_mean(norm, MEAN_OF)
    )  # fmt: skip
    return tuple(values[run.drawn] for values in all_steps)


def _by_cell(run: Snapshot, values: np.ndarray) -> Columns:
    """The values as the curve of the run's cell, in its colour, and gaps for the other cells."""
    return {name: values if name == run.cell else np.full(len(values), np.nan) for name in CELLS}


def _reach(*truncations: int) -> Columns:
    """The line at the truncation K, and its label; one beyond the picture is a label at its edge alone."""
    within = [K <= LONGEST for K in truncations]
    return {
        "distance": [float(K) if seen else np.nan for K, seen in zip(truncations, within, strict=True)],
        "label_at": [min(K, LONGEST) for K in truncations],
        "label": [f"K = {K}" if seen else f"K = {K} ▶" for K, seen in zip(truncations, within, strict=True)],
        "align": ["left" if K <= LONGEST / 2 else "right" for K in truncations],
        "aside": [6 if K <= LONGEST / 2 else -6 for K in truncations],
    }


def _clip_norm(run: Snapshot, last: int) -> Columns:
    """The clip norm in force at each step that was made, and after them the present one."""
    firsts = [recipe.first for recipe in run.recipes if recipe.first <= run.number]
    levels = [clip_limit(recipe.settings) for recipe in run.recipes[: len(firsts)]]
    begins = [*(first - 1 for first in firsts), run.number]
    ends = [*begins[1:], last]
    heights = np.array([*levels, run.clip_norm], float)
    return {"step": np.ravel([begins, ends], "F").astype(float), "level": np.repeat(_logs(heights), 2)}


def _agreement(run: Snapshot) -> Columns:
    newest: Mapping = run.agreement[-1] if run.agreement else {"distances": [], "accuracy": []}
    return {
        "distance": np.array(newest["distances"], float),
        **_by_cell(run, np.array(newest["accuracy"], float)),
    }


def _earlier(run: Snapshot) -> Columns:
    """The test half-way to the newest, for what has been learnt since."""
    half = [record for record in run.agreement if record["number"] <= run.number / 2]
    record: Mapping = half[-1] if half else {"distances": [], "accuracy": []}
    return {"distance": np.array(record["distances"], float), "accuracy": np.array(record["accuracy"], float)}


def _learnt(run: Snapshot) -> Columns:
    """Every test as a column of tiles: how far above chance the answers were at each distance."""
    numbers = [record["number"] for record in run.agreement]
    widths = np.diff([0, *numbers])
    tiles = [
        (number - width / 2, width, distance, accuracy, max(0.0, 2 * accuracy - 1))
        for record, number, width in zip(run.agreement, numbers, widths, strict=True)
        for distance, accuracy in zip(record["distances"], record["accuracy"], strict=True)
    ]
    names = ("step", "width", "distance", "accuracy", "above_chance")
    return {name: np.array([tile[n] for tile in tiles], float) for n, name in enumerate(names)}


def _logs(sizes: np.ndarray) -> np.ndarray:
    logs = log10_magnitude(sizes) if len(sizes) else sizes
    return np.where(np.isfinite(logs), logs, np.nan)
