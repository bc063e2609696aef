"""What a student's file replaced in Python and NumPy: noted, and put back before the process works on.

Even `len` and `isinstance` can be replaced for all of a process. Nothing is called by such a name before it is back.
"""

import builtins
import json
import sys

import numpy as np

_MODULES = (builtins, np, json)
_MOST = 5


class Originals:
    """The names of these modules, and what they stand for before the file is loaded."""

    def __init__(self):
        spaces = [(module.__name__, vars(module)) for module in _MODULES]
        # Pairs of a module's own names and a copy, with the method that writes them back.
        self._spaces = [(label, space, dict(space), space.update) for label, space in spaces]
        self.trace_by, self.profile_by = sys.settrace, sys.setprofile
        """To be called with None, by which the file's own tracers end: before any function that they would see."""

    def put_back(self) -> list[str]:
        """Undo all replacements; the names of the first few."""
        replaced = []
        for label, space, copy, write_back in self._spaces:
            prefix = "" if label == "builtins" else f"{label}."
            replaced += [f"{prefix}{name}" for name in copy if space.get(name, self) is not copy[name]]
            write_back(copy)
        return replaced[:_MOST]
