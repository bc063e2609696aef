"""Arguments and results as JSON beside the bytes of their arrays: nothing in them could run when they are read.

What is no number, array, tuple, list or dict is described and not carried.
"""

import math
from itertools import islice

import numpy as np

from core.exercises.contract import Foreign

MOST_PARTS = 5_000
"""The most numbers, arrays and groups in one value."""
MOST_BYTES = 1_000_000
"""The most bytes of all arrays in one value."""
_DEEPEST = 20
_LARGEST_INTEGER = 2**63
_KINDS = "biufc"
_CLASS_NAME = type.__dict__["__name__"]
"""A class of the student's own can say nothing else here."""
_WIDEST = 32
"""Bytes of the widest number, a complex one of twice 16."""


class UnreadableError(ValueError):
    """What came is no value that `pack` made."""


def pack(value: object) -> tuple[object, bytes]:
    """A value as JSON and the bytes of its arrays, which `unpack` puts together again."""
    packer = _Packer()
    tree = packer.tree(value, 0)
    return tree, b"".join(packer.blobs)


def is_whole(tree: object) -> bool:
    """Whether nothing of a packed value had to be left out."""
    if not isinstance(tree, dict):
        return True
    [(kind, content)] = tree.items()
    if kind == "dict":
        return all(is_whole(part) for _, part in content)
    return kind == "array" or (kind != "foreign" and all(map(is_whole, content)))


def unpack(tree: object, blob: bytes) -> object:
    """The value; raises UnreadableError for what `pack` cannot have made."""
    reader = _Reader(blob)
    try:
        return reader.value(tree)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError, OverflowError) as error:
        raise UnreadableError("this is no packed value") from error


def described(value: object) -> str:
    """What a value is, with its article, such as "an int" or "a function"."""
    if value is None:
        return "None"
    name = _CLASS_NAME.__get__(type(value))[:40]
    return f"an {name}" if name[:1].lower() in "aeiou" else f"a {name}"


class _Packer:
    def __init__(self):
        self.blobs: list[bytes] = []
        self._parts = self._bytes = 0

    def tree(self, value: object, depth: int) -> object:
        if depth > _DEEPEST:
            return _foreign(f"{described(value)} that holds too much, or itself")
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, np.generic | np.ndarray):
            return self._array(value)
        if isinstance(value, int):
            fits = abs(int(value)) <= _LARGEST_INTEGER
            return int(value) if fits else _foreign("an int of very many digits")
        if isinstance(value, float):
            return float(value)
        if isinstance(value, complex):
            return self._array(np.complex128(value))
        if isinstance(value, dict | tuple | list):
            return self._group(value, depth)
        return _foreign(described(value))

    def _group(self, value: dict | tuple | list, depth: int) -> dict:
        size = len(value)
        if self._parts + size > MOST_PARTS:
            return _foreign(f"{described(value)} of {size:,}, too large to be looked at")
        self._parts += size
        if isinstance(value, dict):
            if not all(isinstance(key, str) for key in value):
                return _foreign("a dict with keys that are no texts")
            return {"dict": [[key[:40], self.tree(part, depth + 1)] for key, part in value.items()]}
        kind = "tuple" if isinstance(value, tuple) else "list"
        # A class of the student's own may go on for ever.
        return {kind: [self.tree(part, depth + 1) for part in islice(value, size)]}

    def _array(self, value: np.generic | np.ndarray) -> dict:
        is_scalar = isinstance(value, np.generic)
        if not is_scalar and type(value) is not np.ndarray:
            # A masked array or a matrix calculates otherwise than an array of the same numbers.
            return _foreign(described(value))
        array = np.asarray(value)
        if array.dtype.kind not in _KINDS:
            what = "objects" if array.dtype.kind == "O" else f"{array.dtype.name[:40]}"
            return _foreign(described(value) if is_scalar else f"an array of {what}")
        if self._bytes + array.nbytes > MOST_BYTES:
            return _foreign(f"an array of shape {array.shape}, too large to be looked at")
        self._bytes += array.nbytes
        self.blobs.append(array.tobytes())
        return {"array": [array.dtype.str, list(array.shape), is_scalar]}


class _Reader:
    def __init__(self, blob: bytes):
        self._blob, self._at = blob, 0

    def value(self, tree: object) -> object:
        if tree is None or isinstance(tree, bool | float):
            return tree
        if isinstance(tree, int):
            return self._integer(tree)
        [(kind, content)] = tree.items()
        if kind == "array":
            return self._array(*content)
        if kind == "foreign":
            return Foreign(str(content)[:200])
        if kind == "dict":
            return {str(key): self.value(part) for key, part in content}
        if kind in ("tuple", "list"):
            parts = [self.value(part) for part in content]
            return tuple(parts) if kind == "tuple" else parts
        raise UnreadableError(f"there are no values of the kind {kind!r}")

    @staticmethod
    def _integer(number: int) -> int:
        if abs(number) > _LARGEST_INTEGER:
            raise UnreadableError("a whole number has too many digits")
        return number

    def _array(self, code: str, shape: list, is_scalar: bool) -> np.ndarray | np.generic:
        dtype = np.dtype(str(code))
        if dtype.kind not in _KINDS or dtype.itemsize > _WIDEST or len(shape) > 32:
            raise UnreadableError(f"there are no arrays of {dtype}")
        if not all(type(axis) is int and axis >= 0 for axis in shape):
            raise UnreadableError("an axis is as long as a whole number says")
        end = self._at + math.prod(shape) * dtype.itemsize
        if end > len(self._blob):
            raise UnreadableError("an array is shorter than it says")
        array = np.frombuffer(self._blob[self._at : end], dtype).reshape(shape).copy()
        self._at = end
        return array[()] if is_scalar and array.ndim == 0 else array


def _foreign(description: str) -> dict:
    return {"foreign": description}
