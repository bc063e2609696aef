"""The files that a student starts from: one function each, described and not yet written."""

from pathlib import Path

from core.exercises.contract import NAMES
from core.exercises.links import LABS
from core.validation import one_of

CONSTANTS = {name: tuple(LABS[name].constants) for name in NAMES}
"""For each exercise the names of the constants that a student may set, for the address of a lab."""


def file_name(name: str) -> str:
    """What the file of an exercise is called; ValueError for a name that is none of the five."""
    return f"{one_of('name', name, NAMES)}.py"


def stub(name: str) -> str:
    """The text of an exercise's file."""
    return (Path(__file__).parent / file_name(name)).read_text(encoding="utf-8")


def new_file(name: str, folder: Path) -> Path:
    """Write an exercise's file into ``folder`` and return its path; FileExistsError if there is one already."""
    path = Path(folder) / file_name(name)
    with path.open("x", encoding="utf-8") as file:
        file.write(stub(name))
    return path
