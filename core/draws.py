"""The random draws of the labs, each from a stream of its own, so that one never shifts another.

A draw depends on the seed, the size and the stream alone: settings that scale a draw (spectral radius, input
scale, start) never change what was drawn.
"""

from functools import lru_cache

import numpy as np

from core.validation import one_of, whole_number

# A stream's place is part of its draws, so a new one comes last.
STREAMS = (
    "orthogonal",
    "gaussian",
    "symmetric",
    "inputs",
    "start",
    "input_weights",
    "recurrent_weights",
    "bias",
    "embeddings",
    "output_weights",
    "output_bias",
    "sequence",
    "reading",
    "state_masks",
    "weight_masks",
    "input_masks",
    "output_masks",
    "lives",
)


def generator(stream: str, size: int, seed: int) -> np.random.Generator:
    """The generator of one stream.

    ValueError unless ``stream`` is one of `STREAMS`, ``size`` an integer from 1 and ``seed`` one from 0.
    """
    stream = one_of("stream", stream, STREAMS)
    size = whole_number("size", size, least=1)
    seed = whole_number("seed", seed, least=0)
    return np.random.default_rng([seed, size, STREAMS.index(stream)])


def draw_inputs(size: int, seed: int, steps: int = 200) -> np.ndarray:
    """Standard normal inputs (steps, size), read-only; ``input_scale`` times them are the lab's u_t.

    They are drawn from the last step back, so a longer gap puts earlier inputs in front and leaves the later
    ones as they were: ``draw_inputs(size, seed, 50)`` equals ``draw_inputs(size, seed, 200)[-50:]``.
    """
    size, seed, steps = _checked(size, seed, steps)
    return _draw("inputs", size, seed, steps)[::-1]


def draw_start(size: int, seed: int) -> np.ndarray:
    """A standard normal first state (size,), read-only; ``start`` times it is the lab's h_0."""
    size, seed, steps = _checked(size, seed, 1)
    return _draw("start", size, seed, steps)[0]


def _checked(size: int, seed: int, steps: int) -> tuple[int, int, int]:
    return (
        whole_number("size", size, least=1),
        whole_number("seed", seed, least=0),
        whole_number("steps", steps, least=1),
    )


@lru_cache(maxsize=32)
def _draw(stream: str, size: int, seed: int, steps: int) -> np.ndarray:
    return read_only(generator(stream, size, seed).standard_normal((steps, size)))


def read_only(array: np.ndarray) -> np.ndarray:
    """The same array, locked: what a cache hands to many callers, none of them may change."""
    array.flags.writeable = False
    return array
