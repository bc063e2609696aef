"""Slow work before `compute()`: one job at a time, the newest settings last, and nothing stale taken for theirs."""

import json
from contextlib import nullcontext

import pytest
from bokeh.document import Document
from panel.io.state import set_curdoc, state

from widgets.base.frame import Job
from widgets.gates.lab import GateLab
from widgets.live import LiveLab
from widgets.work.groundwork import Groundwork


def job(name):
    return Job(str, (name,))


@pytest.fixture
def started(monkeypatch):
    """The jobs that were started, to be run by hand; what follows them is done at once."""
    jobs = []

    def execute(work, schedule=False):
        work() if schedule else jobs.append(work)

    monkeypatch.setattr("widgets.work.groundwork.state.execute", execute)
    monkeypatch.setattr("widgets.work.groundwork.has_loop", lambda: True)
    return jobs


def test_what_is_done_is_not_lacking(started, run_async):
    ready = []
    groundwork = Groundwork(job("a"), lambda: ready.append(groundwork.working))
    assert not groundwork.lacks(job("a"))
    assert not groundwork.lacks(None)
    assert groundwork.lacks(job("b"))
    run_async(started[0]())
    assert ready == [False]
    assert not groundwork.lacks(job("b"))
    assert len(started) == 1


def test_one_job_at_a_time(started, run_async):
    groundwork = Groundwork(None, lambda: None)
    for name in ("a", "b", "c"):
        assert groundwork.lacks(job(name))
    assert len(started) == 1
    run_async(started[0]())
    assert groundwork.lacks(job("c"))
    assert len(started) == 2


def test_a_job_that_fails_is_left_to_compute(started, run_async):
    groundwork = Groundwork(None, lambda: None)
    broken = Job(lambda: 1 / 0, ())
    groundwork.lacks(broken)
    with pytest.raises(ZeroDivisionError):
        run_async(started[0]())
    assert not groundwork.working
    assert not groundwork.lacks(broken)


def test_without_a_session_compute_does_it_all():
    assert not Groundwork(None, lambda: None).lacks(job("a"))


@pytest.fixture
def late(started, monkeypatch):
    """The gates lab of a visitor whose settings have moved on to another seed."""
    monkeypatch.setattr("widgets.live.hold", lambda document: nullcontext())
    with set_curdoc(Document()):
        live = LiveLab(GateLab())
        live.view.get_root(state.curdoc)
        started.clear()
        live._desk.controls["seed"].value = 4321
        yield live


def sentence(live):
    return json.loads(next(iter(live.view._models.values()))[0].data.frame)["sentence"]


def test_while_it_is_under_way_the_page_says_so_and_keeps_nothing(late):
    assert sentence(late) == "Working it out…"
    late._act({"action": "pin"})
    late._act({"action": "csv"})
    assert late._pins.held == []
    assert late._state()["notices"] == [
        "The curves are still being worked out: try again when they are there."
    ]


def test_when_it_is_done_the_page_shows_the_settings_in_force(late, started, run_async):
    late._desk.controls["forget_bias"].value = 2.0
    run_async(started[0]())
    lab = GateLab()
    lab.adopt(seed=4321, forget_bias=2.0)
    assert sentence(late) == lab.compute().sentence
    assert late._drawing.sources["flow"].data["rnn"][-1] == lab.compute().columns["flow"]["rnn"][-1]
    assert late._comparison.table is None
    late._act({"action": "pin"})
    assert [pin.label for pin in late._pins.held] == ["LSTM forget bias = 2, Seed = 4321"]
