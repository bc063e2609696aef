"""What the system itself keeps a process from: memory, large files, the network, others' files, other processes.

Each means is taken where there is one, and nothing is said where there is none: `guard`, beside this, is always
there. Limits of resources are POSIX's. A network of its own, with nothing in it, and rules for files (Landlock,
Mickaël Salaün, 2021) are Linux's, for every user where the kernel is new enough and does not refuse. Windows has
none of these: there the clock and the guard have to do.

No process and no thread can be started where Linux gives a space of process numbers, to nobody, not even to root;
elsewhere a limit of resources sees to that, but not for root, whom only the guard then stops. A container may refuse
the spaces: then a process that a file starts in spite of the guard outlives the check, so do not check as root there.
"""

import contextlib
import ctypes
import os
import sys
from collections.abc import Sequence

try:
    import resource
except ModuleNotFoundError:  # Windows
    resource = None

_NEW_USER, _NEW_NETWORK, _NEW_NUMBERS = 0x10000000, 0x40000000, 0x20000000
_PARENT_DEATH_SIGNAL, _NO_NEW_PRIVILEGES = 1, 38
_KILL = 9
_CREATE_RULES, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
"""Landlock's calls, which have the same numbers on every kind of processor but Alpha."""
_EXECUTE, _WRITE, _READ, _LIST = 1, 2, 4, 8
_LAST_FILE_RIGHT = {1: 12, 2: 13, 3: 14, 4: 14}
"""By version of Landlock, the last right that it knows about files; later versions know one more."""
_RIGHTS_OF_FILES = _EXECUTE | _WRITE | _READ | 1 << 14
_TCP = 0b11
_SCOPES = 0b11
"""Abstract sockets, and signals to other processes."""


class _Ruled(ctypes.Structure):
    _fields_ = [("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scopes", ctypes.c_uint64)]


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32)]


def limit_resources(memory: int, written: int, seconds: float) -> None:
    """Bound memory and files in bytes and the processor's time; no threads, no processes, no core files."""
    if not resource:
        return
    _limit("RLIMIT_AS", memory)
    _limit("RLIMIT_FSIZE", written)
    _limit("RLIMIT_CPU", int(seconds) + 1)
    _limit("RLIMIT_CORE", 0)
    _limit("RLIMIT_NPROC", 0)


def shut_in(scratch: str, readable: Sequence[str]) -> None:
    """On Linux: no network, no other processes, and no files but these, to write in the one and read in the others.

    The process must have one thread. It ends with the one that started it.
    """
    if not sys.platform.startswith("linux"):
        return
    with contextlib.suppress(OSError, AttributeError):
        libc = ctypes.CDLL(None, use_errno=True)
        libc.prctl(_PARENT_DEATH_SIGNAL, _KILL, 0, 0, 0)
        libc.unshare(_NEW_USER | _NEW_NETWORK)
        _end_all_beginnings(libc)
        libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
        _rule_files(libc, scratch, readable)


def _limit(name: str, value: int) -> None:
    # macOS refuses some, and a limit that is already lower cannot be raised.
    with contextlib.suppress(ValueError, OSError, AttributeError):
        resource.setrlimit(getattr(resource, name), (value, value))


def _end_all_beginnings(libc: ctypes.CDLL) -> None:
    """From here on no process and no thread can be started, by nobody, not even by root.

    In a space of process numbers the first process is its keeper, and once that is gone the kernel starts no other
    there (`pid_namespaces(7)`); nor does it start threads for a process whose children would be elsewhere.
    """
    if libc.unshare(_NEW_NUMBERS) != 0:
        return
    keeper = os.fork()
    if keeper == 0:
        os._exit(0)
    os.waitpid(keeper, 0)


def _rule_files(libc: ctypes.CDLL, scratch: str, readable: Sequence[str]) -> None:
    version = libc.syscall(_CREATE_RULES, None, ctypes.c_size_t(0), 1)
    if version < 1:
        return
    every = (1 << _LAST_FILE_RIGHT.get(version, 15) + 1) - 1
    ruled = _Ruled(every, _TCP if version >= 4 else 0, _SCOPES if version >= 6 else 0)
    size = 8 * (1 + (version >= 4) + (version >= 6))
    rules = libc.syscall(_CREATE_RULES, ctypes.byref(ruled), ctypes.c_size_t(size), 0)
    if rules < 0:
        return
    _allow(libc, rules, scratch, every)
    _allow(libc, rules, os.devnull, (_READ | _WRITE) & every)
    for path in readable:
        _allow(libc, rules, path, _EXECUTE | _READ | _LIST)
    libc.syscall(_RESTRICT_SELF, rules, 0)
    os.close(rules)


def _allow(libc: ctypes.CDLL, rules: int, path: str, rights: int) -> None:
    with contextlib.suppress(OSError):
        folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
        if not os.path.isdir(path):
            rights &= _RIGHTS_OF_FILES
        libc.syscall(_ADD_RULE, rules, 1, ctypes.byref(_Beneath(rights, folder)), 0)
        os.close(folder)
