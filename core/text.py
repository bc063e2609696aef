"""Characters as numbers: a text's vocabulary, and the streams in which truncated BPTT reads it.

A text of N ids is cut into B rows of the same length, one under the other, and the rows into chunks of K:

    inputs_k[b, t] = ids[b·R + k·K + t],    targets_k[b, t] = ids[b·R + k·K + t + 1],    R = K·⌊(N − 1) / (B·K)⌋

so that chunk k + 1 of a row goes on where chunk k of it ended, and a state that is carried from chunk to chunk
has read the row from its start (Sutskever, 2013, *Training recurrent neural networks*). What is left at the end
of the text, fewer than B·K characters, is not read.
"""

from dataclasses import dataclass

import numpy as np

from core.draws import read_only
from core.validation import a_string, whole_number

UPLOAD_LIMIT = 200_000
"""Bytes of a visitor's own text."""
MOST_DISTINCT = 5_000
"""Different characters in it: room for Chinese, while memory for the logits, one for each of them, stays bounded."""
SHORTEST_UPLOAD = 17
"""Characters: what the smallest batch of the training lab, 4 rows of 4, takes with its last target."""
_BLANKS = {"\n": "line ends", " ": "spaces", "\t": "tabs"}


@dataclass(frozen=True)
class Vocabulary:
    """The distinct characters of a text in the order of their code points; a character's place is its id.

    Raises ValueError unless ``characters`` is a tuple of at least two single characters in that order.
    """

    characters: tuple[str, ...]

    def __post_init__(self) -> None:
        characters = self.characters
        if not isinstance(characters, tuple) or not all(
            isinstance(c, str) and len(c) == 1 for c in characters
        ):
            raise ValueError(f"characters must be a tuple of single characters, got {characters!r}")
        if len(characters) < 2:
            raise ValueError(
                f"characters must be at least 2, for there is nothing to predict, got {characters!r}"
            )
        if list(characters) != sorted(set(characters)):
            raise ValueError(f"characters must be distinct and sorted by code point, got {characters!r}")

    @property
    def size(self) -> int:
        """V, the number of characters."""
        return len(self.characters)

    def encode(self, text: str) -> np.ndarray:
        """The ids (N,), integers from 0 to V − 1, of a text of N characters.

        Raises ValueError for what is not a string, and for a character that the vocabulary does not hold.
        """
        codes = _code_points(text)
        known = _code_points("".join(self.characters))
        ids = np.minimum(np.searchsorted(known, codes), self.size - 1)
        unknown = np.flatnonzero(known[ids] != codes)
        if unknown.size:
            first = int(unknown[0])
            raise ValueError(
                f"text must hold only the {self.size} characters of the vocabulary, "
                f"got {text[first]!r} (U+{codes[first]:04X}) at index {first}"
            )
        return ids

    def decode(self, ids: np.ndarray) -> str:
        """The text whose ids (N,) these are; ValueError for ids that are not a row of integers from 0 to V − 1."""
        row = _row_of_ids(ids)
        outside = np.flatnonzero((row < 0) | (row >= self.size))
        if outside.size:
            first = int(outside[0])
            raise ValueError(f"ids must be from 0 to {self.size - 1}, got {row[first]} at index {first}")
        return "".join(map(self.characters.__getitem__, row.tolist()))


def vocabulary_of(text: str) -> Vocabulary:
    """The vocabulary of a text; ValueError for one that is empty or has one distinct character."""
    characters = tuple(sorted(set(a_string("text", text))))
    if len(characters) < 2:
        got = f"{len(text)} times {characters[0]!r}" if characters else "an empty one"
        raise ValueError(f"text must have at least 2 distinct characters, got {got}")
    return Vocabulary(characters)


@dataclass(frozen=True)
class Streams:
    """A text laid out for training, made by `streams`; both arrays are views of it and cannot be written to."""

    inputs: np.ndarray
    """(B, R): the ids to read, one row for each stream."""
    targets: np.ndarray
    """(B, R): the id that follows each."""
    truncation: int
    """K, the steps of a chunk."""

    @property
    def chunks(self) -> int:
        """R / K, the number of chunks."""
        return self.inputs.shape[1] // self.truncation

    def chunk(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Inputs (B, K) and targets (B, K) of chunk ``k``; ValueError unless it is from 0 to ``chunks`` − 1."""
        start = whole_number("k", k, least=0, most=self.chunks - 1) * self.truncation
        columns = slice(start, start + self.truncation)
        return self.inputs[:, columns], self.targets[:, columns]


def streams(ids: np.ndarray, batch_size: int, truncation: int) -> Streams:
    """Lay ``ids`` (N,) out in ``batch_size`` rows, to be read in chunks of ``truncation`` steps.

    Raises ValueError for ids that are not a row of integers from 0, for a batch size or truncation below 1, and
    for a text that is too short for one chunk: B·K + 1 characters, the last one a target only.
    """
    rows = whole_number("batch_size", batch_size, least=1)
    steps = whole_number("truncation", truncation, least=1)
    row = _row_of_ids(ids)
    if (row < 0).any():
        first = int(np.argmax(row < 0))
        raise ValueError(f"ids must be 0 or above, got {row[first]} at index {first}")
    needed = rows * steps + 1
    if len(row) < needed:
        raise ValueError(
            f"ids must be at least {needed} characters for a batch of {rows} rows and chunks of {steps} steps "
            f"({rows} · {steps} + 1), got {len(row)}"
        )
    read = (len(row) - 1) // (rows * steps) * rows * steps
    locked = read_only(row.view())
    return Streams(locked[:read].reshape(rows, -1), locked[1 : read + 1].reshape(rows, -1), steps)


def decode_upload(data: bytes, limit: int = UPLOAD_LIMIT, least: int = SHORTEST_UPLOAD) -> str:
    """A visitor's file or pasted text: UTF-8 of at most ``limit`` bytes and at least ``least`` characters.

    A byte order mark in front is dropped, and the line ends of Windows and of old Macs become ``\\n``. Raises
    ValueError, in words for the visitor, for a text that is empty, too long, not UTF-8, not text at all (it
    holds NUL characters), too short, without two distinct characters or with more than `MOST_DISTINCT`.
    """
    limit = whole_number("limit", limit, least=1)
    least = whole_number("least", least, least=2)
    if not isinstance(data, bytes | bytearray):
        raise ValueError(f"data must be bytes, got {data!r}")
    if len(data) > limit:
        raise ValueError(f"The text is too long: {len(data):,} bytes, and at most {limit:,} can be read.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"The text is not UTF-8: byte {error.start + 1:,} cannot be read. Save it again with the encoding UTF-8."
        ) from None
    if not text:
        raise ValueError("The text is empty.")
    if "\0" in text:
        raise ValueError("This is not a plain text: it holds NUL characters. Save it as plain text in UTF-8.")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if len(text) < least:
        raise ValueError(
            f"The text is too short: {len(text):,} characters, and at least {least:,} are needed."
        )
    distinct = len(set(text))
    if distinct < 2:
        raise ValueError(f"The text is nothing but {_repeated(text[0])}: there is nothing to predict.")
    if distinct > MOST_DISTINCT:
        raise ValueError(
            f"The text has {distinct:,} different characters, and at most {MOST_DISTINCT:,} can be learnt."
        )
    return text


def _repeated(character: str) -> str:
    """What a text of one distinct character consists of, in words."""
    if character in _BLANKS:
        return _BLANKS[character]
    return "the character " + (f"“{character}”" if character.isprintable() else f"U+{ord(character):04X}")


def _code_points(text: str) -> np.ndarray:
    """The code points (N,) of a text, lone surrogates among them; ValueError for what is not a string."""
    return np.frombuffer(a_string("text", text).encode("utf-32-le", "surrogatepass"), dtype="<u4")


def _row_of_ids(ids: np.ndarray) -> np.ndarray:
    """Ids as an array of one dimension; ValueError unless they are integers, of which there may be none."""
    try:
        row = np.asarray(ids)
    except ValueError as error:
        raise ValueError(f"ids must be a row of integers, got {ids!r}") from error
    if row.ndim != 1 or (row.size and row.dtype.kind not in "iu"):
        raise ValueError(f"ids must be a row of integers, got {ids!r}")
    return row
