"""The words of the BPTT lab: near lags, what is called full, and where an error is measured."""

import numpy as np
import pytest

from tests.widgets.bptt_readings import lab_with, preset_lab
from widgets.base.numbers import percent
from widgets.bptt.lab import AGREEMENT, BpttLab
from widgets.bptt.reading import Network, token_ids


def labels(lab):
    return {r.key: r.label for r in lab.compute().readouts}


def test_what_truncation_does_not_cut_is_called_full():
    for name in ("near", "first_error", "cell_error", "straight", "rest"):
        assert labels(lab_with(cell="lstm", truncation=4))[name].endswith(", full")
        assert "full" not in labels(lab_with(cell="lstm"))[name]


@pytest.mark.parametrize(
    ("text", "lags", "said"),
    [
        ("a b c d", "lag 0", "lag 0 makes up"),
        ("a b c d e", "lags 0 to 1", "lags 0 to 1 make up"),
        ("a b c d e f", "lags 0 to 2", "lags 0 to 2 make up"),
        ("a b c d e f g", "lags 0 to 2", "lags 0 to 2 make up"),
    ],
)
def test_the_near_lags_are_never_all_that_hold_a_term(text, lags, said):
    lab = lab_with(text=text)
    assert labels(lab)["near"] == f"share of {lags}"
    assert said in lab.compute().sentence
    assert {r.key: r.value for r in lab.compute().readouts}["near"] < 1


def test_the_gradient_of_three_words_is_said_to_be_a_single_term():
    lab = preset_lab("short")
    assert lab.compute().sentence == (
        "Random tanh RNN: the gradient is one term, of loss 2 (“burn”) at step 2: those of step 1 hold h_0 = 0."
    )
    assert "near" not in labels(lab)


def test_the_largest_lag_is_said_to_be_left_out():
    columns = BpttLab().compute().columns["lags"]
    assert np.isnan(columns["sum"][12])
    assert "By lag: lag 12 is not drawn. Its only term is of step 1, and 0." in BpttLab().compute().notes


def test_no_readout_is_there_twice():
    for loss_step in (1, 2):
        shown = list(labels(lab_with(loss_step=loss_step)).values())
        assert len(set(shown)) == len(shown)


def test_the_sentence_says_where_the_error_is_measured_beside_a_heat_map_of_c():
    lab = preset_lab("agreement-lstm")
    errors = lab.compute().table
    at_c = dict(zip(errors.headings, errors.columns, strict=True))["‖∂ℓ_13/∂c_n‖"]
    said = f"of the error at c of loss 13 (“burn”), {percent(at_c[0] / at_c[-1])} is left at step 1 (“the”)."
    assert lab.compute().sentence.endswith(said)
    assert len(lab.compute().sentence) < 145


@pytest.mark.parametrize("heat_map", ["h", "x"])
def test_the_sentence_speaks_of_what_the_heat_map_shows(heat_map):
    lab = lab_with(heat_map=heat_map)
    table = lab.compute().table
    errors = dict(zip(table.headings, table.columns, strict=True))[f"‖∂ℓ_13/∂{heat_map}_n‖"]
    said = f"of the error at {heat_map} of loss 13 (“burn”), {percent(errors[0] / errors[-1])} is left"
    assert said in lab.compute().sentence


def test_beside_terms_the_sentence_speaks_of_the_first_tile_that_is_not_empty():
    lab = BpttLab()
    terms = lab.compute().columns["tiles"]
    row = {s: size for t, s, size in zip(terms["t"], terms["s"], terms["log10"], strict=True) if t == 13}
    assert row[1] < -300 < row[2]
    left = percent(10 ** (row[2] - row[13]))
    assert lab.compute().sentence.endswith(
        f"for loss 13 (“burn”) the term of step 2 (“lanterns”) is {left} of the newest."
    )


def test_the_heat_map_of_the_exploding_preset_shows_what_its_hint_and_sentence_speak_of():
    lab = preset_lab("exploding")
    tiles = lab.compute().columns["tiles"]
    row = {s: size for t, s, size in zip(tiles["t"], tiles["s"], tiles["log10"], strict=True) if t == 13}
    assert row[1] > row[13]
    assert "the error at h of loss 13 (“burn”) is 3.82 times as large at step 1" in lab.compute().sentence


def test_the_far_terms_of_the_gru_are_smaller_than_those_of_the_tanh_rnn():
    """What the hint of the preset says: paler tiles at the left of the last row."""
    assert "paler than those of the tanh RNN" in BpttLab().preset("agreement-gru").look_for
    rows = []
    for name in ("agreement-gru", "agreement-rnn"):
        tiles = preset_lab(name).compute().columns["tiles"]
        rows.append(np.array(tiles["log10"])[(tiles["t"] == 13) & (tiles["s"] > 1)][:6])
    assert (rows[0] < rows[1] - 0.3).all()


def test_a_cut_at_every_step_is_said_in_the_singular():
    assert any("Cut at every step:" in note for note in lab_with(truncation=1).compute().notes)
    assert any("Cut at every 2 steps:" in note for note in lab_with(truncation=2).compute().notes)


def test_the_first_tile_of_the_verb_that_knows_the_noun_is_that_of_step_three():
    """What the prose says: another word at step 2 changes the states from h_2 on, and so the terms from step 3 on."""
    ids, vocabulary = token_ids(AGREEMENT.split())
    P = Network("rnn", 16, 0.9, 0).parameters(vocabulary)
    other = ids.copy()
    other[1] = ids[-1]
    states = [hidden_states(P, tokens) for tokens in (ids, other)]
    same = [np.array_equal(*pair) for pair in zip(*states, strict=True)]
    assert AGREEMENT.split()[1:3] == ["lanterns", "above"]
    assert same[:2] == [True, True]
    assert not any(same[2:])


def hidden_states(P, ids):
    """h_0 … h_{T−1}: what the terms of step 1 … T are made with."""
    states = [np.zeros(16)]
    for token in ids[:-2]:
        states.append(np.tanh(P["E"][token] @ P["Wxh"] + states[-1] @ P["Whh"] + P["bh"]))
    return states
