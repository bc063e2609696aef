"""The words of the BPTT lab: near lags, what is called full, and where an error is measured."""

import numpy as np
import pytest

from widgets.bptt.lab import AGREEMENT, BpttLab
from widgets.bptt.reading import Network, token_ids


def lab_with(**settings) -> BpttLab:
    lab = BpttLab()
    lab.adopt(**settings)
    return lab


def preset_lab(name: str, **settings) -> BpttLab:
    return lab_with(**{**BpttLab().preset(name).settings, **settings})


def labels(lab):
    return {r.key: r.label for r in lab.compute().readouts}


def test_what_truncation_does_not_cut_is_called_full():
    for name in ("near", "first_error", "cell_error", "straight", "rest"):
        assert labels(lab_with(cell="lstm", truncation=4))[name].endswith(", full")
        assert "full" not in labels(lab_with(cell="lstm"))[name]


@pytest.mark.parametrize(
    ("text", "lags"), [("a b", "lag 0"), ("a b c", "lags 0 to 1"), ("a b c d e", "lags 0 to 2")]
)
def test_the_near_lags_are_those_that_there_are(text, lags):
    lab = lab_with(text=text)
    assert labels(lab).get("near", f"share of {lags}") == f"share of {lags}"
    assert len(text) == 3 or f"{lags} make up" in lab.compute().sentence


def test_the_sentence_says_where_the_error_is_measured_beside_a_heat_map_of_c():
    assert "of the error at h of loss 13" in preset_lab("agreement-lstm").compute().sentence
    assert "of the error of loss 13" in BpttLab().compute().sentence
    assert len(preset_lab("agreement-lstm").compute().sentence) < 145


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
