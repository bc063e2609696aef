"""What `panel serve app/` runs for every visitor."""

import sys
from pathlib import Path

_ROOT = str(Path(__file__).resolve().parents[1])
if _ROOT not in sys.path:  # the console script `panel` does not put the working directory on the path
    sys.path.insert(0, _ROOT)

from app.shell import open_page  # noqa: E402

open_page()
