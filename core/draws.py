"""The random draws of the labs, each from a stream of its own, so that one never shifts another.

A draw depends on the seed, the size and the stream alone: settings that scale a draw (spectral radius, input
scale, start) never change what was drawn.
"""

from functools import lru_cache

import numpy as np

from core.validation import whole_number

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
)


def generator(stream: str, size: int, seed: int) -> np.random.Generator:
    """The generator of one stream; ValueError unless ``size`` is an integer from 1 and ``seed`` from 0."""
    size = whole_number("size", size, least=1)
    seed = whole_number("seed", seed, least=0)
    return np.random.default_rng([seed, size, STREAMS.index(stream)])


@lru_cache(maxsize=32, typed=True)
def draw_inputs(size: int, seed: int, steps: int = 200) -> np.ndarray:
    """Standard normal inputs (steps, size), read-only; ``input_scale`` times them are the lab's u_t.

    They are drawn from the last step back, so a longer gap puts earlier inputs in front and leaves the later
    ones as they were: ``draw_inputs(size, seed, 50)`` equals ``draw_inputs(size, seed, 200)[-50:]``.
    """
    steps = whole_number("steps", steps, least=1)
    return read_only(generator("inputs", size, seed).standard_normal((steps, size))[::-1].copy())


@lru_cache(maxsize=32, typed=True)
def draw_start(size: int, seed: int) -> np.ndarray:
    """A standard normal first state (size,), read-only; ``start`` times it is the lab's h_0."""
    return read_only(generator("start", size, seed).standard_normal(size))


def read_only(array: np.ndarray) -> np.ndarray:
    """The same array, locked: what a cache hands to many callers, none of them may change."""
    array.flags.writeable = False
    return array
