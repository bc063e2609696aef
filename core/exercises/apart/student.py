"""What is known of a student's file before anything of it is run."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.exercises.contract import Fault


@dataclass(frozen=True)
class Student:
    """What is known of a file beforehand."""

    lines: Sequence[str]
    neighbours: Sequence[str] = ()
    """The names of the Python files beside it."""

    def line(self, number: int | None) -> str:
        """The line of that number, counted from 1, or nothing."""
        return self.lines[number - 1].strip()[:200] if number and 1 <= number <= len(self.lines) else ""

    def fault(self, kind: str, sentence: str, hint: str = "", line: int | None = None) -> Fault:
        """A fault with the student's own line, if there is one of that number."""
        is_there = line is not None and 1 <= line <= len(self.lines)
        return Fault(kind, sentence, line if is_there else None, self.line(line), hint)
