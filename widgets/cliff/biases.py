"""Which biases the cliff lab shows: those of its slider, and the axis, with room at both ends for what leaves it."""

SLIDER = (0.0, 1.2)
_ROOM = 0.03
AXIS = (SLIDER[0] - _ROOM, SLIDER[1] + _ROOM)


def in_slider(bias):
    return (bias >= SLIDER[0]) & (bias <= SLIDER[1])


def in_picture(bias):
    return (bias >= AXIS[0]) & (bias <= AXIS[1])
