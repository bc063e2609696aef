"""Wait until a file holds a text: `wait_for.py FILE TEXT SECONDS`."""

import sys
import time
from pathlib import Path

path, text, seconds = Path(sys.argv[1]), sys.argv[2], float(sys.argv[3])
end = time.monotonic() + seconds
while time.monotonic() < end:
    if path.exists() and text in path.read_text(errors="replace"):
        sys.exit(0)
    time.sleep(0.5)
sys.exit(f"{path} did not say “{text}” within {seconds:g} s")
