"""What tests of several parts share: a loop whose clock stands still until a test moves it, and training labs on it."""

import base64
import itertools
import json
import queue
import time
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from bokeh.document import Document
from panel.io.state import set_curdoc

from widgets.echo import EchoLab
from widgets.jobs.child import find
from widgets.jobs.limits import Limits
from widgets.jobs.pool import Pool
from widgets.live import LiveLab
from widgets.training.engine import INTERVAL
from widgets.training.lab import TrainingLab
from widgets.training.recipes import Recipe
from widgets.training.snapshot import Snapshot, clip_limit

_PATIENCE = 60
RECIPE = {
    "learning_rate": 0.01, "clip_norm": 1.0, "clipping": "before", "carry_state": True, "shuffle_rows": False,
    "dropout_rate": 0.2,
}  # fmt: skip
"""What a run may take over while it goes on, at its defaults."""


class HandLoop:
    """What the pool needs of a loop. What other threads hand over is done in `until`, timers go off in `advance`."""

    def __init__(self):
        self._handed = queue.SimpleQueue()
        self._timers = []
        self._now = 0.0

    def call_soon_threadsafe(self, callback, *args):
        self._handed.put((callback, args))

    def call_later(self, delay, callback, *args):
        timer = _Timer(self._now + delay, callback, args)
        self._timers.append(timer)
        return timer

    def advance(self, seconds):
        self._now += seconds
        due = [timer for timer in self._timers if timer.at <= self._now]
        for timer in due:
            self._timers.remove(timer)
            if not timer.cancelled:
                timer.callback(*timer.args)

    def until(self, condition):
        """Do what is handed over, piece by piece, until the condition holds."""
        end = time.monotonic() + _PATIENCE
        while not condition():
            assert time.monotonic() < end, "what was waited for did not come"
            try:
                callback, args = self._handed.get(timeout=0.1)
            except queue.Empty:
                continue
            callback(*args)

    def for_a_while(self, seconds):
        """Do what is handed over within a real time."""
        end = time.monotonic() + seconds
        self.until(lambda: time.monotonic() >= end)


class _Timer:
    def __init__(self, at, callback, args):
        self.at, self.callback, self.args, self.cancelled = at, callback, args, False

    def cancel(self):
        self.cancelled = True


@pytest.fixture
def loop():
    return HandLoop()


@pytest.fixture
def run_of():
    """A function that gives the snapshot of a run on the toy language whose steps had these losses."""

    def make(losses=(), norms=None, **changes):
        losses = np.array(losses, float)
        steps = {
            "number": np.arange(1.0, len(losses) + 1),
            "loss": losses,
            "norm": np.ones(len(losses)) if norms is None else np.array(norms, float),
            "speed": np.full(len(losses), 1000.0),
        }
        whole = {
            "status": "paused", "corpus": "toy", "cell": "lstm", "truncation": 64, "number": len(losses),
            "goal": 300, "characters_a_step": 2048, "vocabulary_size": 22, "steps": steps,
            "recipes": [Recipe(1, RECIPE)],
        }  # fmt: skip
        return Snapshot(**whole | changes)

    return make


class Visitor:
    """A page that notes what it is asked to do."""

    def __init__(self, key="visitor"):
        self.key = key
        self.shows, self.files = 0, []

    def soon(self, work):
        work()

    def show(self):
        self.shows += 1

    def send_file(self, name, data):
        self.files.append((name, data))


class StopAfter:
    """The `stop` of a turn: true from that unit of work on, or when it is cut short."""

    def __init__(self, units, at_once=lambda: False):
        self._made, self._units, self.at_once = itertools.count(1), units, at_once

    def __call__(self):
        return self.at_once() or next(self._made) >= self._units


class InlineWorker:
    """Does its turns in this process, each of a few steps, when the loop comes to them."""

    STEPS = 5

    def __init__(self, turn, loop, limits, freed):
        self.alive, self.ready, self.turn = True, False, None
        self.process = SimpleNamespace(close=lambda: None)
        self._function, self._loop, self._freed = find(turn), loop, freed
        self._cut = False
        loop.call_soon_threadsafe(self._begin)

    @property
    def idle(self):
        return self.ready and self.turn is None

    def begin(self, turn, checkpoint, note, seconds):
        self.turn, self._cut = turn, False
        steps = self.STEPS if seconds else 1
        self._loop.call_soon_threadsafe(self._work, checkpoint, json.loads(json.dumps(note)), steps)

    def cut_short(self):
        self._cut = True

    def _begin(self):
        self.ready = True
        self._freed(self)

    def _work(self, checkpoint, note, steps):
        records = []
        stop = StopAfter(steps, lambda: self._cut)
        outcome = self._function(checkpoint, note, lambda kind, record: records.append((kind, record)), stop)
        self.turn.take_records(json.loads(json.dumps(records)))
        turn, self.turn = self.turn, None
        turn.take_outcome(outcome)
        self._freed(self)


@pytest.fixture
def desk(loop, monkeypatch):
    """Training labs with their engines, on one pool that works in this process."""
    monkeypatch.setattr("widgets.jobs.pool.Worker", InlineWorker)
    pool = Pool("widgets.training.turn:turn", 1, Limits(), loop)
    monkeypatch.setattr("widgets.training.engine.pool", lambda: pool)
    for module in ("engine", "handed_over"):
        monkeypatch.setattr(
            f"widgets.training.{module}.asyncio", SimpleNamespace(get_running_loop=lambda: loop)
        )
    return Desk(loop, pool)


class Desk:
    """Where visitors of the training lab are served."""

    SMALL = {
        "hidden_size": 16, "embedding_size": 8, "truncation": 4, "batch_size": 4, "steps": 50,
    }  # fmt: skip

    def __init__(self, loop, pool):
        self.loop, self.pool = loop, pool

    def visit(self, run="", key="visitor", **settings):
        """A visitor's lab with its engine; what the page does with a change of the settings is done here."""
        lab = TrainingLab()
        lab.adopt(**self.SMALL | settings)
        lab.run = run
        visitor = Visitor(key)
        engine = lab.engine(visitor)
        lab.param.watch(lambda *events: engine.settings_changed(), list(lab.settings()))
        return lab, engine, visitor

    def started(self, **settings):
        """A visitor whose run has come to its end."""
        lab, engine, visitor = self.visit(**settings)
        engine.act("start", {})
        self.until(lab, "finished")
        return lab, engine, visitor

    def until(self, lab, *statuses):
        """Let the pool work until the page shows one of these."""

        def shows():
            self.loop.advance(INTERVAL)
            shown = lab.snapshot
            # The net of a checkpoint is read in a thread, and comes a moment after it.
            net_came = shown.status == "none" or (shown.model and shown.model.number == shown.number)
            return shown.status in statuses and net_came

        self.loop.until(shows)
        return lab.snapshot

    def upload(self, engine, name, data, **details):
        encoded = base64.b64encode(data).decode()
        engine.act("upload", {"name": name, "base64": encoded, "size": len(data), **details})
        self.loop.until(lambda: not engine._handed_over.is_read)


@pytest.fixture
def alive(monkeypatch, run_of):
    """A function that brings a lab to life in a document of its own, the training lab with a run.

    Without a session Panel's hold drops what it holds; here every event is seen at once.
    """
    monkeypatch.setattr("widgets.live.hold", lambda document: nullcontext())
    document = Document()
    with set_curdoc(document):

        def make(kind=EchoLab):
            lab = kind()
            if kind is TrainingLab:
                lab.snapshot = run_of([3.0, 1.0], norms=[0.5, 20.0])
                lab.param.watch(partial(_follow_clipping, lab), ["clip_norm", "clipping"])
            live = LiveLab(lab)
            document.add_root(live.view.get_root(document))
            return live

        yield make


def _follow_clipping(lab, *events):
    """As the training lab's engine does, which needs a server's loop."""
    lab.snapshot = replace(lab.snapshot, clip_norm=clip_limit(lab.values()))
