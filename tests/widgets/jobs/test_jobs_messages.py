"""Messages through a pipe come whole or not at all."""

import io

import pytest

from widgets.jobs.messages import read, write


@pytest.mark.parametrize("blob", [b"", b"\n\0\xff", bytes(100_000)])
def test_what_is_written_is_read(blob):
    pipe = io.BytesIO()
    for number in (1, 2):
        write(pipe, {"tell": "²", "number": number}, blob)
    pipe.seek(0)
    assert [read(pipe) for _ in range(3)] == [
        ({"tell": "²", "number": 1}, blob),
        ({"tell": "²", "number": 2}, blob),
        None,
    ]


def test_a_message_that_broke_off_is_none():
    pipe = io.BytesIO()
    write(pipe, {"tell": "done"}, b"checkpoint")
    whole = pipe.getvalue()
    assert read(io.BytesIO(whole)) is not None
    for length in range(len(whole)):
        assert read(io.BytesIO(whole[:length])) is None
