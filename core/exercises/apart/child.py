"""The process that runs one student's file: it loads the file, makes the calls, and sends back all that came of them.

It knows no answer and judges nothing. Its one order comes through its standard input; what it tells goes through its
standard output, out of the way of what the file prints, which goes with the errors. Before the file is loaded the
process is shut in, and the modules of `core` are taken out of it. `running`, beside this, is its other end.
"""

import builtins
import faulthandler
import inspect
import os
import sys
import types
from collections.abc import Callable
from typing import BinaryIO

from core.exercises.apart import cage, constants, guard, messages
from core.exercises.apart.met import LABEL, met
from core.exercises.apart.values import pack, unpack

_MOST_NAMES = 300
OUT_OF_MEMORY = 3
"""The exit code when there was not even the memory to tell of it."""


def main() -> None:
    """Carry out the order, and end the process without anything that the file has left to be done at its end."""
    orders, answers = _take_pipes()
    order, blob = messages.read(orders)
    _shut_in(order)
    faulthandler.enable(answers.fileno(), all_threads=False)
    messages.write(answers, {"tell": "ready"})
    code = 0
    try:
        _carry_out(order, blob, answers)
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
    except MemoryError:
        code = OUT_OF_MEMORY
    finally:
        os._exit(code)


def _carry_out(order: dict, blob: bytes, answers: BinaryIO) -> None:
    module = _load(order, answers)
    if not module:
        return
    for name, arguments in unpack(order["calls"], blob).items():
        if callable(getattr(module, name, None)):
            messages.write(answers, {"tell": "function", "name": name})
            _call_all(getattr(module, name), arguments, answers)
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
    cage.limit_resources(limits["memory"], limits["written"], limits["processor"])
    cage.shut_in(os.getcwd(), order["readable"])
    guard.set_guard(os.getcwd(), os.path.dirname(os.__file__), order["packages"])


def _load(order: dict, answers: BinaryIO) -> types.ModuleType | None:
    """The student's file as a module; None, and told, if it cannot be loaded."""
    module = types.ModuleType("handed_in")
    sys.modules[module.__name__] = module
    try:
        exec(compile(order["source"], LABEL, "exec", dont_inherit=True), module.__dict__)
    except BaseException as error:
        messages.write(answers, {"tell": "unloaded", "met": met(error)})
        return None
    held = {name: thing for name, thing in vars(module).items() if isinstance(name, str)}
    functions = [name for name, thing in held.items() if callable(thing) and not name.startswith("_")]
    functions.sort(key=lambda name: name not in order["functions"])
    own = {name: constants.told(held[name]) for name in order["constants"] if name in held}
    head = {"tell": "loaded", "functions": functions[:_MOST_NAMES], "constants": own}
    messages.write(answers, head)
    return module


def _call_all(function: Callable, cases: list[tuple], answers: BinaryIO) -> None:
    """Each call is told at once; in the end, all results once more, as they read then."""
    results = []
    for arguments in cases:
        result, trouble = _call(function, arguments)
        results.append(result)
        if trouble:
            messages.write(answers, {"tell": "met", "met": trouble})
        else:
            tree, blob = pack((result, arguments))
            messages.write(answers, {"tell": "returned", "value": tree}, blob)
    tree, blob = pack(results)
    messages.write(answers, {"tell": "later", "values": tree}, blob)


def _call(function: Callable, arguments: tuple) -> tuple[object, dict | None]:
    """What was returned, or what was met instead."""
    misfit = _misfit(function, arguments)
    if misfit:
        return None, misfit
    try:
        return function(*arguments), None
    except BaseException as error:
        return None, met(error)


def _misfit(function: Callable, arguments: tuple) -> dict | None:
    """How a function is declared that cannot take these arguments."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # one of NumPy's own, for example
        return None
    try:
        signature.bind(*arguments)
    except TypeError:
        line = getattr(getattr(function, "__code__", None), "co_firstlineno", None)
        return {"type": "signature", "text": str(signature)[:300], "line": line}
    return None
