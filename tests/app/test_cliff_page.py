"""The cliff lab in a real browser: the wall, the throw over it, and a run of updates under Play."""

import pytest

from tests.app.conftest import kept_open
from widgets.cliff.lab import CliffLab

opened = kept_open("cliff")


@pytest.fixture
def cliff(opened):
    opened.start_over("cliff")
    opened.wait_readout("cliff.gradient", -3.978, rel=0.001)
    yield opened
    assert not opened.faults


def text_of(visitor, key: str) -> str:
    return visitor.page.inner_text(f"[data-readout='cliff.{key}']")


def pressed(visitor) -> list[str]:
    chips = visitor.page.locator("[data-lab='cliff'] .chip[aria-pressed='true']")
    return [chip.get_attribute("data-preset") for chip in chips.all()]


def test_the_bare_lab_stands_in_its_first_preset_with_its_hint_and_the_promised_numbers(visitor):
    visitor.open("?lab=cliff")
    assert pressed(visitor) == ["approach"]
    assert "by hundredths" in visitor.page.inner_text("[data-lab='cliff'] .look-for")
    assert float(visitor.typed("Bias b").input_value()) == 0.5
    assert visitor.page.url.endswith("?lab=cliff")
    assert visitor.readout("cliff.steepest_bias") == pytest.approx(0.55799, abs=5e-6)
    assert visitor.readout("cliff.steepest_gradient") == pytest.approx(-292.8, abs=0.05)
    assert visitor.readout("cliff.minimum") == pytest.approx(0.5615, abs=5e-5)
    assert visitor.readout("cliff.fold") == pytest.approx(0.53284, abs=1e-5)
    assert visitor.readout("cliff.gradient") == pytest.approx(-4.0, abs=0.05)
    assert text_of(visitor, "steepest_bias") == "0.55799"


def test_on_the_cliff_an_unclipped_update_is_thrown_29_away(visitor):
    visitor.open("?lab=cliff&preset=on-the-cliff")
    assert visitor.readout("cliff.step_unclipped") == pytest.approx(29, abs=0.5)
    assert visitor.readout("cliff.bias_unclipped") == pytest.approx(29.8, abs=0.05)
    assert visitor.readout("cliff.step_clipped") == pytest.approx(0.01)
    assert "where the run is stuck" in visitor.sentence()
    assert "leaves the picture" in visitor.page.inner_text("[data-lab='cliff'] .notes")


def test_a_moved_bias_leads_to_the_gradient_there(cliff):
    for bias, gradient in (("0", -0.35), ("0.4", -1.5), ("0.6", 0.009), ("0.8", 0.006)):
        cliff.drag("Bias b", float(bias) / 1.2)
        cliff.type_number("Bias b", bias)
        cliff.wait_readout("cliff.gradient", gradient, rel=0.02)
        assert float(cliff.typed("Bias b").input_value()) == float(bias)


def test_a_dragged_bias_alone_leads_to_its_gradient(cliff):
    cliff.drag("Bias b", 1.0)
    lab = CliffLab()
    lab.adopt(bias=1.2)
    expected = next(r.value for r in lab.compute().readouts if r.key == "gradient")
    cliff.wait_readout("cliff.gradient", expected)


def test_a_chip_sets_the_stage_and_the_address(cliff):
    cliff.page.click("[data-preset='on-the-cliff']")
    cliff.page.wait_for_url("**/app?lab=cliff&preset=on-the-cliff")
    cliff.wait_readout("cliff.bias_unclipped", 29.8)
    cliff.page.click("[data-preset='off-the-cliff']")
    cliff.wait_readout("cliff.gradient", 0.006, rel=0.01)
    assert pressed(cliff) == ["off-the-cliff"]


def test_stepping_and_playing_walk_the_run(cliff):
    cliff.page.click("[data-lab='cliff'] [aria-label='One step forward']")
    cliff.see("[data-sentence='cliff'] >> text=After 1 update the clipped run is at b = 0.51")
    cliff.page.click("[data-lab='cliff'] [data-action='play']")
    cliff.page.wait_for_timeout(1800)
    cliff.page.click("[data-lab='cliff'] [data-action='play']")
    cliff.page.wait_for_timeout(400)
    reached = int(cliff.typed("Update").input_value())
    assert reached >= 3
    assert f"After {reached} updates" in cliff.sentence()
    cliff.page.wait_for_timeout(800)
    assert int(cliff.typed("Update").input_value()) == reached
    cliff.page.click("[data-lab='cliff'] [aria-label='To the last step']")
    cliff.see("[data-lab='cliff'] .notes >> text=steps to and fro between 0.55644 and 0.56644")
    cliff.page.click("[data-lab='cliff'] [aria-label='To the first step']")
    cliff.wait_readout("cliff.step_clipped", 0.01)
    assert pressed(cliff) == ["approach"]


def test_what_sets_the_stage_anew_ends_the_playing(cliff):
    play = cliff.page.locator("[data-lab='cliff'] [data-action='play']")
    for start_over in ("[data-preset='off-the-cliff']", "[data-action='reset']"):
        play.click()
        cliff.see("[data-sentence='cliff'] >> text=After 1 update")
        cliff.page.click(f"[data-lab='cliff'] {start_over}")
        cliff.page.wait_for_timeout(1200)
        assert play.inner_text() == "▶ Play", start_over
        assert cliff.typed("Update").input_value() == "0", start_over


def test_the_picture_stays_where_it_is_while_the_bias_moves(cliff):
    canvas = cliff.page.locator("[data-lab='cliff'] .stage .canvas").first
    before = canvas.bounding_box()
    for bias in ("0.1", "0.558", "0.9", "1.2"):
        cliff.type_number("Bias b", bias)
        cliff.page.wait_for_timeout(250)
        assert canvas.bounding_box() == before


def test_the_first_update_moves_nothing_on_a_projector(visitor):
    visitor.page.set_viewport_size({"width": 1280, "height": 720})
    visitor.open("?lab=cliff&preset=on-the-cliff")
    canvases = visitor.page.locator("[data-lab='cliff'] .stage .canvas")
    before = [canvas.bounding_box() for canvas in canvases.all()]
    visitor.page.click("[data-lab='cliff'] [aria-label='One step forward']")
    visitor.see("[data-sentence='cliff'] >> text=After 1 update")
    visitor.page.wait_for_timeout(700)
    assert [canvas.bounding_box() for canvas in canvases.all()] == before
    assert before[-1]["y"] + before[-1]["height"] <= 720


@pytest.mark.parametrize(
    "query",
    [
        "?lab=cliff&self_weight=4&steps=100&learning_rate=1",
        "?lab=cliff&self_weight=0.5&steps=1&start=0&target=0&bias=0",
        "?lab=cliff&target=1&start=1&bias=1.2&clip_norm=10&update=60",
    ],
)
def test_extreme_settings_leave_a_living_page(visitor, query):
    visitor.open(query)
    assert "NaN" not in visitor.page.inner_text("[data-lab='cliff']")
    visitor.page.click("[data-action='fit'] >> visible=true")
    visitor.page.click("[data-action='reset'] >> visible=true")
    visitor.wait_readout("cliff.gradient", -3.978, rel=0.001)
