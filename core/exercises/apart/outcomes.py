"""From what a process told of a student's file to what came of each case."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from core.exercises.apart import constants as own
from core.exercises.apart import faults
from core.exercises.apart.limits import Limits
from core.exercises.apart.process import Heard
from core.exercises.apart.student import Student
from core.exercises.apart.told import believed
from core.exercises.apart.values import UnreadableError, unpack
from core.exercises.contract import Argument, Case, Constant, Fault, Outcome

_MOST_FUNCTIONS = 300


class Transcript:
    """What came of a file so far; ``waiting`` are the functions that are still to be called."""

    def __init__(
        self, student: Student, cases: Mapping[str, Sequence[Case]], constants: Sequence[str], limits: Limits
    ):
        self.waiting: dict[str, Sequence[Case]] = dict(cases)
        self.fault: Fault | None = None
        self.outcomes: dict[str, list[Outcome]] = {}
        self.functions: tuple[str, ...] = ()
        self.others: dict[str, str] = {}
        """What stands under the name of a function and is none, or stands inside a class."""
        self.constants: dict[str, Constant] = {}
        self.printed = ""
        self._student, self._asked, self._limits = student, tuple(constants), limits

    def take(self, heard: Heard) -> None:
        """Note what one process told; afterwards at least one function less is waiting."""
        self.printed = self.printed or heard.printed
        trial = _Trial(self._student, self.waiting)
        try:
            for head, blob in heard.messages:
                trial.take(head, blob)
        except (UnreadableError, KeyError, TypeError, ValueError, AttributeError, IndexError):
            trial.forget(faults.disturbed(self._student))
        if trial.is_done and not trial.is_whole():
            trial.forget(faults.disturbed(self._student))
        if not trial.is_done and not trial.fault:
            trial.stop(faults.of_end(self._student, heard, trial.name, self._limits))
        self._note(trial)

    def _note(self, trial: "_Trial") -> None:
        self.functions = self.functions or trial.functions
        self.others = self.others or trial.others
        self.constants = self.constants or {
            name: value for name, value in trial.constants.items() if name in self._asked
        }
        self.outcomes |= trial.outcomes
        if trial.name is None and trial.fault:
            # Before any function was called: they would all meet the same.
            if self.outcomes:
                self.outcomes |= {
                    name: [Outcome(fault=trial.fault)] * len(c) for name, c in self.waiting.items()
                }
            else:
                self.fault = trial.fault
            self.waiting = {}
            return
        called = list(self.waiting).index(trial.name) + 1 if trial.fault else len(self.waiting)
        self.waiting = {
            name: of_one for name, of_one in list(self.waiting.items())[called:] if name in self.functions
        }


class _Trial:
    """What one process told."""

    def __init__(self, student: Student, cases: Mapping[str, Sequence[Case]]):
        self.name: str | None = None
        """The function that is being called."""
        self.functions: tuple[str, ...] = ()
        self.others: dict[str, str] = {}
        self.constants: dict[str, Constant] = {}
        self.outcomes: dict[str, list[Outcome]] = {}
        self.fault: Fault | None = None
        """Why the process came to no good end."""
        self.is_done = False
        self._student, self._cases = student, cases
        self._changed: tuple[str, ...] | None = None
        self._later = 0
        """How many of the results were told once more."""

    def take(self, head: dict, blob: bytes) -> None:
        """One message. Raises all kinds of errors for what the process cannot have told by itself."""
        tell = head["tell"]
        if tell == "unloaded":
            self.stop(faults.of_met(self._student, believed(head["met"]), None))
        elif tell == "loaded":
            self.functions = tuple(str(name)[:100] for name in head["functions"][:_MOST_FUNCTIONS])
            self.others = {name: str(what)[:100] for name, what in head["others"].items()}
            self.constants = {name: own.believed(value) for name, value in head["constants"].items()}
        elif tell == "function":
            if head["name"] not in self._cases:
                raise ValueError("only what was asked for is called")
            self.name = head["name"]
            self.outcomes[self.name] = []
            self._changed, self._later = None, 0
        elif tell == "arguments":
            self._changed = _changes(self._case().arguments, unpack(head["values"], blob))
        elif tell == "returned":
            self._take_returned(unpack(head["value"], blob))
        elif tell == "met":
            fault = faults.of_met(
                self._student, believed(head["met"]), self.name, tuple(self._case().arguments)
            )
            self.outcomes[self.name].append(Outcome(fault=fault))
        elif tell == "later":
            self._take_later(unpack(head["value"], blob))
        elif tell == "done":
            self.is_done = True

    def forget(self, fault: Fault) -> None:
        """Nothing that was told of the function is believed."""
        if self.name is not None:
            self.outcomes[self.name] = []
        self.stop(fault)

    def stop(self, fault: Fault) -> None:
        """Nothing more comes; the cases that have no outcome get the fault."""
        self.fault = fault
        if self.name is not None:
            outcomes = self.outcomes[self.name]
            outcomes += [Outcome(fault=fault)] * (len(self._cases[self.name]) - len(outcomes))

    def is_whole(self) -> bool:
        """Whether every case of every function that there is has its outcome, told twice for the last one."""
        counts = {name: len(self.outcomes.get(name, ())) for name in self._cases if name in self.functions}
        told_again = self.name is None or self._later == counts.get(self.name)
        return told_again and all(count == len(self._cases[name]) for name, count in counts.items())

    def _case(self) -> Case:
        """The case that is being called; raises IndexError when all have been."""
        return self._cases[self.name][len(self.outcomes[self.name])]

    def _take_returned(self, value: object) -> None:
        self._case()
        if self._changed is None:
            raise ValueError("the arguments are told before what was returned")
        self.outcomes[self.name].append(Outcome(value, self._changed))
        self._changed = None

    def _take_later(self, value: object) -> None:
        """A result as it reads after all calls, in the order of the calls."""
        outcomes = self.outcomes[self.name]
        first = outcomes[self._later]
        if not same(first.returned, value):
            outcomes[self._later] = replace(first, later=value)
        self._later += 1


def same(one: object, other: object) -> bool:
    """Whether two values are of the same kinds and hold the same numbers, bit for bit."""
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray | np.generic):
        return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other or (one != one and other != other)


def _changes(sent: Mapping[str, Argument], after: tuple) -> tuple[str, ...]:
    """The arguments that read otherwise after the call."""
    changes = []
    for (name, argument), value in zip(sent.items(), after, strict=True):
        if not isinstance(argument, dict):
            changes += [] if same(argument, value) else [name]
            continue
        keys = list(dict.fromkeys((*argument, *value)))
        changes += [f"{name}['{key}']" for key in keys if not same(argument.get(key), value.get(key))]
    return tuple(changes)
