"""What the cells take on the server: measured once beside it, told to whoever waits, and kept."""

import json
import time

import numpy as np
import pytest

from core.cells import PARTS
from widgets.cost import measured, words
from widgets.cost.lab import CostLab
from widgets.cost.measured import Measurement, MeasuringEngine
from widgets.cost.stopwatch import ROUNDS, TURNS, WIDTHS, seconds_of, step_of, turn

SECONDS = {(cell, width): 1e-6 * gates * width for cell, gates in PARTS.items() for width in WIDTHS}


class Page:
    """A visitor's page that notes how often it is to look again."""

    key = "page"

    def __init__(self):
        self.shows = 0

    def soon(self, work):
        work()

    def show(self):
        self.shows += 1


class HandProcess:
    """A worker whose answers a test gives."""

    begun = 0

    def __init__(self, turn, loop, hear, ended):
        HandProcess.begun += 1
        self.hear, self.ended, self.orders, self.closed = hear, ended, [], False

    def send(self, head, blob=b""):
        self.orders.append(head)

    def close(self):
        self.closed = True

    def begin_turn(self, number):
        self.hear({"tell": "records"}, json.dumps([["begun", {"turn": number}]]).encode())

    def answer(self, seconds):
        records = [["step", {"cell": cell, "width": n, "seconds": s}] for (cell, n), s in seconds.items()]
        self.hear({"tell": "ready"}, b"")
        self.hear({"tell": "records"}, json.dumps(records).encode())
        self.hear({"tell": "done"}, b"")
        self.ended(0)


@pytest.fixture
def server(monkeypatch):
    """The measurement of a server whose worker a test plays."""
    monkeypatch.setattr(measured, "Process", HandProcess)
    HandProcess.begun = 0
    measurement = Measurement(None)
    monkeypatch.setattr(measured, "measurement", lambda: measurement)
    return measurement


def visit():
    lab, page = CostLab(), Page()
    return lab, page, MeasuringEngine(lab, page)


def test_all_who_wait_are_told_and_who_comes_later_has_it_at_once(server):
    (first, one, _), (second, two, _) = visit(), visit()
    assert first.times is second.times is None
    server._process.answer(SECONDS)
    assert (one.shows, two.shows) == (1, 1)
    assert first.times["lstm"] == tuple(4e-6 * width for width in WIDTHS)
    third, page, _ = visit()
    assert third.times == second.times == first.times
    assert page.shows == 0
    assert HandProcess.begun == 1
    assert server._process.closed
    assert len(server._process.orders) == 1


def test_a_visitor_sees_how_far_the_measurement_has_come(server):
    lab, page, _ = visit()
    assert (lab.turn, words.time_again(lab).enabled) == (0, False)
    server._process.begin_turn(3)
    assert (lab.turn, page.shows) == (3, 1)
    assert words.time_again(lab).label == f"Timing: 3 of {TURNS} turns"
    server._process.answer(SECONDS)
    button = words.time_again(lab)
    assert (button.label, button.enabled, button.place) == ("Time again", True, "By the clock")


def test_timed_again_the_old_times_stand_until_the_new_ones_are_there(server):
    lab, page, engine = visit()
    server._process.answer(SECONDS)
    engine.act("time", {})
    assert HandProcess.begun == 2
    assert (lab.turn, lab.times["rnn"][0], page.shows) == (0, 4e-6, 2)
    assert not any("timed" in note for note in lab.compute().notes)
    server._process.answer({key: 2 * seconds for key, seconds in SECONDS.items()})
    assert (lab.turn, lab.times["rnn"][0], page.shows) == (None, 8e-6, 3)


def test_one_measurement_at_a_time_whoever_asks(server):
    (_, _, one), (_, _, two) = visit(), visit()
    one.act("time", {})
    two.act("time", {})
    assert HandProcess.begun == 1
    server._process.answer(SECONDS)
    one.act("time", {})
    two.act("time", {})
    assert HandProcess.begun == 2


def test_timed_again_in_vain_the_old_times_stand_and_it_is_said(server):
    lab, _, engine = visit()
    server._process.answer(SECONDS)
    engine.act("time", {})
    server._process.ended(1)
    assert (lab.times["rnn"][0], lab.unmeasured, lab.turn) == (4e-6, True, None)
    assert any("could not be timed again, and the old times stand" in note for note in lab.compute().notes)
    engine.act("time", {})
    assert not lab.unmeasured


def test_who_has_left_is_not_told(server):
    lab, page, engine = visit()
    engine.close()
    engine.close()
    server._process.answer(SECONDS)
    assert (page.shows, lab.times) == (0, None)


@pytest.mark.parametrize("code", [None, 1, -9])
def test_a_worker_that_ends_without_an_answer_has_failed(server, code):
    lab, page, _ = visit()
    server._process.ended(code)
    assert (lab.times, lab.unmeasured, page.shows) == (None, True, 1)
    late, _, _ = visit()
    assert late.unmeasured


def test_half_a_measurement_is_none(server):
    lab, _, _ = visit()
    server._process.answer(dict(list(SECONDS.items())[:-1]))
    assert lab.unmeasured


def test_settings_and_buttons_change_nothing(server):
    _, page, engine = visit()
    engine.settings_changed()
    engine.act("start", {})
    assert page.shows == 0


def test_a_run_in_the_address_is_forgotten(server):
    lab = CostLab()
    lab.run = "left-over"
    lab.engine(Page())
    assert lab.run == ""


def test_a_worker_of_its_own_measures_the_cells(loop):
    measurement = Measurement(loop)
    told = []
    measurement.tell(lambda: told.append(measurement.turn))
    loop.until(lambda: measurement.turn is None)
    assert told == [*range(1, TURNS + 1), None]
    assert not measurement.failed
    assert set(measurement.times) == set(PARTS)
    for times in measurement.times.values():
        assert len(times) == len(WIDTHS)
        assert min(times) > 0
    # A hundred times the work of the width of 64: no machine is so busy that this does not show.
    assert measurement.times["lstm"][-1] > measurement.times["lstm"][WIDTHS.index(64)]


def test_the_best_round_counts(monkeypatch):
    """The first round is too short; of those of two steps, 1.8 ms is the least."""
    spent = iter([0.0009, 0.0042, 0.006, 0.0018, *[0.005] * (ROUNDS - 3)])
    monkeypatch.setattr("widgets.cost.stopwatch._round", lambda step, steps: next(spent))
    assert seconds_of(lambda: None) == 0.0018 / 2
    assert next(spent, None) is None


def test_each_step_is_called():
    calls = []

    def step():
        calls.append(1)
        time.sleep(0.004)

    assert 0.004 <= seconds_of(step) < 1
    assert len(calls) == 1 + ROUNDS


def test_a_turn_reports_every_cell_at_every_width(monkeypatch):
    monkeypatch.setattr("widgets.cost.stopwatch.seconds_of", lambda step: 0.5)
    records = []
    outcome = turn(b"", {}, lambda kind, record: records.append((kind, record)), lambda: True)
    assert outcome.finished
    assert [record["turn"] for kind, record in records if kind == "begun"] == list(range(1, TURNS + 1))
    steps = [record for kind, record in records if kind == "step"]
    assert {(record["cell"], record["width"]) for record in steps} == set(SECONDS)
    assert {record["seconds"] for record in steps} == {0.5}


@pytest.mark.parametrize("busy", [0, 3, TURNS - 1])
def test_a_busy_moment_as_long_as_a_turn_of_all_cells_spoils_nothing(monkeypatch, busy):
    timed = []

    def seconds(step):
        timed.append(step)
        return 5.0 if (len(timed) - 1) // len(SECONDS) == busy else 0.5

    monkeypatch.setattr("widgets.cost.stopwatch.seconds_of", seconds)
    monkeypatch.setattr("widgets.cost.stopwatch.step_of", lambda cell, width: (cell, width))
    records = []
    turn(b"", {}, lambda kind, record: records.append(record) if kind == "step" else None, lambda: True)
    assert {record["seconds"] for record in records} == {0.5}
    assert {step: timed.count(step) for step in timed} == dict.fromkeys(SECONDS, TURNS)
    assert len(records) == len(SECONDS)


@pytest.mark.parametrize("cell", list(PARTS))
def test_the_step_that_is_timed_is_one_of_that_width(cell):
    result = step_of(cell, 8)()
    h = result.h if cell == "lstm" else result
    assert h.shape == (8,)
    assert h.dtype == np.float64
