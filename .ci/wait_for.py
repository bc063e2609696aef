"""Wait until the log of a process holds a text, or the process has ended: `wait_for.py PID LOG TEXT SECONDS`."""

import os
import sys
import time
from pathlib import Path


def is_running(pid: int) -> bool:
    """Whether there is such a process; one that has ended is there until its parent has taken note."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


pid, log, text, seconds = int(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], float(sys.argv[4])
end = time.monotonic() + seconds
while time.monotonic() < end:
    was_running = is_running(pid)
    if log.exists() and text in log.read_text(errors="replace"):
        sys.exit(0)
    if not was_running:
        sys.exit(f"the process ended, and {log} did not say “{text}”")
    time.sleep(0.5)
sys.exit(f"{log} did not say “{text}” within {seconds:g} s")
