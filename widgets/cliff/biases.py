"""Which biases the cliff lab shows: those of its slider, and the axis, with room at both ends for an arrow's head."""

import numpy as np

SLIDER = (0.0, 1.2)
_ROOM = 0.03
AXIS = (SLIDER[0] - _ROOM, SLIDER[1] + _ROOM)


def in_slider(bias):
    return (bias >= SLIDER[0]) & (bias <= SLIDER[1])


def in_picture(bias):
    return (bias >= AXIS[0]) & (bias <= AXIS[1])


def brought_in(bias: float) -> float:
    """The bias itself if it is in the picture, else the end of the slider that lies towards it."""
    return float(bias if in_picture(bias) else np.clip(bias, *SLIDER))
