"""Measure training steps of the character model against PyTorch: `python tests/bench/training.py`.

Both sides use one thread and float32, make whole steps (forward, backward, clip, Adam), take turns, and are first
seen to give the same losses. The ratio is that of processor times, which other work on the machine changes
least, with the median of both. Without PyTorch only learning and memory are measured. It is never part of
passing or failing a test: clocks differ.
"""

import statistics
import time
import tracemalloc
from collections.abc import Iterator
from itertools import islice

from one_thread import begin  # isort: split

import numpy as np
from report import faster, heading, line

from core.corpora import entropy, toy
from core.reading import text_loss
from core.text import streams
from core.training import TrainingSettings, initial_state, train

try:
    import torch
    import torch_training
except ModuleNotFoundError:
    torch = None

LEAST = 1
TOGETHER = 5
"""Steps that one side makes before it is the other's turn."""
CHARACTERS = "\n !',.abcdefghilmnorstuw"


def text(length: int) -> str:
    """Characters without a pattern: what a step costs does not depend on what it learns."""
    return "".join(np.random.default_rng(0).choice(list(CHARACTERS), size=length))


def run(settings: TrainingSettings) -> Iterator[float]:
    return (step.loss for step in train(settings))


def their_run(settings: TrainingSettings) -> Iterator[float]:
    rows = streams(settings.vocabulary.encode(settings.text), settings.batch_size, settings.truncation)
    chunks = [rows.chunk(k) for k in range(rows.chunks)]
    model = torch_training.Model(settings.cell, initial_state(settings).parameters)
    return torch_training.losses(model, chunks, settings.learning_rate, settings.clip_norm)


def milliseconds(runs: list[Iterator[float]], rounds: int) -> list[list[float]]:
    """Processor time of a step, of each run in each round."""
    times = [[] for _ in runs]
    for _ in range(rounds):
        for each, taken in zip(runs, times, strict=True):
            start = time.process_time()
            for _ in islice(each, TOGETHER):
                pass
            taken.append(1000 * (time.process_time() - start) / TOGETHER)
    return times


def speed(rounds: int) -> None:
    heading("A training step at batch 32, chunk 64, embedding 32")
    for cell in ("lstm", "gru", "rnn"):
        for hidden_size in (64, 128):
            settings = TrainingSettings(text(100_000), cell=cell, hidden_size=hidden_size)
            runs = [run(settings), their_run(settings)]
            first = [list(islice(each, TOGETHER)) for each in runs]
            # A GRU of PyTorch is another one: its reset gate stands after the product.
            if cell != "gru":
                np.testing.assert_allclose(*first, rtol=1e-3)
            own, theirs = milliseconds(runs, rounds)
            line(
                f"{cell}, d_h = {hidden_size}",
                faster(statistics.median(theirs) / statistics.median(own), LEAST, "PyTorch"),
                f"{statistics.median(own):.2f} ms, {statistics.median(theirs):.2f} ms",
                f"(least: {min(theirs) / min(own):.2f} ×, {min(own):.2f} ms, {min(theirs):.2f} ms)",
            )


def learning() -> None:
    heading(
        "The toy language at default settings: nats per character, at first, of steps 181 to 200, of fresh text"
    )
    for cell in ("lstm", "gru", "rnn"):
        settings = TrainingSettings(toy(80_000, seed=0), cell=cell)
        made = list(islice(train(settings), 200))
        last = statistics.mean(step.loss for step in made[-20:])
        fresh = text_loss(made[-1].state.parameters, settings.vocabulary.encode(toy(20_000, seed=1)))
        line(cell, f"{made[0].loss:.3f}", f"{last:.3f}", f"{fresh:.3f}", f"entropy {entropy('toy'):.3f}")


def peak_bytes(settings: TrainingSettings) -> int:
    """The most that three steps hold at once, beyond the text and its streams."""
    steps = train(settings)
    tracemalloc.start()
    try:
        for _ in islice(steps, 3):
            pass
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def memory() -> None:
    heading("Peak memory of training in kB, beyond the text itself")
    lengths = (10_000, 100_000, 1_000_000)
    line("characters of text", *(f"{length:10,}" for length in lengths))
    for truncation in (16, 64):
        peaks = [peak_bytes(TrainingSettings(text(length), truncation=truncation)) for length in lengths]
        line(f"K = {truncation}", *(f"{peak / 1000:10.0f}" for peak in peaks))


def main() -> None:
    rounds = begin(__doc__, 20, torch)
    if torch:
        speed(rounds)
    learning()
    memory()


if __name__ == "__main__":
    main()
