"""The slider over logarithms: by mouse, finger, key and typed number, in the browser."""

import pytest

from tests.app.conftest import kept_open

WIDTH, VOCABULARY, CLIP = "Hidden size dₕ", "Vocabulary V", "Clip norm"


opened = kept_open("cost")


@pytest.fixture
def cost(opened):
    opened.start_over("cost")
    yield opened
    assert not opened.faults


def value(visitor, label: str) -> float:
    return float(visitor.slider(label).input_value())


def test_the_middle_of_the_way_is_the_geometric_mean(cost):
    cost.drag(WIDTH, 0.5)
    assert value(cost, WIDTH) == 32  # of 1 and 1,024
    # (128·32 + 32² + 32)·4 weights in one LSTM layer.
    cost.wait_readout("cost.recurrent", 20_608)
    cost.drag(WIDTH, 1)
    assert value(cost, WIDTH) == 1024
    cost.drag(WIDTH, 0)
    assert value(cost, WIDTH) == 1


def test_a_scale_from_zero_has_room_for_zero(cost):
    cost.drag(VOCABULARY, 0)
    assert value(cost, VOCABULARY) == 0
    cost.slider(VOCABULARY).press("ArrowUp")
    assert value(cost, VOCABULARY) == 1
    cost.slider(VOCABULARY).press("ArrowDown")
    assert value(cost, VOCABULARY) == 0
    assert cost.slider(VOCABULARY).get_attribute("aria-valuetext") == "0"


def test_keys_stop_at_two_digits_and_powers_of_two(cost):
    for start, key, stop in (
        (256, "ArrowRight", 260),
        (250, "ArrowRight", 256),
        (260, "ArrowLeft", 256),
        (256, "ArrowLeft", 250),
        (100, "ArrowDown", 99),
        (99, "ArrowUp", 100),
        (7, "ArrowUp", 8),
        (1, "ArrowDown", 1),
        (1024, "ArrowUp", 1024),
        (128, "PageUp", 256),
        (128, "PageDown", 64),
        (600, "PageUp", 1024),
        (1, "PageDown", 1),
        (300, "Home", 1),
        (300, "End", 1024),
    ):
        cost.type_number(WIDTH, str(start))
        cost.slider(WIDTH).press(key)
        assert (start, key, value(cost, WIDTH)) == (start, key, stop)


def test_a_typed_number_is_taken_whole_and_shown_with_its_thousands(cost):
    field = cost.typed("Length T")
    assert field.input_value() == "1,000"
    cost.type_number("Length T", "1234")
    assert value(cost, "Length T") == 1234
    cost.slider("Length T").focus()
    assert field.input_value() == "1,234"
    field.click()
    assert field.input_value() == "1234"
    field.press("ArrowUp")
    assert field.input_value() == "1300"


def test_what_cannot_be_taken_is_named(cost):
    for typed, taken in (
        ("12000", 10_000),
        ("0", 1),
        ("none", 1),
        ("", 1),
        ("2.5", 3),
        ("0x10", 3),
        ("1e30", 10_000),
    ):
        cost.type_number("Length T", typed)
        cost.see(f".notices p:has-text('got “{typed}”') >> visible=true")
        assert (typed, value(cost, "Length T")) == (typed, taken)


def test_presets_address_and_reset_move_it(cost):
    cost.page.click("[data-lab=cost] .chip:text-is('One layer, 65 to 128') >> visible=true")
    cost.page.wait_for_function("location.search.includes('one-layer')")
    assert (value(cost, WIDTH), value(cost, VOCABULARY)) == (128, 0)
    cost.page.click("[data-preset=tied]")
    cost.page.wait_for_function("location.search.includes('tied')")
    assert value(cost, WIDTH) == 650
    cost.page.click("[data-action=reset] >> visible=true")
    cost.wait_readout("cost.total", 4_244_240)
    assert value(cost, WIDTH) == 256


def test_a_fraction_stops_at_two_digits_and_keeps_what_is_typed(visit):
    visitor = visit()
    visitor.open("?lab=cliff")
    slider = visitor.slider(CLIP)
    assert value(visitor, CLIP) == 0.1
    slider.press("ArrowUp")
    assert value(visitor, CLIP) == 0.11
    slider.press("PageUp")
    assert value(visitor, CLIP) == 0.22
    visitor.type_number(CLIP, "0.0375")
    assert value(visitor, CLIP) == 0.0375
    visitor.page.wait_for_function("location.search.includes('clip_norm=0.0375')")
    visitor.drag(CLIP, 2 / 3)
    assert value(visitor, CLIP) == 1


def test_a_finger_moves_it_on_a_phone(visit):
    visitor = visit(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    visitor.open("?lab=cost")
    slider = visitor.slider(WIDTH)
    slider.scroll_into_view_if_needed()
    track = slider.locator("xpath=ancestor::span[@class='track']").bounding_box()
    assert track["height"] >= 42
    visitor.page.touchscreen.tap(track["x"] + track["width"] / 2, track["y"] + 21)
    visitor.wait_readout("cost.recurrent", 20_608)
    assert value(visitor, WIDTH) == 32


def test_thousands_are_read_as_they_are_written(cost):
    for typed, taken in (("2,500", 2500), ("10,000", 10_000), ("1 234", 2500), ("1,5", 2)):
        cost.type_number("Length T", "2500")
        cost.type_number("Length T", typed)
        assert (typed, value(cost, "Length T")) == (typed, taken)
    cost.type_number("Layers L", "1,000")
    cost.see(".notices p:has-text('Layers L: expected a whole number, got “1,000”') >> visible=true")
    assert value(cost, "Layers L") == 8


def middle_of_the_handle(visitor, label: str) -> tuple[float, float]:
    box = visitor.slider(label).locator("xpath=..").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_press_on_the_handle_keeps_the_value_and_draws_no_ring(cost):
    cost.type_number(WIDTH, "777")
    x, y = middle_of_the_handle(cost, WIDTH)
    cost.page.mouse.move(x + 4, y)
    cost.page.mouse.down()
    cost.page.mouse.up()
    assert value(cost, WIDTH) == 777
    outline = "(node) => getComputedStyle(node.parentElement).outlineStyle"
    assert cost.slider(WIDTH).evaluate(outline) == "none"
    cost.page.keyboard.press("ArrowUp")
    assert value(cost, WIDTH) == 780
    assert cost.slider(WIDTH).evaluate(outline) == "solid"


def test_keys_of_the_browser_stay_the_browsers(cost):
    for keys in ("Control+Home", "Alt+ArrowLeft", "Control+PageDown"):
        assert cost.slider(WIDTH).evaluate(
            """(node, [key, modifier]) => node.dispatchEvent(new KeyboardEvent("keydown",
              {key, [modifier]: true, bubbles: true, cancelable: true}))""",
            [keys.split("+")[1], {"Control": "ctrlKey", "Alt": "altKey"}[keys.split("+")[0]]],
        )
    assert value(cost, WIDTH) == 256


def test_an_arrow_goes_on_from_what_is_typed_and_escape_gives_it_up(cost):
    field = cost.typed("Length T")
    field.click()
    field.fill("300")
    field.press("ArrowUp")
    assert value(cost, "Length T") == 310
    field.fill("77")
    field.press("Escape")
    assert (field.input_value(), value(cost, "Length T")) == ("310", 310)


def test_a_field_that_was_not_edited_takes_nothing_when_it_is_left(cost):
    cost.typed(WIDTH).click()
    cost.page.evaluate(
        "history.replaceState(null, '', '?lab=cost'); dispatchEvent(new PopStateEvent('popstate'))"
    )
    cost.page.click("[data-preset='one-layer']")
    cost.page.wait_for_function("location.search.includes('one-layer')")
    cost.typed(WIDTH).click()
    cost.page.keyboard.press("Tab")
    assert value(cost, WIDTH) == 128


def test_a_finger_that_scrolls_the_page_moves_no_slider(visit):
    visitor = visit(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    visitor.open("?lab=cost")
    visitor.slider(WIDTH).scroll_into_view_if_needed()
    x, y = middle_of_the_handle(visitor, WIDTH)
    x -= 120
    before = visitor.page.evaluate("scrollY")
    fingers = visitor.page.context.new_cdp_session(visitor.page)
    fingers.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for step in range(1, 12):
        point = {"x": x, "y": y - 20 * step}
        fingers.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    visitor.page.wait_for_timeout(300)
    assert visitor.page.evaluate("scrollY") > before + 50
    assert value(visitor, WIDTH) == 256
