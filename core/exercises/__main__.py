"""`python -m core.exercises`: see `core.exercises.command`."""

import os
import sys

from core.exercises.command import WRONG, main

if __name__ == "__main__":
    try:
        code = main()
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read has seen enough, as with `| head`: nothing more can be said, not even at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = WRONG
    sys.exit(code)
