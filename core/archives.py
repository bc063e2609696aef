"""A zip of arrays that may come from anywhere: nothing in it is believed before it has been looked at.

It is read with the standard library's `zipfile`, which reads the whole list of members at once, and unpacks
what it is asked for: so the length of that list and the sizes are looked at first.
"""

import contextlib
import io
import math
import struct
import zipfile
import zlib
from collections.abc import Iterator
from tokenize import TokenError

import numpy as np

from core.validation import finite_array

MOST_BYTES = 64_000_000
"""The most that an archive may hold, packed or unpacked."""

_MOST_LISTED = 100_000
"""Bytes of the list of members; that of a checkpoint takes less than 10,000."""
_NO_ARCHIVE = "this is no checkpoint, or only a part of one"
_PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_END = struct.Struct("<4s8x2I2s")
"""The record at a zip's end: its mark, the length of the list of members and its place, and a comment's length."""
_END_MARK, _LARGE_MARK, _LARGE_BYTES = b"PK\x05\x06", b"PK\x06\x07", 20


@contextlib.contextmanager
def opened(data: bytes) -> Iterator[zipfile.ZipFile]:
    """The archive in these bytes.

    Raises ValueError, in words for whoever sent them, also while it is read, for bytes that are no zip as
    `numpy.savez` makes it, are truncated, damaged, encrypted or packed in another way, or are too many, packed or
    unpacked.
    """
    if not isinstance(data, bytes) or len(data) > MOST_BYTES:
        got = f"{len(data):,} bytes" if isinstance(data, bytes) else type(data).__name__
        raise ValueError(f"a checkpoint must be at most {MOST_BYTES:,} bytes, got {got}")
    _check_end(data)
    # NotImplementedError and RuntimeError: of a newer kind, or encrypted, as no checkpoint is.
    faults = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            _check_members(archive)
            yield archive
    except (*faults, UnicodeDecodeError, struct.error) as error:
        raise ValueError(_NO_ARCHIVE) from error


def read_array(
    archive: zipfile.ZipFile, name: str, shape: tuple[int, ...], dtype: np.typing.DTypeLike
) -> np.ndarray:
    """One array, whose header is compared with what is expected before room is made for it.

    Raises ValueError for what is no array, of another type or shape, shorter or longer than that, or not finite.
    """
    dtype = np.dtype(dtype)
    with archive.open(f"{name}.npy") as file:
        try:
            np.lib.format.read_magic(file)
            found = np.lib.format.read_array_header_1_0(file)
        # NumPy reads a header as Python's own literals, and meets whatever a damaged one can hold.
        except (ValueError, TypeError, SyntaxError, TokenError, MemoryError, RecursionError) as error:
            raise ValueError(f"{name} in this checkpoint is no array") from error
        if found != (shape, False, dtype):
            raise ValueError(
                f"{name} in this checkpoint must be {dtype} of shape {shape}, got {found[2]} of shape {found[0]}"
            )
        data = file.read()
    if len(data) != math.prod(shape) * dtype.itemsize:
        raise ValueError(f"{name} in this checkpoint is not as long as it says")
    array = np.frombuffer(data, dtype).reshape(shape).copy()
    return (
        finite_array(f"{name} in this checkpoint", array, shape, keep_float32=True)
        if dtype.kind == "f"
        else array
    )


def _check_end(data: bytes) -> None:
    """Look at the end of a zip before `zipfile` reads all that it lists."""
    if len(data) < _END.size:
        raise ValueError(_NO_ARCHIVE)
    mark, listed, _, comment = _END.unpack(data[-_END.size :])
    is_large = data[-_END.size - _LARGE_BYTES :].startswith(_LARGE_MARK)
    if mark != _END_MARK or comment != b"\0\0" or is_large:
        raise ValueError(_NO_ARCHIVE)
    if listed > _MOST_LISTED:
        raise ValueError("this is no checkpoint: it holds far more parts than one has")


def _check_members(archive: zipfile.ZipFile) -> None:
    unpacked = sum(member.file_size for member in archive.infolist())
    if unpacked > MOST_BYTES:
        raise ValueError(
            f"a checkpoint must unpack to at most {MOST_BYTES:,} bytes, this one would to {unpacked:,}"
        )
    if any(member.compress_type not in _PACKINGS for member in archive.infolist()):
        raise ValueError("this is no checkpoint: it is packed in a way in which none is")
