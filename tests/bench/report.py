"""Lines of figures, each ratio beside its limit."""

import statistics
from collections.abc import Sequence


def heading(text: str) -> None:
    print(f"\n{text}", flush=True)


def line(label: str, *figures: str) -> None:
    print(f"  {label:26}", "  ".join(figure for figure in figures if figure), flush=True)


def limited(ratio: float, limit: float, of: str) -> str:
    """A ratio, what it is a ratio to, and whether it keeps its limit."""
    return f"{ratio:5.2f} × {of} ({'within' if ratio <= limit else 'MISSES'} {limit:g})"


def faster(times: float, least: float, than: str) -> str:
    """How many times faster, than what, and whether that is enough."""
    return f"{times:5.1f} × faster than {than} ({'within' if times >= least else 'MISSES'} {least:g})"


def limited_ms(ms: float, limit: float) -> str:
    """A time, and whether it keeps its limit."""
    return f"{ms:5.2f} ms ({'within' if ms <= limit else 'MISSES'} {limit:g} ms)"


def spread(values: Sequence[float]) -> str:
    """Median and range."""
    return f"{statistics.median(values):6.0f} ({min(values):.0f} to {max(values):.0f})"
