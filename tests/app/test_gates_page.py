"""The gates lab in a real browser: biases under the hand, slow settings out of it, and the promised numbers."""

import pytest

from widgets.gates.lab import GateLab

TABLE = "[data-lab='gates'] .comparison"


def shown(**settings) -> dict[str, float]:
    lab = GateLab()
    lab.adopt(**settings)
    return {r.key: r.value for r in lab.compute().readouts}


def test_dragging_the_forget_bias_to_three_carries_the_gradient(visitor):
    visitor.open("?lab=gates")
    assert visitor.readout("gates.lstm_ratio") == pytest.approx(shown()["lstm_ratio"])
    visitor.drag("LSTM forget bias", 5 / 8)
    visitor.type_number("LSTM forget bias", "3")
    visitor.wait_readout("gates.lstm_ratio", shown(forget_bias=3.0)["lstm_ratio"])
    assert 0.05 < visitor.readout("gates.lstm_ratio") < 5
    assert "its forget gate alone 0.989\u00a0%" in visitor.sentence()
    visitor.page.wait_for_selector("[data-preset='forget-bias-3'][aria-pressed='true']")


def test_an_opened_update_gate_lets_a_gru_carry_too(visitor):
    visitor.open("?lab=gates")
    assert visitor.readout("gates.gru_ratio") < 1e-15
    visitor.slider("GRU update bias").focus()
    visitor.page.keyboard.press("End")
    visitor.wait_readout("gates.gru_ratio", shown(update_bias=6.0)["gru_ratio"])
    assert visitor.readout("gates.gru_ratio") > 0.5


@pytest.mark.parametrize(
    ("label", "text", "settings"),
    [
        ("Hidden size", "64", {"hidden_size": 64}),
        ("Longest T", "200", {"longest": 200}),
        ("Seed", "77", {"seed": 77}),
    ],
)
def test_what_is_worked_out_in_a_thread_arrives(visitor, label, text, settings):
    visitor.open("?lab=gates&forget_bias=2")
    visitor.type_number(label, text)
    visitor.wait_readout("gates.rnn_ratio", shown(forget_bias=2.0, **settings)["rnn_ratio"])
    visitor.wait_readout("gates.lstm_ratio", shown(forget_bias=2.0, **settings)["lstm_ratio"])
    visitor.page.wait_for_timeout(600)
    assert "Working" not in visitor.sentence()


def test_a_dragged_size_ends_on_the_last_value(visitor):
    visitor.open("?lab=gates")
    visitor.drag("Hidden size", 1.0)
    visitor.drag("Hidden size", 0.0)
    visitor.wait_readout("gates.rnn_ratio", shown(hidden_size=8)["rnn_ratio"])
    visitor.page.wait_for_selector("[data-preset='small'][aria-pressed='true']")


def test_the_table_by_length_follows(visitor):
    visitor.open("?lab=gates")
    table = visitor.page.locator(TABLE)
    table.locator("td").first.wait_for()
    for text in ("T = 5", "T = 10", "T = 20", "T = 50", "T = 100", "100 : 5", "LSTM of 1997"):
        assert text in table.inner_text()
    visitor.page.click("[data-preset='long-haul']")
    visitor.page.wait_for_selector(f"{TABLE} >> text=200 : 5")


def test_a_new_draw_changes_the_numbers_and_not_the_story(visitor):
    visitor.open("?lab=gates&preset=forget-bias-3")
    before = visitor.readout("gates.lstm_ratio")
    visitor.page.click("[data-action='redraw'] >> visible=true")
    visitor.wait_readout("gates.lstm_ratio", shown(forget_bias=3.0, seed=1)["lstm_ratio"])
    after = visitor.readout("gates.lstm_ratio")
    assert after != before
    assert 0.05 < after < 5


def test_pins_keep_the_two_curves_that_the_sliders_set(visitor):
    visitor.open("?lab=gates&forget_bias=2")
    visitor.page.click("[data-action='pin'] >> visible=true")
    visitor.page.wait_for_selector(".pins li >> text=LSTM forget bias = 2")


def test_the_sentence_keeps_to_one_line_on_a_projector(visitor):
    visitor.open("?lab=gates&preset=forget-bias-3")
    sentence = visitor.page.locator("[data-sentence='gates']")
    line = sentence.bounding_box()["height"]
    for bias in ("2", "2.2", "2.5", "1", "-2", "6"):
        visitor.type_number("LSTM forget bias", bias)
        visitor.wait_readout("gates.lstm_ratio", shown(forget_bias=float(bias))["lstm_ratio"])
        assert sentence.bounding_box()["height"] == line


@pytest.mark.parametrize(
    "query",
    [
        "?lab=gates&hidden_size=64&longest=200&forget_bias=6&update_bias=6",
        "?lab=gates&hidden_size=8&longest=10&forget_bias=-2&update_bias=-2",
        "?lab=gates&longest=37&seed=9999",
    ],
)
def test_extreme_settings_leave_a_living_page(visitor, query):
    visitor.open(query)
    assert "NaN" not in visitor.page.inner_text("[data-lab='gates']")
    visitor.page.click("[data-action='fit'] >> visible=true")
    visitor.page.click("[data-action='reset'] >> visible=true")
    visitor.wait_readout("gates.forget_gate", 0.731)


def test_bad_values_in_the_address_cost_nothing_else(visitor):
    visitor.open("?lab=gates&forget_bias=3&hidden_size=7&longest=many&seed=1")
    notices = visitor.page.inner_text(".notices >> visible=true")
    assert "hidden_size: expected a number from 8 to 64" in notices
    assert "longest: expected a whole number" in notices
    assert visitor.readout("gates.lstm_ratio") == pytest.approx(
        shown(forget_bias=3.0, seed=1)["lstm_ratio"], rel=1e-6
    )
