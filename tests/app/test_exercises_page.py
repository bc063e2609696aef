"""The exercises lab in a real browser: its files are kept and copied as they are, and lead to the labs."""

from pathlib import Path

import pytest
from bokeh.models import ColumnDataSource

from core.exercises.contract import NAMES
from core.exercises.stubs import stub
from tests.app.rest import come_to_rest
from widgets.exercises.lab import ExerciseLab

LAB = "[data-lab='exercises']"
CODE = f"{LAB} [data-code='stub'] code"


def choose(visitor, exercise: str) -> None:
    visitor.page.get_by_label("Exercise", exact=True).click()
    visitor.page.get_by_role("listbox").get_by_text(exercise, exact=True).click()
    visitor.see(f"{LAB} [data-code='stub'] .caption >> text={exercise}.py")


def test_each_exercise_can_be_chosen_and_its_file_kept_as_it_is(visitor):
    visitor.open("?lab=exercises")
    body = visitor.page.locator(f"{LAB} [data-code='stub'] pre")
    for exercise in reversed(NAMES):
        body.evaluate("e => e.scrollTo(0, 200)")
        choose(visitor, exercise)
        assert body.evaluate("e => e.scrollTop") == 0
        assert visitor.page.locator(CODE).text_content() == stub(exercise)
        with visitor.page.expect_download() as kept:
            visitor.page.click(f"{LAB} [data-action='download-stub']")
        assert kept.value.suggested_filename == f"{exercise}.py"
        assert Path(kept.value.path()).read_text(encoding="utf-8") == stub(exercise)


def test_lines_are_copied_and_the_page_says_so(visit):
    visitor = visit(permissions=["clipboard-read", "clipboard-write"]).open("?lab=exercises&preset=gru")
    for block, expected in (("stub", stub("gru_cell")), ("student", None)):
        visitor.page.click(f"{LAB} [data-action='copy-{block}']")
        visitor.see(f"{LAB} [data-code='{block}'] [role=status] >> text=Copied")
        copied = visitor.page.evaluate("navigator.clipboard.readText()")
        shown = visitor.page.locator(f"{LAB} [data-code='{block}'] code").text_content()
        assert copied == shown
        assert expected is None or copied == expected


def test_lines_are_copied_where_a_page_may_not_reach_the_clipboard(visit):
    """As when it is opened by the server's address in the class room, over plain http."""
    visitor = visit(permissions=["clipboard-read", "clipboard-write"])
    visitor.page.add_init_script(
        "Object.defineProperty(Clipboard.prototype, 'writeText', {value: () => Promise.reject(new Error('no'))})"
    )
    visitor.open("?lab=exercises&exercise=lstm_cell")
    visitor.page.click(f"{LAB} [data-action='copy-stub']")
    visitor.see(f"{LAB} [data-code='stub'] [role=status] >> text=Copied")
    assert visitor.page.evaluate("navigator.clipboard.readText()") == stub("lstm_cell")


def test_a_block_can_be_reached_scrolled_and_selected_by_keyboard(visitor):
    visitor.open("?lab=exercises&exercise=rnn_bptt")
    body = visitor.page.get_by_role("region", name="rnn_bptt.py: its lines")
    visitor.page.locator(f"{LAB} [data-code='stub'] a").focus()
    visitor.page.keyboard.press("Tab")
    assert body.evaluate("e => e.matches(':focus-visible')")
    visitor.page.keyboard.press("End")
    visitor.page.wait_for_timeout(300)
    assert body.evaluate("e => e.scrollTop + e.clientHeight >= e.scrollHeight - 4")
    assert body.evaluate("e => getComputedStyle(e).userSelect") in ("text", "auto")
    assert "mono" in body.locator("code").evaluate("e => getComputedStyle(e).fontFamily").lower()
    assert body.evaluate("e => e.querySelector('*:not(code)')") is None


@pytest.mark.parametrize(("exercise", "lab"), [("rnn_bptt", "bptt"), ("gru_cell", "cells")])
def test_an_exercise_leads_to_the_lab_that_shows_its_mathematics(visitor, exercise, lab):
    visitor.open(f"?lab=exercises&exercise={exercise}")
    visitor.page.click(f"{LAB} [data-code='stub'] a")
    visitor.see(f"[data-lab='{lab}'] [data-readout] >> visible=true", seconds=20)
    assert visitor.page.locator(".notices p >> visible=true").count() == 0


def test_on_a_phone_a_block_scrolls_within_itself(visit):
    visitor = visit(viewport={"width": 390, "height": 844}, has_touch=True).open("?lab=exercises")
    assert visitor.page.evaluate("document.scrollingElement.scrollWidth") == 390
    for block in ("stub", "student", "teacher"):
        body = visitor.page.locator(f"{LAB} [data-code='{block}'] pre")
        box = body.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
        assert box["height"] <= 0.65 * 844
        for part in body.locator("xpath=..").locator("button >> visible=true").all():
            assert part.bounding_box()["height"] >= 44
    assert visitor.page.locator(f"{LAB} [data-code='stub'] pre").evaluate(
        "e => e.scrollWidth > e.clientWidth"
    )


def test_on_a_projector_the_file_begins_in_view_and_does_not_scroll_sideways(visitor):
    visitor.open("?lab=exercises")
    download = visitor.page.locator(f"{LAB} [data-action='download-stub']").bounding_box()
    assert download["y"] + download["height"] <= 720
    for preset in ("reading", "going-back", "lstm", "lstm-back", "gru"):
        visitor.page.click(f"{LAB} [data-preset='{preset}']")
        visitor.see(f"{LAB} [data-preset='{preset}'][aria-pressed='true']")
        come_to_rest(visitor.page)
        for block in ("stub", "report"):
            body = visitor.page.locator(f"{LAB} [data-code='{block}'] pre")
            assert body.evaluate("e => e.scrollWidth <= e.clientWidth"), (preset, block)


def test_the_first_length_has_a_tick_and_so_has_the_last_round_one(visitor):
    lab = ExerciseLab()
    sources = {name: ColumnDataSource(dict(c), name=name) for name, c in lab.compute().columns.items()}
    ticker = lab.plots(sources)[0].figure.xaxis.ticker
    visitor.open("?lab=exercises")
    ticks = visitor.page.evaluate(
        "([code, ends]) => ends.map((end) => new Function('cb_data', code)({end}))",
        [ticker.major_code, [1.5, 4.2, 10.5, 20.95, 52.5]],
    )
    assert ticks == [[1], [1, 2, 3, 4], [1, 2, 4, 6, 8, 10], [1, 5, 10, 15, 20], [1, 10, 20, 30, 40, 50]]


def test_a_line_that_is_gone_keeps_its_place_in_the_legend(visitor):
    visitor.open("?lab=exercises&preset=symmetry")
    legend = visitor.page.locator(f"{LAB} .legend li >> visible=true")
    assert legend.all_inner_texts() == [
        "○\nleaving out the transpose: no trace",
        "forgetting the error from t + 1",
        "off by as much as the result is large",
    ]


def test_a_mistake_is_hidden_by_hand_while_the_file_stays_where_it_was_read(visitor):
    visitor.open("?lab=exercises&preset=gru")
    body = visitor.page.locator(f"{LAB} [data-code='stub'] pre")
    body.evaluate("e => e.scrollTo(0, 200)")
    assert visitor.readout("exercises.solid") == pytest.approx(0.0934, rel=0.01)
    visitor.drag("Hidden size", 0)
    visitor.type_number("Hidden size", "1")
    visitor.wait_readout("exercises.solid", 0)
    visitor.see(f"{LAB} [data-sentence] >> text=cannot be seen")
    assert (
        visitor.page.locator(f"{LAB} .notes").inner_text().count("leaves no trace in hT at any length") == 1
    )
    assert body.evaluate("e => e.scrollTop") == 200


def test_a_bad_exercise_in_the_address_is_said_and_the_page_takes_no_code(visitor):
    visitor.open("?lab=exercises&exercise=<script>&steps=7")
    assert "exercise: expected one of rnn_forward" in visitor.page.inner_text(".notices >> visible=true")
    assert visitor.sentence().startswith("After 7 steps")
    assert visitor.page.locator(CODE).text_content() == stub("rnn_forward")
    assert "This page runs no code of yours" in visitor.page.locator(f"{LAB} .notes").inner_text()
    assert visitor.page.locator(f"{LAB} :is(input[type=file], textarea)").count() == 0
