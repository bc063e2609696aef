"""How the exercises are called from a command line. Nothing here needs NumPy, which another Python may lack."""

import os
import shlex
import sys
from pathlib import Path

MODULE = "-m core.exercises"
PYTHON = ".venv/bin/python"
"""The Python of the environment that the README makes, as it is called in the project's folder."""
_ON_WINDOWS = r".venv\Scripts\python"


def python(system: str = os.name) -> str:
    """That Python on this machine, or on a system of another name."""
    return _ON_WINDOWS if system == "nt" else PYTHON


def command(system: str = os.name) -> str:
    """What stands before `new`, `check` and `--solution`."""
    return f"{python(system)} {MODULE}"


def command_here(system: str = os.name) -> str:
    """The same as it works in the present folder: with the Python that runs now where the README's is elsewhere."""
    if not sys.executable or Path(python(system)).exists():
        return command(system)
    own = f'"{sys.executable}"' if system == "nt" else shlex.quote(sys.executable)
    return f"{own} {MODULE}"
