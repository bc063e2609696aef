"""What every lab's page does, in a real browser."""

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from widgets.catalogue import LABS
from widgets.cost.plots import CLOCK

SLUGS = [lab.slug for lab in LABS]
SIZES = [(1280, 720), (1920, 1080), (390, 844)]


def test_a_dragged_slider_leads_to_the_right_readout(visitor):
    visitor.open("?lab=echo&preset=knife-edge")
    visitor.drag("Recurrent weight w", 1.0)
    visitor.wait_readout("echo.reference", 2.0**29)
    assert float(visitor.typed("Recurrent weight w").input_value()) == 2


def test_arrow_keys_move_a_slider_and_the_typed_number_agrees(visitor):
    visitor.open("?lab=echo")
    visitor.slider("Recurrent weight w").focus()
    for _ in range(10):
        visitor.page.keyboard.press("ArrowRight")
    visitor.wait_readout("echo.reference", 0.6**3)
    assert float(visitor.typed("Recurrent weight w").input_value()) == 0.6


@pytest.mark.parametrize(
    ("text", "weight"), [("1.25", 1.25), ("99", 2), ("-99", -2), ("abc", 0.5), ("", 0.5)]
)
def test_a_typed_number_is_taken_or_mended(visitor, text, weight):
    visitor.open("?lab=echo")
    visitor.type_number("Recurrent weight w", text)
    visitor.wait_readout("echo.reference", abs(weight) ** 3)
    visitor.page.wait_for_timeout(300)
    assert float(visitor.typed("Recurrent weight w").input_value()) == weight


def test_arrow_down_in_the_typed_number_stops_at_the_bound(visitor):
    visitor.open("?lab=echo&steps=3")
    visitor.typed("Steps T").focus()
    for _ in range(4):
        visitor.page.keyboard.press("ArrowDown")
    visitor.wait_readout("echo.reference", 0.5)
    visitor.page.wait_for_timeout(300)
    assert visitor.typed("Steps T").input_value() == "2"


@pytest.mark.parametrize("slug", SLUGS)
def test_reset_brings_every_setting_back(visitor, slug):
    lab = next(lab for lab in LABS if lab.slug == slug)
    visitor.open(f"?lab={slug}")
    before = visitor.sentence()
    visitor.page.click(f"[data-lab='{slug}'] [data-preset='{lab.presets[-1].name}']")
    visitor.page.wait_for_function(
        "([slug, name]) => document.querySelector('*') && location.search.includes('preset=' + name)",
        arg=[slug, lab.presets[-1].name],
    )
    visitor.page.click(f"[data-lab='{slug}'] [data-action='reset']")
    visitor.page.wait_for_url(f"**/app?lab={slug}")
    visitor.page.wait_for_timeout(200)
    assert visitor.sentence() == before


def test_pins_keep_the_curves_with_their_settings(visitor):
    visitor.open("?lab=echo&weight=0.8")
    visitor.page.click("[data-action='pin']")
    visitor.page.wait_for_selector(".pins li >> text=Recurrent weight w = 0.8")
    visitor.type_number("Recurrent weight w", "0.3")
    visitor.page.click("[data-action='pin']")
    visitor.page.wait_for_selector(".pins li >> text=Recurrent weight w = 0.3")
    visitor.page.click("[data-action='pin']")
    visitor.page.wait_for_timeout(400)
    assert visitor.page.locator(".pins li").count() == 2
    visitor.page.click("[aria-label='Remove pin B']")
    visitor.page.wait_for_timeout(400)
    assert visitor.page.locator(".pins li").count() == 1


WHERE = """(slug) => {
  scrollTo(0, 0) // the first figure of a phone sticks
  const inner = (e) => e.shadowRoot ? find(e.shadowRoot) : []
  const find = (root) => [...root.querySelectorAll("*")].flatMap((e) => [e, ...inner(e)])
  const lab = find(document).find((e) => e.dataset?.lab === slug)
  const parts = lab.querySelectorAll(".chips, .advice, .actions button, .stage .canvas, .readouts, .controls")
  return [...parts].filter((e) => e.checkVisibility()).map((e) => {
    const {x, y, width, height} = e.getBoundingClientRect()
    return [e.dataset.action ?? e.className, ...[x, y + scrollY, width, height].map(Math.round)].join(" ")
  })
}"""


@pytest.mark.parametrize("slug", SLUGS)
def test_a_pin_moves_nothing_and_is_named_near_its_button(visitor, slug):
    visitor.open(f"?lab={slug}")
    pins = visitor.page.locator(f"[data-lab='{slug}'] .pins li")
    pin = visitor.page.locator(f"[data-lab='{slug}'] [data-action='pin']")
    for width, height in SIZES:
        visitor.page.set_viewport_size({"width": width, "height": height})
        visitor.page.wait_for_timeout(400)
        before = visitor.page.evaluate(WHERE, slug)
        for number in (1, 2):
            pin.click()
            expect(pins).to_have_count(number, timeout=15_000)
            assert visitor.page.evaluate(WHERE, slug) == before
        distances = [abs(pins.nth(n).bounding_box()["y"] - pin.bounding_box()["y"]) for n in (0, 1)]
        assert max(distances) < 100  # on a phone two rows of buttons may lie between
        for letter in "AB":
            visitor.page.click(f"[data-lab='{slug}'] [aria-label='Remove pin {letter}']")
        expect(pins).to_have_count(0)
        assert visitor.page.evaluate(WHERE, slug) == before


@pytest.mark.parametrize("slug", SLUGS)
def test_data_and_picture_can_be_saved(visitor, slug):
    visitor.open(f"?lab={slug}")
    with visitor.page.expect_download() as csv:
        visitor.page.click(f"[data-lab='{slug}'] [data-action='csv']")
    text = Path(csv.value.path()).read_text(encoding="utf-8")
    assert text.startswith("# Long Gap")
    assert len(text.splitlines()) > 5
    with visitor.page.expect_download() as png:
        visitor.page.click(f"[data-lab='{slug}'] [data-action='png']")
    assert Path(png.value.path()).read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


@pytest.mark.parametrize("slug", SLUGS)
def test_the_data_table_opens_and_follows(visitor, slug):
    visitor.open(f"?lab={slug}")
    details = visitor.page.locator(f"[data-lab='{slug}'] details:has(.data)")
    if not details.evaluate("e => e.open"):
        details.locator("summary").click()
    visitor.page.wait_for_selector(f"[data-lab='{slug}'] .data th")
    lab = next(lab for lab in LABS if lab.slug == slug)
    # What is measured on the server may have come meanwhile.
    rows = visitor.page.locator(f"[data-lab='{slug}'] .data tbody tr").filter(has_not_text=CLOCK)
    assert rows.count() == len(lab().compute().table.rows)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("slug", SLUGS)
def test_axe_finds_nothing_serious(visit, slug, theme):
    visitor = visit(color_scheme=theme).open(f"?lab={slug}")
    visitor.page.wait_for_timeout(500)
    found = Axe().run(visitor.page).response["violations"]
    serious = [
        (v["id"], v["help"], [n["target"] for n in v["nodes"]][:5])
        for v in found
        if v["impact"] in ("serious", "critical")
    ]
    assert not serious, serious


SMALL_TEXT = """() => {
  const small = []
  const look = (root) => {
    for (const e of root.querySelectorAll('*')) {
      const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim())
      if (own && e.checkVisibility() && !['STYLE', 'SCRIPT', 'TITLE', 'SUB', 'SUP'].includes(e.tagName)) {
        // offsetWidth is rounded: of a single letter, half a pixel is a tenth.
        const width = e.getBoundingClientRect().width
        const scale = e.offsetWidth ? Math.min(1, (width + 0.5) / e.offsetWidth) : 1
        const size = parseFloat(getComputedStyle(e).fontSize) * scale
        const seen = getComputedStyle(e).visibility !== 'hidden'
        if (size < 15.2 && seen) small.push([e.tagName, e.textContent.slice(0, 30), size])
      }
      if (e.shadowRoot) look(e.shadowRoot)
    }
  }
  look(document.body)
  return small
}"""


@pytest.mark.parametrize("slug", SLUGS)
def test_a_page_can_be_read_and_fits_each_size(visitor, slug):
    """No text is smaller than 16 px, a projector shows the essentials, and nothing scrolls sideways."""
    visitor.open(f"?lab={slug}")
    assert visitor.page.evaluate(SMALL_TEXT) == []
    lab = visitor.page.locator(f"[data-lab='{slug}']")
    for part in (".sentence", ".chips", ".stage figure:first-child .canvas"):
        box = lab.locator(part).first.bounding_box()
        assert box["y"] + box["height"] <= 720, part
    for width, height in SIZES:
        visitor.page.set_viewport_size({"width": width, "height": height})
        visitor.page.wait_for_timeout(200)
        assert visitor.page.evaluate("document.scrollingElement.scrollWidth") <= width


@pytest.mark.parametrize("slug", SLUGS)
def test_the_plot_stays_in_view_on_a_phone(visit, slug):
    visitor = visit(viewport={"width": 390, "height": 844}, has_touch=True).open(f"?lab={slug}")
    lab = visitor.page.locator(f"[data-lab='{slug}']")
    assert visitor.page.evaluate("document.scrollingElement.scrollWidth") == 390
    for fold in lab.locator("details.folded").all():
        fold.evaluate("e => { e.open = true }")
    for slider in lab.locator("input[type=range]").all():
        slider.scroll_into_view_if_needed()
        slider.evaluate("e => e.scrollIntoView({block: 'center'})")
        plot = lab.locator(".stage figure:first-child .canvas").bounding_box()
        assert plot["y"] >= -5
        assert plot["y"] + plot["height"] <= 844
        assert slider.bounding_box()["y"] >= plot["y"] + plot["height"] - 30


@pytest.mark.parametrize("slug", SLUGS)
def test_on_a_phone_the_plot_leaves_with_the_settings(visit, slug):
    """What comes after the settings is not read under a plot that stays."""
    visitor = visit(viewport={"width": 390, "height": 844}, has_touch=True).open(f"?lab={slug}")
    lab = visitor.page.locator(f"[data-lab='{slug}']")
    plot = lab.locator(".stage > .plot").first

    def end_of_the_plot_with(part: str) -> float:
        lab.locator(part).first.evaluate("e => e.scrollIntoView({block: 'center'})")
        visitor.page.wait_for_timeout(400)
        box = plot.bounding_box()
        return box["y"] + box["height"]

    assert end_of_the_plot_with(".controls input[type=range]") > 200
    assert end_of_the_plot_with(".readouts") <= 0
    assert end_of_the_plot_with(".controls input[type=range]") > 200


def test_a_burst_ends_on_the_last_value(visitor):
    visitor.open("?lab=echo")
    visitor.slider("Recurrent weight w").evaluate(
        """async (input) => {
          const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set
          for (let i = 0; i < 200; i++) {
            set.call(input, (i % 100) / 100); input.dispatchEvent(new Event('input', {bubbles: true}))
            await new Promise((r) => setTimeout(r, 5))
          }
          set.call(input, 1.5); input.dispatchEvent(new Event('input', {bubbles: true}))
        }"""
    )
    visitor.wait_readout("echo.reference", 1.5**3)


def test_two_visitors_do_not_share_settings(visit):
    one, two = visit().open("?lab=echo"), visit().open("?lab=echo")
    one.type_number("Recurrent weight w", "1.5")
    one.wait_readout("echo.reference", 1.5**3)
    assert two.readout("echo.reference") == pytest.approx(0.5**3)


def test_a_field_takes_one_number_after_the_other(visitor):
    visitor.open("?lab=echo")
    visitor.type_number("Recurrent weight w", "1")
    visitor.wait_readout("echo.reference", 1.0)
    for text, weight in (("0.25", 0.25), ("−1,5", 1.5), ("0.8", 0.8)):
        visitor.typed("Recurrent weight w").fill(text)
        visitor.typed("Recurrent weight w").press("Enter")
        visitor.wait_readout("echo.reference", weight**3)


@pytest.mark.parametrize(("label", "text", "kept"), [("Steps T", "", 4), ("Recurrent weight w", "abc", 0.5)])
def test_what_is_no_number_is_said_and_the_old_one_stays(visitor, label, text, kept):
    visitor.open("?lab=echo")
    visitor.type_number(label, text)
    visitor.page.wait_for_selector(".notices >> text=expected")
    assert float(visitor.typed(label).input_value()) == kept
    assert visitor.readout("echo.reference") == 0.125


def test_arrow_keys_raise_no_notice(visitor):
    visitor.open("?lab=jacobians")
    visitor.slider("Start scale").focus()
    for _ in range(12):
        visitor.page.keyboard.press("ArrowRight")
    visitor.page.wait_for_timeout(700)
    assert visitor.page.locator(".notices p >> visible=true").count() == 0


@pytest.mark.parametrize(("label", "text"), [("Steps T", ""), ("Recurrent weight w", "-")])
def test_a_field_that_is_left_without_a_number_keeps_the_old_one(visitor, label, text):
    visitor.open("?lab=echo")
    visitor.typed(label).click()
    visitor.page.wait_for_timeout(150)
    visitor.typed(label).fill(text)
    visitor.page.keyboard.press("Tab")
    visitor.page.wait_for_selector(".notices >> text=expected")
    assert visitor.readout("echo.reference") == 0.125
