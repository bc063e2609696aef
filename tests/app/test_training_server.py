"""Runs when things go wrong around them: one worker for two visitors, a worker that dies, a server that does."""

import psutil
import pytest
from playwright.sync_api import expect

from tests.app.conftest import Served, Visitor
from tests.app.training_visitor import LONG, TrainingVisitor, workers


@pytest.fixture
def server(tmp_path):
    """A server of the test's own, with one worker."""
    server = Served(tmp_path)
    one_worker(server)
    yield server
    server.stop()
    assert "Traceback" not in server.log(), server.log()


def one_worker(server: Served) -> None:
    """The pool has a worker for each processor but one, at least one."""
    process = psutil.Process(server.process.pid)
    process.cpu_affinity(process.cpu_affinity()[:2])


@pytest.fixture
def visit_server(chromium, server):
    contexts = []

    def make() -> TrainingVisitor:
        contexts.append(chromium.new_context(viewport={"width": 1280, "height": 720}))
        return TrainingVisitor(Visitor(contexts[-1].new_page(), server.url))

    yield make
    for context in contexts:
        context.close()


def test_two_visitors_take_turns_on_one_worker(server, visit_server):
    one, two = visit_server().open(LONG), visit_server().open(LONG)
    one.press("start")
    one.wait_steps(20)
    two.press("start")
    two.wait_said("place 1 in the queue")
    two.wait_steps(20)
    before = one.steps
    one.wait_steps(before + 20)
    two.wait_steps(40)
    assert len(workers(server)) == 1
    two.press("pause")
    two.wait_said("paused")
    one.wait_steps(one.steps + 20)
    assert not one.visitor.faults + two.visitor.faults


def test_a_worker_that_dies_is_told_and_the_next_start_goes_on(server, visit_server):
    trainee = visit_server().open(LONG)
    trainee.press("start")
    trainee.wait_steps(50)
    trainee.page.wait_for_timeout(2500)  # past the first turn, whose checkpoint is kept
    (worker,) = workers(server)
    worker.kill()
    said = trainee.wait_warning("has ended")
    assert "start again to go on from there" in said
    kept = trainee.steps
    assert kept > 0
    assert trainee.enabled("start")
    trainee.press("start")
    trainee.wait_steps(kept + 50)
    assert trainee.warning() == ""
    assert len(workers(server)) == 1
    assert not trainee.visitor.faults


def test_a_server_that_comes_back_says_what_is_lost(server, visit_server, tmp_path):
    trainee = visit_server()
    trainee.page.clock.install()
    trainee.open(LONG)
    trainee.press("start")
    trainee.wait_steps(20)
    trainee.visitor.type_number("Hidden size", "32")
    trainee.page.wait_for_url("**run=*")
    trainee.page.wait_for_url("**hidden_size=32*")
    old = workers(server)
    server.stop()
    psutil.wait_procs(old, 5)
    assert not any(worker.is_running() for worker in old)
    trainee.visitor.see("text=The connection to the server is lost")
    said = trainee.wait_said("Not connected to the server")
    assert said.endswith("of 5000 steps.")
    assert not any(
        trainee.enabled(name) for name in ("start", "pause", "one", "weights", "anew", "end", "keep")
    )
    trainee.page.wait_for_timeout(1000)
    assert trainee.said() == said
    # A break goes by, long after Bokeh has given up.
    for _ in range(8):
        trainee.page.clock.run_for(20_000)
        trainee.page.wait_for_timeout(200)
    again = Served(tmp_path, server.port)
    try:
        trainee.page.clock.run_for(10_100)
        # The page comes back by itself, as it was and not as it had been opened.
        assert "its weights, curves and samples are lost" in trainee.wait_warning("No run is known", 60)
        assert trainee.said() == "0 of 5000 steps; not begun"
        expect(trainee.visitor.typed("Hidden size")).to_have_value("32")
        trainee.press("one")
        trainee.wait_said("1 of 5000 steps; paused")
        assert not foreign(trainee)
    finally:
        again.stop()
    assert "Traceback" not in again.log(), again.log()


def foreign(trainee: TrainingVisitor) -> list[str]:
    return [fault for fault in trainee.visitor.faults if fault.startswith("asked another host")]


KEEP_SOCKETS = """
  window.sockets = []
  window.WebSocket = class extends WebSocket { constructor(...asked) { super(...asked); sockets.push(this) } }
"""


CUT = {
    "between two messages": "sockets.at(-1).close()",
    "behind a message's head": """sockets.at(-1).addEventListener("message", function cut({data}) {
      if (typeof data !== "string" || !data.includes("msgtype")) { return }
      this.removeEventListener("message", cut)
      this.close()
    })""",
}


@pytest.mark.parametrize("where", CUT)
def test_a_short_drop_of_the_connection_loses_nothing(server, visit_server, where):
    trainee = visit_server()
    trainee.page.add_init_script(KEEP_SOCKETS)
    trainee.open(LONG)
    trainee.page.click("[data-action='pin'] >> visible=true")
    trainee.press("start")
    trainee.wait_steps(20)
    steps = trainee.steps
    sockets = trainee.page.evaluate("sockets.length")
    trainee.page.evaluate(CUT[where])
    trainee.page.wait_for_function(f"sockets.length > {sockets}")
    trainee.wait_said("characters a second")
    assert trainee.enabled("pause")
    trainee.wait_steps(steps + 40)
    assert trainee.page.locator(".pins li >> visible=true").count() == 1
    trainee.press("pause")
    trainee.wait_said("paused")
    assert not foreign(trainee)


def test_a_run_outlives_a_drop_that_its_page_does_not(chromium, tmp_path):
    gone = ["--unused-session-lifetime", "5000", "--check-unused-sessions", "500"]
    server = Served(tmp_path, options=gone)
    context = chromium.new_context()
    try:
        trainee = TrainingVisitor(Visitor(context.new_page(), server.url))
        trainee.page.add_init_script(KEEP_SOCKETS)
        trainee.open(LONG)
        trainee.press("start")
        trainee.wait_steps(20)
        trainee.page.wait_for_url("**run=*")
        steps, address = trainee.steps, trainee.page.url
        context.set_offline(True)
        trainee.page.evaluate("sockets.at(-1).close()")
        trainee.page.wait_for_timeout(8000)
        context.set_offline(False)
        trainee.page.wait_for_event("load", timeout=60_000)
        trainee.visitor.see("[data-readout] >> visible=true", seconds=30)
        trainee.wait_steps(steps + 50)
        assert trainee.page.url == address
        assert trainee.warning() == ""
        assert not foreign(trainee)
    finally:
        context.close()
        server.stop()
    assert "Traceback" not in server.log(), server.log()
