"""The training lab as a page: its frame, its words for the page, and what it refuses."""

import json

import numpy as np
import pytest
from bokeh.models import ColumnDataSource

from core.corpora import entropy
from core.text import vocabulary_of
from widgets.base.frame import MORE, Line, Passage
from widgets.page import text as page_text
from widgets.training.corpora import corpus_text
from widgets.training.declared import LIVE, STRUCTURE
from widgets.training.lab import TrainingLab
from widgets.training.models import shipped
from widgets.training.snapshot import Snapshot


def lab_with(run=None, **settings):
    lab = TrainingLab()
    lab.adopt(**settings)
    if run:
        lab.snapshot = run
    return lab


def inside(lab):
    return next((passage for passage in lab.compute().passages() if passage.key == "inside"), None)


def test_what_decides_a_run_is_declared_and_the_rest_is_named():
    settings = set(TrainingLab.settings())
    assert set(LIVE) | set(STRUCTURE) <= settings
    assert not set(LIVE) & set(STRUCTURE)
    assert settings - set(LIVE) - set(STRUCTURE) == {
        "corpus", "steps", "temperature", "look_at", "layer", "signal", "follows", "unit",
    }  # fmt: skip
    assert {name for names in TrainingLab.folded.values() for name in names} <= settings


def test_the_ranges_are_those_that_links_rely_on():
    bounds = {name: s.bounds for name, s in TrainingLab.settings().items() if getattr(s, "bounds", None)}
    fixed = {
        "layers": (1, 3), "hidden_size": (16, 256), "embedding_size": (8, 64), "truncation": (4, 128),
        "batch_size": (4, 64), "clip_norm": (0.05, 10), "forget_bias": (-2, 6), "dropout_rate": (0, 0.8),
        "temperature": (0.1, 2), "seed": (0, 9999),
    }  # fmt: skip
    assert {name: bounds[name] for name in fixed} == fixed


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"hidden_size": 257}, "Hidden size must be from 16 to 256 in this lab, got 257"),
        ({"cell": "transformer"}, "Cell must be rnn, lstm, gru in this lab, got transformer"),
        ({"forget_bias": -3.0}, "Forget bias must be from -2 to 6"),
    ],
)
def test_what_no_control_can_show_is_refused(value, said):
    with pytest.raises(ValueError, match=said):
        TrainingLab().refuse_beyond_bounds(value)
    TrainingLab().refuse_beyond_bounds(TrainingLab().values())


def test_the_layer_and_the_unit_follow_the_model():
    lab = lab_with(layers=2, hidden_size=32, layer=3, unit=200)
    assert (lab.layer, lab.unit) == (2, 32)


def test_computing_changes_nothing_and_gives_the_same(run_of):
    lab = lab_with(run_of([2.0, 1.0], model=shipped("toy")))
    before = lab.values(), lab.snapshot
    one, two = lab.compute(), lab.compute()
    assert (lab.values(), lab.snapshot) == before
    assert one.sentence == two.sentence
    assert one.passages() == two.passages()
    assert one.readouts == two.readouts


@pytest.mark.parametrize("corpus", ["toy", "brackets", "agreement", "prose"])
def test_the_entropy_is_of_the_run_and_before_one_of_the_chosen_corpus(run_of, corpus):
    levels = lab_with(corpus=corpus).compute().columns["levels"]
    np.testing.assert_array_equal(levels["entropy"], np.nan if corpus == "prose" else entropy(corpus))
    levels = lab_with(run_of([1.0], corpus=corpus)).compute().columns["levels"]
    np.testing.assert_array_equal(levels["entropy"], np.nan if corpus == "prose" else entropy(corpus))


def test_the_clip_norm_is_drawn_where_it_stands():
    level = lab_with(clip_norm=0.1).compute().columns["clip"]["level"]
    np.testing.assert_allclose(level, -1)


def test_inside_the_net_stands_the_newest_sample_or_the_corpus_or_the_given_text(run_of):
    model = shipped("toy")
    before = inside(lab_with(Snapshot(model=model)))
    assert before.lines[0].text == corpus_text("toy")[:400]
    noise = run_of([], number=0, model=model, samples=[{"number": 0, "text": "zzz"}])
    assert inside(lab_with(noise)).lines[0].text == corpus_text("toy")[:400]
    run = run_of(
        [1.0],
        model=model,
        samples=[{"number": 0, "text": "zzz"}, {"number": 1, "text": "a gull sleeps.\n"}],
    )
    assert inside(lab_with(run)).lines[0].text == "a gull sleeps.\n"
    assert inside(lab_with(run, look_at="the boat?!")).lines[0].text == "the boat"


def test_nothing_is_looked_at_without_a_net_or_without_a_character_it_knows():
    assert inside(lab_with(Snapshot())) is None
    lab = lab_with(Snapshot(model=shipped("toy")), look_at="漢字?!")
    assert inside(lab) is None
    assert {len(column) for column in lab.compute().columns["counts"].values()} == {0}
    assert inside(lab_with(Snapshot(model=shipped("toy")), corpus="own")) is None


@pytest.mark.parametrize(
    ("corpus", "beside"),
    [
        ("toy", ["Loss", "Gradient"]),
        ("agreement", ["Loss", "Agreement by distance", "Learnt when"]),
        ("brackets", ["Loss", "Two counters"]),
    ],
)
def test_beside_the_controls_stands_what_answers_the_question_of_the_corpus(corpus, beside):
    lab = TrainingLab(corpus=corpus)
    plots = lab.plots({name: ColumnDataSource(data=c) for name, c in lab.compute().columns.items()})
    assert [plot.title for plot in plots if lab.stages(plot)] == beside


@pytest.mark.parametrize(
    ("corpus", "run", "shares"),
    [
        ("agreement", None, {"Loss": 0.4, "Agreement by distance": 0.6, "Learnt when": 0.6}),
        ("toy", None, {"Loss": 0.57, "Gradient": 0.43}),
        ("agreement", "toy", {"Loss": 0.57}),
    ],
)
def test_the_loss_gives_height_to_tests_that_stand_under_it(run_of, corpus, run, shares):
    """Where a run of another corpus is still shown, its page has no tests."""
    lab = lab_with(run and run_of([1.0], corpus=run), corpus=corpus)
    plots = lab.plots({name: ColumnDataSource(data=c) for name, c in lab.compute().columns.items()})
    assert {plot.title: lab.share(plot) for plot in plots if plot.title in shares} == shares


def test_bracketed_code_is_counted():
    lab = lab_with(
        Snapshot(model=shipped("brackets")), corpus="brackets", signal="c", follows="bracket depth"
    )
    counts = lab.compute().columns["counts"]
    text = corpus_text("brackets")[:400]
    assert len(counts["t"]) == 400
    outside, depth, quoted = [], 0, False
    for character in text:
        quoted ^= character == '"'
        depth += 0 if quoted else (character in "([{") - (character in ")]}")
        outside.append(depth)
    np.testing.assert_array_equal(counts["depth"], outside)
    assert np.abs(counts["wired"] - 0.95 * np.array(outside)).max() < 0.06
    assert abs(np.corrcoef(counts["trained"], outside)[0, 1]) > 0.7


def test_the_page_is_told_of_buttons_and_progress(run_of):
    told = json.loads(page_text.frame(lab_with(run_of([1.0], message="Too far.", status="failed")).compute()))
    start = {"name": "start", "label": "Go on from step 1", "enabled": True, "urged": False, "asks": ""}
    assert start.items() <= told["buttons"][0].items()
    assert all(button["doc"].endswith(".") for button in told["buttons"])
    assert told["progress"] == [1 / 300, "1 of 300 steps; stopped by a fault", "Too far.", None]
    assert [(button["name"], button["place"]) for button in told["buttons"]] == [
        ("start", ""), ("pause", ""), ("one", ""), ("anew", ""),
        ("again", "more"), ("weights", "more"), ("end", "more"), ("keep", "checkpoint"),
    ]  # fmt: skip


def test_a_button_beside_an_upload_names_one(run_of):
    places = {button.place for button in lab_with(run_of([1.0])).compute().buttons}
    assert places - {"", MORE} <= {upload.name for upload in TrainingLab.uploads}


@pytest.mark.parametrize("about", ["", "text", "checkpoint"])
def test_what_is_said_of_a_file_stands_beside_its_upload_and_nowhere_else(run_of, about):
    told = json.loads(page_text.frame(lab_with(run_of([1.0], message="Too far.", about=about)).compute()))
    assert told["answers"] == ({about: "Too far."} if about else {})
    assert told["progress"][2] == ("" if about else "Too far.")


def uploads_shown(lab):
    shown = page_text.state(lab, None, (), (), False, (), {})["uploads"]
    return {upload.name: wanted for upload, wanted in zip(lab.uploads, shown, strict=True)}


def test_the_upload_of_a_text_stands_under_the_corpus_and_only_where_it_is_wanted():
    text = page_text.meta(TrainingLab(), [])["uploads"][0]
    assert list(TrainingLab.settings())[text["under"]] == "corpus"
    assert uploads_shown(TrainingLab()) == {"text": False, "checkpoint": True}
    assert uploads_shown(TrainingLab(corpus="own")) == {"text": True, "checkpoint": True}


def test_passages_go_to_the_page_as_text_with_shades_in_hundredths():
    passage = Passage(
        "samples", "Samples", "All of them.", [Line("step 1", "<b>a\n", [0.5, -1, 0, 0.126, 1])], "lstm"
    )
    (told,) = json.loads(page_text.passages([passage]))
    assert told["lines"] == [["step 1", "<b>a\n", [50, -100, 0, 13, 100]]]
    assert (told["key"], told["title"], told["role"]) == ("samples", "Samples", "lstm")
    assert json.loads(page_text.passages([])) == []


def test_every_corpus_can_be_looked_at_in_its_own_net():
    for corpus in ("toy", "brackets", "agreement", "prose"):
        lab = lab_with(Snapshot(model=shipped(corpus)), corpus=corpus)
        shown = inside(lab)
        assert set(shown.lines[0].text) <= set(vocabulary_of(corpus_text(corpus)).characters)
        assert shown.lines[0].label.startswith("cell ")
