import dataclasses
import io
import json
import pickle
import subprocess
import sys
import zipfile
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

import core
from core.checkpoints import MOST_ABOUT, MOST_BYTES, restore, save, steps_made
from core.training import TrainingSettings, initial_state, train

SETTINGS = TrainingSettings(
    "zuerst kam σ, dann “h”. " * 20,
    cell="lstm",
    hidden_size=6,
    embedding_size=4,
    truncation=5,
    batch_size=4,
    learning_rate=0.03,
    dropout="variational",
)
GO_ON = """
import sys
from itertools import islice
from core.checkpoints import restore, save
from core.training import train

settings, state = restore(sys.stdin.buffer.read())
steps = list(islice(train(settings, state), 5))
print(*(step.loss.hex() for step in steps), file=sys.stderr)
sys.stdout.buffer.write(save(settings, steps[-1].state))
"""


def stopped(settings=SETTINGS, count=3):
    return list(islice(train(settings), count))[-1].state


def equal(one, other):
    return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()


def same(one, other):
    """Whether two states are so bit for bit."""
    pairs = [(one.parameters, other.parameters)]
    if one.moments:
        pairs += [(one.moments.first, other.moments.first), (one.moments.second, other.moments.second)]
        assert one.moments.steps == other.moments.steps
    assert one.number == other.number
    assert equal(one.recurrent, other.recurrent)
    return all(list(a) == list(b) and all(equal(a[name], b[name]) for name in a) for a, b in pairs)


@pytest.mark.parametrize(
    "change", [{}, {"cell": "gru", "layers": 3, "tied": True}, {"cell": "rnn", "optimizer": "sgd"}]
)
def test_what_was_saved_comes_back_bit_for_bit(change):
    settings = dataclasses.replace(SETTINGS, **change)
    state = stopped(settings)
    settings_again, again = restore(save(settings, state))
    assert settings_again == settings
    assert same(again, state)
    assert (again.moments is None) == (settings.optimizer == "sgd")


@pytest.mark.parametrize("count", [1, 3])
def test_the_steps_of_a_checkpoint_are_known_without_its_arrays(count):
    assert steps_made(save(SETTINGS, stopped(count=count))) == count
    assert steps_made(save(SETTINGS, initial_state(SETTINGS))) == 0


def test_a_run_of_float64_stays_one():
    state = initial_state(SETTINGS)
    wide = {name: array.astype(np.float64) for name, array in state.parameters.items()}
    moments = state.moments._replace(
        first={name: np.zeros_like(array) for name, array in wide.items()},
        second={name: np.zeros_like(array) for name, array in wide.items()},
    )
    state = dataclasses.replace(
        state, parameters=wide, moments=moments, recurrent=state.recurrent.astype(np.float64)
    )
    assert same(restore(save(SETTINGS, state))[1], state)


def test_a_fresh_process_goes_on_to_identical_results():
    whole = list(islice(train(SETTINGS), 8))
    run = subprocess.run(
        [sys.executable, "-c", GO_ON],
        input=save(SETTINGS, whole[2].state),
        capture_output=True,
        cwd=Path(core.__file__).parents[1],
        check=True,
    )
    assert run.stderr.decode().split() == [step.loss.hex() for step in whole[3:]]
    assert same(restore(run.stdout)[1], whole[-1].state)


def test_the_file_is_an_npz_without_pickles():
    arrays = np.load(io.BytesIO(save(SETTINGS, stopped())), allow_pickle=False)
    assert {arrays[name].dtype.kind for name in arrays.files} == {"f", "u"}
    about = json.loads(arrays["about"].tobytes())
    assert about["number"] == 3
    assert about["settings"]["text"] == SETTINGS.text


def parts():
    """The members of a good checkpoint."""
    with zipfile.ZipFile(io.BytesIO(save(SETTINGS, stopped()))) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(members, compression=zipfile.ZIP_DEFLATED):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()


def npy(array, allow_pickle=False):
    file = io.BytesIO()
    np.lib.format.write_array(file, array, allow_pickle=allow_pickle)
    return file.getvalue()


def about(**change):
    told = json.loads(parts()["about.npy"][128:])
    settings = change.pop("settings", {})
    told = {**told, **change, "settings": {**told["settings"], **settings}}
    return npy(np.frombuffer(json.dumps(told).encode(), np.uint8))


def test_a_good_checkpoint_may_be_packed_anew():
    assert restore(packed(parts()))[0] == SETTINGS


class Nasty:
    """An object whose unpickling would leave a trace."""

    seen = False

    def __reduce__(self):
        return setattr, (Nasty, "seen", True)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"recurrent.npy": None}, "by its settings this checkpoint must hold"),
        ({"more.npy": npy(np.zeros(3))}, "by its settings this checkpoint must hold"),
        (
            {"about.npy": None, "about": parts()["about.npy"]},
            "this is no checkpoint: it does not say what it is about",
        ),
        ({"about.npy": npy(np.frombuffer(b"{not json", np.uint8))}, "this checkpoint does not say in JSON"),
        ({"about.npy": npy(np.frombuffer(b"[" * 100_000, np.uint8))}, "this checkpoint does not say in JSON"),
        ({"about.npy": npy(np.frombuffer(b"\xff\xfe", np.uint8))}, "this checkpoint does not say in JSON"),
        ({"about.npy": npy(np.frombuffer(b"[1, 2]", np.uint8))}, "this checkpoint is not of the format"),
        ({"about.npy": about(format="other")}, "this checkpoint is not of the format 'long-gap training 1'"),
        ({"about.npy": about(number=-1)}, "number must be an integer from 0 to 1000000000, got -1"),
        ({"about.npy": about(number="3")}, "number must be an integer from 0 to 1000000000, got '3'"),
        ({"about.npy": about(dtype="object")}, "dtype must be one of float32, float64, got 'object'"),
        ({"about.npy": about(settings={"depth": 3})}, "this checkpoint must have the settings batch_size"),
        ({"about.npy": about(settings={"layers": 9})}, "layers must be an integer from 1 to 3, got 9"),
        ({"about.npy": about(settings={"text": "aaaa"})}, "text must have at least 2 distinct characters"),
        (
            {"about.npy": about(settings={"learning_rate": float("nan")})},
            "learning_rate must be a finite number",
        ),
        (
            {"about.npy": about(settings={"hidden_size": 10**9})},
            r"parameters/W1 in this checkpoint must be float32 of shape \(4, 4000000000\), got float32",
        ),
        (
            {"about.npy": about(settings={"hidden_size": 7})},
            r"parameters/W1 in this checkpoint must be float32 of shape \(4, 28\), got float32 of shape \(4, 24\)",
        ),
        (
            {"parameters/by.npy": npy(np.zeros(40, np.float32))},
            r"parameters/by in this checkpoint must be float32 of shape \(18,\)",
        ),
        (
            {"parameters/by.npy": npy(np.zeros(18))},
            r"parameters/by in this checkpoint must be float32 of shape \(18,\), got float64",
        ),
        (
            {"parameters/by.npy": npy(np.full(18, np.nan, np.float32))},
            "parameters/by in this checkpoint must hold finite numbers only, got nan",
        ),
        (
            {"parameters/by.npy": npy(np.array([Nasty()] * 18), allow_pickle=True)},
            r"parameters/by in this checkpoint must be float32 of shape \(18,\), got object",
        ),
        ({"parameters/by.npy": b"no array at all"}, "parameters/by in this checkpoint is no array"),
        (
            {"parameters/by.npy": npy(np.zeros(18, np.float32))[:-4]},
            "parameters/by in this checkpoint is not as long as it says",
        ),
        (
            {"recurrent.npy": npy(np.zeros((1, 2, 4, 6), np.float32).T.copy().T)},
            "recurrent in this checkpoint must be float32",
        ),
    ],
)
def test_what_is_not_right_inside_is_refused(change, message):
    members = {name: data for name, data in (parts() | change).items() if data is not None}
    with pytest.raises(ValueError, match=f"^{message}"):
        restore(packed(members))
    assert not Nasty.seen


def test_no_bytes_but_those_of_a_checkpoint_are_taken():
    good = save(SETTINGS, stopped())
    encrypted = bytearray(packed({"about.npy": b"x"}, zipfile.ZIP_STORED))
    for place in (encrypted.find(b"PK\x03\x04") + 6, encrypted.find(b"PK\x01\x02") + 8):
        encrypted[place] |= 1
    for data in (b"", b"PK", good[:-1], good[: len(good) // 2], pickle.dumps(Nasty()), bytes(encrypted)):
        with pytest.raises(ValueError, match=r"^this is no checkpoint, or only a part of one$"):
            restore(data)
    assert not Nasty.seen
    for data in (None, "text", bytearray(good)):
        with pytest.raises(ValueError, match=r"^a checkpoint must be at most 64,000,000 bytes, got "):
            restore(data)


def patched(data, mark, place, value):
    """The bytes with a value put at a place of every record that begins with the mark."""
    changed, at = bytearray(data), data.find(mark)
    while at >= 0:
        changed[at + place : at + place + len(value)] = value
        at = data.find(mark, at + 1)
    return bytes(changed)


LISTED, END = b"PK\x01\x02", b"PK\x05\x06"


@pytest.mark.parametrize(
    "data",
    [
        patched(save(SETTINGS, stopped()), LISTED, 6, b"\x63\x00"),  # of a zip version that is to come
        patched(
            patched(save(SETTINGS, stopped()), LISTED, 8, b"\x00\x08"), LISTED, 46, b"\xff\xfe"
        ),  # a name
        save(SETTINGS, stopped()) + b"PK",
        patched(save(SETTINGS, stopped()), END, 20, b"\x01\x00") + b"!",  # a comment
        patched(save(SETTINGS, stopped()) + bytes(20), END, 0, b"PK\x06\x07"),
    ],
)
def test_a_zip_of_another_kind_is_refused_in_our_words(data):
    with pytest.raises(ValueError, match=r"^this is no checkpoint, or only a part of one$"):
        restore(data)


def test_a_long_list_of_members_is_refused_before_it_is_read(monkeypatch):
    many = packed({f"part {n:05}": b"" for n in range(2000)})
    monkeypatch.setattr(zipfile, "ZipFile", None)
    with pytest.raises(ValueError, match=r"^this is no checkpoint: it holds far more parts than one has$"):
        restore(many)


def test_a_mean_of_squares_below_zero_is_refused():
    wrong = parts()
    wrong["second/by.npy"] = npy(np.full(18, -1e-9, np.float32))
    with pytest.raises(ValueError, match=r"^second/by in this checkpoint must not be below 0"):
        restore(packed(wrong))


def test_every_byte_that_is_turned_is_noticed():
    """Wherever it lies: refused, or without any effect on what comes back."""
    good = save(SETTINGS, stopped())
    _, state = restore(good)
    noticed = 0
    for place in range(0, len(good), len(good) // 300):
        turned = bytearray(good)
        turned[place] ^= 0x55
        try:
            assert same(restore(bytes(turned))[1], state)
        except ValueError:
            noticed += 1
    assert noticed > 200


def test_what_would_unpack_to_too_much_is_refused_before_it_is_unpacked():
    bomb = packed(parts() | {"parameters/E.npy": bytes(MOST_BYTES + 1)})
    assert len(bomb) < 200_000
    with pytest.raises(ValueError, match=r"^a checkpoint must unpack to at most 64,000,000 bytes, this one"):
        restore(bomb)
    with pytest.raises(ValueError, match=r"^a checkpoint must be at most 64,000,000 bytes, got 64,000,001"):
        restore(bytes(MOST_BYTES + 1))


def test_a_state_of_other_settings_is_not_saved():
    with pytest.raises(ValueError, match=r"^state must be of the model that the settings describe"):
        save(dataclasses.replace(SETTINGS, hidden_size=7), initial_state(SETTINGS))


def test_what_it_is_about_may_not_be_as_long_as_the_rest():
    nested = packed(parts() | {"about.npy": bytes(MOST_ABOUT + 1)})
    with pytest.raises(ValueError, match="at most 4,000,000 bytes"):
        restore(nested)


@pytest.mark.parametrize("header", ["(((", "{'descr':[", "'''abc", "{1:2,'a':3}", " x\n  y", "-" * 9000])
def test_a_header_that_python_cannot_read_is_refused(header):
    text = header.encode()
    broken = b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text
    with pytest.raises(ValueError, match="checkpoint"):
        restore(packed(parts() | {"parameters/E.npy": broken}))


def test_other_packings_are_refused():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_LZMA) as archive:
        for name, data in parts().items():
            archive.writestr(name, data)
    with pytest.raises(ValueError, match="packed"):
        restore(file.getvalue())


def test_a_number_of_steps_beyond_all_measure_is_refused():
    about = json.loads(bytes(np.load(io.BytesIO(parts()["about.npy"]))))
    held = io.BytesIO()
    np.save(held, np.frombuffer(json.dumps(about | {"number": 10**400}).encode(), np.uint8))
    with pytest.raises(ValueError, match="number"):
        restore(packed(parts() | {"about.npy": held.getvalue()}))
