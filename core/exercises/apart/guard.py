"""What a student's file may not do, told to Python itself: its audit events (PEP 578) are looked at one by one.

Once set, it stays for the life of the process. It holds on every system, and stops slips and pranks: the network,
other processes, threads (from Python 3.12 on), writing anywhere but in the scratch folder, reading of anything but
Python and NumPy, and so of `core` with its answers and of what others have handed in. It is no prison: Python offers
too many ways around what is refused in Python. On Linux the kernel stands behind it (`core.exercises.apart.cage`).
"""

import os
import sys
import types
from collections.abc import Callable, Sequence

REFUSED = "the check does not allow"
"""How the message of each refusal begins."""

_NETWORK = f"{REFUSED} the network"
_PROCESSES = f"{REFUSED} other processes"
_OUTSIDE = f"{REFUSED} files outside its own empty folder"

_FORBIDDEN = {
    "socket.": _NETWORK,
    "os.exec": _PROCESSES,
    "os.fork": _PROCESSES,
    "os.posix_spawn": _PROCESSES,
    "os.spawn": _PROCESSES,
    "os.startfile": _PROCESSES,
    "os.system": _PROCESSES,
    "pty.spawn": _PROCESSES,
    "subprocess.": _PROCESSES,
    "_winapi.": _PROCESSES,
    "ctypes.": f"{REFUSED} ctypes",
    "resource.": f"{REFUSED} other limits",
    "_thread.start": f"{REFUSED} threads",
    "os.link": _OUTSIDE,
    "os.symlink": _OUTSIDE,
    "sqlite3.": _OUTSIDE,
    "winreg.": _OUTSIDE,
}
"""Events by what they begin with."""
_STARTER = "_posixsubprocess"
"""The module that starts processes for `subprocess` and `multiprocessing`, and has no event of its own."""
_CHANGES = frozenset(
    (
        "os.chdir",
        "os.chflags",
        "os.chmod",
        "os.chown",
        "os.mkdir",
        "os.remove",
        "os.removexattr",
        "os.rename",
        "os.rmdir",
        "os.setxattr",
        "os.truncate",
        "os.utime",
    )
)
_LISTINGS = frozenset(("os.listdir", "os.scandir"))
_SIGNALS = frozenset(("os.kill", "os.killpg"))
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_OTHERS_PACKAGES = ("site-packages", "dist-packages")


def set_guard(scratch: str, library: str, packages: Sequence[str]) -> None:
    """From here on, for the whole process: write in ``scratch`` alone, read besides it the standard ``library`` and
    the folders of ``packages``, reach nobody.

    What is refused raises PermissionError where it was tried.
    """
    own = os.getpid()
    inside = _below([scratch])
    readable = _readable(library, packages)
    forbidden = tuple(_FORBIDDEN)
    null = (os.devnull, "/dev/urandom", "/dev/random")

    def look(event: str, arguments: tuple) -> None:
        if event == "open":
            path, mode, flags = arguments
            is_writing = bool(flags & _WRITING) or any(letter in "wxa+" for letter in mode or "")
            if not _is_handle(path) and path not in null:
                allow(inside(path) or (not is_writing and readable(path)))
        elif event in _LISTINGS:
            if not _is_handle(arguments[0]):
                allow(inside(arguments[0]) or readable(arguments[0]))
        elif event in _CHANGES:
            paths = arguments[:2] if event == "os.rename" else arguments[:1]
            allow(all(_is_handle(path) or inside(path) for path in paths))
        elif event in _SIGNALS:
            if event == "os.killpg" or arguments[0] != own:
                refuse_processes()
        elif event == "import":
            if arguments[0] == _STARTER:
                refuse_processes()
        elif event.startswith(forbidden):
            raise PermissionError(next(text for begin, text in _FORBIDDEN.items() if event.startswith(begin)))

    def allow(is_allowed: bool) -> None:
        if not is_allowed:
            raise PermissionError(_OUTSIDE)

    def refuse_processes(*_: object) -> None:
        raise PermissionError(_PROCESSES)

    # Harmless modules import this one: they find another in its place, and its own import is an event.
    starter = sys.modules[_STARTER] = types.ModuleType(_STARTER)
    starter.fork_exec = refuse_processes
    sys.addaudithook(look)


def _is_handle(path: object) -> bool:
    """A file that is open already, or no path at all: then the present folder is meant."""
    return path is None or isinstance(path, int)


def _below(folders: Sequence[str]) -> Callable[[object], bool]:
    """Whether a path is one of the folders or in one of them, whatever links it leads through."""
    real, decode = os.path.realpath, os.fsdecode
    ends = tuple(real(folder) for folder in folders)
    begins = tuple(folder + os.sep for folder in ends)

    def is_below(path: object) -> bool:
        path = real(decode(path))
        return path in ends or path.startswith(begins)

    return is_below


def _readable(library: str, packages: Sequence[str]) -> Callable[[object], bool]:
    """Whether a path belongs to the standard library or to these packages; others' packages may lie within it."""
    in_library, in_packages = _below([library]), _below(packages)
    in_others = _below([os.path.join(library, name) for name in _OTHERS_PACKAGES])
    return lambda path: in_packages(path) or (in_library(path) and not in_others(path))
