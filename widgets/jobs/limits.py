"""What the pool allows, so that no visitor can take the server's memory or the others' share of its time."""

from dataclasses import dataclass

MEGABYTE = 1_000_000


class RefusedError(Exception):
    """A job that the pool does not take; the text says why, in words for the visitor."""


@dataclass(frozen=True)
class Limits:
    """Times in seconds, sizes in bytes."""

    turn: float = 1.0
    """How long a turn lasts before the next job has its turn."""
    grace: float = 0.35
    """How long a turn may go on after it was asked to stop; then its process is ended."""
    patience: float = 60.0
    """How long one unit of work may take."""
    unattended: float = 600.0
    """How long a job lives on that no page looks at."""
    jobs: int = 40
    jobs_each: int = 3
    """How many jobs one visitor may have."""
    job_size: int = 48 * MEGABYTE
    """The largest payload or checkpoint."""
    all_sizes: int = 512 * MEGABYTE
    """All payloads and checkpoints together."""
    records: int = 6000
    """How many records of each kind are kept."""
