"""What opening a page costs: the server's work, the wait in a browser, and a class that arrives at once."""

import statistics
from collections import defaultdict
from collections.abc import Sequence

from browser import Chromium
from calm import Calm
from report import heading, limited, line, spread
from server import ROOT, YARDSTICKS, Server, serve
from visitor import p95, visit_as_class, visit_once

OPEN_LIMIT = 1.5
_BROWSER_OPENS = 5
_ARRIVAL_SECONDS = 3.0
_FIRST_READOUT, _FIRST_SLIDER = "[data-readout]", "input[type=range]"


def opening(app: Server, bare: Server, slugs: Sequence[str], count: int, calm: Calm) -> None:
    """Processor time to open a page as far as its whole document, every page in turn."""
    heading(f"5a. Processor time of the server to open a page, mean of {count} opens in turn (ms)")
    pages = {"bare page": (bare, bare.url())} | {slug: (app, app.url(f"?lab={slug}")) for slug in slugs}
    for _, url in pages.values():
        visit_once(url)
        visit_once(url)
    spent = defaultdict(list)
    for _ in range(count):
        calm.wait()
        for label, (server, url) in pages.items():
            before = server.processor_ms()
            visit_once(url)
            spent[label].append(server.processor_ms() - before)
    least = statistics.mean(spent["bare page"])
    for label, found in spent.items():
        mean = statistics.mean(found)
        ratio = "" if label == "bare page" else limited(mean / least, OPEN_LIMIT, "bare")
        line(label, f"{mean:5.0f}", f"median {statistics.median(found):4.0f}", ratio)


def first_sight(browser: Chromium, app: Server, bare: Server, slugs: Sequence[str]) -> None:
    """Time until a visitor's browser, with an empty cache, shows the first readout (bare: its slider)."""
    heading(f"5b. Time to the first readout in a browser, median of {_BROWSER_OPENS} (ms)")
    pages = {"bare page, its slider": (bare.url(), _FIRST_SLIDER)}
    pages |= {slug: (app.url(f"?lab={slug}"), _FIRST_READOUT) for slug in slugs}
    waits = defaultdict(list)
    for _ in range(_BROWSER_OPENS):
        for label, (url, selector) in pages.items():
            with browser.blank_page() as page:
                page.goto(url, wait_until="commit")
                waits[label].append(page.evaluate("s => bench.first_sight(s)", selector))
    least = statistics.median(waits["bare page, its slider"])
    for label, found in waits.items():
        line(label, spread(found), f"{statistics.median(found) / least:5.2f} × bare")


def arrival(slugs: Sequence[str], size: int, calm: Calm) -> None:
    """A class opens the same page within a few seconds; each page has a fresh server, so that memory is its own."""
    heading(f"6. A class of {size} within {_ARRIVAL_SECONDS:g} s, on loopback")
    pages = {"bare page": (YARDSTICKS / "bare.py", "")} | {
        slug: (ROOT / "app", f"?lab={slug}") for slug in slugs
    }
    least = None
    for label, (target, query) in pages.items():
        with serve(target) as server:
            visit_once(server.url(query))
            calm.wait()
            before, work = server.memory_mb(), server.processor_ms()
            waits, after = visit_as_class(server.url(query), size, _ARRIVAL_SECONDS, server.memory_mb)
            work, memory = (server.processor_ms() - work) / size, (after - before) / size
        least = least or (p95(waits), memory)
        line(
            label,
            f"wait median {statistics.median(waits):5.0f} ms, p95 {p95(waits):5.0f} ms",
            f"({p95(waits) / least[0]:.2f} × bare)",
            f"memory {memory:5.2f} MB a session ({memory / least[1]:.2f} × bare)",
            f"processor {work:4.0f} ms a session",
        )
