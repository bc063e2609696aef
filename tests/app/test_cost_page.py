"""The cost lab in a real browser: counts under the hand, the sentence under its window, and a clock beside the page."""

import pytest

from widgets.cost import lanterns
from widgets.cost.lab import CostLab


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
    visitor.page.locator("[data-lab='cost'] summary", has_text="biases").click()
    visitor.page.get_by_role("button", name="two", exact=True).click()
    visitor.wait_readout("cost.total", 99_840, rel=1e-9)
    assert "learns 99,840 numbers" in visitor.sentence()


def wholly_in_view(visitor, control) -> bool:
    box = control.bounding_box()
    return box["y"] >= 0 and box["y"] + box["height"] <= visitor.page.viewport_size["height"]


def test_what_a_preset_asks_for_is_in_view_and_answers(visitor):
    visitor.open("?lab=cost&preset=both-ways")
    assert "2,000 steps wait in a row, with attention 2." in visitor.sentence()
    one_way = visitor.page.get_by_role("button", name="1", exact=True)
    assert wholly_in_view(visitor, one_way)
    one_way.click()
    visitor.wait_readout("cost.in_a_row", 1001, rel=1e-9)
    assert "1,001 steps wait in a row, with attention 2." in visitor.sentence()
    visitor.open("?lab=cost&preset=tied")
    tied = visitor.page.get_by_text("Tied", exact=True).locator("visible=true").first
    assert wholly_in_view(visitor, tied)
    work, learnt = visitor.readout("cost.step"), visitor.readout("cost.total")
    tied.click()
    visitor.wait_readout("cost.total", learnt + 6_500_000, rel=1e-9)
    assert visitor.readout("cost.step") == work


def test_below_the_stage_a_window_networks_picture_has_the_row_to_itself(visit):
    """It is lower than others, which beside one would leave a hole above it."""
    visitor = visit(viewport={"width": 1920, "height": 1080}).open("?lab=cost")
    network = visitor.page.locator("figure[aria-label^='A window network']")
    assert visitor.page.locator(".stage", has=network).count() == 0
    boxes = [
        f.bounding_box()
        for f in visitor.page.locator("[data-lab='cost'] .more figure.plot >> visible=true").all()
    ]
    box = network.bounding_box()
    assert [other for other in boxes if abs(other["y"] - box["y"]) < box["height"] / 2] == [box]
    assert (
        box["width"]
        == visitor.page.locator(f"figure[aria-label^='{lanterns.TITLE}']").bounding_box()["width"]
    )
    legend, canvas = (network.locator(part).bounding_box() for part in (".legend", ".canvas"))
    assert canvas["y"] - legend["y"] - legend["height"] < 24


def test_a_dragged_width_moves_the_crossing_along(visitor):
    visitor.open("?lab=cost")
    visitor.drag("Hidden size dₕ", 1.0)
    visitor.wait_readout("cost.crossing", (128 + 3 * 1024) / 2 + 1, rel=1e-9)
    assert visitor.readout("cost.recurrent") == shown(hidden_size=1024)["recurrent"]
    assert f"{4 * (128 * 1024 + 1024**2 + 1024):,} of them in its recurrent layer" in visitor.sentence()


def stage(visitor) -> list[str]:
    """The titles of what stands beside the controls."""
    return visitor.page.locator("[data-lab='cost'] .stage figure > figcaption > strong").all_inner_texts()


def shown_columns(visitor, source: str) -> dict:
    return visitor.page.evaluate(
        """(name) => {
          const models = [...Bokeh.documents[0]._all_models.values()]
          const {data} = models.find((m) => m.type === 'ColumnDataSource' && m.name === name)
          return Object.fromEntries(Object.entries(data).map(([column, held]) => [column, [...held]]))
        }""",
        source,
    )


def test_the_window_is_scrubbed_until_it_sees_the_noun(visitor):
    visitor.open("?lab=cost&preset=window-of-five")
    assert stage(visitor) == ["The sentence under the window", "A window network"]
    canvas = visitor.page.locator(".stage .canvas").first.bounding_box()
    assert canvas["y"] + canvas["height"] < 500
    slider = visitor.slider("Fixed window n")
    slider.focus()
    for _ in range(3):
        visitor.page.keyboard.press("ArrowRight")
    visitor.wait_readout("cost.noun", 1)
    assert visitor.page.inner_text("[data-readout='cost.noun']") == "yes"
    assert "A window of 8 words sees “lanterns”" in visitor.sentence()
    assert shown_columns(visitor, "view")["left"][0] == pytest.approx(lanterns.view(8)["left"][0])
    assert visitor.page.locator(".stage .canvas").first.bounding_box() == canvas


PLACE = """([x, y]) => {
  const plot = [...Bokeh.documents[0]._all_models.values()].find((m) => m.type === 'Figure'
    && m.renderers.some((r) => r.data_source.name === 'words'))
  const view = Bokeh.index.find_one(plot), box = view.el.getBoundingClientRect()
  return [box.left + view.frame.x_scale.compute(x), box.top + view.frame.y_scale.compute(y)]
}"""
"""Where in the window a place of the sentence's figure is."""


@pytest.mark.parametrize(("width", "prefix"), [(1280, ""), (390, "narrow_")])
def test_a_click_on_a_word_lets_the_window_reach_back_to_it(visit, width, prefix):
    visitor = visit(viewport={"width": width, "height": 844}).open("?lab=cost&preset=window-of-five")
    columns = lanterns.words()
    place = columns[f"{prefix}x"][7], columns[f"{prefix}y"][7]
    assert columns["word"][7] == "lanterns"
    for _ in range(20):
        # A figure that has just been drawn may miss the first click.
        visitor.page.mouse.click(*visitor.page.evaluate(PLACE, place))
        visitor.page.wait_for_timeout(300)
        if visitor.readout("cost.noun"):
            break
    assert "A window of 8 words sees" in visitor.sentence()
    visitor.page.wait_for_url("**window=8*")


def test_what_is_looked_at_comes_onto_the_stage_and_the_rest_stays_below(visitor):
    visitor.open("?lab=cost")
    figures = visitor.page.locator("[data-lab='cost'] figure.plot")
    number = figures.count()
    assert stage(visitor) == ["Parameters"]
    for picture, title in (
        ("time", "By the clock"),
        ("memory", "Memory of the past"),
        ("weights", "Parameters"),
    ):
        visitor.open(f"?lab=cost&picture={picture}")
        assert stage(visitor) == [title]
    menu = visitor.page.get_by_role("combobox", name="Look at")
    menu.press("ArrowDown")
    visitor.page.wait_for_timeout(400)
    for key in ("Home", "ArrowDown", "Enter"):
        visitor.page.keyboard.press(key)
    visitor.see(".stage figure[aria-label^='Work of a token']")
    assert stage(visitor) == ["Work of a token"]
    assert figures.count() == number
    assert visitor.sentence().startswith("From token 449 on, attention takes more work")
    visitor.drag("Length T", 1.0)
    visitor.wait_readout("cost.attention_token", shown(length=10_000)["attention_token"], rel=1e-9)
    assert shown_columns(visitor, "length")["t"] == [4]
    box = visitor.page.locator(".stage .canvas canvas").first.bounding_box()
    assert box["height"] > 300


def test_readouts_stand_under_headings_and_other_labs_as_before(visitor):
    visitor.open("?lab=cost")
    headings = visitor.page.locator("[data-lab='cost'] .group h2").all_inner_texts()
    assert headings == list(dict.fromkeys(r.group for r in CostLab().compute().readouts))
    group = visitor.page.locator("[data-lab='cost'] .group", has_text="In sequence")
    assert group.locator("dl").get_attribute("aria-label") == "In sequence"
    assert group.locator("dd").all_inner_texts() == ["1,000", "1"]
    visitor.open("?lab=echo")
    assert visitor.page.locator("[data-lab='echo'] .all-readouts > dl.readouts").count() == 1
    assert visitor.page.locator("[data-lab='echo'] .group").count() == 0


def test_the_cells_are_timed_again_at_the_press_of_a_button(visitor):
    visitor.open("?lab=cost&picture=time")
    button = visitor.page.locator("[data-action='time']")
    wait_for_the_clock(visitor)
    visitor.see("[data-action='time'][aria-disabled='false'] >> text=Time again", seconds=60)
    assert not visitor.page.locator("[data-lab='cost'] .run").is_visible()
    place = button.bounding_box()
    before = visitor.page.inner_text("[data-readout='cost.measured']")
    button.click()
    visitor.see("[data-action='time'][aria-disabled='true'] >> text=Timing")
    assert visitor.page.inner_text("[data-readout='cost.measured']") == before
    assert button.bounding_box() == place
    visitor.see("[data-action='time'] >> text=Time again", seconds=60)
    assert visitor.page.inner_text("[data-readout='cost.measured']").endswith("µs")


def test_the_clock_comes_by_itself_and_moves_nothing(visitor):
    places = """() => {
      const found = []
      const look = (root) => root.querySelectorAll('*').forEach((e) => {
        if (e.matches('.plot .canvas, .readouts > div, .comparison')) {
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
    visitor.see("[data-readout='cost.measured'] >> text=µs", seconds=20)


@pytest.mark.parametrize("end", [0, 1])
def test_extreme_settings_leave_a_living_page(visitor, end):
    ends = {name: s.bounds[end] for name, s in CostLab.settings().items() if hasattr(s, "bounds")}
    query = "&".join(f"{name}={value}" for name, value in ends.items())
    visitor.open(f"?lab=cost&{query}&directions=2&biases=two&tied=yes")
    assert "NaN" not in visitor.page.inner_text("[data-lab='cost']")
    # Without a vocabulary, which is its lower end, there is nothing in it.
    assert visitor.page.locator("figure[aria-label^='A table of words']").is_visible() is (end == 1)
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
