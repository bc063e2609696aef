"""From the declaration of a setting to its control: slider with typed number, choice, switch or text.

All controls are panel-material-ui's. Panel holds every change from the browser for 50 ms; here it does
not (`_debounce = 0`), since changes are merged by load instead (`widgets.live`).
"""

from functools import singledispatch

import panel_material_ui as pmui
import param

from widgets.settings import Text

FEW = 4


class _Live:
    """A control whose changes are taken at once, and of which the server hears the value only."""

    _debounce = 0
    _linked_properties = ("value",)


class FloatControl(_Live, pmui.EditableFloatSlider):
    """A fractional number: slider and typed number."""


class IntControl(_Live, pmui.EditableIntSlider):
    """A whole number: slider and typed number."""


class ChoiceControl(_Live, pmui.RadioButtonGroup):
    """One of a few words, all in view."""


class SelectControl(_Live, pmui.Select):
    """One of many words."""


class SwitchControl(_Live, pmui.Switch):
    """Yes or no."""


class TextControl(_Live, pmui.TextInput):
    """A line of text, taken at each key."""

    _linked_properties = ("value", "value_input")


# The spin buttons of the typed number have no name for screen readers; arrow keys do the same.
_SLIDER_STYLE = {
    ".MuiInputAdornment-root": {"display": "none"},
    ".MuiInputBase-root": {"width": "100%"},
    ".MuiFormLabel-root": {"maxWidth": "70%", "flexShrink": 0},
    ".MuiInputBase-input": {"textAlign": "right"},
}


def _named_input(label: str) -> dict:
    return {"components": {"MuiInput": {"defaultProps": {"inputProps": {"aria-label": f"{label}, typed"}}}}}


def _slider(kind, setting: param.Number, value, **options):
    low, high = setting.bounds
    return kind(
        label=setting.label, value=value, start=low, end=high, fixed_start=low, fixed_end=high,
        step=setting.step, tooltips=False, sx=_SLIDER_STYLE, theme_config=_named_input(setting.label),
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


@build.register
def _(setting: param.Selector, value):
    kind = ChoiceControl if len(setting.objects) <= FEW else SelectControl
    return kind(label=setting.label, options=list(setting.objects), value=value)


@build.register
def _(setting: param.Boolean, value):
    return SwitchControl(label=setting.label, value=value)


@build.register
def _(setting: Text, value):
    return TextControl(label=setting.label, value=value)


def live_value(control) -> str:
    """The parameter of a control that follows the hand."""
    return "value_input" if isinstance(control, TextControl) else "value"


def show(control, setting: param.Parameter, value) -> None:
    """Let a control show a value, and the bounds that are in force."""
    if isinstance(setting, param.Number):
        low, high = setting.bounds
        if (control.start, control.end) != (low, high):
            control.param.update(start=low, end=high, fixed_start=low, fixed_end=high)
    name = live_value(control)
    if getattr(control, name) != value:
        control.param.update(**{"value": value, name: value})
