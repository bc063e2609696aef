"""The inputs on which a function is tried: such that no mistake can hide, and always the same for one seed.

A missing transpose hides behind a symmetric matrix or a single step, a sum in place of a mean behind a batch of
one, a buffer used again behind a single call, and anything behind weights so small that the network is all but
constant. So matrices are square only where they must be, weights are of ordinary size, no two dimensions of a
case are the same, texts repeat a token and are of three steps at least, and each shape comes twice in a row.
The last cases can tell most, since in them steps or examples are many. Before the last comes one that is not
ordinary, since a bound, a walk back of a few steps, or an exponential out of range shows in no other.
"""

import numpy as np

from core.exercises.contract import NAMES, Case
from core.validation import one_of, whole_number

TEXTS = (
    ("a short text", 4, 6, 2, 3),
    ("another of the same length", 4, 6, 2, 3),
    ("a longer text, other sizes", 7, 9, 4, 3),
)
"""What a case is called, its steps T, its vocabulary V, d and d_h."""

BATCHES = (
    ("one example", (), 2, 3),
    ("another of the same shape", (), 2, 3),
    ("a batch of 4", (4,), 2, 3),
    ("another batch of the same shape", (4,), 2, 3),
    ("a batch of 3, other sizes", (3,), 4, 2),
)
"""What a case is called, the axis of its batch, d and d_h."""

THIN_TEXTS = (("tokens as single numbers, P's keys in another order", 4, 6, 1, 3),)
THIN_BATCHES = (
    ("a batch of 1", (1,), 2, 3),
    ("a batch of 4, of single numbers", (4,), 1, 3),
)
"""With an axis of length 1, for what takes all such axes away."""

LONG = ("a text of 30 steps with large gradients", 30, 6, 4, 5)
LARGE = ("a batch with large sums", (5,), 2, 3)

HELD_OPEN = 800.0
"""What one unit's first gate has added to its bias in `LARGE`: exp(800) is infinite, and exp(−800) is 0.

That sum is large only upwards, where the sigmoid of the textbooks, 1 / (1 + exp(−a)), is right in any arithmetic.
"""

PARTS = {"lstm_cell": 4, "lstm_cell_backward": 4, "gru_cell": 3}


def cases(name: str, seed: int) -> list[Case]:
    """The calls by which the function called ``name`` is judged; arrays of float64, and of int64 for ids.

    Raises ValueError for a name that is none of the five, and for a seed that is no integer from 0.
    """
    rng = np.random.default_rng(
        [NAMES.index(one_of("name", name, NAMES)), whole_number("seed", seed, least=0)]
    )
    if name in PARTS:
        drawn = [Case(called, _step(rng, name, *sizes)) for called, *sizes in BATCHES]
        unusual = Case(LARGE[0], _large_step(rng, name, *LARGE[1:]))
        thin = [Case(called, _step(rng, name, *sizes)) for called, *sizes in THIN_BATCHES]
    else:
        drawn = [Case(called, _text(rng, *sizes)) for called, *sizes in TEXTS]
        unusual = Case(LONG[0], _long_text(rng, *LONG[1:]))
        thin = [Case(called, _text(rng, *sizes)) for called, *sizes in THIN_TEXTS]
    return [*drawn[:-1], *thin, unusual, drawn[-1]]


def _text(
    rng: np.random.Generator, steps: int, vocabulary: int, d: int, d_h: int
) -> dict[str, np.ndarray | dict[str, np.ndarray]]:
    """Parameters, a text in which a token comes twice before the end, and a first state that is not 0."""
    P = _parameters(rng, vocabulary, d, d_h)
    ids = rng.permutation(vocabulary)[: steps + 1]
    # The token of one step comes again later, with another after it, and none follows itself.
    ids[steps - 1] = ids[0]
    if d == 1:
        # For what takes P by the order of its keys.
        P = dict(reversed(P.items()))
    return {"P": P, "ids": ids, "h0": _state(rng, (d_h,))}


def _long_text(
    rng: np.random.Generator, steps: int, vocabulary: int, d: int, d_h: int
) -> dict[str, np.ndarray | dict[str, np.ndarray]]:
    """A text over which gradients grow beyond 10 and errors reach far back.

    Recurrent weights that turn a state and keep its length, and small sums, let errors through, large weights at
    the output make them large. One unit alone has sums so large that its tanh is all but ±1: more would end the
    walk back. A state that is not squashed, by mistake, stays of a size that can be told too.
    """
    P = _parameters(rng, vocabulary, d, d_h)
    P["Wxh"] *= np.where(np.arange(d_h) == 0, 12, 0.3)
    P["Whh"] = np.linalg.qr(P["Whh"])[0]
    P["bh"] *= 0.3
    P["Why"] *= 4
    # None follows itself.
    moves = rng.integers(1, vocabulary, steps)
    ids = np.cumsum([rng.integers(vocabulary), *moves]) % vocabulary
    return {"P": P, "ids": ids, "h0": _state(rng, (d_h,))}


def _parameters(rng: np.random.Generator, vocabulary: int, d: int, d_h: int) -> dict[str, np.ndarray]:
    return {
        "E": rng.normal(size=(vocabulary, d)),
        "Wxh": _weights(rng, d, d_h),
        "Whh": _weights(rng, d_h, d_h),
        "bh": _bias(rng, d_h),
        "Why": _weights(rng, d_h, vocabulary),
        "by": _bias(rng, vocabulary),
    }


def _step(
    rng: np.random.Generator, name: str, batch: tuple[int, ...], d: int, d_h: int
) -> dict[str, np.ndarray]:
    """The arguments of a cell, or of its backward, for one example or a batch."""
    width = PARTS[name] * d_h
    drawn = {"x": rng.normal(size=(*batch, d)), "h": _state(rng, (*batch, d_h))}
    if name != "gru_cell":
        drawn["c"] = rng.normal(size=(*batch, d_h))
    drawn |= {"W": _weights(rng, d, width), "U": _weights(rng, d_h, width), "b": _bias(rng, width)}
    if name == "lstm_cell_backward":
        drawn |= {error: rng.normal(size=(*batch, d_h)) for error in ("dh_new", "dc_new")}
    return drawn


def _large_step(
    rng: np.random.Generator, name: str, batch: tuple[int, ...], d: int, d_h: int
) -> dict[str, np.ndarray]:
    """A batch whose last examples are of large input, so that many sums are beyond 10; and one is `HELD_OPEN`."""
    drawn = _step(rng, name, batch, d, d_h)
    drawn["x"][2:] *= 12
    drawn["b"][0] += HELD_OPEN
    return drawn


def _weights(rng: np.random.Generator, rows: int, columns: int) -> np.ndarray:
    """Weights large enough to matter and small enough not to saturate."""
    return rng.normal(size=(rows, columns)) / np.sqrt(rows)


def _bias(rng: np.random.Generator, size: int) -> np.ndarray:
    """Biases of 0.3 to 0.9 in size, so that each is seen when it is added once too often."""
    return rng.choice([-1, 1], size) * rng.uniform(0.3, 0.9, size)


def _state(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """A state such as tanh leaves."""
    return np.tanh(rng.normal(size=shape))
