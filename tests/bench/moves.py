"""What moving a slider costs: the wait for the picture, the server's work, and a burst of changes."""

import math
import statistics
from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from browser import Chromium, Target
from labs import Slider
from playwright.sync_api import Page
from report import heading, limited, line
from server import Server
from tally import Tally

from widgets.base.frame import Frame

ROUNDS = 3
STOCK_LIMIT, HAND_LIMIT, EVENT_LIMIT = 0.65, 1.6, 1.5
_PACE_MS = 70
_BURST = 200
_YARDSTICK_VALUES = [0.1 + 1.3 * ((i * 37) % 101) / 100 for i in range(1, 1001)]


def lab_target(app: Server, slider: Slider) -> Target:
    return Target(slider.label, "material", app.url(slider.query), slider.index)


class Latencies:
    """What the moves of one slider took, and what of the picture they left for a hand at rest."""

    def __init__(self):
        self.times: list[float | None] = []
        self._late = 0
        self._scrolled = False

    def add(self, seen: dict) -> None:
        """Take in what `latencies` of `probe.js` gives."""
        self.times += seen["times"]
        self._late += seen["late"]
        self._scrolled |= seen["scrolled"]

    @property
    def heard(self) -> list[float]:
        """The times of the moves that were answered, in order of size."""
        return sorted(ms for ms in self.times if ms is not None) or [math.nan]

    @property
    def median(self) -> float:
        return statistics.median(self.heard)

    @property
    def faults(self) -> str:
        """What makes the median less than the whole story."""
        missed = self.times.count(None)
        without = f"{missed} MOVES CHANGED NOTHING IN VIEW" if missed else ""
        late = f"{self._late} CHANGES IN VIEW AT REST ONLY" if self._late else ""
        scrolled = "(seen with its slider at the window's top)" if self._scrolled else ""
        return "; ".join(filter(None, (scrolled, without, late)))


def _latencies(browser: Chromium, target: Target, values: Sequence[float], ticking: bool) -> dict:
    with browser.open_page(target) as page:
        return page.evaluate("o => bench.latencies(o)", target.asked(values=values, ticking=ticking))


def latency(
    browser: Chromium, app: Server, stock: Server, hand: str, sliders: Sequence[Slider], moves: int
) -> None:
    """From the event on the slider to the second animation frame after all that it changes in view, in turns."""
    heading(f"1. Slider latency: ms to the second frame after the last change in view, {moves} moves")
    yardsticks = [
        Target("hand-written", "hand", f"{hand}/hand.html"),
        Target("stock Panel", "stock", stock.url()),
    ]
    plans = [(target, _YARDSTICK_VALUES[:moves]) for target in yardsticks]
    plans += [(lab_target(app, slider), slider.values(moves)) for slider in sliders]
    found = {ticking: defaultdict(Latencies) for ticking in (True, False)}
    share = -(-moves // ROUNDS)
    for turn in range(ROUNDS):
        for ticking in (True, False) if turn == 0 else (True,):
            for target, values in plans:
                part = values[turn * share : (turn + 1) * share]
                found[ticking][target.label].add(_latencies(browser, target, part, ticking))
    by_hand, stock_ms = (found[True][target.label].median for target in yardsticks)
    for label, moved in found[True].items():
        ratios = []
        if label not in {target.label for target in yardsticks}:
            ratios = [
                limited(moved.median / stock_ms, STOCK_LIMIT, "stock"),
                limited(moved.median / by_hand, HAND_LIMIT, "hand-written"),
            ]
        p90 = f"p90 {moved.heard[int(0.9 * len(moved.heard))]:4.0f}"
        at_rest = f"(page at rest {found[False][label].median:.1f})"
        line(label, f"{moved.median:5.1f}", p90, *ratios, at_rest, moved.faults)


def _drive(browser: Chromium, server: Server, target: Target, values: Sequence[float]) -> tuple[float, dict]:
    """Move at a hand's pace: the server's processor time, and what the page saw."""
    with browser.open_page(target) as page:
        before = server.processor_ms()
        seen = page.evaluate("o => bench.drive(o)", target.asked(values=values, interval=_PACE_MS))
        return server.processor_ms() - before, seen


def events(
    browser: Chromium, app: Server, bare: Server, sliders: Sequence[Slider], count: int, tally: Tally
) -> None:
    """The server's processor time for each event, lab and bare app in turn.

    `compute()` is timed inside the server: between two moves of a hand its data has left the processor's cache.
    """
    heading(f"3. Processor time of the server per event, {count} events, {_PACE_MS} ms apart (ms)")
    plain = Target("bare app", "material", bare.url())
    half = count // 2
    for slider in sliders:
        target, values = lab_target(app, slider), slider.values(count)
        lab_ms = bare_ms = compute = pushes = 0
        for part in (slice(0, half), slice(half, 2 * half)):
            bare_ms += _drive(browser, bare, plain, _YARDSTICK_VALUES[part])[0] / (2 * half)
            tally.since_last()
            spent, seen = _drive(browser, app, target, values[part])
            compute += tally.since_last().sum() / (2 * half)
            lab_ms += spent / (2 * half)
            pushes += seen["pushes"]
        ratio = limited((lab_ms - compute) / bare_ms, EVENT_LIMIT, "bare, beside compute()")
        details = f"lab {lab_ms:5.2f}", f"compute {compute:5.2f}", f"bare {bare_ms:5.2f}"
        line(slider.label, *details, ratio, f"({pushes} pushes)")


def burst(browser: Chromium, app: Server, sliders: Sequence[Slider], tally: Tally) -> None:
    """Many changes in a second: how many the server answers, and whether it ends on the last."""
    heading(f"4. Burst: {_BURST} changes in one second")
    for slider in sliders:
        target, values = lab_target(app, slider), slider.values(_BURST)
        with browser.open_page(target) as page:
            tally.since_last()
            work = app.processor_ms()
            seen = page.evaluate("o => bench.drive(o)", target.asked(values=values, interval=1000 / _BURST))
            work, frames = app.processor_ms() - work, len(tally.since_last())
            differences = _differences(page, slider, values[-1])
        line(
            slider.label,
            f"computed {frames:3d}",
            f"pushed {seen['pushes']:3d}",
            f"server {work:4.0f} ms",
            f"moved for {seen['moving']:4.0f} ms, last data {seen['trailing']:4.0f} ms later",
            "ends on the last value" if not differences else f"DIFFERS: {'; '.join(differences)}",
        )


def _differences(page: Page, slider: Slider, value: float) -> list[str]:
    """Where the page disagrees with what the lab computes at `value`."""
    shown, frame = page.evaluate("() => bench.shown()"), slider.lab_at(value).compute()
    expected = {f"{slider.kind.slug}.{r.key}": str(r.value) for r in frame.readouts}
    wrong = [name for name, text in expected.items() if shown["readouts"].get(name) != text]
    return wrong + [name for name in frame.columns if not _drawn(shown["columns"].get(name), frame, name)]


def _drawn(shown: dict | None, frame: Frame, name: str) -> bool:
    """Whether the columns of a source are in the page; gaps must be where numbers are not finite."""
    return shown is not None and all(
        _same(shown.get(column), np.asarray(values)) for column, values in frame.columns[name].items()
    )


def _same(shown: Sequence | None, values: np.ndarray) -> bool:
    if shown is None or len(shown) != len(values):
        return False
    if values.dtype.kind != "f":
        return list(shown) == values.tolist()
    drawn = np.array([np.nan if value is None else value for value in shown], dtype=float)
    return np.allclose(drawn, np.where(np.isfinite(values), values, np.nan), rtol=1e-12, equal_nan=True)
