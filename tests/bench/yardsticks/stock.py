"""Yardstick: the slider, its value and three lines, as Panel's documentation would write them."""

import numpy as np
import panel as pn
from bokeh.models import ColumnDataSource
from bokeh.plotting import figure

pn.extension()

X = np.arange(100.0)


def curves(w: float) -> dict[str, np.ndarray]:
    return {"x": X, "a": w**X, "b": w * X, "c": w + X}


source = ColumnDataSource(curves(0.9))
plot = figure(height=400, sizing_mode="stretch_width", y_range=(0, 100))
for name in "abc":
    plot.line("x", name, source=source)
slider = pn.widgets.FloatSlider(name="w", start=0, end=2, step=0.001, value=0.9)


def show(event) -> None:
    source.data = curves(event.new)


slider.param.watch(show, "value")
pn.Column(slider, pn.pane.Bokeh(plot)).servable()
