"""The cost lab in a real browser: counts under the hand, the sentence under its window, and a clock beside the page."""

import pytest

from widgets.cost.lab import CostLab

WINDOW = "[data-passage='window'] li"


def shown(**settings) -> dict[str, float]:
    lab = CostLab()
    lab.adopt(**settings)
    return {r.key: r.value for r in lab.compute().readouts}


def wait_for_the_clock(visitor) -> None:
    visitor.page.wait_for_function(
        """() => {
          const find = (root) => [...root.querySelectorAll('*')].map((e) => e.dataset?.readout === 'cost.measured'
            ? e : e.shadowRoot && find(e.shadowRoot)).find(Boolean)
          return find(document)?.textContent.endsWith('µs')
        }""",
        timeout=60_000,
    )


def test_second_biases_are_one_choice_away(visitor):
    visitor.open("?lab=cost&preset=one-layer")
    assert visitor.page.inner_text("[data-readout='cost.total']") == "99,328"
    visitor.page.get_by_role("button", name="two", exact=True).click()
    visitor.wait_readout("cost.total", 99_840, rel=1e-9)
    assert "learns 99,840 numbers" in visitor.sentence()


def test_a_dragged_width_moves_the_crossing_along(visitor):
    visitor.open("?lab=cost")
    visitor.drag("Hidden size", 1.0)
    visitor.wait_readout("cost.crossing", (128 + 3 * 1024) / 2 + 1, rel=1e-9)
    assert visitor.readout("cost.recurrent") == shown(hidden_size=1024)["recurrent"]
    assert "from token 1,601 on" in visitor.sentence()


def test_the_window_is_scrubbed_until_it_sees_the_noun(visitor):
    visitor.open("?lab=cost&preset=window-of-five")
    window = visitor.page.locator(WINDOW).first
    assert "[wall behind the old mill]" in window.inner_text()
    height = visitor.page.locator("[data-passage='window']").bounding_box()["height"]
    slider = visitor.slider("Fixed window n")
    slider.focus()
    for _ in range(3):
        visitor.page.keyboard.press("ArrowRight")
    visitor.page.wait_for_selector(f"{WINDOW} >> text=[lanterns on the wall behind the old mill]")
    shaded = window.locator("code span")
    assert shaded.count() == 1
    assert shaded.inner_text() == "[lanterns on the wall behind the old mill]"
    assert visitor.page.locator("[data-passage='window']").bounding_box()["height"] == height
    assert "A window of 8 words sees the noun" in visitor.sentence()


def test_the_clock_comes_by_itself_and_moves_nothing(visitor):
    places = """() => {
      const found = []
      const look = (root) => root.querySelectorAll('*').forEach((e) => {
        if (e.matches('.plot .canvas, .readouts > div, .passage, .comparison')) {
          const {x, y, width, height} = e.getBoundingClientRect()
          found.push([x, y, width, height])
        }
        if (e.shadowRoot) look(e.shadowRoot)
      })
      look(document)
      return found
    }"""
    visitor.open("?lab=cost")
    visitor.page.locator(".comparison td").first.wait_for()
    before = visitor.page.evaluate(places)
    wait_for_the_clock(visitor)
    visitor.page.wait_for_timeout(600)
    assert visitor.page.evaluate(places) == before
    assert 1e-7 < visitor.readout("cost.measured") < 1
    assert "being timed" not in visitor.page.inner_text("[data-lab='cost']")
    # Kept: who comes later finds it there.
    visitor.page.reload()
    visitor.page.wait_for_selector("[data-readout='cost.measured'] >> text=µs", timeout=20_000)


@pytest.mark.parametrize("end", [0, 1])
def test_extreme_settings_leave_a_living_page(visitor, end):
    ends = {name: s.bounds[end] for name, s in CostLab.settings().items() if hasattr(s, "bounds")}
    query = "&".join(f"{name}={value}" for name, value in ends.items())
    visitor.open(f"?lab=cost&{query}&directions=2&biases=two&tied=yes")
    assert "NaN" not in visitor.page.inner_text("[data-lab='cost']")
    # Without a vocabulary, which is its lower end, there is nothing in it.
    assert visitor.page.locator("figure[aria-label^='A fixed window']").is_visible() is (end == 1)
    visitor.page.click("[data-action='fit'] >> visible=true")
    visitor.page.click("[data-action='pin'] >> visible=true")
    visitor.page.click("[data-action='reset'] >> visible=true")
    visitor.wait_readout("cost.total", shown()["total"], rel=1e-9)


def test_bad_values_in_the_address_cost_nothing_else(visitor):
    visitor.open("?lab=cost&biases=three&hidden_size=5000&length=²&cell=gru&layers=2")
    notices = visitor.page.inner_text(".notices >> visible=true")
    assert "biases: expected one of one, two" in notices
    assert "hidden_size: expected a number from 1 to 1024" in notices
    assert "length: expected a whole number" in notices
    assert visitor.readout("cost.total") == shown(cell="gru", layers=2)["total"]


def test_counts_under_the_pointer_are_whole(visitor):
    visitor.open("?lab=cost")
    figure = visitor.page.locator("figure[aria-label^='Parameters']")
    tip = visitor.page.locator(".bk-tooltip-content >> visible=true")
    box = figure.locator(".canvas").bounding_box()
    for move in range(40):
        # A figure that has just been drawn may miss the first of them.
        visitor.page.mouse.move(box["x"] + 0.6 * box["width"] + move % 2, box["y"] + 0.5 * box["height"])
        visitor.page.wait_for_timeout(200)
        if tip.count():
            break
    said = dict(line.rsplit(" ", 1) for line in tip.inner_text().splitlines() if line)
    n = int(said["dh"].replace(",", ""))
    assert said["LSTM"] == f"{4 * (128 * n + n * n + n):,}"
    assert said["embedding and softmax"] == f"{10_000 * (128 + n + 1):,}"
