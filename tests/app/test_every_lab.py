"""What each lab's page keeps to: it can be read at each size, resets, pins, saves. Opened once a lab for all of it."""

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.app.conftest import PROJECTOR, visits
from tests.app.rest import come_to_rest
from widgets.catalogue import LABS
from widgets.cost.plots import CLOCK
from widgets.cost.sentences import NOT_MEASURED

SETTING = ".controls input[type=range]"
SIZES = [(1280, 720), (1920, 1080), (390, 844)]
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}


@pytest.fixture(scope="module", params=LABS, ids=lambda lab: lab.slug)
def lab(request):
    return request.param


@pytest.fixture(scope="module")
def on_projector(lab, contexts, served):
    with visits(contexts, served.url) as visit:
        yield visit().open(f"?lab={lab.slug}")


@pytest.fixture(scope="module")
def on_phone(lab, contexts, served):
    with visits(contexts, served.url) as visit:
        yield visit(**PHONE).open(f"?lab={lab.slug}")


@pytest.fixture
def visitor(on_projector):
    """The lab's page as it was opened: each test leaves its settings and folds as it found them."""
    on_projector.page.set_viewport_size(PROJECTOR)
    on_projector.page.evaluate("scrollTo(0, 0)")
    yield on_projector
    assert not on_projector.faults


def in_lab(visitor, lab, selector: str):
    return visitor.page.locator(f"[data-lab='{lab.slug}'] {selector}")


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


def test_a_page_can_be_read_and_fits_each_size(visitor, lab):
    """No text is smaller than 16 px, a projector shows the essentials, and nothing scrolls sideways."""
    assert visitor.page.evaluate(SMALL_TEXT) == []
    for part in (".sentence", ".chips", ".stage figure:first-child .canvas"):
        box = in_lab(visitor, lab, part).first.bounding_box()
        assert box["y"] + box["height"] <= 720, part
    for width, height in SIZES:
        visitor.page.set_viewport_size({"width": width, "height": height})
        come_to_rest(visitor.page)
        assert visitor.page.evaluate("document.scrollingElement.scrollWidth") <= width


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious(visitor, theme):
    assert visitor.page.evaluate("document.documentElement.dataset.theme") == "light"
    come_to_rest(visitor.page)
    if theme == "dark":
        visitor.page.click("[data-action='theme']")
        visitor.page.wait_for_timeout(500)  # colours change bit by bit
    found = Axe().run(visitor.page).response["violations"]
    assert visitor.page.evaluate("document.documentElement.dataset.theme") == theme
    if theme == "dark":
        visitor.page.click("[data-action='theme']")
    serious = [
        (v["id"], v["help"], [n["target"] for n in v["nodes"]][:5])
        for v in found
        if v["impact"] in ("serious", "critical")
    ]
    assert not serious, serious


def test_reset_brings_every_setting_back(visitor, lab):
    before, preset = visitor.sentence(), lab.presets[-1].name
    in_lab(visitor, lab, f"[data-preset='{preset}']").click()
    visitor.page.wait_for_function("name => location.search.includes('preset=' + name)", arg=preset)
    in_lab(visitor, lab, "[data-action='reset']").click()
    visitor.page.wait_for_url(f"**/app?lab={lab.slug}")
    visitor.page.wait_for_timeout(200)
    assert visitor.sentence() == before


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


def test_a_pin_moves_nothing_and_is_named_near_its_button_beneath_the_advice(visitor, lab):
    pins, pin = in_lab(visitor, lab, ".pins li"), in_lab(visitor, lab, "[data-action='pin']")
    advice = in_lab(visitor, lab, ".look-for")
    # What is measured on the server takes its note away when it comes.
    expect(in_lab(visitor, lab, ".notes").filter(has_text=NOT_MEASURED[False])).to_have_count(
        0, timeout=60_000
    )
    for width, height in SIZES:
        visitor.page.set_viewport_size({"width": width, "height": height})
        visitor.page.wait_for_timeout(400)
        before = visitor.page.evaluate(WHERE, lab.slug)
        for number in (1, 2):
            pin.click()
            expect(pins).to_have_count(number, timeout=15_000)
            assert visitor.page.evaluate(WHERE, lab.slug) == before
        distances = [abs(pins.nth(n).bounding_box()["y"] - pin.bounding_box()["y"]) for n in (0, 1)]
        assert max(distances) < 100  # on a phone two rows of buttons may lie between
        expect(advice).to_be_visible()
        box = advice.bounding_box()
        assert pins.first.bounding_box()["y"] >= box["y"] + box["height"] - 1
        if (width, height) == SIZES[0]:
            canvas = in_lab(visitor, lab, ".stage .canvas >> visible=true").last.bounding_box()
            assert canvas["y"] + canvas["height"] <= height
        for letter in "AB":
            in_lab(visitor, lab, f"[aria-label='Remove pin {letter}']").click()
        expect(pins).to_have_count(0, timeout=15_000)
        assert visitor.page.evaluate(WHERE, lab.slug) == before


def test_data_and_picture_can_be_saved(visitor, lab):
    with visitor.page.expect_download() as csv:
        in_lab(visitor, lab, "[data-action='csv']").click()
    text = Path(csv.value.path()).read_text(encoding="utf-8")
    assert text.startswith("# Long Gap")
    assert len(text.splitlines()) > 5
    with visitor.page.expect_download() as png:
        in_lab(visitor, lab, "[data-action='png']").click()
    assert Path(png.value.path()).read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def test_the_data_table_opens_and_follows(visitor, lab):
    details = in_lab(visitor, lab, "details:has(.data)")
    folded = not details.evaluate("e => e.open")
    if folded:
        details.locator("summary").click()
    in_lab(visitor, lab, ".data th").first.wait_for()
    # What is measured on the server may have come meanwhile.
    rows = in_lab(visitor, lab, ".data tbody tr").filter(has_not_text=CLOCK)
    assert rows.count() == len(lab().compute().table.rows)
    if folded:
        details.locator("summary").click()


def test_on_a_phone_the_plot_leaves_with_the_settings(on_phone, lab):
    """What comes after the settings is not read under a plot that stays."""
    plot = in_lab(on_phone, lab, ".stage > .plot").first

    def end_of_the_plot() -> float:
        box = plot.bounding_box()
        return box["y"] + box["height"]

    for part, right in ((SETTING, lambda end: end > 200), (".readouts", lambda end: end <= 0)) * 2:
        in_lab(on_phone, lab, part).first.evaluate("e => e.scrollIntoView({block: 'center'})")
        for _ in range(40):
            if right(end_of_the_plot()):
                break
            on_phone.page.wait_for_timeout(50)
        assert right(end_of_the_plot()), part


def test_the_plot_stays_in_view_on_a_phone(on_phone, lab):
    assert on_phone.page.evaluate("document.scrollingElement.scrollWidth") == 390
    for fold in in_lab(on_phone, lab, "details.folded").all():
        fold.evaluate("e => { e.open = true }")
    # Those that move nothing, as the settings are, are out of sight.
    for slider in in_lab(on_phone, lab, "input[type=range] >> visible=true").all():
        slider.scroll_into_view_if_needed()
        slider.evaluate("e => e.scrollIntoView({block: 'center'})")
        plot = in_lab(on_phone, lab, ".stage figure:first-child .canvas")
        # One that had left with the settings comes back a moment after they do.
        for _ in range(40):
            if _is_seen_above(plot.bounding_box(), slider.bounding_box()):
                break
            on_phone.page.wait_for_timeout(50)
        assert _is_seen_above(plot.bounding_box(), slider.bounding_box()), slider.get_attribute("aria-label")


def _is_seen_above(plot: dict, slider: dict) -> bool:
    end = plot["y"] + plot["height"]
    return plot["y"] >= -5 and end <= 844 and slider["y"] >= end - 30
