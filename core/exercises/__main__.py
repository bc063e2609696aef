"""`python -m core.exercises`: see `core.exercises.command`."""

import sys

from core.exercises.command import main

if __name__ == "__main__":
    sys.exit(main())
