"""What a lab's page has to know of a figure, besides how to draw it."""

from collections.abc import Sequence
from dataclasses import dataclass

from bokeh.plotting import figure

from widgets.figures.axis import Axis
from widgets.figures.log_axis import Key


@dataclass(frozen=True)
class Plot:
    """A figure, its name, and one sentence that says what it shows.

    `axis` holds the policy of its y axis, where the window is fixed. `tap` names a source and the
    setting that a click on one of its points sets to the point's index plus one. Staged figures are in view
    beside the controls, each with its share of the window's height (a lab may choose both by its settings, see
    `Lab.stages` and `Lab.share`); two `half` ones among them stand side by side while both are in view. The
    others follow below, two beside each other unless they are `wide`. An `optional` one is left out while none of
    its legend is drawn. The legend is part of the page, not of the canvas.
    """

    figure: figure
    title: str
    description: str
    legend: Sequence[Key] = ()
    axis: Axis | None = None
    tap: tuple[str, str] | None = None
    staged: bool = True
    half: bool = False
    wide: bool = False
    optional: bool = False
    share: float = 1.0
