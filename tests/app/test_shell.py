"""The shell in a real browser: addresses, history, navigation, theme, links."""

import pytest
from playwright.sync_api import expect

from app import address
from tests.app.rest import come_to_rest
from widgets.catalogue import LABS

FIND = """(selector) => {
  const find = (root) => root.querySelector(selector)
    ?? [...root.querySelectorAll("*")].map((node) => node.shadowRoot && find(node.shadowRoot)).find((node) => node)
  return find(document)
}"""
"""Playwright waits a moment before it clicks; a click from within the page does not."""


def test_bare_address_opens_the_first_lab(visitor):
    visitor.open()
    assert visitor.page.locator(f"[data-lab='{LABS[0].slug}']").is_visible()
    assert visitor.page.title() == f"{LABS[0].title} · Long Gap"


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.slug)
def test_every_preset_opens(visitor, lab):
    """The last one from its address, the others by a click."""
    names = [preset.name for preset in lab.presets]
    visitor.open(f"?lab={lab.slug}&preset={names[-1]}")
    for name in reversed(names):
        chip = visitor.page.locator(f"[data-lab='{lab.slug}'] [data-preset='{name}']")
        if name != names[-1]:
            chip.click()
        visitor.see(f"[data-preset='{name}'][aria-pressed='true']")
        come_to_rest(visitor.page)
        assert visitor.page.locator("[data-lab] .notices p >> visible=true").count() == 0
        assert visitor.sentence()


def test_settings_are_in_force_before_the_first_draw(visitor):
    visitor.page.add_init_script(
        "window.seen = []; new MutationObserver(() => {"
        "  const find = (root) => { for (const e of root.querySelectorAll('*')) {"
        "    if (e.dataset?.readout === 'echo.reference') window.seen.push(e.dataset.value);"
        "    if (e.shadowRoot) find(e.shadowRoot) } };"
        "  find(document) }).observe(document, {subtree: true, childList: true})"
    )
    visitor.open("?lab=echo&weight=1.5&steps=20")
    visitor.wait_readout("echo.reference", 1.5**19)
    assert {v for v in visitor.page.evaluate("window.seen") if v} <= {str(visitor.readout("echo.reference"))}


def test_a_setting_beats_the_preset(visitor):
    visitor.open("?lab=echo&preset=growing&steps=10")
    assert visitor.readout("echo.start_sensitivity") == pytest.approx(1.5**10)


def test_the_address_follows_the_settings_without_adding_to_the_history(visitor):
    visitor.open("?lab=echo")
    before = visitor.page.evaluate("history.length")
    visitor.type_number("Recurrent weight w", "0.8")
    visitor.page.wait_for_url("**/app?lab=echo&weight=0.8")
    visitor.type_number("Steps T", "30")
    visitor.page.wait_for_url("**/app?lab=echo&weight=0.8&steps=30")
    assert visitor.page.evaluate("history.length") == before
    visitor.page.reload()
    visitor.see("[data-readout]")
    visitor.wait_readout("echo.reference", 0.8**29)


MORE_LABS = f"""(number) => {{
  const nav = ({FIND})("nav")
  for (let n = 0; n < number; n++) {{ nav.append(nav.lastChild.cloneNode(true)) }}
}}"""


def boxes(visitor, *selectors: str) -> list[dict]:
    return [visitor.page.locator(selector).first.bounding_box() for selector in selectors]


def is_within(inner: dict, outer: dict) -> bool:
    return outer["x"] <= inner["x"] and inner["x"] + inner["width"] <= outer["x"] + outer["width"] + 1


@pytest.mark.parametrize("width", [800, 1280, 1920])
def test_the_header_stays_one_row_however_many_labs_there_are(visitor, width):
    visitor.page.set_viewport_size({"width": width, "height": 720})
    visitor.open(f"?lab={LABS[-1].slug}")
    nav, present = boxes(visitor, "nav", "nav [aria-current]")
    assert is_within(present, nav)
    parts = ("header", ".tools", "nav")
    before = [(box["y"], box["height"]) for box in boxes(visitor, *parts)]
    for more in (1, 20):
        visitor.page.evaluate(MORE_LABS, more)
        assert [(box["y"], box["height"]) for box in boxes(visitor, *parts)] == before
        assert visitor.page.evaluate("document.scrollingElement.scrollWidth") <= width
    visitor.page.locator("[data-action='copy-link']").focus()
    visitor.page.keyboard.press("Shift+Tab")
    last = visitor.page.locator("nav a").last
    expect(last).to_be_focused()
    assert is_within(last.bounding_box(), boxes(visitor, "nav")[0])


def test_the_present_lab_stays_in_view_in_a_row_that_becomes_narrow(visitor):
    visitor.page.set_viewport_size({"width": 1920, "height": 720})
    visitor.open(f"?lab={LABS[-1].slug}")
    visitor.page.set_viewport_size({"width": 800, "height": 720})
    come_to_rest(visitor.page)
    nav, present = boxes(visitor, "nav", "nav [aria-current]")
    assert is_within(present, nav)


def test_a_copied_link_moves_nothing_in_the_header(visit):
    visitor = visit(permissions=["clipboard-read", "clipboard-write"]).open("?lab=echo")
    before = boxes(visitor, "header", "nav", "[data-action='copy-link']")
    visitor.page.click("[data-action='copy-link']")
    visitor.see("text=Link copied")
    assert boxes(visitor, "header", "nav", "[data-action='copy-link']") == before


@pytest.mark.skipif(len(LABS) < 2, reason="needs two labs")
def test_back_goes_to_the_lab_before_with_its_settings(visitor):
    first, second = LABS[0].slug, LABS[1].slug
    visitor.open(f"?lab={first}&weight=0.8")
    visitor.page.click(f"[data-nav='{second}']")
    visitor.see(f"[data-lab='{second}'] >> visible=true")
    visitor.page.wait_for_url(f"**/app?lab={second}*")
    assert not visitor.page.locator(f"[data-lab='{first}']").is_visible()
    visitor.page.go_back()
    visitor.see(f"[data-lab='{first}'] >> visible=true")
    assert not visitor.page.locator(f"[data-lab='{second}']").is_visible()
    assert visitor.readout("echo.reference") == pytest.approx(0.8**3)
    assert visitor.page.url.endswith(f"?lab={first}&weight=0.8")
    visitor.page.go_forward()
    visitor.see(f"[data-lab='{second}'] >> visible=true")


def test_a_change_of_the_last_moment_goes_into_the_link_and_the_history(visit):
    visitor = visit(permissions=["clipboard-read", "clipboard-write"])
    visitor.open("?lab=echo")
    copy, leave = (
        f'({FIND})("{place}").click()' for place in ("[data-action='copy-link']", "[data-nav='brackets']")
    )
    visitor.slider("Recurrent weight w").focus()
    visitor.page.keyboard.press("ArrowRight")
    visitor.page.evaluate(copy)
    visitor.see("text=Link copied")
    assert "weight=0.51&" in visitor.page.evaluate("navigator.clipboard.readText()")
    visitor.page.keyboard.press("ArrowRight")
    visitor.page.evaluate(leave)
    visitor.page.wait_for_url("**/app?lab=brackets")
    visitor.page.go_back()
    visitor.page.wait_for_url("**/app?lab=echo&weight=0.52")
    visitor.wait_readout("echo.reference", 0.52**3, rel=1e-9)
    visitor.slider("Recurrent weight w").focus()
    visitor.page.keyboard.press("ArrowRight")
    visitor.page.evaluate("history.forward()")
    visitor.page.wait_for_url("**/app?lab=brackets")
    visitor.page.go_back()
    visitor.page.wait_for_url("**/app?lab=echo&weight=0.53")


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("?lab=echo&weight=banana", "weight: expected a number"),
        ("?lab=echo&weight=nan", "weight: expected a number"),
        ("?lab=echo&weight=", "weight: expected a number"),
        ("?lab=echo&weight=99", "weight: expected a number from −2 to 2"),
        ("?lab=echo&weight=1&weight=2", "weight: given more than once"),
        ("?lab=echo&weight=" + "9" * 5000, "weight: expected"),
        ("?lab=echo&steps=²", "steps: expected a whole number"),
        ("?lab=echo&activation=<b>x</b>", "activation: expected one of"),
        ("?lab=echo&lab=jacobians", "more than one lab"),
        ("?lab=echo&preset=no-such", "no preset “no-such”"),
        ("?lab=echo&preset=<img src=x onerror=alert(1)>", "no preset"),
    ],
)
def test_a_bad_value_is_told_and_costs_no_other_setting(query, said):
    visit = address.read(address.parse_search(query + "&pulse=2"))
    assert said in " ".join(visit.notices)
    assert "pulse" not in " ".join(visit.notices)
    assert visit.lab.pulse == 2


@pytest.mark.parametrize(
    ("query", "said"),
    [
        (
            "&weight=banana&start=nan&steps=²&activation=<b>x</b>",
            ("weight: expected a number", "start: expected a number", "steps: expected a whole number",
             "activation: expected one of"),
        ),
        ("&weight=&start=99", ("weight: expected a number", "start: expected a number from −1 to 1")),
        (
            "&lab=jacobians&preset=no-such&weight=1&weight=2&start=" + "9" * 5000,
            ("more than one lab", "no preset “no-such”", "weight: given more than once", "start: expected"),
        ),
        ("&preset=<img src=x onerror=alert(1)>&weight=99", ("no preset", "weight: expected a number from −2 to 2")),
    ],
)  # fmt: skip
def test_bad_values_cost_neither_the_page_nor_another_setting(visitor, query, said):
    visitor.open(f"?lab=echo{query}&pulse=2")
    notice = visitor.page.inner_text(".notices >> visible=true")
    for words in said:
        assert words in notice
    assert "pulse" not in notice
    assert visitor.page.locator(".notices :is(b, img)").count() == 0
    expect(visitor.typed("Pulse x₁")).to_have_value("2")


@pytest.mark.parametrize(
    "query", ["?n=²", "?n=" + "9" * 5000, "?a=b?c", "?lab=echo&%ff=%fe", "?&&&=", "?theme=dark&x"]
)
def test_hostile_addresses_still_open_the_page(visitor, query):
    visitor.open(query)
    assert visitor.readout("echo.last_state") == pytest.approx(0.0896, abs=5e-5)


@pytest.mark.parametrize(
    "query", ["?lab=no-such", "?lab=<script>alert(1)</script>", "?lab=no-such&lab=echo", "?lab="]
)
def test_an_unknown_lab_shows_the_list(visitor, query):
    visitor.open(query, ready="main.missing")
    assert visitor.page.evaluate("decodeURIComponent(location.search)") == query
    assert visitor.page.locator("main.missing li").count() == len(LABS)
    assert visitor.page.inner_text("main.missing [role=alert]")
    visitor.page.click(f"main.missing a:has-text('{LABS[0].title}')")
    visitor.see("[data-readout] >> visible=true")


def test_copy_link_gives_an_address_that_names_every_setting(visit):
    visitor = visit(permissions=["clipboard-read", "clipboard-write"])
    visitor.open("?lab=echo&weight=0.8")
    visitor.page.click("[data-action='copy-link']")
    visitor.see("text=Link copied")
    link = visitor.page.evaluate("navigator.clipboard.readText()")
    query = address.parse_search("?" + link.split("?")[1])
    assert set(query) == {"lab", *LABS[0].settings()}
    assert query["weight"] == ["0.8"]


def test_theme_is_kept_and_follows_the_system_at_first(visit):
    visitor = visit(color_scheme="dark").open()
    theme = "document.documentElement.dataset.theme"
    assert visitor.page.evaluate(theme) == "dark"
    visitor.page.click("[data-action='theme']")
    assert visitor.page.evaluate(theme) == "light"
    visitor.page.reload()
    visitor.see("[data-readout]")
    assert visitor.page.evaluate(theme) == "light"


def test_the_page_has_a_language_a_name_and_fits_a_phone(visitor):
    visitor.open()
    assert visitor.page.get_attribute("html", "lang") == "en"
    assert "width=device-width" in visitor.page.get_attribute("meta[name=viewport]", "content")
