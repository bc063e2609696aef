"""The process that runs one student's file: it loads the file, makes the calls, and sends back all that came of them.

It knows no answer and judges nothing. Its one order comes through its standard input; what it tells goes through its
standard output, out of the way of what the file prints, which goes with the errors. Before the file is loaded the
process is shut in, and the modules of `core` are taken out of it. `running`, beside this, is its other end.
"""

import builtins
import contextlib
import faulthandler
import inspect
import os
import sys
import types
from collections.abc import Callable
from typing import BinaryIO

from core.exercises.apart import cage, constants, guard, messages
from core.exercises.apart.codes import DISTURBED, OUT_OF_MEMORY
from core.exercises.apart.met import LABEL, met
from core.exercises.apart.replaced import Originals
from core.exercises.apart.values import described, is_whole, pack, unpack

_MOST_NAMES = 300
_LAZY = {
    types.GeneratorType: "generator",
    types.AsyncGeneratorType: "generator",
    types.CoroutineType: "coroutine",
}
"""What a function with `yield` or `async` returns, before any of its lines has run."""


def main() -> None:
    """Carry out the order, and end the process without anything that the file has left to be done at its end."""
    orders, answers = _take_pipes()
    order, blob = messages.read(orders)
    _shut_in(order)
    faulthandler.enable(answers.fileno(), all_threads=False)
    messages.write(answers, {"tell": "ready"})
    code, end = 0, os._exit
    try:
        _carry_out(order, blob, answers)
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(AttributeError, OSError, ValueError):  # closed, or none, by the file
                stream.flush()
    except MemoryError:
        code = OUT_OF_MEMORY
    except BaseException:
        code = DISTURBED
    finally:
        end(code)


def _carry_out(order: dict, blob: bytes, answers: BinaryIO) -> None:
    originals = Originals()
    held = _load(order, originals, answers)
    if held is None:
        return
    for name, arguments in unpack(order["calls"], blob).items():
        if callable(held.get(name)):
            messages.write(answers, {"tell": "function", "name": name})
            _call_all(held[name], arguments, originals, answers)
    messages.write(answers, {"tell": "done"})


def _take_pipes() -> tuple[BinaryIO, BinaryIO]:
    """The two pipes: what the file prints goes out of the second one's way, and the first is at its end."""
    orders, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return orders, answers


def _shut_in(order: dict) -> None:
    # `exit` and `quit` are put there by `site`, which is not loaded.
    builtins.exit = builtins.quit = sys.exit
    sys.path[:] = [path for path in sys.path if path not in order["hidden"]]
    sys.path_importer_cache.clear()
    for name in [name for name in sys.modules if name.split(".")[0] == "core"]:
        del sys.modules[name]
    limits = order["limits"]
    cage.shut_in(os.getcwd(), order["readable"])
    cage.limit_resources(limits["memory"], limits["written"], limits["processor"])
    guard.set_guard(os.getcwd(), os.path.dirname(os.__file__), order["packages"])


def _load(order: dict, originals: Originals, answers: BinaryIO) -> dict[str, object] | None:
    """All that the student's file defines, by name; None, and told, if it cannot be loaded."""
    module = types.ModuleType("handed_in")
    space = module.__dict__
    sys.modules[module.__name__] = module
    trouble = None
    try:
        try:
            exec(compile(order["source"], LABEL, "exec", dont_inherit=True), space)
        finally:
            originals.trace_by(None)
            originals.profile_by(None)
    except BaseException as error:
        trouble = error
    replaced = originals.put_back()
    if trouble is not None or replaced:
        told = _told(trouble) if trouble is not None else _replaced(replaced)
        messages.write(answers, {"tell": "unloaded", "met": told})
        return None
    held = {name: thing for name, thing in space.items() if isinstance(name, str)}
    functions = [name for name, thing in held.items() if callable(thing) and not name.startswith("_")]
    functions.sort(key=lambda name: name not in order["functions"])
    own = {name: constants.told(held[name]) for name in order["constants"] if name in held}
    head = {"tell": "loaded", "functions": functions[:_MOST_NAMES], "constants": own}
    messages.write(answers, head | {"others": _others(held, order["functions"])})
    return held


def _others(held: dict[str, object], names: list[str]) -> dict[str, str]:
    """What stands under the names of functions and is none, or stands inside a class, in words."""
    inside = {
        name: f"a method of the class {label[:40]}"
        for label, thing in held.items()
        if type(thing) is type
        for name in names
        if name in vars(thing)
    }
    plain = {name: described(held[name]) for name in names if name in held and not callable(held[name])}
    return inside | plain


def _call_all(function: Callable, cases: list[tuple], originals: Originals, answers: BinaryIO) -> None:
    """Each call is told at once; in the end, all results once more, as they read then."""
    kept = []
    for arguments in cases:
        result, trouble = _call(function, arguments, originals)
        packed, trouble = _packed(result, trouble)
        # What could not be looked at is not kept: it may fill the memory.
        kept.append((result, None) if is_whole(packed[0]) and not trouble else (None, packed))
        if trouble:
            messages.write(answers, {"tell": "met", "met": trouble})
            continue
        # Apart from what was returned, which may be too large to be looked at.
        tree, blob = pack(arguments)
        messages.write(answers, {"tell": "arguments", "values": tree}, blob)
        messages.write(answers, {"tell": "returned", "value": packed[0]}, packed[1])
    for result, packed in kept:
        (tree, blob), _ = (packed, None) if packed else _packed(result, None)
        messages.write(answers, {"tell": "later", "value": tree}, blob)


def _call(function: Callable, arguments: tuple, originals: Originals) -> tuple[object, dict | None]:
    """What was returned, or what was met instead."""
    misfit = _misfit(function, arguments)
    if misfit:
        return None, misfit
    result = trouble = None
    try:
        try:
            result = function(*arguments)
        finally:
            originals.trace_by(None)
            originals.profile_by(None)
    except BaseException as error:
        trouble = error
    replaced = originals.put_back()
    if replaced or trouble is not None:
        return None, _replaced(replaced) if replaced else _told(trouble)
    if type(result) in _LAZY:
        return None, {"type": _LAZY[type(result)], "line": _first_line(function)}
    return result, None


def _packed(result: object, trouble: dict | None) -> tuple[tuple[object, bytes], dict | None]:
    """What was returned, packed: its class may be the student's own, and do anything when it is looked at."""
    if trouble:
        return pack(None), trouble
    try:
        return pack(result), None
    except MemoryError:
        raise
    except BaseException:
        return pack(None), {"type": "unreadable", "text": "returned a value"}


def _told(error: BaseException) -> dict:
    """The facts of an exception, whose class may be the student's own too."""
    try:
        return met(error)
    except BaseException:
        return {"type": "unreadable", "text": "raised an exception"}


def _replaced(names: list[str]) -> dict:
    return {"type": "replaced", "text": ", ".join(names)}


def _misfit(function: Callable, arguments: tuple) -> dict | None:
    """How a function is declared that cannot take these arguments."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # one of NumPy's own, for example
        return None
    try:
        signature.bind(*arguments)
    except TypeError:
        return {"type": "signature", "text": str(signature)[:300], "line": _first_line(function)}
    return None


def _first_line(function: Callable) -> int | None:
    return getattr(getattr(function, "__code__", None), "co_firstlineno", None)
