"""Measure the pool of worker processes, and the other visitors meanwhile: `python tests/bench/pool.py`.

It is never part of passing or failing a test: clocks differ. Servers, browser and workers are its own.
"""

import argparse
import asyncio
import os
import statistics
import sys
import time
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from browser import Target, chromium
from calm import Calm
from labs import chosen
from moves import lab_target
from report import heading, limited, limited_ms, line, spread
from server import ROOT, serve
from visitor import p95

from widgets.jobs.job import Job, Status
from widgets.jobs.limits import Limits
from widgets.jobs.pool import Pool, spare_processors

PARTS = ("stop", "turns", "others")
STOP_LIMIT_MS, OTHERS_LIMIT = 500, 1.5
ROUNDS = 2
TYPICAL_CHECKPOINT = 2_500_000
"""Bytes: an LSTM of 128 units with Adam's two moments, in float64."""


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", action="append", choices=PARTS, help="only this part; may be repeated")
    parser.add_argument(
        "--moves", type=int, default=60, help="moves of the echo lab's slider in a round (60)"
    )
    parser.add_argument("--patience", type=float, default=60, help="seconds to wait for a calm machine (60)")
    return parser.parse_args()


async def _until(condition) -> None:
    while not condition():
        await asyncio.sleep(0.001)


def _open(pool: Pool, size: int = TYPICAL_CHECKPOINT) -> Job:
    job = pool.open(bytes(size))
    job.attach(lambda job: None)
    return job


async def _pause_ms(turn: str, times: int) -> list[float]:
    """From `pause` in the midst of a turn to the job at rest."""
    pool, spent = Pool(f"busy_turns:{turn}", 1), []
    job = _open(pool)
    for number in range(times):
        job.reset()
        job.start()
        await _until(lambda: job.records["step"])
        await asyncio.sleep(0.03 * number)
        started = time.perf_counter()
        job.pause()
        await _until(lambda: job.status is Status.PAUSED)
        spent.append(1000 * (time.perf_counter() - started))
    pool.close()
    return spent


async def stop() -> None:
    heading("1. From pause in the midst of a turn to rest, worst of all (ms)")
    for turn, times in (("train", 20), ("deaf", 5)):
        spent = await _pause_ms(turn, times)
        line(turn, spread(spent), limited_ms(max(spent), STOP_LIMIT_MS))


async def _turns_per_second(jobs: int, size: int) -> float:
    """How many empty turns one worker does in a second, with all that lies between two turns."""
    pool = Pool("busy_turns:nothing", 1, Limits(turn=0.0))
    turns = set()
    for _ in range(jobs):
        job = pool.open(bytes(size), str(_))
        job.attach(lambda job: turns.add(job.turn))
        job.start()
    await _until(lambda: len(turns) > 5)
    before, started = len(turns), time.perf_counter()
    await asyncio.sleep(2)
    rate = (len(turns) - before) / (time.perf_counter() - started)
    pool.close()
    return rate


async def turns() -> None:
    heading("2. What lies between two turns, beside the turn's own saving and loading (ms; of a turn of 1 s)")
    for jobs in (1, 3):
        for size in (0, TYPICAL_CHECKPOINT, 40_000_000):
            ms = 1000 / await _turns_per_second(jobs, size)
            line(f"{jobs} jobs, {size / 1e6:g} MB", f"{ms:6.2f} ms", f"{ms / 10:5.2f} %")


def _echo_ms(patience: float, moves: int, busy: bool) -> list[float]:
    (slider,) = chosen(["echo"])
    options = ("--setup", str(Path(__file__).with_name("busy_server.py"))) if busy else ()
    # With busy workers no machine gets calm.
    with chromium(Calm(0 if busy else patience)) as browser, serve(ROOT / "app", *options) as app:
        target: Target = lab_target(app, slider)
        with browser.open_page(target) as page:
            asked = target.asked(values=slider.values(moves), ticking=True)
            seen = page.evaluate("o => bench.latencies(o)", asked)
            return [ms for ms in seen["times"] if ms is not None]


def others(patience: float, moves: int) -> None:
    heading(f"3. Echo lab's slider with all {spare_processors()} workers busy and as many waiting (ms)")
    times = {False: [], True: []}
    for _ in range(ROUNDS):
        for busy, found in times.items():
            found += _echo_ms(patience, moves, busy)
    for busy, found in times.items():
        line("busy" if busy else "idle", f"median {statistics.median(found):5.1f}", f"p95 {p95(found):5.1f}")
    line("p95, busy to idle", limited(p95(times[True]) / p95(times[False]), OTHERS_LIMIT, "idle"))


def main() -> None:
    asked = arguments()
    parts = asked.part or PARTS
    print(f"{os.cpu_count()} cores, load {', '.join(f'{share:.1f}' for share in os.getloadavg())}")
    if "stop" in parts:
        asyncio.run(stop())
    if "turns" in parts:
        asyncio.run(turns())
    if "others" in parts:
        others(asked.patience, asked.moves)


if __name__ == "__main__":
    main()
