"""The check of one file: each of the five functions that it defines is run apart and judged."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from core.exercises.apart import faults
from core.exercises.apart.limits import Limits
from core.exercises.apart.running import Ran, run
from core.exercises.contract import NAMES, Case, Checked, Outcome, Verdict
from core.exercises.judged.cases import cases
from core.exercises.judged.diagnosis import diagnose
from core.exercises.stubs import CONSTANTS

_DEFAULT = Limits()


def check(path: Path, seed: int = 0, limits: Limits = _DEFAULT) -> Checked:
    """Run and judge a student's file. Never raises for anything that a file can do."""
    drawn = _all_cases(seed)
    constants = tuple(dict.fromkeys(name for names in CONSTANTS.values() for name in names))
    ran = run(path, drawn, constants, limits)
    verdicts = tuple(_verdicts(path, ran, drawn))
    fault = ran.fault or (None if verdicts else faults.of_none(NAMES, ran.functions))
    return Checked(verdicts, fault, ran.printed)


@lru_cache(maxsize=4)
def _all_cases(seed: int) -> dict[str, Sequence[Case]]:
    return {name: cases(name, seed) for name in NAMES}


def _verdicts(path: Path, ran: Ran, drawn: Mapping[str, Sequence[Case]]) -> list[Verdict]:
    verdicts = []
    named = _named_after(path) if ran.outcomes else ()
    for name in NAMES:
        if name in ran.outcomes:
            own = {key: ran.constants[key] for key in CONSTANTS[name] if key in ran.constants}
            verdicts.append(replace(_judged(name, drawn[name], ran.outcomes[name]), constants=own))
        elif not ran.fault and (name in ran.others or name in named or _seems_meant(name, ran.functions)):
            fault = faults.of_missing(name, ran.functions, ran.others.get(name))
            verdicts.append(Verdict(name, fault=fault))
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


def _named_after(path: Path) -> list[str]:
    """The exercises whose names stand in the file's; of two that begin alike, the longer."""
    stem = path.stem.lower().replace("-", "_").replace(" ", "_")
    found = []
    for name in sorted(NAMES, key=len, reverse=True):
        if name in stem:
            found.append(name)
            stem = stem.replace(name, "")
    return found


def _seems_meant(name: str, functions: Sequence[str]) -> bool:
    """Whether a function of hardly another name is there in its stead."""
    return faults.nearest(name, [each for each in functions if each not in NAMES]) is not None
