"""Messages between the check and the process that runs a student's file: JSON, then the bytes of arrays.

What comes from that process is believed in nothing but its length: `read` gives None for whatever is no message.
"""

import json
import struct
from typing import BinaryIO

_LENGTHS = struct.Struct("<4sII")
_MARK = b"lgap"
_LONGEST = 4_000_000
"""Bytes of JSON in one message: the parts of the largest value take less."""


def write(stream: BinaryIO, head: dict, blob: bytes = b"") -> None:
    text = json.dumps(head).encode()
    stream.write(_LENGTHS.pack(_MARK, len(text), len(blob)) + text + blob)
    stream.flush()


def take(data: bytearray) -> list[tuple[dict, bytes]]:
    """The whole messages at the beginning of the data, which are taken out of it."""
    messages = []
    while (message := _first(data)) is not None:
        head, blob, end = message
        messages.append((head, blob))
        del data[:end]
    return messages


def read(stream: BinaryIO) -> tuple[dict, bytes]:
    """Wait for one message, from a sender that can be trusted."""
    _, text, blob = _LENGTHS.unpack(stream.read(_LENGTHS.size))
    return json.loads(stream.read(text)), stream.read(blob)


def _first(data: bytearray) -> tuple[dict, bytes, int] | None:
    """The first message and where it ends."""
    if len(data) < _LENGTHS.size:
        return None
    mark, text, blob = _LENGTHS.unpack_from(data)
    start, end = _LENGTHS.size + text, _LENGTHS.size + text + blob
    if mark != _MARK or text > _LONGEST or len(data) < end:
        return None
    try:
        head = json.loads(data[_LENGTHS.size : start])
    except (ValueError, RecursionError):
        return None
    return (head, bytes(data[start:end]), end) if isinstance(head, dict) else None
