"""The dropout lab in a real browser: the class sees where noise may go, by one choice and one drag."""

import pytest


def figures(visitor) -> list[str]:
    captions = visitor.page.locator("[data-lab='dropout'] figure:visible figcaption strong")
    return captions.all_inner_texts()


def legend(visitor, figure: str) -> list[str]:
    keys = visitor.page.locator(f"figure[aria-label^='{figure}'] .legend li:visible")
    return [text.split("\n")[-1] for text in keys.all_inner_texts()]


@pytest.mark.parametrize("lab", ["dropout", "jacobians", "gates", "bptt"])
def test_presets_and_buttons_stand_in_one_row_on_a_projector(visit, lab):
    """1265 pixels are left of 1280 beside a scroll bar."""
    visitor = visit(viewport={"width": 1265, "height": 720}).open(f"?lab={lab}")
    tops = visitor.page.locator(f"[data-lab='{lab}'] .top button").evaluate_all(
        "nodes => nodes.map((n) => n.offsetTop)"
    )
    assert len(tops) >= 10
    assert len(set(tops)) == 1


def test_the_legend_takes_one_row_on_a_projector(visitor):
    visitor.open("?lab=dropout")
    keys = visitor.page.locator("figure[aria-label^='Units left'] .legend li:visible")
    tops = keys.evaluate_all("nodes => nodes.map((n) => n.offsetTop)")
    assert len(tops) == 4
    assert len(set(tops)) == 1


def test_a_dragged_rate_leads_to_what_is_left(visitor):
    visitor.open("?lab=dropout")
    assert visitor.readout("dropout.share") == pytest.approx(0.8**100)
    visitor.drag("Dropout rate ρ", 0.0)
    visitor.wait_readout("dropout.share", 1.0)
    assert "nothing is dropped" in visitor.sentence()
    visitor.type_number("Dropout rate ρ", "0.01")
    visitor.wait_readout("dropout.share", 0.99**100)
    assert visitor.readout("dropout.half_life") == pytest.approx(68.97, rel=1e-3)
    assert "Not here" in visitor.sentence()


def test_what_is_below_stays_where_it_is_while_keys_move_the_rate(visitor):
    visitor.open("?lab=dropout&rate=0.04")
    below = visitor.page.locator("[data-lab='dropout'] .more")
    before = below.bounding_box()["y"]
    visitor.slider("Dropout rate ρ").press("ArrowLeft")
    visitor.wait_readout("dropout.share", 0.97**100)
    assert below.bounding_box()["y"] == before


def test_each_scheme_is_chosen_by_a_preset_and_shows_its_own_pictures(visitor):
    visitor.open("?lab=dropout")
    everywhere = ["Units left", "Masks", "Where the masks sit", "All gone"]
    assert figures(visitor) == everywhere
    assert legend(visitor, "Masks") == ["holds the bit", "dropped, bit lost", "dropped later"]
    visitor.page.click("[data-preset='dropconnect']")
    visitor.wait_readout("dropout.share", 0.8)
    visitor.see("figure[aria-label^='Recurrent matrix']", state="visible")
    assert figures(visitor) == [*everywhere, "Recurrent matrix"]
    visitor.page.click("[data-preset='non-recurrent']")
    visitor.wait_readout("dropout.share", 1.0)
    visitor.see("figure[aria-label^='Recurrent matrix']", state="hidden")
    assert legend(visitor, "Masks") == ["holds the bit", "dropped as it would enter"]
    assert visitor.sentence().startswith("Here:")


def test_the_table_says_what_tying_saves(visitor):
    visitor.open("?lab=dropout")
    table = visitor.page.locator("[data-lab='dropout'] .comparison")
    table.locator("td").first.wait_for()
    for text in ("What tying softmax and embedding saves", "66,022,000", "51,022,000", "−640"):
        assert text in table.inner_text()


def test_the_table_of_tying_is_whole_on_a_projector_and_shows_the_share_first_on_a_phone(visit):
    """1265 pixels are left of 1280 beside a scroll bar."""
    wide = visit(viewport={"width": 1265, "height": 720}).open("?lab=dropout")
    table = wide.page.locator("[data-lab='dropout'] .comparison .scroll")
    table.locator("td").first.wait_for()
    assert table.evaluate("node => node.scrollWidth - node.clientWidth") <= 0
    phone = visit(viewport={"width": 390, "height": 844}).open("?lab=dropout")
    table = phone.page.locator("[data-lab='dropout'] .comparison .scroll")
    share = table.locator("th", has_text="share saved")
    share.wait_for()
    seen, frame = share.bounding_box(), table.bounding_box()
    assert seen["x"] + seen["width"] <= frame["x"] + frame["width"]


@pytest.mark.parametrize(
    "query",
    [
        "?lab=dropout&rate=0.8&steps=500&seed=9999",
        "?lab=dropout&scheme=dropconnect&rate=0&steps=10",
        "?lab=dropout&scheme=none&rate=0.8",
    ],
)
def test_extreme_settings_leave_a_living_page(visitor, query):
    visitor.open(query)
    assert "NaN" not in visitor.page.inner_text("[data-lab='dropout']")
    visitor.page.click("[data-action='fit'] >> visible=true")
    visitor.page.click("[data-action='pin'] >> visible=true")
    visitor.page.click("[data-action='reset'] >> visible=true")
    visitor.wait_readout("dropout.share", 0.8**100)


def test_bad_values_in_the_address_cost_nothing_else(visitor):
    visitor.open("?lab=dropout&scheme=zoneout&rate=0.9&steps=50&seed=3")
    notices = visitor.page.inner_text(".notices >> visible=true")
    assert "scheme: expected one of none, fresh, variational, non-recurrent, dropconnect" in notices
    assert "rate: expected a number from 0 to 0.8" in notices
    assert visitor.readout("dropout.share") == pytest.approx(0.8**50)


def test_without_masks_nothing_is_drawn_anew(visitor):
    """The seed and the button that changes it are out of sight; the buttons beside it keep their places."""
    visitor.open("?lab=dropout")
    reset = visitor.page.locator("[data-action='reset'] >> visible=true")
    place = reset.bounding_box()
    menu = visitor.page.locator("[role=combobox] >> visible=true")
    menu.press("Enter")
    visitor.see("[role=listbox], [role=menu]")
    visitor.page.keyboard.press("Home")
    visitor.page.keyboard.press("Enter")
    visitor.page.wait_for_url("**scheme=none*")
    visitor.see("[data-action='redraw']", state="hidden")
    assert not visitor.page.locator("input[type=range][aria-label='Seed']").is_visible()
    assert reset.bounding_box() == place
