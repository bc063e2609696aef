"""What a visitor takes along from the exercises lab: the file to be written, how it is checked, what is said then."""

from functools import cache

from core.exercises.calling import command
from core.exercises.example import example_report
from core.exercises.hiding import MISTAKES
from core.exercises.links import LABS, address
from core.exercises.stubs import file_name, stub
from widgets.base.frame import Code, Link

_TITLES = {"bptt": "BPTT", "gates": "Gates", "cells": "Cells"}
"""What the labs that show the mathematics are called."""
_REPORT_WIDTH = 88
"""In signs: what a block has room for on a projector of 1280 pixels."""
_COMMAND = command("posix")
"""Nobody knows the visitor's system; what stands above the lines says how they read on Windows."""


def made_ready(exercise: str) -> str:
    """The report in an exercise's blocks, which takes a moment the first time."""
    return example_report(exercise, MISTAKES[exercise][0], _REPORT_WIDTH)


@cache
def handouts(exercise: str) -> tuple[Code, ...]:
    """The blocks of an exercise, the file first."""
    file, lab = file_name(exercise), LABS[exercise].slug
    see = Link(f"See its mathematics in the lab {_TITLES[lab]}", address(exercise).removeprefix("/app"))
    return (
        Code(
            "stub", file,
            "Write the function in the place of its last line. All that it takes and returns is said in it.",
            stub(exercise), file, (see,),
        ),
        Code(
            "student", "Check it",
            "On your own machine, in the folder of Long Gap; on Windows .venv\\Scripts stands for .venv/bin. "
            "The first line writes the file there if there is none.",
            f"{_COMMAND} new {exercise}\n"
            f"{_COMMAND} check {file}",
        ),
        Code(
            "report", "What the check says",
            "For example of the solid line’s mistake. The report is the check’s own, of a function that makes it.",
            made_ready(exercise),
        ),
        Code(
            "teacher", "For teachers",
            "A folder of files that were handed in becomes a table; the reference comes with an explanation.",
            f"{_COMMAND} check FOLDER\n"
            f"{_COMMAND} check FOLDER --csv\n"
            f"{_COMMAND} --solution {exercise}",
        ),
    )  # fmt: skip
