"""What every lab's page does under the hand, in a real browser: sliders, typed numbers, pins, a burst."""

import pytest
from playwright.sync_api import expect

from tests.app.conftest import kept_open

opened = kept_open("echo")


@pytest.fixture
def echo(opened):
    opened.start_over("echo")
    opened.wait_readout("echo.reference", 0.125)
    expect(opened.page.locator(".notices p")).to_have_count(0)
    yield opened
    assert not opened.faults


def test_a_dragged_slider_leads_to_the_right_readout(visitor):
    visitor.open("?lab=echo&preset=knife-edge")
    visitor.drag("Recurrent weight w", 1.0)
    visitor.wait_readout("echo.reference", 2.0**29)
    assert float(visitor.typed("Recurrent weight w").input_value()) == 2


def test_arrow_keys_move_a_slider_and_the_typed_number_agrees(echo):
    echo.slider("Recurrent weight w").focus()
    for _ in range(10):
        echo.page.keyboard.press("ArrowRight")
    echo.wait_readout("echo.reference", 0.6**3)
    assert float(echo.typed("Recurrent weight w").input_value()) == 0.6


@pytest.mark.parametrize(
    ("text", "weight"), [("1.25", 1.25), ("99", 2), ("-99", -2), ("abc", 0.5), ("", 0.5)]
)
def test_a_typed_number_is_taken_or_mended(echo, text, weight):
    echo.type_number("Recurrent weight w", text)
    echo.wait_readout("echo.reference", abs(weight) ** 3)
    echo.page.wait_for_timeout(300)
    assert float(echo.typed("Recurrent weight w").input_value()) == weight


def test_arrow_down_in_the_typed_number_stops_at_the_bound(visitor):
    visitor.open("?lab=echo&steps=3")
    visitor.typed("Steps T").focus()
    for _ in range(4):
        visitor.page.keyboard.press("ArrowDown")
    visitor.wait_readout("echo.reference", 0.5)
    visitor.page.wait_for_timeout(300)
    assert visitor.typed("Steps T").input_value() == "2"


def test_pins_keep_the_curves_with_their_settings(visitor):
    visitor.open("?lab=echo&weight=0.8")
    visitor.page.click("[data-action='pin']")
    visitor.see(".pins li >> text=Recurrent weight w = 0.8")
    visitor.type_number("Recurrent weight w", "0.3")
    visitor.page.click("[data-action='pin']")
    visitor.see(".pins li >> text=Recurrent weight w = 0.3")
    visitor.page.click("[data-action='pin']")
    visitor.page.wait_for_timeout(400)
    assert visitor.page.locator(".pins li").count() == 2
    visitor.page.click("[aria-label='Remove pin B']")
    visitor.page.wait_for_timeout(400)
    assert visitor.page.locator(".pins li").count() == 1


def test_a_burst_ends_on_the_last_value(echo):
    echo.slider("Recurrent weight w").evaluate(
        """async (input) => {
          const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set
          for (let i = 0; i < 200; i++) {
            set.call(input, (i % 100) / 100); input.dispatchEvent(new Event('input', {bubbles: true}))
            await new Promise((r) => setTimeout(r, 5))
          }
          set.call(input, 1.5); input.dispatchEvent(new Event('input', {bubbles: true}))
        }"""
    )
    echo.wait_readout("echo.reference", 1.5**3)


def test_two_visitors_do_not_share_settings(visit):
    one, two = visit().open("?lab=echo"), visit().open("?lab=echo")
    one.type_number("Recurrent weight w", "1.5")
    one.wait_readout("echo.reference", 1.5**3)
    assert two.readout("echo.reference") == pytest.approx(0.5**3)


def test_a_field_takes_one_number_after_the_other(echo):
    echo.type_number("Recurrent weight w", "1")
    echo.wait_readout("echo.reference", 1.0)
    for text, weight in (("0.25", 0.25), ("−1,5", 1.5), ("0.8", 0.8)):
        echo.typed("Recurrent weight w").fill(text)
        echo.typed("Recurrent weight w").press("Enter")
        echo.wait_readout("echo.reference", weight**3)


@pytest.mark.parametrize(("label", "text", "kept"), [("Steps T", "", 4), ("Recurrent weight w", "abc", 0.5)])
def test_what_is_no_number_is_said_and_the_old_one_stays(echo, label, text, kept):
    echo.type_number(label, text)
    echo.see(".notices >> text=expected")
    assert float(echo.typed(label).input_value()) == kept
    assert echo.readout("echo.reference") == 0.125


@pytest.mark.parametrize(
    ("label", "text", "expected", "shown"),
    [
        ("Steps T", "7,5", "a whole number", 8),
        ("Steps T", "7.4", "a whole number", 7),
        ("Steps T", "4.4", "a whole number", 4),
        ("Steps T", "1e999", "a whole number", 100),
        ("Steps T", "1e30", "a whole number", 100),
        ("Recurrent weight w", "−7,50", "a number from −2 to 2", -2),
    ],
)
def test_what_a_control_cannot_take_is_quoted_as_it_was_typed(echo, label, text, expected, shown):
    echo.type_number(label, text)
    echo.see(
        f".notices >> text={label}: expected {expected}, got “{text}”. The nearest value that it can take is shown."
    )
    echo.page.wait_for_timeout(300)
    assert float(echo.typed(label).input_value()) == shown


def test_arrow_keys_raise_no_notice(visitor):
    visitor.open("?lab=jacobians")
    visitor.slider("Start scale").focus()
    for _ in range(12):
        visitor.page.keyboard.press("ArrowRight")
    visitor.page.wait_for_timeout(700)
    assert visitor.page.locator(".notices p >> visible=true").count() == 0


@pytest.mark.parametrize(("label", "text"), [("Steps T", ""), ("Recurrent weight w", "-")])
def test_a_field_that_is_left_without_a_number_keeps_the_old_one(echo, label, text):
    echo.typed(label).click()
    echo.page.wait_for_timeout(150)
    echo.typed(label).fill(text)
    echo.page.keyboard.press("Tab")
    echo.see(".notices >> text=expected")
    assert echo.readout("echo.reference") == 0.125
