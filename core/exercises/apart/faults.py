"""Why a student's file came to no result, in words for the student: one sentence, their own line, and a hint.

What the process told is taken for facts of the student's own file, and for no more: each is looked at before it is
used, and none can lead to another verdict than "not right".
"""

import difflib
import re
import signal
from collections.abc import Sequence

from core.exercises.apart import exceptions
from core.exercises.apart.codes import DISTURBED, OUT_OF_MEMORY
from core.exercises.apart.limits import MEGABYTE, Limits
from core.exercises.apart.met import LABEL
from core.exercises.apart.process import Heard
from core.exercises.apart.student import Student
from core.exercises.apart.told import Facts
from core.exercises.calling import command_here
from core.exercises.contract import Fault

_PLACE = re.compile(rb'File "%s", line (\d{1,7})' % re.escape(LABEL.encode()))
_FATAL = re.compile(rb"Fatal Python error: ([\w ]{1,60})")
_ALIKE = 0.85
_NEAR = 0.6

_ANSWERS = "Look at the shapes of what is returned."
_CRASH = "A recursion without end, or memory of others, can do that."
_DISTURBED = "The file disturbed the check itself: what it sent back cannot be read."
_EXIT = "Take exit(), quit() and sys.exit() out: end a function with return."
_LAZY = {
    "generator": (
        "gives a generator, of which no line has run yet",
        "`yield`, or round brackets about a `for`, makes one: return the finished arrays.",
    ),
    "coroutine": ("is an async function, of which no line has run yet", "Take the word async out."),
}
_LEAVE = "Leave the check's own parts and streams alone."
_MEMORY = "Look at the sizes of arrays, and at lists that grow in a loop."
_OUTPUT = "Take the print out, or look at the loop around it."
_READABLE = "Return plain NumPy arrays and numbers, without classes of your own."
_REPLACED = "Give what is your own another name, and leave Python and NumPy as they are."
_SIGNATURE = "Their names are yours; number and order are fixed."
_SYNTAX = "Look at this line, and at the end of the one before: a bracket, a colon, the indent."
_TIME = "Look for a loop that never ends; right code takes a hundredth of a second."
_UNWRITTEN = "Put your own code in the place of the line that raises NotImplementedError."


def of_met(student: Student, facts: Facts, name: str | None, expected: Sequence[str] = ()) -> Fault:
    """The fault for what was met in a function, or, without its name, while the file was loaded.

    ``expected`` are the arguments that the function has to take.
    """
    kind, line = facts.kind, facts.line
    where = name or "The file"
    if facts.is_syntax:
        return student.fault("not-python", f"This is not Python yet: {facts.text}.", _SYNTAX, line)
    if kind == "signature":
        given = f"{len(expected)} arguments, ({', '.join(expected)})"
        sentence = f"{name} must take {given}, and is written as {name}{facts.text}."
        return student.fault("signature", sentence, _SIGNATURE, line)
    if kind in _LAZY:
        what, hint = _LAZY[kind]
        return student.fault("exception", f"{where} {what}.", hint, line)
    if kind == "unreadable":
        return student.fault("exception", f"{where} {facts.text} that cannot be read.", _READABLE)
    if kind == "replaced":
        sentence = f"{where} replaces parts of Python or NumPy ({facts.text})."
        return student.fault("exception", sentence, _REPLACED)
    if kind == "NotImplementedError" and name:
        return student.fault("unwritten", f"{name} is not written yet.", _UNWRITTEN, line)
    if kind == "SystemExit":
        return student.fault("exit", f"{where} ends Python instead of {_instead(name)}.", _EXIT, line)
    if "MemoryError" in facts.kinds:
        sentence = f"{where} asked for more memory than the check allows."
        return student.fault("memory", sentence, f"{facts.text}. {_MEMORY}".lstrip(". "), line)
    if "ImportError" in facts.kinds:
        return student.fault("no-import", *exceptions.of_import(facts, student.neighbours), line)
    return student.fault("exception", *exceptions.of_exception(facts, where, student.line(line)), line)


def of_end(student: Student, heard: Heard, name: str | None, limits: Limits) -> Fault:
    """The fault for a process that came to its end before its time, in a function or while the file was loaded."""
    where = name or "The file"
    found = _PLACE.search(heard.rest)
    line = int(found[1]) if found else None
    if not heard.messages:
        return Fault("crash", "The check could not start Python with NumPy.", hint=heard.printed[-300:])
    if heard.why == "time":
        sentence = f"{where} was not done after {limits.seconds:g} seconds, and was ended."
        return student.fault("time", sentence, _TIME, line)
    if heard.why == "output":
        sentence = f"{where} printed more than {limits.printed / MEGABYTE:g} MB, and was ended."
        return student.fault("output", sentence, _OUTPUT, line)
    if heard.why == "answers":
        sentence = f"{where} returned far more numbers than were asked for, and was ended."
        return student.fault("output", sentence, _ANSWERS, line)
    if heard.code == OUT_OF_MEMORY:
        return student.fault("memory", f"{where} used up the memory that the check allows.", _MEMORY, line)
    fatal = _FATAL.search(heard.rest)
    if fatal or (heard.code or 0) < 0:
        what = fatal[1].decode().lower() if fatal else _signal(-heard.code)
        return student.fault("crash", f"{where} made Python itself break down ({what}).", _CRASH, line)
    if heard.code == DISTURBED or heard.rest:
        return disturbed(student)
    return student.fault("exit", f"{where} ended Python instead of {_instead(name)}.", _EXIT, line)


def disturbed(student: Student) -> Fault:
    """The fault for a file whose process no longer told what it should."""
    return student.fault("crash", _DISTURBED, _LEAVE)


def of_missing(name: str, functions: Sequence[str], instead: str | None = None) -> Fault:
    """The fault for a function that the file does not define.

    It tells what the file has ``instead`` under that name, or one of another name that may be meant.
    """
    if instead:
        sentence = f"In the file {name} is {instead}, not a function of its own."
        return Fault("missing", sentence, hint=f"Write `def {name}(...):` at the left margin, once.")
    near = nearest(name, functions, _NEAR)
    hint = f"It has {near}: is that it? Then it must be called {name}." if near else ""
    return Fault("missing", f"There is no function {name} in the file.", hint=hint)


def of_none(names: Sequence[str], functions: Sequence[str]) -> Fault:
    """The fault for a file that defines none of the functions."""
    pairs = ((name, nearest(name, functions, _NEAR)) for name in names)
    hints = [f"{near}: should it be called {name}?" for name, near in pairs if near]
    sentence = f"The file defines none of the functions {', '.join(names)}."
    return Fault("missing", sentence, hint=f"It has {hints[0]}" if hints else _stub())


def _stub() -> str:
    return f"`{command_here()} new NAME` writes a file to begin with."


def nearest(name: str, functions: Sequence[str], least: float = _ALIKE) -> str | None:
    """The function whose name is most like this one, if it is alike enough: by default, hardly another name."""
    plain = {re.sub(r"[\W_]", "", each).lower(): each for each in functions}
    found = difflib.get_close_matches(name.replace("_", ""), plain, n=1, cutoff=least)
    return plain[found[0]] if found else None


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _instead(name: str | None) -> str:
    return "returning a result" if name else "defining its functions"
