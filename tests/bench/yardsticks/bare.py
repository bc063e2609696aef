"""Yardstick: the least page of panel-material-ui, with one slider and one figure; it computes nothing."""

import numpy as np
import panel as pn
import panel_material_ui as pmui
from bokeh.models import ColumnDataSource
from bokeh.plotting import figure

pn.extension()

X = np.arange(100.0)
source = ColumnDataSource({"x": X, "y": np.ones(100)})
plot = figure(height=400, sizing_mode="stretch_width", y_range=(0, 2))
plot.line("x", "y", source=source)
slider = pmui.FloatSlider(name="w", start=0, end=2, step=0.001, value=1)


def show(event) -> None:
    source.data = {"x": X, "y": np.full(100, event.new)}


slider.param.watch(show, "value")
pmui.Container(pmui.Column(slider, pn.pane.Bokeh(plot))).servable()
