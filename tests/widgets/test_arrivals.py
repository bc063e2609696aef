"""A file that comes in pieces is whole with its last piece, and never larger than it may be."""

import base64

import pytest

from widgets.base.frame import Upload
from widgets.work.arrivals import Arrivals


@pytest.fixture
def arrivals():
    return Arrivals([Upload("text", "A text", ".txt", 30), Upload("net", "A net", ".npz", 1000)])


def piece(data, name="text", **details):
    return {"name": name, "base64": base64.b64encode(data).decode(), **details}


def bytes_in(message):
    return base64.b64decode(message["base64"], validate=True)


def test_pieces_are_joined_in_their_order(arrivals):
    assert arrivals.whole(piece(b"abc", first=True, last=False)) is None
    assert arrivals.whole(piece(b"def", first=False, last=False)) is None
    assert bytes_in(arrivals.whole(piece(b"g", first=False, last=True))) == b"abcdefg"


def test_a_message_without_pieces_is_whole(arrivals):
    assert bytes_in(arrivals.whole(piece(b"abcd"))) == b"abcd"


def test_two_files_on_their_way_do_not_mix(arrivals):
    arrivals.whole(piece(b"abc", first=True, last=False))
    arrivals.whole(piece(b"xyz", "net", first=True, last=False))
    assert bytes_in(arrivals.whole(piece(b"d", first=False, last=True))) == b"abcd"
    assert bytes_in(arrivals.whole(piece(b"u", "net", first=False, last=True))) == b"xyzu"


def test_a_new_beginning_drops_what_came_before(arrivals):
    arrivals.whole(piece(b"abc", first=True, last=False))
    assert bytes_in(arrivals.whole(piece(b"new", first=True, last=True))) == b"new"


def test_a_piece_without_a_beginning_is_nothing(arrivals):
    assert arrivals.whole(piece(b"abc", first=False, last=True)) is None


@pytest.mark.parametrize("size", [30, 31, 33])
def test_the_largest_file_comes_whole_and_a_larger_one_without_its_bytes(arrivals, size):
    halves = b"a" * 15, b"a" * (size - 15)
    arrivals.whole(piece(halves[0], first=True, last=False))
    whole = arrivals.whole(piece(halves[1], first=False, last=True, size=size))
    assert whole["size"] == size
    assert ("base64" in whole) == (size == 30)
    assert arrivals.whole(piece(b"abc", first=False, last=True)) is None


@pytest.mark.parametrize("name", [None, "other", ["text"], {}])
def test_what_no_upload_is_called_is_nothing(arrivals, name):
    assert arrivals.whole(piece(b"abc", name)) is None


def test_a_file_that_was_too_large_to_send_is_passed_on(arrivals):
    assert arrivals.whole({"name": "text", "size": 5000}) == {"name": "text", "size": 5000}
