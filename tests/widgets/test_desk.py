"""What the hand gives to a control, and what that costs the server besides."""

import param
import pytest
from panel.io.state import state

from widgets.cost.lab import CostLab
from widgets.echo import EchoLab
from widgets.page import controls
from widgets.page.desk import Desk


@pytest.fixture
def marked():
    """What Panel's sign of a busy server went through."""
    seen = []
    watcher = state.param.watch(lambda event: seen.append(event.new), "_busy_counter")
    yield seen
    state.param.unwatch(watcher)


def test_a_move_reaches_the_lab_without_a_sign_that_the_server_is_busy(marked):
    lab = EchoLab()
    desk = Desk(lab, taken=lambda name: None, refused=lambda name, text: None)
    desk.listen()
    desk.controls["weight"]._process_events({"value": 1.25})
    assert lab.weight == 1.25
    assert not marked


@pytest.mark.parametrize("setting", [param.Selector(objects=["a", "b"], label="x"), param.Boolean(label="x")])
def test_nor_does_a_click_on_a_choice_or_a_switch(setting, marked):
    control = controls.build(setting, setting.default)
    control._process_events({"value": True if isinstance(setting, param.Boolean) else "b"})
    assert control.value in (True, "b")
    assert not marked


def test_a_logarithmic_slider_has_the_bounds_of_its_setting_and_follows_it():
    lab = CostLab()
    desk = Desk(lab, taken=lambda name: None, refused=lambda name, text: None)
    desk.listen()
    control = desk.controls["hidden_size"]
    assert isinstance(control, controls.LogControl)
    assert (control.start, control.end, control.whole, control.value) == (1, 1024, True, 256)
    lab.adopt(hidden_size=512)
    desk.show("hidden_size")
    assert control.value == 512
    control._process_events({"value": 48})
    assert lab.hidden_size == 48


def test_what_a_hand_gives_beyond_the_bounds_is_fitted_and_named():
    refused = []
    lab = CostLab()
    desk = Desk(lab, taken=lambda name: None, refused=lambda name, text: refused.append((name, text)))
    desk.listen()
    desk.controls["length"]._process_events({"value": 20_000})
    assert (lab.length, desk.controls["length"].value) == (10_000, 10_000)
    assert refused == [("length", "20000")]
