"""A lab at given settings, and its readouts by their keys, for the tests of all labs."""

import numpy as np

from widgets.base.frame import Frame
from widgets.lab import Lab


def lab_with(kind: type[Lab], **settings) -> Lab:
    """The lab with these settings; the others are at their defaults."""
    lab = kind()
    lab.adopt(**settings)
    return lab


def preset_lab(kind: type[Lab], name: str, **settings) -> Lab:
    """The lab at a preset, with these settings in the place of its own."""
    return lab_with(kind, **{**kind().preset(name).settings, **settings})


def values(lab: Lab) -> dict[str, float | str]:
    """What a script reads."""
    return {r.key: r.value for r in lab.compute().readouts}


def texts(lab: Lab) -> dict[str, str]:
    """What a person reads."""
    return {r.key: r.text for r in lab.compute().readouts}


def frame_with(kind: type[Lab], **settings) -> Frame:
    """What the lab shows at these settings."""
    return lab_with(kind, **settings).compute()


def values_with(kind: type[Lab], **settings) -> dict[str, float | str]:
    """What a script reads at these settings."""
    return values(lab_with(kind, **settings))


def texts_with(kind: type[Lab], **settings) -> dict[str, str]:
    """What a person reads at these settings."""
    return texts(lab_with(kind, **settings))


def unlogged_with(kind: type[Lab], source: str, **settings) -> dict[str, np.ndarray]:
    """A source's numbers at these settings, out of the logarithms that are drawn."""
    drawn = lab_with(kind, **settings).compute().columns[source]
    return {name: 10 ** np.asarray(column, dtype=float) for name, column in drawn.items() if name != "role"}
