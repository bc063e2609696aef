"""A handed-in file as text, or why it cannot be one: nothing of it is run here, and nothing in it is believed."""

import io
import stat
import tokenize
from pathlib import Path

from core.exercises.contract import Fault

_HAND_IN = "Hand in one plain text file that ends in .py."
_MARKS = {
    b"PK\x03\x04": "a zip file or an office document",
    b"%PDF": "a PDF document",
    b"{\\rtf": "a rich text document",
    b"\xd0\xcf\x11\xe0": "an old office document",
    b"\x89PNG": "a picture",
    b"\x7fELF": "a program",
    b"\xff\xfe": "text in UTF-16",
    b"\xfe\xff": "text in UTF-16",
}
"""What a file is that begins so."""
_NOTEBOOK = (b'"cells"', b'"nbformat"')
"""Keys that every notebook has, whatever it is called."""
_HINTS = {
    "text in UTF-16": "Save it as UTF-8: editors offer that under “Save as” or “Encoding”.",
}


def source(path: Path, most: int) -> str | Fault:
    """The text of a student's file of at most so many bytes, with \\n at the ends of lines."""
    try:
        kind = path.lstat()
        if stat.S_ISLNK(kind.st_mode):
            return _no("is a link to another place, which is not followed", "Hand in the file itself.")
        if stat.S_ISDIR(kind.st_mode):
            return _no("is a folder")
        if not stat.S_ISREG(kind.st_mode):
            return _no("is no ordinary file")
        if kind.st_size > most:
            return _no(f"has {kind.st_size:,} bytes; an exercise has a few thousand")
        data = path.read_bytes()
    except FileNotFoundError:
        return _no("is not there", "Look at the folder and at the spelling of the name.")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no such name"
        return _no(f"cannot be read ({reason.lower()})", "Look at the rights of the file.")
    return _text(data, path.suffix.lower())


def _text(data: bytes, suffix: str) -> str | Fault:
    if suffix == ".ipynb" or (data.lstrip().startswith(b"{") and all(key in data for key in _NOTEBOOK)):
        return _no(
            "is a notebook", "Export it as a Python file, or copy its functions into one that ends in .py."
        )
    for mark, what in _MARKS.items():
        if data.startswith(mark):
            return _no(f"is {what}, not Python", _HINTS.get(what, _HAND_IN))
    if not data.strip():
        return _no("is empty", "Was it saved?")
    if b"\0" in data:
        return _no("is binary, not Python", _HAND_IN)
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        text = data.decode(encoding)
    except (SyntaxError, LookupError, UnicodeDecodeError):
        return _not_decoded(data)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _not_decoded(data: bytes) -> Fault:
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return Fault(
            "not-python",
            "The file is not UTF-8 text: this line holds a character in another encoding.",
            line,
            data.split(b"\n")[line - 1].strip(b"\r").decode(errors="replace"),
            "Save it as UTF-8: editors offer that under “Save as” or “Encoding”.",
        )
    return _no(
        "names an encoding in its first lines that it is not in", "Take that line out: UTF-8 needs none."
    )


def _no(what: str, hint: str = _HAND_IN) -> Fault:
    return Fault("not-python", f"The file {what}.", hint=hint)
