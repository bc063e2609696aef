"""Measure the gradients of the core against PyTorch's autograd, and their memory: `python tests/bench/gradients.py`.

Both sides use one thread and float64, take turns, and are first seen to give the same numbers. Times are
medians. Without PyTorch only memory is measured. It is never part of passing or failing a test: clocks differ.
"""

import statistics
import time
import tracemalloc
from collections.abc import Callable

from one_thread import begin  # isort: split

import numpy as np
from report import faster, heading, line

from core.bptt import itemised_gradient
from core.draws import generator
from core.gradient_flow import first_input_gradient
from core.initialisation import language_model, uniform_weights, with_forget_bias, with_update_bias
from core.rnn_lm import rnn_bptt

try:
    import autograd
    import torch
except ModuleNotFoundError:
    torch = None

LEAST = 3
SIZES = ((20, 16), (40, 64))
VOCABULARY, EMBEDDING = 30, 16
LENGTHS = (5, 10, 20, 50, 100)


def text(steps: int) -> np.ndarray:
    return np.random.default_rng(0).integers(VOCABULARY, size=steps + 1)


def by_turns(own: Callable, theirs: Callable, rounds: int) -> tuple[float, float]:
    """Median milliseconds of a call of each; in every round each runs five times."""
    times = {own: [], theirs: []}
    for _ in range(rounds):
        for call, taken in times.items():
            start = time.perf_counter()
            for _ in range(5):
                call()
            taken.append((time.perf_counter() - start) / 5)
    return tuple(1000 * statistics.median(taken) for taken in times.values())


def compare(label: str, own: Callable, theirs: Callable, than: str, rounds: int) -> None:
    """One line: how many times faster, and both times."""
    for one, other in zip(own(), theirs(), strict=True):
        other = other.detach().numpy() if isinstance(other, torch.Tensor) else other
        np.testing.assert_allclose(one, other, rtol=1e-8, atol=1e-12)
    own_ms, their_ms = by_turns(own, theirs, rounds)
    line(label, faster(their_ms / own_ms, LEAST, than), f"{own_ms:.2f} ms, {their_ms:.2f} ms")


def whole_gradient(rounds: int) -> None:
    heading("rnn_bptt: loss and all gradients of the tanh language model")
    for steps, size in SIZES:
        P, ids, h0 = language_model("rnn", VOCABULARY, EMBEDDING, size, 0), text(steps), np.zeros(size)
        theirs, layer = autograd.leaves(P), autograd.rnn_layer(P)
        tensor_ids, start = torch.tensor(ids), torch.tensor(h0, requires_grad=True)

        def own(P=P, ids=ids, h0=h0):
            loss, grads = rnn_bptt(P, ids, h0)
            return loss, *grads.values()

        for than, other in (
            ("a loop", lambda a=(theirs, tensor_ids, start): autograd.bptt_by_steps(*a)),
            ("torch.nn.RNN", lambda a=(layer, theirs, tensor_ids, start): autograd.bptt_by_layer(*a)),
        ):
            compare(f"T = {steps}, d_h = {size}", own, other, than, rounds)


def itemised(rounds: int) -> None:
    heading("itemised_gradient: everything it holds, against the contributions alone")
    for cell in ("rnn", "lstm", "gru"):
        for steps, size in SIZES:
            P, ids = language_model(cell, VOCABULARY, EMBEDDING, size, 0), text(steps)
            theirs, tensor_ids = autograd.leaves(P), torch.tensor(ids)
            compare(
                f"{cell}, T = {steps}, d_h = {size}",
                lambda cell=cell, P=P, ids=ids: itemised_gradient(cell, P, ids).contributions,
                lambda a=(cell, theirs, tensor_ids): autograd.contributions(*a),
                "autograd",
                max(rounds // 10, 3),
            )


def first_input(rounds: int) -> None:
    heading(f"first_input_gradient at lengths {', '.join(map(str, LENGTHS))}, default sizes")
    inputs = torch.tensor(generator("sequence", 16, 0).standard_normal((max(LENGTHS), 16)))
    v = torch.tensor(generator("reading", 32, 0).standard_normal(32))
    for cell in ("rnn", "lstm", "gru"):
        W, U, b = uniform_weights(cell, 16, 32, 0)
        if cell != "rnn":
            b = with_forget_bias(b, 0.0) if cell == "lstm" else with_update_bias(b, 0.0)
        weights = [torch.tensor(array) for array in (W, U, b)]
        ways = {"a loop": lambda a=(cell, weights, inputs, v, LENGTHS): autograd.first_input_by_steps(*a)}
        if cell != "gru":
            layer = autograd.recurrent_layer(cell, W, U, b)
            ways[f"torch.nn.{cell.upper()}"] = lambda a=(layer, inputs, v, LENGTHS): (
                autograd.first_input_by_layer(*a)
            )
        for than, other in ways.items():
            compare(
                cell, lambda cell=cell: first_input_gradient(cell, LENGTHS), other, than, max(rounds // 5, 3)
            )


def peak_bytes(steps: int, size: int, truncation: int | None) -> int:
    """The most that one call holds at once, its result included."""
    P, ids, h0 = language_model("rnn", VOCABULARY, EMBEDDING, size, 0), text(steps), np.zeros(size)
    tracemalloc.start()
    try:
        rnn_bptt(P, ids, h0, truncation)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def memory() -> None:
    """Full BPTT grows with T and d_h; truncated to K steps with K and d_h, and not with T."""
    heading(
        "Peak memory of rnn_bptt in kB, beyond what it takes for one step; last, bytes per unit and step held"
    )
    lengths = (200, 400, 800, 1600)
    line("T", *(f"{steps:7}" for steps in lengths))
    for size in (32, 64, 128):
        for label, truncation in (("full", None), ("K = 50", 50), ("K = 100", 100)):
            one_step = peak_bytes(1, size, None) if truncation is None else peak_bytes(2, size, 1)
            peaks = [peak_bytes(steps, size, truncation) - one_step for steps in lengths]
            each = peaks[-1] / size / (truncation or lengths[-1])
            line(f"d_h = {size}, {label}", *(f"{peak / 1000:7.0f}" for peak in peaks), f"{each:7.0f}")


def main() -> None:
    rounds = begin(__doc__, 50, torch)
    if torch:
        whole_gradient(rounds)
        itemised(rounds)
        first_input(rounds)
    memory()


if __name__ == "__main__":
    main()
