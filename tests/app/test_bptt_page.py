"""The BPTT lab in a real browser: a loss clicked, a cut, a check, texts of all kinds."""

import pytest

from tests.app.rest import come_to_rest
from widgets.bptt.lab import AGREEMENT, BpttLab

LAB = "[data-lab='bptt']"
ROW = """(t) => {
  const plot = [...Bokeh.documents[0]._all_models.values()].find((m) => m.type === 'Figure'
    && m.renderers.some((r) => r.data_source.name === 'tiles'))
  const view = Bokeh.index.find_one(plot), box = view.el.getBoundingClientRect(), frame = view.frame
  return [box.left + frame.x_scale.compute(0.8), box.top + frame.y_scale.compute(t)]
}"""
TILES = """() => {
  const sources = [...Bokeh.documents[0]._all_models.values()].filter((m) => m.name === 'tiles')
  return sources[0].data.s.length
}"""


def row(visitor, loss: int) -> tuple[float, float]:
    """Where the row of a loss lies, once the figure has its place."""
    visitor.page.wait_for_timeout(700)
    return visitor.page.evaluate(ROW, loss)


def text_field(visitor):
    return visitor.page.get_by_role("textbox", name="Text to read")


def test_each_preset_opens_and_says_that_nothing_is_trained(visitor):
    """The last one from its address, the others by a click."""
    names = [preset.name for preset in BpttLab.presets]
    visitor.open(f"?lab=bptt&preset={names[-1]}")
    for name in reversed(names):
        if name != names[-1]:
            visitor.page.click(f"{LAB} [data-preset='{name}']")
        visitor.see(f"[data-preset='{name}'][aria-pressed='true']")
        come_to_rest(visitor.page)
        assert visitor.sentence().startswith("Random "), name
        assert "nothing has been trained" in visitor.page.inner_text(f"{LAB} .notes"), name
        assert "NaN" not in visitor.page.inner_text(LAB), name


def test_a_click_on_a_loss_walks_its_error_back(visitor):
    visitor.open("?lab=bptt")
    visitor.page.mouse.click(*row(visitor, 5))
    visitor.page.wait_for_url("**loss_step=5*")
    assert visitor.typed("Loss followed t").input_value() == "5"
    assert f"loss 5 (“{AGREEMENT.split()[5]}”)" in visitor.sentence()
    lab = BpttLab()
    lab.adopt(loss_step=5)
    wanted = {r.key: r.value for r in lab.compute().readouts}
    visitor.wait_readout("bptt.first_error", wanted["first_error"])
    visitor.page.mouse.click(*row(visitor, 2))
    visitor.page.wait_for_url("**loss_step=2*")


def test_a_dragged_cut_blanks_tiles_and_shows_what_it_costs(visitor):
    visitor.open("?lab=bptt")
    assert visitor.page.evaluate(TILES) == 91
    visitor.drag("Truncation K", 0.0)
    visitor.wait_readout("bptt.stored_truncated", 16)
    lab = BpttLab()
    lab.adopt(truncation=1)
    wanted = {r.key: r.value for r in lab.compute().readouts}
    visitor.wait_readout("bptt.relative_error", wanted["relative_error"])
    visitor.wait_readout("bptt.cosine", wanted["cosine"])
    assert visitor.page.evaluate(TILES) == 13


def test_the_check_runs_at_the_button_and_grows_stale(visitor):
    visitor.open("?lab=bptt&cell=lstm")
    check = visitor.page.locator(f"{LAB} .check")
    assert check.locator("td").count() == 0
    check.get_by_role("button", name="Check the gradients numerically").press("Enter")
    check.locator("td").first.wait_for()
    text = check.inner_text()
    assert text.count("agrees") == 6
    assert "differs" not in text
    assert "have changed" not in text
    visitor.type_number("Seed", "3")
    check.get_by_text("settings have changed").wait_for()
    check.get_by_role("button").click()
    check.get_by_text("seed 3").wait_for()
    assert "have changed" not in check.inner_text()


def test_the_side_by_side_table_follows(visitor):
    visitor.open("?lab=bptt")
    table = visitor.page.locator(f"{LAB} .comparison")
    table.locator("td").first.wait_for()
    assert "size 16" in table.inner_text()
    visitor.type_number("Hidden size", "8")
    table.get_by_text("size 8").wait_for()


def test_typing_keeps_the_last_loss_and_an_empty_text_says_what_is_needed(visitor):
    visitor.open("?lab=bptt")
    field = text_field(visitor)
    field.fill("")
    visitor.see("[data-sentence] >> text=type at least two words")
    field.press_sequentially("one two three ", delay=20)
    visitor.see("[data-sentence] >> text=loss 2 (“three”)")
    assert field.input_value() == "one two three "
    assert visitor.typed("Truncation K").input_value() == "2"
    assert visitor.page.evaluate(TILES) == 3


def test_a_preset_pressed_before_a_typed_text_has_come_to_rest_is_in_force(visitor):
    visitor.open("?lab=bptt")
    text_field(visitor).fill("a b c d e f g h")
    visitor.page.click("[data-preset='truncated']")
    visitor.page.wait_for_url("**preset=truncated")
    visitor.page.wait_for_timeout(600)
    assert visitor.page.get_attribute("[data-preset='truncated']", "aria-pressed") == "true"
    assert visitor.page.inner_text(f"{LAB} .look-for").startswith("With K = 4")


def test_markup_stays_text_under_the_pointer_too(visitor):
    visitor.open("?lab=bptt&text=%3Cb%3Ex%3C%2Fb%3E+%3Cimg%2Fsrc%3Dx%3E+%26amp%3B+end")
    visitor.page.mouse.move(*row(visitor, 1))
    values = visitor.page.locator(".bk-Tooltip b")
    values.first.wait_for()
    assert values.all_inner_texts() == ["1 “<img/src=x>”", "1 “<b>x</b>”", "0"]
    assert visitor.page.locator("img[src=x]").count() == 0


def test_too_many_words_are_cut_with_a_notice(visitor):
    visitor.open("?lab=bptt")
    text_field(visitor).fill("word " * 50)
    visitor.see(".notices >> text=40 words")
    assert len(text_field(visitor).input_value().split()) == 40
    visitor.wait_readout("bptt.stored", 39 * 16)
    visitor.open("?lab=bptt&truncation=3&text=" + "+".join(["word"] * 50))
    assert "40 words" in visitor.page.inner_text(".notices >> visible=true")
    visitor.wait_readout("bptt.stored_truncated", 3 * 16)


@pytest.mark.parametrize(
    "query",
    [
        "text=", "text=one", "text=two+words", "text=a+a+a+a&hidden_size=4&spectral_radius=0.1",
        "hidden_size=64&spectral_radius=1.5&cell=gru&text=" + "+".join("abcdefghijklmnopqrstuvwxyz" * 2),
        "cell=rnn&heat_map=c", "cell=lstm&heat_map=c&truncation=1&loss_step=1",
    ],
)  # fmt: skip
def test_extreme_settings_leave_a_living_page(visitor, query):
    visitor.open(f"?lab=bptt&{query}", ready="[data-sentence]")
    assert visitor.sentence()
    assert "NaN" not in visitor.page.inner_text(LAB)
    for action in ("fit", "pin", "check", "reset"):
        visitor.page.click(f"{LAB} [data-action='{action}']")
    visitor.wait_readout("bptt.stored", 13 * 16)


def test_a_bad_value_costs_no_other_setting(visitor):
    visitor.open("?lab=bptt&cell=elman&truncation=99&loss_step=²&spectral_radius=1.2")
    assert len(visitor.page.inner_text(".notices >> visible=true").splitlines()) >= 3
    assert float(visitor.slider("Spectral radius ρ").input_value()) == 1.2
    assert visitor.slider("Truncation K").input_value() == "13"


@pytest.mark.parametrize("width", [390, 1280])
def test_the_whole_sentence_stands_in_its_field_which_is_one_line(visit, width):
    visitor = visit(viewport={"width": width, "height": 844}).open("?lab=bptt")
    field = text_field(visitor)
    assert field.evaluate("e => e.scrollHeight <= e.clientHeight && e.scrollWidth <= e.clientWidth")
    field.press("Enter")
    visitor.page.wait_for_timeout(500)
    assert field.input_value() == AGREEMENT
    assert "text=" not in visitor.page.url
