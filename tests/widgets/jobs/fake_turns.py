"""Small computations for the tests of the pool; the payload is JSON: how far it is, and what it does on the way."""

import json
import os
import time

from widgets.jobs.turn import Outcome


def count(payload, note, report, stop):
    """Counts up from "n", one every "pace" seconds, until "until"; reports each number with its process."""
    state = json.loads(payload)
    if note:
        report("note", note)
    while True:
        if state["n"] + 1 == state.get("long_at"):
            time.sleep(0.1)  # records that follow each other at once are sent together, with the next
            report("long", {"pid": os.getpid()})
            while not stop.at_once():
                time.sleep(0.005)
            return Outcome(json.dumps(state).encode(), broken_off=True)
        time.sleep(state.get("pace", 0.005))
        state["n"] += 1
        report("count", {"n": state["n"], "pid": os.getpid()})
        if state["n"] == state.get("deaf_at"):
            time.sleep(60)
        if state["n"] == state.get("error_at"):
            raise ArithmeticError("meant to happen")
        if state["n"] == state.get("fail_at"):
            return Outcome(json.dumps(state).encode(), failure="Too far.")
        if state["n"] == state.get("grow_at"):
            return Outcome(bytes(state["size"]))
        if state["n"] == state.get("until"):
            return Outcome(json.dumps(state).encode(), finished=True)
        if stop() and state.get("listens", True):
            return Outcome(json.dumps(state).encode())


def listening(payload, note, report, stop):
    """Counts up like `count`, and listens within each unit."""
    state = json.loads(payload)
    while True:
        end = time.monotonic() + state["pace"]
        while time.monotonic() < end:
            if stop.at_once():
                return Outcome(json.dumps(state).encode(), broken_off=True)
            time.sleep(0.002)
        state["n"] += 1
        report("count", {"n": state["n"]})
        if stop():
            return Outcome(json.dumps(state).encode())


def beyond(payload, note, report, stop):
    """One unit, that is done from "until" on."""
    state = json.loads(payload)
    state["n"] += 1
    return Outcome(json.dumps(state).encode(), finished=state["n"] >= state["until"])


def surroundings(payload, note, report, stop):
    """Reports what the process finds around itself."""
    print("this belongs to the log")
    names = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
    found = {name: os.environ.get(name) for name in names}
    report(
        "found",
        found | {"nice": os.nice(0) if hasattr(os, "nice") else None, "input": os.read(0, 10).decode()},
    )
    return Outcome(payload, finished=True)


def wrong(payload, note, report, stop):
    return payload
