"""What the running of a student's file may take before it is ended."""

from dataclasses import dataclass

MEGABYTE = 1_000_000


@dataclass(frozen=True)
class Limits:
    """Times in seconds, sizes in bytes. A right file of ordinary style needs a hundredth of each."""

    start: float = 30.0
    """For Python and NumPy to be there: this is the machine's time, not the student's."""
    seconds: float = 5.0
    """For the file to be loaded, and again for all calls of each of its functions."""
    memory: int = 1000 * MEGABYTE
    """Address space of the process, of which Python with NumPy takes 100 MB; macOS does not keep to it."""
    printed: int = MEGABYTE
    """All that the file may print."""
    answered: int = 64 * MEGABYTE
    """All that the process may send back, results and arguments."""
    messages: int = 1000
    """How many messages it may send; one of each case is needed, and a few more."""
    written: int = 16 * MEGABYTE
    """The largest file that may be written into the scratch folder."""
    source: int = MEGABYTE
    """The largest file that is taken for a student's."""
