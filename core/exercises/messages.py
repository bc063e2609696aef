"""Messages between the check and the process that runs a student's file: JSON, then the bytes of arrays.

What comes from that process is believed in nothing but its length: `read` gives None for whatever is no message.
"""

import json
import struct
from typing import BinaryIO

_LENGTHS = struct.Struct("<4sII")
_MARK = b"lgap"


def write(stream: BinaryIO, head: dict, blob: bytes = b"") -> None:
    text = json.dumps(head).encode()
    stream.write(_LENGTHS.pack(_MARK, len(text), len(blob)) + text + blob)
    stream.flush()


def split(data: bytes) -> tuple[list[tuple[dict, bytes]], bytes]:
    """The whole messages at the beginning of the data, and the bytes behind them."""
    messages = []
    while (message := _first(data)) is not None:
        head, blob, data = message
        messages.append((head, blob))
    return messages, data


def read(stream: BinaryIO) -> tuple[dict, bytes]:
    """Wait for one message, from a sender that can be trusted."""
    _, text, blob = _LENGTHS.unpack(stream.read(_LENGTHS.size))
    return json.loads(stream.read(text)), stream.read(blob)


def _first(data: bytes) -> tuple[dict, bytes, bytes] | None:
    if len(data) < _LENGTHS.size:
        return None
    mark, text, blob = _LENGTHS.unpack_from(data)
    end = _LENGTHS.size + text + blob
    if mark != _MARK or len(data) < end:
        return None
    try:
        head = json.loads(data[_LENGTHS.size : _LENGTHS.size + text])
    except (ValueError, RecursionError):
        return None
    return (head, data[_LENGTHS.size + text : end], data[end:]) if isinstance(head, dict) else None
