"""Measure the speed of every lab against yardsticks, as ratios: `python tests/bench/speed.py`.

Run it on a calm machine and quote medians. It is never part of passing or failing a test: clocks differ.
All servers and the browser are its own, on loopback, and end with it.

A move's latency ends at the second animation frame after the last change that it makes within the window, by one
rule for every lab: the data of each figure that is in the window, and the sentence, the diagram, the readouts, the
arithmetic, the notes and the passages as far as they are. What lies below the window does not count, since it follows
a hand that rests. Changes within the window that come only then are counted and named beside the median. Where nothing
in the window changes, the page is scrolled until the slider is at the window's top, which is said too.
A push is a message in which the server sends data or the words of a frame.
"""

import argparse
import contextlib
import os
import platform
import signal
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import bokeh
import moves
import opens
import panel
from browser import chromium, serve_files
from calm import Calm
from labs import Slider, chosen, compute_ms
from report import heading, limited_ms, line
from server import ROOT, YARDSTICKS, serve, setting
from tally import Tally

PARTS = ("latency", "compute", "events", "burst", "opening", "class")
COMPUTE_LIMIT_MS = 8


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument(
        "--lab", action="append", default=[], metavar="SLUG", help="only this lab; may be repeated"
    )
    parser.add_argument("--part", action="append", choices=PARTS, help="only this part; may be repeated")
    parser.add_argument("--moves", type=int, default=60, help="moves per slider for the latency (60)")
    parser.add_argument("--events", type=int, default=200, help="events per slider for processor time (200)")
    parser.add_argument("--opens", type=int, default=20, help="opens of each page (20)")
    parser.add_argument("--size", type=int, default=30, help="visitors in a class (30)")
    parser.add_argument(
        "--patience", type=float, default=120, help="seconds to wait for a calm machine in all (120)"
    )
    return parser.parse_args()


def _load() -> str:
    return ", ".join(f"{share:.1f}" for share in os.getloadavg())


def conditions(browser_version: str) -> None:
    """What the figures depend on."""
    print(
        f"Python {platform.python_version()}, Panel {panel.__version__}, Bokeh {bokeh.__version__}, {browser_version}"
    )
    print(f"{os.cpu_count()} cores, load {_load()}; {setting()}")


def compute(sliders: Sequence[Slider]) -> None:
    heading("2. compute() at default settings, median")
    for kind in dict.fromkeys(slider.kind for slider in sliders):
        line(kind.slug, limited_ms(compute_ms(kind), COMPUTE_LIMIT_MS))


def main() -> None:
    asked = arguments()
    parts = asked.part or PARTS
    sliders = chosen(asked.lab)
    slugs = list(dict.fromkeys(slider.kind.slug for slider in sliders))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended before its time"))
    calm = Calm(asked.patience)
    with contextlib.ExitStack() as stack:
        browser = stack.enter_context(chromium(calm))
        conditions(f"Chromium {browser.version}")
        tally = Tally(Path(stack.enter_context(tempfile.NamedTemporaryFile()).name))
        app = stack.enter_context(
            serve(ROOT / "app", "--setup", str(YARDSTICKS.with_name("count_computes.py")))
        )
        bare = stack.enter_context(serve(YARDSTICKS / "bare.py"))
        if "latency" in parts:
            stock = stack.enter_context(serve(YARDSTICKS / "stock.py"))
            hand = stack.enter_context(serve_files(YARDSTICKS))
            moves.latency(browser, app, stock, hand, sliders, asked.moves)
        if "compute" in parts:
            compute(sliders)
        if "events" in parts:
            moves.events(browser, app, bare, sliders, asked.events, tally)
        if "burst" in parts:
            moves.burst(browser, app, sliders, tally)
        if "opening" in parts:
            opens.opening(app, bare, slugs, asked.opens, calm)
            opens.first_sight(browser, app, bare, slugs)
        if "class" in parts:
            opens.arrival(slugs, asked.size, calm)
        print(f"\nload {_load()}; {calm}")


if __name__ == "__main__":
    main()
