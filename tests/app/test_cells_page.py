"""The cells lab in a real browser: terms are pointed at by mouse, key and finger, and the picture follows the hand."""

import pytest
from PIL import Image

from tests.app.conftest import kept_open

LAB = "[data-lab='cells']"

opened = kept_open("cells")


@pytest.fixture
def cells(opened):
    """The lab with its first settings, and nothing lit."""
    opened.page.mouse.move(5, 5)
    opened.page.keyboard.press("Escape")
    opened.page.evaluate("scrollTo(0, 0)")
    opened.start_over("cells")
    yield opened
    assert not opened.faults


def box(visitor, key: str):
    return visitor.page.locator(f"{LAB} .box[data-term='{key}']")


def lit(visitor) -> dict[str, set[str]]:
    """The terms that are lit in the picture, in the line beneath it, and in the arithmetic."""
    return {
        part: set(
            visitor.page.locator(f"{LAB} {part} [data-term].lit").evaluate_all(
                "nodes => nodes.map((n) => n.dataset.term)"
            )
        )
        for part in (".drawing", ".lit-line", ".arithmetic")
    }


def line(visitor) -> str:
    return visitor.page.inner_text(f"{LAB} .lit-line").replace("\u00a0", " ")


def only(key: str) -> dict[str, set[str]]:
    return {".drawing": {key}, ".lit-line": {key}, ".arithmetic": {key}}


def test_pointing_at_a_term_lights_it_in_picture_and_equations(cells):
    assert lit(cells) == {".drawing": set(), ".lit-line": set(), ".arithmetic": set()}
    assert "0.95·0.14 + 0.3·0.9" in line(cells)
    box(cells, "f.b").hover()
    assert lit(cells) == only("f.b")
    assert "Forget gate: bias: 1." in line(cells)
    written = cells.page.locator(f"{LAB} .arithmetic [data-term='kept']").first
    written.hover()
    assert lit(cells) == only("kept")
    joined = cells.page.locator(f"{LAB} .drawing g.lit").count()
    assert joined == 3, "from c and from f, and on to the new cell"


def test_terms_are_one_stop_of_the_tab_key_and_arrows_go_on(cells):
    assert cells.page.locator(f"{LAB} .box[tabindex='0']").count() == 1
    box(cells, "f").focus()
    assert lit(cells) == only("f")
    for key, term in (
        ("Right", "kept"),
        ("Down", "written"),
        ("Right", "c"),
        ("Right", "tanh"),
        ("Left", "c"),
    ):
        cells.page.keyboard.press(f"Arrow{key}")
        assert lit(cells) == only(term)
    cells.page.keyboard.press("Tab")
    assert lit(cells)[".drawing"] == set()
    cells.page.keyboard.press("Shift+Tab")
    assert lit(cells) == only("c")
    cells.page.get_by_role(
        "button", name="Forget gate, how much of the old cell state is kept: 0.950"
    ).wait_for()
    names = cells.page.locator(f"{LAB} .box").evaluate_all("nodes => nodes.map((n) => n.ariaLabel)")
    assert len(set(names)) == len(names)


def test_the_picture_follows_the_hand_and_keeps_the_focus(cells):
    box(cells, "c").click()
    cells.drag("LSTM forget gate at “sat”", 0.0)
    cells.wait_readout("cells.c", 0.01 * 0.14 + 0.27)
    assert box(cells, "kept").inner_text().split("\n")[-1] == "0.0014°"
    assert "0.01·0.14 + 0.3·0.9" in line(cells)
    thin = cells.page.locator(f"{LAB} .drawing g .way").evaluate_all(
        "n => n.map((w) => parseFloat(w.style.strokeWidth))"
    )
    assert min(width for width in thin if width == width) < 1.1


def test_a_number_that_gains_digits_moves_nothing_below_it(cells):
    """At 0.01 the old cell's share takes two more digits, and with it an equation two rows."""
    arithmetic = cells.page.locator(f"{LAB} .arithmetic")
    before = arithmetic.evaluate("(node) => node.offsetHeight")
    for share, value in ((0.0, 0.01), (1.0, 0.99)):
        cells.drag("LSTM forget gate at “sat”", share)
        cells.wait_readout("cells.c", value * 0.14 + 0.27)
        assert arithmetic.evaluate("(node) => node.offsetHeight") == before


def test_steps_are_played_and_the_preset_stays(visitor):
    visitor.open("?lab=cells&preset=the-cat-sat&step=1")
    visitor.page.click(f"{LAB} [aria-label='One step forward']")
    visitor.wait_readout("cells.c", 0.14)
    assert visitor.page.inner_text(f"{LAB} .diagram strong >> nth=0").endswith("step 2, “cat”, unit 2")
    assert visitor.page.get_attribute(f"{LAB} [data-preset='the-cat-sat']", "aria-pressed") == "true"


STANDING = """(drawing) => {
  const frame = drawing.getBoundingClientRect()
  const boxes = [...drawing.querySelectorAll(".box:not([hidden])")].map((node) => {
    const {left, right, top, bottom} = node.getBoundingClientRect()
    const text = Math.max(...[...node.children].map((line) => line.offsetWidth))
    return {term: node.dataset.term, left, right, top, bottom, text, room: node.clientWidth}
  })
  return [frame.toJSON(), boxes]
}"""


@pytest.mark.parametrize("size", [(1280, 720), (390, 844), (1000, 800)])
def test_no_box_covers_another_or_leaves_the_picture_in_any_of_the_pictures(visit, size):
    """In the wide picture of the GRU 3 sources, 3 rows of 6, and the old state, both products, the new one and r_1."""
    visitor = visit(viewport={"width": size[0], "height": size[1]}).open("?lab=cells")
    for preset, key, count in (
        ("the-cat-sat", "c", 3 + 4 * 6 + 6), ("written-over", "a.a", 9), ("reset", "r_other", 3 + 3 * 6 + 5),
        ("stacked", "upper.2", 9), ("both-ways", "both.1", 12),
    ):  # fmt: skip
        visitor.page.click(f"{LAB} [data-preset='{preset}']")
        box(visitor, key).wait_for(state="attached")
        assert visitor.page.locator(f"{LAB} .box").count() == count
        assert visitor.page.locator(f"{LAB} .box[tabindex='0'] >> visible=true").count() == 1
        visitor.page.wait_for_timeout(100)
        frame, boxes = visitor.page.locator(f"{LAB} .drawing").evaluate(STANDING)
        assert len(boxes) >= 9
        for n, one in enumerate(boxes):
            assert frame["left"] - 2 <= one["left"] < one["right"] <= frame["right"] + 2, one
            assert frame["top"] - 4 <= one["top"] < one["bottom"] <= frame["bottom"] + 4, one
            assert one["text"] <= one["room"] - 2, one
            for other in boxes[n + 1 :]:
                beside = one["right"] <= other["left"] + 1 or other["right"] <= one["left"] + 1
                assert beside or one["bottom"] <= other["top"] + 2 or other["bottom"] <= one["top"] + 2, (
                    one,
                    other,
                )


@pytest.mark.parametrize("size", [(1280, 720), (390, 844), (1920, 1080)])
def test_a_subscript_keeps_clear_of_the_number_beneath_it(visit, size):
    """Its letters, with the tail of a g, end with its line, or within a sixteenth of their size below it."""
    visitor = visit(viewport={"width": size[0], "height": size[1]}).open("?lab=cells")
    below = box(visitor, "g.a").evaluate("""(node) => {
      const [sub, line] = [node.querySelector("sub"), node.firstElementChild].map((n) => n.getBoundingClientRect())
      return (sub.bottom - line.bottom) / parseFloat(getComputedStyle(node).fontSize)
    }""")
    assert below <= 1 / 16


def test_the_light_goes_out_again(cells):
    """By Escape, when the pointer or the focus leaves, and by a press elsewhere; the arrows still know their place."""
    mouse, keyboard = cells.page.mouse, cells.page.keyboard
    away = {".drawing": set(), ".lit-line": set(), ".arithmetic": set()}
    box(cells, "h1").hover()
    assert lit(cells) == only("h1")
    keyboard.press("Escape")
    assert lit(cells) == away
    box(cells, "f").click()
    mouse.move(5, 5)
    assert lit(cells) == only("f")
    keyboard.press("Escape")
    assert lit(cells) == away
    keyboard.press("ArrowRight")
    assert lit(cells) == only("kept")
    keyboard.press("Tab")
    assert lit(cells) == away
    cells.page.locator(f"{LAB} .arithmetic [data-term='kept']").first.click()
    mouse.move(5, 5)
    assert lit(cells) == only("kept")
    cells.page.locator(f"{LAB} .sentence").click()
    assert lit(cells) == away


def test_what_a_finger_tapped_stays_lit_until_it_taps_again_or_elsewhere(visit):
    visitor = visit(viewport={"width": 390, "height": 844}, has_touch=True).open("?lab=cells")
    symbol = visitor.page.locator(f"{LAB} .arithmetic [data-term='f.a']").first
    away = {".drawing": set(), ".lit-line": set(), ".arithmetic": set()}
    for tapped in (box(visitor, "f.a"), symbol):
        for other in (tapped, visitor.page.locator(f"{LAB} .sentence")):
            tapped.tap()
            assert lit(visitor) == only("f.a")
            other.tap()
            assert lit(visitor) == away


def test_controls_of_another_cell_are_out_of_sight_and_keep_their_values(visitor):
    visitor.open("?lab=cells&forget_3=0.5&reset_bias=2")

    def shown(label: str) -> bool:
        return visitor.page.locator(f"{LAB} input[type=range][aria-label='{label}']").is_visible()

    forget, bias = "LSTM forget gate at “sat”", "GRU reset bias"
    fold = visitor.page.locator(f"{LAB} summary", has_text="LSTM: input gate")
    assert (shown(forget), shown(bias), fold.is_visible()) == (True, False, True)
    visitor.page.get_by_role("button", name="gru", exact=True).click()
    visitor.slider(bias).wait_for(state="visible")
    assert (shown(forget), fold.is_visible()) == (False, False)
    assert {"forget_3=0.5", "reset_bias=2", "cell=gru"} <= set(visitor.page.url.partition("?")[2].split("&"))
    visitor.page.get_by_role("button", name="rnn", exact=True).click()
    visitor.slider(bias).wait_for(state="hidden")
    assert not shown(forget)
    visitor.page.get_by_role("button", name="lstm", exact=True).click()
    visitor.slider(forget).wait_for(state="visible")
    assert float(visitor.typed(forget).input_value()) == 0.5


def test_the_data_table_begins_with_the_weights_as_formulas(cells):
    cells.page.locator(f"{LAB} summary", has_text="Data table").click()
    cell = cells.page.locator(f"{LAB} .data tbody tr").first.locator("td").nth(2)
    cell.wait_for()
    assert cell.inner_html() == "W<sub>f</sub>"


def test_a_finger_lights_a_term(visit):
    visitor = visit(viewport={"width": 390, "height": 844}, has_touch=True).open("?lab=cells")
    box(visitor, "f.a").tap()
    assert lit(visitor) == only("f.a")
    assert "what the sum" not in line(visitor)
    assert "a_f" not in line(visitor)
    assert "σ(" in line(visitor)


def test_the_saved_picture_holds_the_diagram(cells):
    """The edges of its boxes in the colour of an LSTM, 2 pixels wide, and the gates as they are filled."""
    with cells.page.expect_download() as png:
        cells.page.click(f"{LAB} [data-action='png']")
    picture = Image.open(png.value.path()).convert("RGB")
    upper = picture.crop((0, 0, picture.width, picture.height // 2))
    colours = {colour: count for count, colour in upper.getcolors(upper.width * upper.height)}
    assert colours[0x00, 0x67, 0xA3] > 1000
    filled = [
        count for (red, green, blue), count in colours.items() if (red, green, blue) == (0xBF, 0xD9, 0xE8)
    ]
    assert sum(filled) > 3000
