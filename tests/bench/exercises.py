"""Measure how long the check of the exercises takes: `python tests/bench/exercises.py`.

A file is measured as a student waits for it, from the command to the prompt, and a folder as a teacher does. Beside
them stands Python with NumPy alone, which is started twice for each file: once to check, once to be checked. It is
never part of passing or failing a test: clocks differ.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from report import heading, line

ROOT = Path(__file__).resolve().parents[2]
ONE_FILE, ONE_FOLDER, FILES = 1.5, 60.0, 60

HAND_IN = """
import numpy as np


def sigmoid(a):
    return 1 / (1 + np.exp(-a))


def rnn_forward(P, ids, h0):
    hidden, rows, loss = [h0], [], 0.0
    for now, following in zip(ids[:-1], ids[1:]):
        hidden.append(np.tanh(P["E"][now] @ P["Wxh"] + hidden[-1] @ P["Whh"] + P["bh"]))
        scores = np.exp(hidden[-1] @ P["Why"] + P["by"])
        rows.append(scores / scores.sum())
        loss -= np.log(rows[-1][following])
    return loss, np.array(hidden), np.array(rows)


def rnn_bptt(P, ids, h0):
    loss, hidden, rows = rnn_forward(P, ids, h0)
    grads = {name: np.zeros_like(value) for name, value in P.items()}
    dh = np.zeros_like(h0)
    for t in reversed(range(len(rows))):
        e = rows[t].copy()
        e[ids[t + 1]] -= 1
        grads["Why"] += np.outer(hidden[t + 1], e)
        grads["by"] += e
        da = (e @ P["Why"].T + dh) * (1 - hidden[t + 1] ** 2)
        grads["Wxh"] += np.outer(P["E"][ids[t]], da)
        grads["Whh"] += np.outer(hidden[t], da)
        grads["bh"] += da
        grads["E"][ids[t]] += da @ P["Wxh"].T
        dh = da @ P["Whh"].T
    grads["h0"] = dh
    return loss, grads


def lstm_cell(x, h, c, W, U, b):
    i, f, g, o = np.split(x @ W + h @ U + b, 4, axis=-1)
    c_new = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
    return sigmoid(o) * np.tanh(c_new), c_new


def lstm_cell_backward(x, h, c, W, U, b, dh_new, dc_new):
    i, f, g, o = np.split(x @ W + h @ U + b, 4, axis=-1)
    i, f, g, o = sigmoid(i), sigmoid(f), np.tanh(g), sigmoid(o)
    tanh_c = np.tanh(f * c + i * g)
    dc = dc_new + dh_new * o * (1 - tanh_c**2)
    parts = dc * g * i * (1 - i), dc * c * f * (1 - f), dc * i * (1 - g**2), dh_new * tanh_c * o * (1 - o)
    da = np.concatenate(parts, axis=-1)
    rows, xs, hs = np.atleast_2d(da), np.atleast_2d(x), np.atleast_2d(h)
    return da @ W.T, da @ U.T, dc * f, xs.T @ rows, hs.T @ rows, rows.sum(axis=0)


def gru_cell(x, h, W, U, b):
    size = h.shape[-1]
    a, u = x @ W + b, U[:, : 2 * size]
    r, z = np.split(sigmoid(a[..., : 2 * size] + h @ u), 2, axis=-1)
    n = np.tanh(a[..., 2 * size :] + (r * h) @ U[:, 2 * size :])
    return (1 - z) * n + z * h
"""
KINDS = {
    "all five right": HAND_IN,
    "a known mistake in each": HAND_IN.replace("loss -= np.log", "loss -= 1 / (len(ids) - 1) * np.log")
    .replace('dh = da @ P["Whh"].T', 'dh = da @ P["Whh"]')
    .replace(
        "axis=-1)\n    c_new = sigmoid(f) * c + sigmoid(i)",
        "axis=-1)\n    c_new = sigmoid(i) * c + sigmoid(f)",
    )
    .replace("dc_new + dh_new * o * (1 - tanh_c**2)", "dc_new")
    .replace("(1 - z) * n + z * h", "z * n + (1 - z) * h"),
    "what no mistake explains": HAND_IN.replace("np.tanh", "np.arctan"),
}


def seconds(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    return time.perf_counter() - start


def limited(taken: list[float], limit: float) -> str:
    median = statistics.median(taken)
    return f"{median:6.2f} s ({'within' if median <= limit else 'MISSES'} {limit:g} s)"


def one_file(folder: Path, rounds: int) -> None:
    heading("A file with all five functions, from command to prompt")
    bare = [sys.executable, "-c", "import numpy"]
    for kind, text in KINDS.items():
        path = folder / "handed.py"
        path.write_text(text)
        check = [sys.executable, "-m", "core.exercises", "check", str(path)]
        pairs = [(seconds(check), seconds(bare)) for _ in range(rounds)]
        ratio = statistics.median(own / theirs for own, theirs in pairs)
        line(kind, limited([own for own, _ in pairs], ONE_FILE), f"{ratio:5.1f} × Python with NumPy alone")


def one_folder(folder: Path) -> None:
    heading(f"A folder of {FILES} such files, on {os.cpu_count()} processors")
    check = [sys.executable, "-m", "core.exercises", "check"]
    for kind, texts in {
        **{kind: [text] for kind, text in KINDS.items()},
        "one of each": list(KINDS.values()),
    }.items():
        with tempfile.TemporaryDirectory(dir=folder) as name:
            for number in range(FILES):
                Path(name, f"student{number:02}.py").write_text(texts[number % len(texts)])
            line(kind, limited([seconds([*check, name])], ONE_FOLDER))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=5, help="rounds of each comparison (5)")
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as name:
        one_file(Path(name), rounds)
        one_folder(Path(name))


if __name__ == "__main__":
    main()
