"""Messages through a pipe: a small head in JSON and a blob of bytes, their two lengths first."""

import json
import struct
from collections.abc import Mapping
from typing import BinaryIO

_LENGTHS = struct.Struct(">II")


def write(stream: BinaryIO, head: Mapping, blob: bytes = b"") -> None:
    """Send one message. Waits while the pipe is full."""
    text = json.dumps(head).encode()
    stream.write(_LENGTHS.pack(len(text), len(blob)))
    stream.write(text)
    stream.write(blob)
    stream.flush()


def read(stream: BinaryIO) -> tuple[dict, bytes] | None:
    """Wait for one message; None at the end of the pipe, also when it broke off within a message."""
    lengths = stream.read(_LENGTHS.size)
    if len(lengths) < _LENGTHS.size:
        return None
    head, blob = _LENGTHS.unpack(lengths)
    body = stream.read(head)
    rest = stream.read(blob)
    return (json.loads(body), rest) if len(rest) == blob and len(body) == head else None
