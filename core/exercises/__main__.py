"""The command as a module, `-m core.exercises`: see `core.exercises.command`."""

import os
import sys

from core.exercises.calling import python

try:
    from core.exercises.command import WRONG, main
except ModuleNotFoundError as error:
    if error.name != "numpy":
        raise
    sys.exit(f"NumPy is missing here: run it with {python()}.")

if __name__ == "__main__":
    try:
        code = main()
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read has seen enough, as with `| head`: nothing more can be said, not even at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = WRONG
    sys.exit(code)
