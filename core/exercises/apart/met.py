"""An exception as plain facts: its kinds, its text, the student's own line, and what the names in that line held."""

import contextlib
from types import FrameType, TracebackType

import numpy as np

LABEL = "<your file>"
"""What the student's file is called while it runs."""

_LONGEST = 600
_MOST = 40


def met(error: BaseException) -> dict:
    """What can be said about an error in JSON; nothing in it fails, whatever the error's class does."""
    kinds = [kind.__name__[:60] for kind in type(error).__mro__]
    facts = {"type": kinds[0], "kinds": kinds[:-1], "text": _text(error)}
    if isinstance(error, SyntaxError) and error.filename == LABEL:
        return facts | {"line": error.lineno, "text": str(error.msg)[:_LONGEST], "own": True}
    if isinstance(error, NameError | ImportError) and isinstance(error.name, str):
        facts["name"] = error.name[:100]
    frame, line = _own_frame(error.__traceback__)
    if isinstance(error, MemoryError):
        _let_go(error.__traceback__)
        return facts | {"line": line}
    if frame is None:
        return facts
    return facts | {"line": line, "names": _names(frame)[:_LONGEST]} | _held(frame)


def _text(error: BaseException) -> str:
    try:
        return str(error)[:_LONGEST]
    except BaseException:
        return ""


def _own_frame(traceback: TracebackType | None) -> tuple[FrameType | None, int | None]:
    """The innermost frame of the student's own, and the line it is at."""
    found = None, None
    while traceback:
        if traceback.tb_frame.f_code.co_filename == LABEL:
            found = traceback.tb_frame, traceback.tb_lineno
        traceback = traceback.tb_next
    return found


def _let_go(traceback: TracebackType | None) -> None:
    """Free what filled the memory: there must be room to tell of it."""
    while traceback:
        with contextlib.suppress(RuntimeError):  # a frame that still runs
            traceback.tb_frame.clear()
        traceback = traceback.tb_next


def _names(frame: FrameType) -> list[str]:
    """What could have been meant by a name that is not there."""
    return [name[:100] for name in (*frame.f_locals, *frame.f_globals) if isinstance(name, str)]


def _held(frame: FrameType) -> dict:
    """Shapes of arrays, and keys of dicts, among all that the frame's code could name."""
    shapes, keys = {}, {}
    for name, value in (frame.f_globals | frame.f_locals).items():
        if isinstance(value, np.ndarray):
            shapes[name] = list(value.shape)
        elif isinstance(value, dict) and not name.startswith("__"):
            keys[name] = [key[:40] for key in value if isinstance(key, str)][:_MOST]
            arrays = {key: part for key, part in value.items() if isinstance(part, np.ndarray)}
            shapes |= {f"{name}['{key}']": list(part.shape) for key, part in list(arrays.items())[:_MOST]}
    return {"shapes": shapes, "keys": keys}
