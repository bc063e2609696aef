"""The BPTT lab without a browser: its numbers, its words, its pictures' columns, and its check."""

import math
import re

import numpy as np
import pytest

from core.bptt import itemised_gradient
from core.gradcheck import central_differences
from core.rnn_lm import rnn_bptt
from tests.widgets.bptt_readings import lab_with, model, preset_lab, tiles
from tests.widgets.lab_readings import values
from widgets.bptt import reading as bptt_reading
from widgets.bptt.columns import no_columns
from widgets.bptt.lab import AGREEMENT, BpttLab
from widgets.bptt.reading import Network, numerical_check, token_ids

PRESETS = [preset.name for preset in BpttLab.presets]
CELLS = ("rnn", "lstm", "gru")


def test_settings_are_those_of_the_design():
    settings = BpttLab.settings()
    assert set(settings) == {
        "text", "cell", "heat_map", "loss_step", "truncation", "spectral_radius", "hidden_size", "seed",
    }  # fmt: skip
    assert settings["hidden_size"].bounds == (4, 64)
    assert settings["spectral_radius"].bounds == (0.1, 1.5)
    assert settings["seed"].bounds == (0, 9999)
    assert settings["cell"].objects == list(CELLS)
    assert BpttLab().values() == {
        "text": AGREEMENT, "cell": "rnn", "heat_map": "terms", "loss_step": 13, "truncation": 13,
        "spectral_radius": 0.9, "hidden_size": 16, "seed": 0,
    }  # fmt: skip


def test_the_verb_stands_a_dozen_words_behind_its_noun():
    words = AGREEMENT.split()
    assert words.index("burn") - words.index("lanterns") == 12
    assert words.index("burn") == len(words) - 1


def test_same_words_are_the_same_token():
    ids, vocabulary = token_ids(["the", "cat", "the", "Cat", "the"])
    assert ids.tolist() == [0, 1, 0, 2, 0]
    assert vocabulary == 3


def test_errors_are_those_of_finite_differences():
    """The loss of the verb against a nudge to the state after each word, in a network written out anew."""
    P, ids = model()
    T = len(ids) - 1

    def last_loss(nudge):
        h = np.zeros(16)
        for t in range(T):
            h = np.tanh(P["E"][ids[t]] @ P["Wxh"] + h @ P["Whh"] + P["bh"]) + nudge[t]
        logits = h @ P["Why"] + P["by"]
        return np.log(np.exp(logits).sum()) - logits[ids[T]]

    norms = np.linalg.norm(central_differences(last_loss, {"nudge": np.zeros((T, 16))})["nudge"], axis=1)
    shown = values(BpttLab())
    assert shown["loss"] == pytest.approx(last_loss(np.zeros((T, 16))), rel=1e-12)
    assert shown["error"] == pytest.approx(norms[-1], rel=1e-7)
    assert shown["first_error"] == pytest.approx(norms[0], rel=1e-6)
    frame = lab_with(heat_map="h").compute()
    np.testing.assert_allclose(frame.columns["walk"]["size"], np.log10(norms), atol=1e-6)
    drawn = tiles(lab_with(heat_map="h"))
    np.testing.assert_allclose([drawn[T, s + 1] for s in range(T)], np.log10(norms), atol=1e-4)


def test_truncation_readouts_against_rnn_bptt():
    P, ids = model()
    _, full = rnn_bptt(P, ids, np.zeros(16))
    for K in (1, 4, 7, 12):
        _, cut = rnn_bptt(P, ids, np.zeros(16), truncation=K)
        a, b = full["Whh"].ravel(), cut["Whh"].ravel()
        shown = values(lab_with(truncation=K))
        assert shown["cosine"] == pytest.approx(a @ b / np.linalg.norm(a) / np.linalg.norm(b), rel=1e-9)
        assert shown["relative_error"] == pytest.approx(np.linalg.norm(a - b) / np.linalg.norm(a), rel=1e-9)
        assert shown["stored_truncated"] == K * 16
    columns = BpttLab().compute().columns["truncations"]
    assert (columns["cosine"][-1], columns["relative_error"][-1]) == (pytest.approx(1), 0)


@pytest.mark.parametrize(("cell", "each"), [("rnn", 1), ("lstm", 6), ("gru", 4)])
def test_memory_is_that_of_the_steps_kept(cell, each):
    lab = lab_with(cell=cell, truncation=4, hidden_size=10)
    texts = {r.key: r.text for r in lab.compute().readouts}
    assert texts["stored"] == f"{each * 130} ({each * 1040})"
    assert texts["stored_truncated"] == f"{each * 40} ({each * 320})"
    assert f"= {each * 130} numbers, {each * 1040} bytes" in lab.compute().arithmetic[1]
    assert f"= {each * 40} numbers, {each * 320} bytes" in lab.compute().arithmetic[2]


@pytest.mark.parametrize("cell", CELLS)
def test_near_lags_dominate(cell):
    lab = lab_with(cell=cell)
    sums = 10 ** lab.compute().columns["lags"]["sum"][:12]
    assert np.all(np.diff(sums) < 0)
    assert values(lab)["near"] == pytest.approx(sums[:3].sum() / sums.sum(), rel=1e-9)
    assert values(lab)["near"] > 0.7


def test_factors_multiply_up_to_the_walk():
    lab = lab_with(loss_step=9)
    rows = dict(zip(*_table(lab), strict=True))
    errors, factors = rows["‖∂ℓ_9/∂h_n‖"][:9], rows["factor"][:8]
    assert errors[0] == pytest.approx(errors[8] * math.prod(factors), rel=1e-12)
    assert set(rows["‖∂ℓ_9/∂h_n‖"][9:]) == {""}
    written = lab.compute().columns["factors"]
    assert written["text"] == [f"×{factor:.2f}" for factor in factors]
    assert written["x"].tolist() == [s + 0.5 for s in range(1, 9)]


def _table(lab):
    table = lab.compute().table
    return table.headings, table.columns


def test_the_straight_part_and_the_rest_are_shown_for_an_lstm_alone():
    shown = values(preset_lab("agreement-lstm"))
    P, ids = model("lstm")
    items = itemised_gradient("lstm", P, ids)
    assert shown["cell_error"] == items.c_errors[-1, 0]
    assert shown["straight"] == items.straight[-1, 0] < shown["rest"] == items.rest[-1, 0]
    assert not {"cell_error", "straight", "rest"} & values(BpttLab()).keys()
    walk = BpttLab().compute().columns["walk"]
    assert all(np.isnan(walk[name]).all() for name in ("lstm", "gru", "cell", "straight", "rest"))
    np.testing.assert_array_equal(walk["rnn"], walk["size"])


def test_side_by_side_follows_loss_five_in_both_cells():
    lab = lab_with(cell="gru", loss_step=2, truncation=3)
    table = lab.comparison()()
    rows = {name: list(column) for name, column in zip(table.headings, table.columns, strict=True)}
    assert rows["step s"] == [5, 4, 3, 2, 1]
    assert rows["word"] == AGREEMENT.split()[4::-1]
    pair = lab.compute().columns["pair"]
    for cell, column in (("rnn", "tanh RNN: at h_s"), ("lstm", "LSTM: at h_s")):
        P, ids = model(cell)
        wanted = itemised_gradient(cell, P, ids).h_errors[4, :5]
        np.testing.assert_allclose(rows[column][::-1], wanted, rtol=1e-12)
        np.testing.assert_allclose(pair[cell], np.log10(wanted), atol=1e-12)
    first, *factors = table.columns[3]
    assert first == ""
    assert table.columns[2][0] * math.prod(factors) == pytest.approx(table.columns[2][-1], rel=1e-12)


@pytest.mark.parametrize("cell", ["rnn", "lstm"])
def test_side_by_side_shows_what_the_page_shows_of_loss_five(cell):
    lab = lab_with(cell=cell, loss_step=5)
    shown, columns = values(lab), lab.compute().columns
    table = lab.comparison()()
    column = dict(zip(table.headings, table.columns, strict=True))[
        {"rnn": "tanh RNN: at h_s", "lstm": "LSTM: at h_s"}[cell]
    ]
    assert (column[0], column[-1]) == pytest.approx((shown["error"], shown["first_error"]), rel=1e-12)
    np.testing.assert_allclose(columns["pair"][cell], columns["walk"]["size"], atol=1e-12)


def test_a_short_text_is_followed_from_its_last_loss():
    table = lab_with(text="small lanterns burn").comparison()()
    assert table.columns[0] == [2, 1]
    assert "loss 2 (“burn”)" in table.caption


@pytest.mark.parametrize("cell", CELLS)
def test_the_check_finds_every_gradient_right(cell):
    table = lab_with(cell=cell).check()()
    assert table.columns[0] == [f"∂ℒ/∂{name}" for name in ("E", "Wxh", "Whh", "bh", "Why", "by")]
    assert 0 < max(table.columns[2]) < 1e-7
    assert set(table.columns[3]) == {"agrees"}


def test_the_check_finds_a_wrong_gradient(monkeypatch):
    right = bptt_reading.parameter_gradients

    def without_transpose(cell, P, ids):
        gradients = right(cell, P, ids)
        return gradients | {"Whh": gradients["Whh"].T}

    monkeypatch.setattr(bptt_reading, "parameter_gradients", without_transpose)
    table = numerical_check(tuple(AGREEMENT.split()), Network("rnn", 16, 0.9, 0))
    verdicts = dict(zip(table.columns[0], table.columns[3], strict=True))
    assert [name for name, verdict in verdicts.items() if verdict == "differs"] == ["∂ℒ/∂Whh"]


def test_the_check_is_another_job_when_its_network_or_text_changes():
    check = BpttLab().check()
    assert lab_with(loss_step=3, truncation=2, heat_map="h").check() == check
    for change in ({"seed": 1}, {"text": "a b"}, {"cell": "gru"}, {"hidden_size": 5}):
        assert lab_with(**change).check() != check


@pytest.mark.parametrize("text", ["", "   ", "one"])
def test_too_short_a_text_says_what_is_needed(text):
    lab = lab_with(text=text)
    frame = lab.compute()
    assert "type at least two words" in frame.sentence
    assert (lab.loss_step, lab.truncation) == (1, 1)
    assert frame.columns.keys() == BpttLab().compute().columns.keys()
    assert all(len(column) == 0 for columns in frame.columns.values() for column in columns.values())
    for table in (frame.table, lab.comparison()(), lab.check()()):
        assert table.rows == []
    assert no_columns()["tiles"].keys() == BpttLab().compute().columns["tiles"].keys()


def test_two_words_have_no_gradient_and_the_page_says_so():
    frame = lab_with(text="two words").compute()
    assert "teaches W_hh nothing" in frame.sentence
    assert all(math.isfinite(r.value) for r in frame.readouts)
    assert "cosine" not in {r.key for r in frame.readouts}
    assert lab_with(text="two words").check()().columns[3] == ["agrees"] * 6


def test_a_long_text_is_cut_to_forty_words():
    lab = lab_with(text="word " * 60, loss_step=99, truncation=99)
    assert len(lab.text.split()) == 40
    assert (lab.loss_step, lab.truncation) == (39, 39)
    assert len(lab_with(text="x" * 1000).text) == 320
    frame = lab.compute()
    assert len(frame.columns["tiles"]["t"]) == 39 * 40 / 2
    assert len(frame.columns["factors"]["x"]) == 0


def test_loss_and_truncation_stay_at_the_end_while_one_types():
    lab = BpttLab()
    assert lab.follow("text", "a b c") == {"loss_step": 2, "truncation": 2}
    assert lab.follow("text", "") == {"loss_step": 1, "truncation": 1}
    lab.adopt(truncation=4)
    assert lab.follow("text", "a b c d e f g") == {"loss_step": 6}
    assert lab.follow("cell", "gru") == {}
    assert BpttLab.limits({"text": "a b c"}) == {"loss_step": (1, 2), "truncation": (1, 2)}


def test_presets_and_a_moved_loss():
    assert PRESETS == [
        "agreement-rnn", "agreement-lstm", "agreement-gru", "truncated", "short", "exploding",
    ]  # fmt: skip
    for name in PRESETS:
        assert preset_lab(name).present_preset().name == name
        assert preset_lab(name, loss_step=1).present_preset().name == name


@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.parametrize("loss_step", [1, 2, 13])
@pytest.mark.parametrize("truncation", [1, 4, 5, 13])
def test_the_sentence_agrees_with_the_readouts(cell, loss_step, truncation):
    lab = lab_with(cell=cell, loss_step=loss_step, truncation=truncation)
    frame = lab.compute()
    shown = {r.key: r.text for r in frame.readouts}
    assert f"loss {loss_step} (“{AGREEMENT.split()[loss_step]}”)" in frame.sentence
    assert len(frame.sentence) < 145
    assert frame.sentence.startswith(f"Random {bptt_reading.CELL_NAMES[cell]}")
    if truncation < 13:
        assert f"K = {truncation}: cosine {shown['cosine']} with" in frame.sentence
        start = min(s for t, s in tiles(lab) if t == loss_step)
        at = "its own step" if start == loss_step else f"step {start} (“{AGREEMENT.split()[start - 1]}”)"
        assert frame.sentence.endswith(f"stops at {at}.")
    else:
        assert f"lags 0 to 2 make up {shown['near']}" in frame.sentence
        left = re.search(r"([\d.]+)\u00a0% of the newest", frame.sentence)
        assert (left is None) == (loss_step < 3)
        if left:
            row = tiles(lab)
            ratio = 10 ** (row[loss_step, 2] - row[loss_step, loss_step])
            assert float(left[1]) == pytest.approx(100 * ratio, rel=6e-3)


def test_the_arithmetic_can_be_reckoned_again():
    for cell in CELLS:
        for loss_step in (2, 7, 13):
            lab = lab_with(cell=cell, loss_step=loss_step, spectral_radius=1.1)
            own, mean, power = re.search(
                r"= ([\d.]+)·([\d.]+)\^(\d+) = ", lab.compute().arithmetic[0]
            ).groups()
            assert float(own) * float(mean) ** int(power) == pytest.approx(
                values(lab)["first_error"], rel=5e-6
            )
            assert int(power) == loss_step - 1


def test_right_gradients_of_a_network_whose_errors_grow_agree():
    assert set(preset_lab("exploding", seed=16).check()().columns[3]) == {"agrees"}
