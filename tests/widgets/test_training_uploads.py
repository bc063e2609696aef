"""What a visitor hands over to the training lab: a text, or a checkpoint; and how it is refused."""

import base64
import io
import json
import pickle
import threading
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.corpora import toy
from core.training import TrainingSettings, initial_state, restore, save, train
from widgets.training.lab import TrainingLab
from widgets.training.uploads import CHECKPOINT_MOST, checkpoint_in, checkpoint_of, text_in

SHIPPED = Path(__file__).parents[2] / "assets" / "models"
OWN = "the rain in spain stays mainly in the plain.\n" * 20
SMALL = {"hidden_size": 16, "embedding_size": 8, "truncation": 4, "batch_size": 4}


def settings_for(**settings):
    return TrainingSettings(**{"text": OWN, **SMALL, **settings})


def checkpoint(steps=0, **settings):
    chosen = settings_for(**settings)
    state = initial_state(chosen)
    for step in train(chosen) if steps else ():
        state = step.state
        if step.number == steps:
            break
    return save(chosen, state)


def test_a_text_of_ones_own_is_trained_on(desk):
    lab, engine, _ = desk.visit()
    desk.upload(engine, "text", OWN.encode())
    assert (lab.corpus, lab.snapshot.message) == ("own", "")
    engine.act("start", {})
    shown = desk.until(lab, "finished")
    assert (shown.corpus, shown.vocabulary_size) == ("own", len(set(OWN)))
    assert restore(engine._run.job.checkpoint)[0].text == OWN
    assert shown.series("fresh", "loss").size == 0


def test_without_a_text_of_ones_own_there_is_nothing_to_start(desk):
    lab, engine, _ = desk.visit(corpus="own")
    for button in ("start", "one", "anew"):
        engine.act(button, {})
        assert lab.snapshot.message.startswith("There is no text of your own yet")
        assert (lab.run, lab.snapshot.about) == ("", "")
    assert lab.snapshot.lacks_text
    desk.upload(engine, "text", OWN.encode())
    assert not lab.snapshot.lacks_text


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "The text is empty."),
        (b"\xff\xfe\x00 not text", "The text is not UTF-8: byte 1"),
        (b"\xef\xbb\xbf", "The text is empty."),
        (b"\n" * 500, "The text is nothing but line ends: there is nothing to predict."),
        (b" " * 500, "nothing but spaces: "),
        (b"\t" * 500, "nothing but tabs: "),
        ("\u200b" * 500, "nothing but the character U+200B: "),
        (b"x" * 500, "nothing but the character “x”: "),
        (b"too short", "too short: 9 characters"),
        (b"ab" * 100_001, "too long: 200,002 bytes, and at most 200,000"),
        (b"PK\x03\x04" + bytes(60), "it holds NUL characters"),
    ],
)
def test_a_text_that_cannot_be_read_is_refused_and_nothing_is_lost(desk, data, said):
    lab, engine, _ = desk.visit()
    engine.act("one", {})
    desk.until(lab, "paused")
    desk.upload(engine, "text", data if isinstance(data, bytes) else data.encode())
    assert said in lab.snapshot.message
    assert lab.snapshot.about == "text"
    assert (lab.corpus, lab.snapshot.number, lab.snapshot.status) == ("toy", 1, "paused")


def test_a_text_too_short_for_the_chunks_is_refused_with_the_numbers(desk):
    lab, engine, _ = desk.visit(batch_size=32, truncation=64)
    desk.upload(engine, "text", OWN[:500].encode())
    engine.act("start", {})
    assert "This text has 500 characters" in lab.snapshot.message
    assert "at least 2,049" in lab.snapshot.message
    assert lab.snapshot.status == "none"


def test_a_checkpoint_is_gone_on_from_with_its_settings(desk):
    data = checkpoint(7, cell="gru", hidden_size=32, learning_rate=0.02, tied=True, seed=5, clipping="none")
    lab, engine, _ = desk.visit(corpus="brackets")
    desk.upload(engine, "checkpoint", data)
    assert lab.snapshot.message == ""
    assert (lab.corpus, lab.cell, lab.hidden_size, lab.tied, lab.seed) == ("own", "gru", 32, True, 5)
    assert (lab.learning_rate, lab.clipping) == (0.02, "none")
    assert (lab.snapshot.number, lab.snapshot.status, lab.snapshot.outdated) == (7, "paused", False)
    assert desk.until(lab, "paused").model.number == 7
    engine.act("one", {})
    assert desk.until(lab, "paused").number == 8
    expected = next(train(*restore(data)))
    made = restore(engine._run.job.checkpoint)[1].parameters
    for name, array in expected.state.parameters.items():
        np.testing.assert_array_equal(made[name], array)


def test_a_checkpoint_that_was_downloaded_comes_back(desk):
    lab, engine, visitor = desk.visit()
    engine.act("start", {})
    desk.until(lab, "finished")
    engine.act("keep", {})
    other, opening, _ = desk.visit(key="other", corpus="prose")
    desk.upload(opening, "checkpoint", visitor.files[0][1])
    assert (other.corpus, other.snapshot.corpus, other.snapshot.number) == ("toy", "toy", 50)
    assert other.values() == lab.values()


@pytest.fixture
def slow_reading(monkeypatch):
    """Reading a checkpoint takes until the event is set."""
    free = threading.Event()

    def read(message):
        free.wait(20)
        return checkpoint_in(message)

    monkeypatch.setattr("widgets.training.handed_over.checkpoint_in", read)
    yield free
    free.set()


def hand_over(engine, data):
    """Without waiting for what comes of it."""
    engine.act("upload", {"name": "checkpoint", "base64": base64.b64encode(data).decode(), "size": len(data)})


def test_while_a_checkpoint_is_read_the_page_says_so_and_answers(desk, slow_reading):
    lab, engine, visitor = desk.visit()
    hand_over(engine, checkpoint(3))
    assert lab.snapshot.reading
    lab.adopt(temperature=1.0, hidden_size=32)
    engine.act("one", {})
    desk.loop.until(lambda: engine._run.job.status == "paused")
    engine._follow()
    assert (lab.snapshot.number, lab.snapshot.reading) == (1, True)
    engine.act("end", {})
    shows = visitor.shows
    slow_reading.set()
    desk.loop.until(lambda: not lab.snapshot.reading)
    assert (lab.snapshot.number, lab.corpus, lab.hidden_size) == (3, "own", 16)
    assert visitor.shows == shows + 1


def test_a_page_that_was_closed_meanwhile_gets_no_answer(desk, slow_reading):
    lab, engine, visitor = desk.visit()
    hand_over(engine, checkpoint(3))
    shows, soon = visitor.shows, []
    visitor.soon = soon.append
    engine.close()
    slow_reading.set()
    desk.loop.until(lambda: soon)
    soon[0]()
    assert (visitor.shows, lab.run, lab.corpus) == (shows, "", "toy")


def test_each_page_gets_its_own_checkpoint_in_its_own_session(desk, slow_reading):
    one, first, _ = desk.visit(key="one")
    two, second, visitor = desk.visit(key="two")
    soon = []
    visitor.soon = soon.append
    hand_over(first, checkpoint(1))
    hand_over(second, checkpoint(2))
    slow_reading.set()
    desk.loop.until(lambda: soon)
    assert two.snapshot.reading
    for work in soon:
        work()
    assert (one.snapshot.number, two.snapshot.number) == (1, 2)


def test_of_two_checkpoints_the_newer_counts(desk, slow_reading):
    lab, engine, _ = desk.visit()
    hand_over(engine, checkpoint(1))
    hand_over(engine, checkpoint(2))
    slow_reading.set()
    desk.loop.until(lambda: not lab.snapshot.reading)
    assert lab.snapshot.number == 2


def with_array(data, name, array):
    """The checkpoint with another array in the place of one of its own."""
    with np.load(io.BytesIO(data)) as held:
        arrays = dict(held) | {name: array}
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def with_pickle(data):
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(file, "w") as new:
        for name in old.namelist():
            if name != "parameters/by.npy":
                new.writestr(name, old.read(name))
        held = io.BytesIO()
        np.lib.format.write_array_header_1_0(
            held, {"descr": "|O", "fortran_order": False, "shape": (len(set(OWN)),)}
        )
        new.writestr("parameters/by.npy", held.getvalue() + pickle.dumps([print] * 3))
    return file.getvalue()


def with_about(data, settings=None, **changes):
    with np.load(io.BytesIO(data)) as held:
        about = json.loads(held["about"].tobytes()) | changes
    about["settings"] |= settings or {}
    return with_array(data, "about", np.frombuffer(json.dumps(about).encode(), np.uint8))


def with_settings(data, **changes):
    return with_about(data, changes)


def too_large_to_train():
    settings = settings_for()
    state = initial_state(settings)
    huge = {name: np.full_like(array, 3e38) for name, array in state.parameters.items()}
    return save(settings, replace(state, parameters=huge))


def made_with_sgd():
    settings = settings_for(optimizer="sgd")
    return save(settings, initial_state(settings))


HOSTILE = {
    "no file": (lambda: b"", "is no checkpoint"),
    "a text": (lambda: b"hello hello hello hello", "is no checkpoint"),
    "truncated": (lambda: checkpoint()[:-100], "or only a part of one"),
    "cut in half": (lambda: checkpoint()[:2000], "or only a part of one"),
    "another shape": (
        lambda: with_array(checkpoint(), "parameters/U1", np.zeros((3, 3), np.float32)),
        "U1 in this checkpoint must be float32 of shape (16, 64)",
    ),
    "not finite": (
        lambda: with_array(checkpoint(), "parameters/by", np.full(len(set(OWN)), np.nan, np.float32)),
        "by in this checkpoint must hold finite numbers only",
    ),
    "a pickled object": (lambda: with_pickle(checkpoint()), "must be float32 of shape"),
    "too many units": (lambda: checkpoint(hidden_size=272), "Hidden size must be from 16 to 256 in this lab, got 272"),
    "too few units": (lambda: checkpoint(hidden_size=8), "Hidden size must be from 16 to 256 in this lab, got 8"),
    "a long chunk": (lambda: checkpoint(truncation=132), "Truncation K must be from 4 to 128"),
    "a high rate": (lambda: checkpoint(learning_rate=2.0), "must be from 0.001 to 1 in this lab, got 2.0"),
    "a settings' lie": (lambda: with_settings(checkpoint(), hidden_size=10**9), "in this checkpoint must be"),
    "SGD": (made_with_sgd, "trains with Adam, and this checkpoint was made with sgd"),
    "a shipped net": (lambda: (SHIPPED / "toy.npz").read_bytes(), "one of the small nets that come with the labs"),
    "huge weights": (too_large_to_train, "so large that its loss is not finite"),
    "too many steps": (lambda: with_about(checkpoint(), number=10**9), "goes on from at most 1,000,000 steps"),
    "a short text": (lambda: with_settings(checkpoint(), text=OWN[:50], batch_size=16), "must be"),
    "a text for no chunk": (lambda: checkpoint(text=OWN, batch_size=64, truncation=128), "take at least 8,193: choose"),
}  # fmt: skip


@pytest.mark.parametrize("case", HOSTILE)
@pytest.mark.filterwarnings("error")
def test_a_checkpoint_that_cannot_be_gone_on_from_is_refused_and_nothing_is_lost(desk, case):
    make, said = HOSTILE[case]
    lab, engine, _ = desk.visit()
    engine.act("one", {})
    desk.until(lab, "paused")
    before, token = lab.values(), lab.run
    desk.upload(engine, "checkpoint", make())
    assert said in lab.snapshot.message
    assert (lab.values(), lab.run, lab.snapshot.number) == (before, token, 1)


def test_a_checkpoint_does_not_take_the_place_of_a_run_that_has_been_trained(desk):
    lab, engine, _ = desk.visit()
    engine.act("one", {})
    desk.until(lab, "paused")
    token = lab.run
    desk.upload(engine, "checkpoint", checkpoint(cell="gru"))
    assert "a run that has come to step 1" in lab.snapshot.message
    assert (lab.run, lab.snapshot.cell, lab.snapshot.number) == (token, "lstm", 1)
    engine.act("end", {})
    desk.upload(engine, "checkpoint", checkpoint(cell="gru"))
    assert (lab.snapshot.message, lab.snapshot.cell, lab.snapshot.number) == ("", "gru", 0)


def test_a_checkpoint_with_a_text_that_no_visitor_could_hand_over_is_refused():
    text = toy(250_000, 0)
    with pytest.raises(ValueError, match="too long"):
        checkpoint_of(checkpoint(text=text))
    many = "".join(map(chr, range(0x4E00, 0x4E00 + 5001)))
    with pytest.raises(ValueError, match="5,001 different characters"):
        checkpoint_of(checkpoint(text=many))


def test_the_largest_net_of_the_lab_fits_the_upload():
    """Three LSTM layers of 256 units, V = 5,000 characters and the two moments of Adam."""
    parameters = 5000 * 64 + (64 + 256 + 1) * 1024 + 2 * (512 + 1) * 1024 + 256 * 5000 + 5000
    assert 3 * 4 * parameters < CHECKPOINT_MOST
    assert {upload.name: upload.most for upload in TrainingLab.uploads} == {
        "text": 200_000, "checkpoint": CHECKPOINT_MOST,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ({"size": 250_000}, "too large: it has 250,000 bytes, and at most 200,000 can be read"),
        ({}, "too large: it has too many bytes"),
        ({"base64": "a"}, "did not come whole"),
        ({"base64": "é漢"}, "did not come whole"),
        ({"base64": "<b>"}, "did not come whole"),
    ],
)
def test_a_file_that_did_not_come_is_refused(message, said):
    with pytest.raises(ValueError, match=said):
        text_in(message)


@pytest.mark.parametrize("message", [{}, {"name": "picture"}, {"name": ["text"]}, {"name": None}])
def test_an_upload_of_no_known_kind_changes_nothing(desk, message):
    lab, engine, _ = desk.visit()
    before = lab.values()
    engine.act("upload", {"base64": base64.b64encode(OWN.encode()).decode(), **message})
    assert lab.values() == before
    assert lab.run == ""
