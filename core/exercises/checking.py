"""The check of one file: each of the five functions that it defines is run apart and judged."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from core.exercises import faults
from core.exercises.cases import cases
from core.exercises.contract import NAMES, Case, Fault, Outcome, Verdict
from core.exercises.diagnosis import diagnose
from core.exercises.limits import Limits
from core.exercises.running import Ran, run
from core.exercises.stubs import CONSTANTS

_DEFAULT = Limits()


@dataclass(frozen=True)
class Checked:
    """What is said about one file."""

    verdicts: tuple[Verdict, ...] = ()
    """One for each function that the file defines, or seems to mean."""
    fault: Fault | None = None
    """Why nothing in the file could be judged."""
    printed: str = ""
    """The beginning of what it printed."""

    @property
    def right(self) -> bool:
        """Something was checked, and all that was is right."""
        return bool(self.verdicts) and not self.fault and all(verdict.right for verdict in self.verdicts)


def check(path: Path, seed: int = 0, limits: Limits = _DEFAULT) -> Checked:
    """Run and judge a student's file. Never raises for anything that a file can do."""
    drawn = _all_cases(seed)
    constants = tuple(dict.fromkeys(name for names in CONSTANTS.values() for name in names))
    ran = run(path, drawn, constants, limits)
    verdicts = tuple(_verdicts(ran, drawn))
    fault = ran.fault or (None if verdicts else faults.of_none(NAMES, ran.functions))
    return Checked(verdicts, fault, ran.printed)


@lru_cache(maxsize=4)
def _all_cases(seed: int) -> dict[str, Sequence[Case]]:
    return {name: cases(name, seed) for name in NAMES}


def _verdicts(ran: Ran, drawn: Mapping[str, Sequence[Case]]) -> list[Verdict]:
    verdicts = []
    for name in NAMES:
        if name in ran.outcomes:
            own = {key: ran.constants[key] for key in CONSTANTS[name] if key in ran.constants}
            verdicts.append(replace(_judged(name, drawn[name], ran.outcomes[name]), constants=own))
        elif _seems_meant(name, ran.functions):
            verdicts.append(Verdict(name, fault=faults.of_missing(name, ran.functions)))
    return verdicts


def _judged(name: str, drawn: Sequence[Case], outcomes: list[Outcome]) -> Verdict:
    """The diagnosis, which is never right when a call came to nothing."""
    try:
        verdict = diagnose(name, drawn, outcomes)
    except Exception as error:
        # What one student returned must not end the check of a class.
        return Verdict(name, unchecked=(f"the check itself failed on what came ({type(error).__name__})",))
    first = next((outcome.fault for outcome in outcomes if outcome.fault), None)
    return replace(verdict, fault=first) if first and verdict.right else verdict


def _seems_meant(name: str, functions: Sequence[str]) -> bool:
    """Whether a function of hardly another name is there in its stead."""
    return faults.nearest(name, [each for each in functions if each not in NAMES]) is not None
