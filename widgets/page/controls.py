"""From the declaration of a setting to its control: slider with typed number, choice, switch or text.

All controls are panel-material-ui's, but for sliders over logarithms, which it lacks.
"""

from functools import singledispatch
from pathlib import Path

import panel_material_ui as pmui
import param
from panel.custom import JSComponent
from panel.io.state import state

from widgets.base import settings
from widgets.base.settings import LogInteger, LogNumber, Text
from widgets.page.component import script, style

FEW = 4
"""Up to so many words are all in view; more are a menu."""
_FILL = {"sizing_mode": "stretch_width", "width": None, "min_width": 0}


class _Live:
    """A control whose changes are taken at once, and of which the server hears the value only.

    Panel holds every change from the browser for 50 ms and then takes it in a callback of its own; here it
    is taken within the message that brought it. Merging is left to `widgets.work.pace`, which goes by load.
    """

    _debounce = 0
    _linked_properties = ("value",)
    _busy__ignore = ("value", "value_input")
    """The page shows no sign of a busy server, for which Panel would write to every parameter of its state."""

    def _server_change(self, doc, ref, subpath, attr, old, new) -> None:
        if attr in self._changing.get(ref, []):
            self._changing[ref].remove(attr)
            return
        self._events.update({attr: new})
        try:
            self._change_event(doc)
        except Exception as error:
            state._handle_exception(error)


class FloatControl(_Live, pmui.EditableFloatSlider):
    """A fractional number: slider and typed number. An emptied field reports None."""

    value = param.Number(default=0, allow_None=True)


class IntControl(_Live, pmui.EditableIntSlider):
    """A whole number, likewise."""

    value = param.Integer(default=0, allow_None=True)


class LogControl(_Live, JSComponent):
    """A number on a logarithmic scale: slider and typed number."""

    label = param.String()
    value = param.Number(allow_None=True)
    start = param.Number()
    end = param.Number()
    whole = param.Boolean(False, doc="Whether it is a whole number.")

    _render_policy = "manual"
    _esm = script(Path(__file__).parent, "elements.js", "typed_number.js", "scale.js", "log_slider.js")


class ChoiceControl(_Live, pmui.RadioButtonGroup):
    """One of a few words, all in view."""


class SelectControl(_Live, pmui.Select):
    """One of many words."""


class SwitchControl(_Live, pmui.Switch):
    """Yes or no."""


class TextControl(_Live, pmui.TextAreaInput):
    """A line of text, taken at each key; it is broken where the field is too narrow for it."""

    value_input = param.String(
        "", allow_None=True, readonly=False, constant=False,
        doc="What stands in the field: each key changes it, and so may the page.",
    )  # fmt: skip

    _linked_properties = ("value", "value_input")


# Material's small labels would be 12 px; nothing on the page is below 16.
_FIELD_STYLE = """
.MuiInputLabel-shrink { transform: translate(12px, -12px) scale(1) !important; font-size: 1rem !important; }
.MuiOutlinedInput-notchedOutline legend { font-size: 1rem !important; }
.MuiInputBase-input { font-size: 1rem !important; }
"""
_CHOICE_STYLE = {
    ".MuiToggleButton-root": {"fontSize": "1rem", "textTransform": "none", "lineHeight": 1.4, "px": 0.5},
    "@media (pointer: coarse)": {".MuiToggleButton-root": {"minHeight": "44px"}},
    "@media (forced-colors: active)": {
        ".Mui-selected": {"forcedColorAdjust": "none", "background": "Highlight", "color": "HighlightText"}
    },
}

# The spin buttons of the typed number have no name for screen readers; arrow keys do the same. The typed
# number itself gets its name in `lab_view.js`.
_SLIDER_STYLE = {
    ".MuiInputAdornment-root": {"display": "none"},
    # The handle's area for fingers reaches up to the typed number: a click there is meant for the number.
    ".MuiInputBase-root": {"width": "100%", "mt": 0, "position": "relative", "zIndex": 2},
    ".MuiInputBase-input": {"textAlign": "right", "p": 0},
    ".MuiSlider-thumb.Mui-focusVisible": {"outline": "3px solid var(--accent)", "outlineOffset": "2px"},
    ".MuiFormLabel-root": {"maxWidth": "72%", "flexShrink": 0},
    # A mouse needs less room than a finger, which keeps Material's.
    "@media (pointer: fine)": {"&.MuiSlider-root": {"py": "8px"}, ".MuiSlider-root": {"py": "8px"}},
}


def _slider(kind, setting: param.Number, value, **options):
    low, high = setting.bounds
    return kind(
        label=setting.label, value=value, margin=0, size="small", start=low, end=high, fixed_start=low, fixed_end=high,
        step=setting.step, tooltips=False, sx=_SLIDER_STYLE, **_FILL,
        **options,
    )  # fmt: skip


@singledispatch
def build(setting: param.Parameter, value):
    """The control of one setting, showing `value`."""
    raise TypeError(f"no control for a {type(setting).__name__}")


@build.register
def _(setting: param.Number, value):
    return _slider(FloatControl, setting, value, format="0[.]00[0]")


@build.register
def _(setting: param.Integer, value):
    return _slider(IntControl, setting, value, format="0")


@build.register(LogNumber)
@build.register(LogInteger)
def _(setting: param.Number, value):
    low, high = setting.bounds
    return LogControl(
        label=setting.label, value=value, start=low, end=high, whole=isinstance(setting, param.Integer), margin=0,
        stylesheets=[style("log_slider.css")], **_FILL,
    )  # fmt: skip


@build.register
def _(setting: param.Selector, value):
    options = {"label": setting.label, "options": list(setting.objects), "value": value, "size": "small"}
    if len(setting.objects) <= FEW:
        return ChoiceControl(**options, **_FILL, sx=_CHOICE_STYLE, margin=0)
    return SelectControl(**options, **_FILL, stylesheets=[_FIELD_STYLE], margin=(12, 0, 0, 0))


@build.register
def _(setting: param.Boolean, value):
    return SwitchControl(label=setting.label, value=value, margin=0)


@build.register
def _(setting: Text, value):
    return TextControl(
        label=setting.label, value=value, value_input=value, rows=2, size="small", stylesheets=[_FIELD_STYLE], **_FILL,
        margin=(12, 0, 0, 0),
    )  # fmt: skip


def live_value(control) -> str:
    """The parameter of a control that follows the hand."""
    return "value_input" if isinstance(control, TextControl) else "value"


def show(control, setting: param.Parameter, value) -> None:
    """Let a control show a value, and the bounds that are in force."""
    if isinstance(setting, param.Number):
        low, high = setting.bounds
        if (control.start, control.end) != (low, high):
            fixed = {} if isinstance(control, LogControl) else {"fixed_start": low, "fixed_end": high}
            control.param.update(start=low, end=high, **fixed)
    name = live_value(control)
    # The last digits of a slider's own sum are not worth an answer, which a quick hand would have overtaken.
    if not settings.close(getattr(control, name), value):
        control.param.update(**{"value": value, name: value})
