"""A living lab's windows and pins: what stays while the curves move, and what a fit, a preset or a link changes."""

import numpy as np

from app.address import read
from tests.widgets.live_readings import act, each_lab
from widgets.catalogue import find
from widgets.echo import EchoLab


def test_a_pin_stays_while_the_curves_move(alive):
    live = alive()
    act(live, "pin")
    ghost = live._pins.held[0].ghosts[0][1]
    before = np.array(ghost.data_source.data["state"])
    live._desk.controls["weight"].value = 1.9
    np.testing.assert_array_equal(ghost.data_source.data["state"], before)
    assert not np.array_equal(live._drawing.sources["sensitivity"].data["state"], before)


def test_the_letters_of_a_pin_follow_the_window(alive):
    live = alive(find("jacobians"))
    live.lab.adopt(spectral_radius=0.5)
    act(live, "pin")
    drawn_on = live._drawing.plots[0].figure
    held = live._pins.held[0].letters[drawn_on].data_source

    def ends():
        return dict(zip(held.data["role"], held.data["x"], strict=True))

    # ρ^k = 2^−k is within the window, from 10⁻¹² up, until k = 39; the letter may give way to another by a step.
    assert ends()["reference"] in (38, 39)
    act(live, "fit")
    assert ends()["reference"] == 100
    act(live, "preset", name="gaussian-bulge")
    assert ends()["reference"] < 100


def test_the_preset_axis_is_offered_only_where_a_fit_moved_what_is_seen(alive):
    """What spares the memory stays at 1, as its window is; fresh masks leave theirs."""
    live = alive(find("dropout"))
    window = live._drawing.plots[0].figure.y_range
    act(live, "preset", name="non-recurrent")
    before = window.start, window.end
    act(live, "fit")
    assert ((window.start, window.end) == before, live._fitted) == (True, False)
    act(live, "preset", name="fresh")
    before = window.start, window.end
    act(live, "fit")
    assert live._fitted
    assert window.start < before[0]
    act(live, "fit")
    assert ((window.start, window.end) == before, live._fitted) == (True, False)


def test_a_third_pin_takes_the_place_of_the_first(alive):
    live = alive()
    for weight in (0.1, 0.2, 0.3):
        live._desk.controls["weight"].value = weight
        act(live, "pin")
    assert {pin.label for pin in live._pins.held} == {"Recurrent weight w = 0.2", "Recurrent weight w = 0.3"}
    for letter in "AB":
        act(live, "unpin", letter=letter)
    assert len(live._drawing.plots[0].figure.renderers) == len(
        EchoLab().plots(live._drawing.sources)[0].figure.renderers
    )


def test_a_third_pin_says_which_one_it_took_the_place_of(alive):
    live = alive()
    for weight in (0.1, 0.2, 0.3):
        live._desk.controls["weight"].value = weight
        act(live, "pin")
    assert "w = 0.1" in live._state()["notices"][0]
    act(live, "unpin", letter="A")
    assert live._state()["notices"] == []


def test_a_pin_says_first_what_tells_it_from_the_other_and_then_from_the_present(alive):
    live = alive(find("training"))
    live.lab.adopt(corpus="agreement", hidden_size=32)
    for truncation in (32, 16):
        live.lab.adopt(truncation=truncation)
        act(live, "pin")
    live.lab.adopt(truncation=16, hidden_size=48)
    same = "Hidden size = 32, Corpus = agreement, Cell = lstm"
    labels = [pin["label"] for pin in live._state()["pins"]]
    assert labels == [f"Truncation K = {truncation}, {same}" for truncation in (32, 16)]
    act(live, "unpin", letter="A")
    assert [pin["label"] for pin in live._state()["pins"]] == [f"{same}, Truncation K = 16"]


def test_a_pin_names_a_default_from_which_the_present_differs(alive):
    live = alive()
    act(live, "pin")
    assert [pin["label"] for pin in live._state()["pins"]] == ["default settings"]
    live._desk.controls["weight"].value = 0.9
    assert [pin["label"] for pin in live._state()["pins"]] == ["Recurrent weight w = 0.5"]


def test_a_pin_keeps_what_is_out_of_sight_too(alive):
    live = alive(find("jacobians"))
    live._rest_soon._work = lambda: None
    live._desk.controls["input_scale"].value = 2.0
    act(live, "pin")
    ghosts = [ghost for plot, ghost in live._pins.held[0].ghosts if "slope" in ghost.data_source.data]
    np.testing.assert_array_equal(ghosts[0].data_source.data["slope"], live._frame.columns["slopes"]["slope"])


def test_the_label_of_a_pin_is_of_bounded_length(alive):
    live = alive(find("brackets"))
    live._desk.controls["text"].value_input = "x" * 200
    act(live, "pin")
    assert len(live._pins.held[0].label) < 120


@each_lab
def test_the_window_never_moves_with_the_data_but_with_fit(alive, kind):
    live = alive(kind)
    axes = [plot.axis for plot in live._drawing.plots if plot.axis]
    windows = [(a.figure.y_range.start, a.figure.y_range.end) for a in axes]
    for name, control in live._desk.controls.items():
        if isinstance(getattr(live.lab, name), float):
            control.value = live.lab.param[name].bounds[1]
    assert [(a.figure.y_range.start, a.figure.y_range.end) for a in axes] == windows
    act(live, "fit")
    columns = live._frame.columns
    drawn = any(np.isfinite(columns[a.source][name]).any() for a in axes for name in a.watched)
    moved = [(a.figure.y_range.start, a.figure.y_range.end) for a in axes] != windows
    assert moved == drawn
    act(live, "reset")
    assert [(a.figure.y_range.start, a.figure.y_range.end) for a in axes] == windows


def test_fit_a_second_time_brings_the_fixed_window_back(alive):
    live = alive()
    axis = live._drawing.plots[0].axis
    before = (axis.figure.y_range.start, axis.figure.y_range.end)
    act(live, "fit")
    assert live._state()["fitted"]
    act(live, "fit")
    assert (axis.figure.y_range.start, axis.figure.y_range.end) == before
    assert not live._state()["fitted"]


def test_arrows_stand_at_the_edge_of_the_new_presets_window(alive):
    live = alive(find("jacobians"))
    act(live, "preset", name="orthogonal-1.1")
    act(live, "preset", name="gaussian-bulge")
    axis = live._drawing.plots[0].axis
    edges = {axis.figure.y_range.start, axis.figure.y_range.end}
    assert (axis.figure.y_range.start, axis.figure.y_range.end) == live.lab.preset("gaussian-bulge").window
    assert set(axis.marks.source.data["y"]) <= edges
    assert "▼" not in axis.marks.source.data["marker"]


def test_a_link_keeps_the_advice_and_the_window_of_the_preset_that_it_departs_from(alive):
    live = alive(find("jacobians"))
    visit = read({"lab": ["jacobians"], "preset": ["gaussian-bulge"], "size": ["16"]})
    live.visit(visit.lab, visit.notices, visit.hint)
    assert live.lab.present_preset() is None
    preset = live.lab.preset("gaussian-bulge")
    state = live._state()
    assert state["lookFor"].endswith(preset.look_for)
    axis = live._drawing.plots[0].axis
    assert (axis.figure.y_range.start, axis.figure.y_range.end) == preset.window
