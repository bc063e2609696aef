"""The nets that come with the project: made as their recipes say, and good at their corpora."""

import io

import numpy as np
import pytest

from core.char_lm_parameters import model_shape
from core.corpora import CORPORA, brackets, toy
from core.reading import text_loss
from core.text import vocabulary_of
from widgets.training import models
from widgets.training.corpora import FILES, corpus_of, corpus_text, given_text, text_of
from widgets.training.models import RECIPES, Recipe, make, shipped

FRESH = {"toy": toy(4000, 77), "brackets": brackets(4000, 77)}


@pytest.mark.parametrize("corpus", FILES)
def test_each_net_is_what_its_recipe_says(corpus):
    model, recipe = shipped(corpus), RECIPES[corpus]
    shape = model_shape(model.parameters)
    assert (shape.cell, shape.layers, shape.embedding_size, shape.tied) == ("lstm", 1, 32, False)
    assert (shape.hidden_size, model.number) == (recipe.hidden_size, recipe.steps)
    assert model.vocabulary == vocabulary_of(corpus_text(corpus))
    assert all(np.isfinite(array).all() for array in model.parameters.values())


def loss_on(corpus, text):
    model = shipped(corpus)
    return text_loss(model.parameters, model.vocabulary.encode("\n" + text))


@pytest.mark.parametrize("corpus", FRESH)
def test_a_net_loses_little_more_than_the_entropy_on_fresh_text(corpus):
    entropy = CORPORA[corpus].entropy
    assert 0.9 * entropy < loss_on(corpus, FRESH[corpus]) < 1.25 * entropy


def test_the_net_of_agreement_has_learnt_its_sentences():
    entropy = CORPORA["agreement"].entropy
    assert 0.9 * entropy < loss_on("agreement", CORPORA["agreement"].draw(4000, 77)) < 1.25 * entropy


def test_the_net_of_prose_guesses_far_better_than_by_chance():
    assert loss_on("prose", corpus_text("prose")[:4000]) < 0.6 * np.log(shipped("prose").vocabulary.size)


def test_a_visitors_own_text_has_no_net():
    assert shipped("own") is None


def test_a_net_that_was_never_made_is_none(monkeypatch, tmp_path):
    monkeypatch.setattr(models, "_FOLDER", tmp_path)
    assert shipped.__wrapped__("toy") is None


def test_a_recipe_followed_twice_gives_the_same_file(monkeypatch, tmp_path):
    monkeypatch.setitem(RECIPES, "toy", Recipe(2, hidden_size=16, learning_rate=0.02))
    made = make("toy")
    assert made == make("toy")
    monkeypatch.setattr(models, "_FOLDER", tmp_path)
    (tmp_path / "toy.npz").write_bytes(made)
    model = shipped.__wrapped__("toy")
    assert (model.number, model.parameters["U1"].shape) == (2, (16, 64))
    assert model.vocabulary == vocabulary_of(corpus_text("toy"))
    monkeypatch.setitem(RECIPES, "toy", Recipe(2, hidden_size=16, learning_rate=0.01))
    assert made != make("toy")


def test_the_shipped_file_holds_nothing_that_could_run():
    for corpus in FILES:
        data = (models._FOLDER / f"{corpus}.npz").read_bytes()
        with np.load(io.BytesIO(data), allow_pickle=False) as held:
            assert {held[name].dtype.kind for name in held} <= set("fiu")


def test_a_corpus_without_a_recipe_is_refused():
    with pytest.raises(ValueError, match="corpus must be one of toy, brackets, agreement, prose, got 'own'"):
        make("own")


@pytest.mark.parametrize("corpus", FILES)
def test_a_corpus_is_known_by_its_text(corpus):
    text = corpus_text(corpus)
    assert text_of(corpus, "mine") == given_text(corpus, "") == text
    assert corpus_of(text) == corpus
    assert corpus_of(text + "x") == "own"


@pytest.mark.parametrize("corpus", CORPORA)
def test_the_file_of_a_corpus_is_what_its_grammar_draws(corpus):
    assert corpus_text(corpus) == CORPORA[corpus].text


def test_a_text_of_ones_own_is_that_or_refused():
    assert text_of("own", "mine") == given_text("own", "mine") == "mine"
    assert given_text("own", "") == ""
    with pytest.raises(ValueError, match="no text of your own yet"):
        text_of("own", "")
