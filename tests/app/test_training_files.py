"""Texts and checkpoints that a visitor hands to the training lab, good ones and bad ones."""

import pickle

import pytest
from playwright.sync_api import expect

from core.training import TrainingSettings, initial_state, save
from tests.app.training_visitor import LONG, SMALL, TrainingVisitor
from widgets.training.corpora import corpus_text


@pytest.mark.parametrize("way", ["pasted", "file"])
def test_a_text_of_ones_own_is_learnt(trainee, way):
    text = "the cat sat on the mät, " * 40
    trainee.open(LONG + "&corpus=own")
    assert trainee.said().endswith("hand over a text of your own first")
    assert not trainee.enabled("start")
    if way == "pasted":
        trainee.page.click("text=Paste it instead")
        trainee.page.locator("[data-upload='text'] textarea").fill(text)
        trainee.page.click("[data-action='paste-text']")
    else:
        trainee.hand_over("text", "cats.txt", text.encode())
        trainee.visitor.see("[data-upload='text'] >> text=cats.txt, 1 kB")
    trainee.visitor.wait_readout("training.vocabulary", len(set(text)))
    assert trainee.enabled("start")
    trainee.press("one")
    trainee.wait_said("1 of 5000 steps; paused")
    trainee.page.wait_for_timeout(500)
    assert set("".join(trainee.samples())) <= set(text)
    trainee.agree("end")


def test_a_text_of_ones_own_outlives_a_reload_before_it_is_trained_on(trainee):
    text = "the cat sat on the mät, " * 40
    trainee.open(SMALL)
    trainee.hand_over("text", "cats.txt", text.encode())
    trainee.page.wait_for_url(lambda url: "corpus=own" in url and "run=" in url)
    trainee.page.reload()
    trainee.visitor.wait_readout("training.vocabulary", len(set(text)))
    assert (trainee.said(), trainee.warning()) == ("0 of 300 steps; not begun", "")
    trainee.press("one")
    trainee.wait_said("1 of 300 steps; paused")


def checkpoint(**settings) -> bytes:
    settings = TrainingSettings(
        corpus_text("toy"), **{"hidden_size": 16, "batch_size": 8, "truncation": 16} | settings
    )
    return save(settings, initial_state(settings))


class Opened:
    """What a hostile file would have run."""

    def __reduce__(self):
        return (print, ("opened",))


BAD_FILES = {
    "not UTF-8": ("text", b"caf\xe9 " * 200, "is not UTF-8"),
    "one character": ("text", b"a" * 4000, "nothing but the character"),
    "empty": ("text", b"", "is empty"),
    "too short": ("text", b"abc", "too short"),
    "too large": ("text", b"ab" * 150_000, "too large"),
    "cut short": ("checkpoint", checkpoint()[:5000], "no checkpoint, or only a part"),
    "pickle": ("checkpoint", pickle.dumps(Opened()), "no checkpoint"),
    "beyond the lab": ("checkpoint", checkpoint(hidden_size=8), "Hidden size must be from 16 to 256"),
}


def test_a_bad_file_gets_a_plain_sentence_and_costs_nothing(trainee):
    """One run, which lives through all of them: it goes on by a step after each, and the answer goes."""
    trainee.open(LONG)
    trainee.press("one")
    trainee.wait_said("1 of 5000 steps; paused")
    trainee.page.wait_for_timeout(700)
    address = trainee.page.url
    for steps, (kind, (name, data, words)) in enumerate(BAD_FILES.items(), start=1):
        trainee.hand_over(name, "file", data)
        said = trainee.wait_answer(name, words)
        assert trainee.warning() == "", kind
        assert said[0].isupper(), kind
        assert said.endswith("."), kind
        assert len(said) < 300, kind
        assert "Error" not in said, kind
        trainee.page.wait_for_timeout(500)
        assert trainee.page.url == address, kind
        assert trainee.said() == f"{steps} of 5000 steps; paused", kind
        trainee.press("one")
        trainee.wait_said(f"{steps + 1} of 5000 steps; paused")
        assert trainee.page.inner_text(f"[data-upload='{name}'] .warning") == "", kind
    trainee.agree("end")


def test_a_text_shorter_than_one_batch_says_how_long_it_must_be(trainee):
    trainee.open("&batch_size=32&truncation=64")
    trainee.hand_over("text", "short.txt", b"abcdefghij" * 50)
    trainee.page.wait_for_url("**corpus=own*")
    trainee.press("start")
    said = trainee.wait_warning("500 characters")
    assert "2,049" in said
    assert trainee.said() == "0 of 300 steps; not begun"


def test_a_checkpoint_goes_on_in_a_fresh_page(visit):
    trainee = TrainingVisitor(visit()).open(SMALL + "&cell=gru&steps=50")
    trainee.press("start")
    trainee.wait_said("done")
    data = trainee.download()
    trainee.press("one")
    trainee.wait_said("51 of 50")
    other = TrainingVisitor(visit()).open()
    other.hand_over("checkpoint", "net.npz", data)
    other.wait_said("50 of 300 steps; paused")
    expect(other.visitor.typed("Hidden size")).to_have_value("16")
    other.press("one")
    other.wait_said("51 of 300 steps; paused")
    assert other.visitor.readout("training.norm") == trainee.visitor.readout("training.norm")
    other.press("start")
    other.wait_said("done", 60)
    for visitor in (trainee, other):
        visitor.agree("end")


def test_the_largest_checkpoint_is_more_than_one_message_may_hold(trainee, tmp_path):
    data = checkpoint(hidden_size=256, layers=3, embedding_size=64)
    assert len(data) * 4 / 3 > 20 * 1024 * 1024
    trainee.open()
    file = tmp_path / "large.npz"
    file.write_bytes(data)
    trainee.page.locator("[data-upload='checkpoint'] input").set_input_files(file)
    trainee.wait_said("0 of 300 steps; paused", 60)
    expect(trainee.visitor.typed("Hidden size")).to_have_value("256")
    assert trainee.download() == data
    trainee.agree("end")


def test_markup_in_a_text_stays_text(trainee):
    text = "<b>bold</b><img src=x onerror=alert(1)> &amp; " * 60
    trainee.open(LONG + "&look_at=<b>x</b>")
    trainee.hand_over("text", "<i>markup</i>.txt", text.encode())
    trainee.page.wait_for_url("**corpus=own*")
    trainee.press("start")
    trainee.wait_steps(60)
    trainee.press("pause")
    trainee.wait_said("paused")
    trainee.page.wait_for_timeout(700)
    assert "<" in "".join(trainee.samples())
    inside = trainee.page.locator("[data-passage='inside'] li code").first.inner_text()
    assert inside == "<b>x</b>"
    assert trainee.page.locator("[data-lab='training'] :is(b, i, img)").count() == 0
    assert "<i>markup</i>.txt" in trainee.page.inner_text("[data-upload='text']")
    trainee.agree("end")


def test_a_text_is_handed_over_right_under_the_corpus_and_only_where_it_is_wanted(trainee):
    upload = trainee.page.locator("[data-upload='text']")
    trainee.open("&corpus=own")
    corpus = trainee.page.locator(
        "[role=combobox][aria-haspopup=listbox] >> visible=true"
    ).first.bounding_box()
    assert 0 < upload.bounding_box()["y"] - (corpus["y"] + corpus["height"]) < 30
    trainee.page.click("[data-preset='toy-language']")
    expect(upload).to_be_hidden()


def test_what_a_file_was_refused_for_is_read_out_beside_its_upload(trainee):
    trainee.open()
    trainee.hand_over("checkpoint", "net.npz", b"PK")
    trainee.wait_answer("checkpoint", "no checkpoint")
    answer = trainee.page.locator("[data-upload='checkpoint'] .warning")
    assert answer.get_attribute("role") == "alert"
    download = trainee.button("keep").bounding_box()
    assert abs(answer.bounding_box()["y"] - (download["y"] + download["height"])) < 60
