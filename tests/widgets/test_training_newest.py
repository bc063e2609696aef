"""The net of a run's newest checkpoint: read while the run goes on, in a thread, and never an older one after it."""

import gc
import threading
import weakref
from itertools import islice

import numpy as np
import pytest

from core.reading import activations
from core.training import TrainingSettings, initial_state, restore, save, train
from widgets.training import newest
from widgets.training.newest import NewestNet

TEXT = "abcab bca\n" * 10
SETTINGS = TrainingSettings(TEXT, hidden_size=16, embedding_size=8, truncation=4, batch_size=4)


def checkpoints(count):
    """A run's first checkpoints, of 0, 1, 2, … steps."""
    states = [initial_state(SETTINGS), *(step.state for step in islice(train(SETTINGS), count - 1))]
    return [save(SETTINGS, state) for state in states]


@pytest.fixture
def numbers(loop):
    """What a net shows at each change."""
    return []


@pytest.fixture
def net(loop, numbers):
    net = NewestNet(loop, lambda: numbers.append(net.model.number))
    return net


def test_the_net_is_that_of_the_checkpoint(loop, net, numbers):
    (first, second) = checkpoints(2)
    assert net.model is None
    for checkpoint in (first, second):
        net.follow(checkpoint, "")
        loop.until(
            lambda checkpoint=checkpoint: net.model and net.model.number == restore(checkpoint)[1].number
        )
        expected = restore(checkpoint)[1].parameters
        for name, array in expected.items():
            np.testing.assert_array_equal(net.model.parameters[name], array)
    assert numbers == [0, 1]


def test_each_checkpoint_is_read_once(loop, net, numbers, monkeypatch):
    read = []
    monkeypatch.setattr(newest, "restore", lambda data: read.append(data) or restore(data))
    (first,) = checkpoints(1)
    net.follow(first, "")
    loop.until(lambda: numbers)
    net.follow(first, "")
    loop.for_a_while(0.1)
    assert read == [first]


def test_it_is_read_in_a_thread_and_of_those_that_come_meanwhile_the_newest_is_next(
    loop, numbers, monkeypatch
):
    free, where = threading.Event(), []

    def slow(data):
        where.append(threading.current_thread())
        assert free.wait(20)
        return restore(data)

    monkeypatch.setattr(newest, "restore", slow)
    made = checkpoints(4)
    present = {}

    def changed():
        numbers.append(net.model.number)
        net.follow(present["checkpoint"], "")

    net = NewestNet(loop, changed)
    for present["checkpoint"] in made:
        net.follow(present["checkpoint"], "")
    free.set()
    loop.until(lambda: len(numbers) == 2)
    loop.for_a_while(0.1)
    assert numbers == [0, 3]
    assert threading.current_thread() not in where


def test_what_the_page_will_look_at_has_been_read_in_the_thread_too(loop, net, numbers, monkeypatch):
    read = []
    monkeypatch.setattr(
        "widgets.training.snapshot.activations", lambda *given: read.append(given) or activations(*given)
    )
    net.follow(checkpoints(1)[0], "cab<b>")
    loop.until(lambda: numbers)
    assert len(read) == 1
    found = net.model.signals("cabb")
    assert len(read) == 1
    expected = activations(net.model.parameters, net.model.vocabulary.encode("cabb"))
    np.testing.assert_array_equal(found[0]["c"], expected[0]["c"])


def test_a_net_that_nobody_shows_any_more_is_gone_with_all_that_it_read(loop, net, numbers):
    gc.disable()
    try:
        first, second = checkpoints(2)
        net.follow(first, "abc")
        loop.until(lambda: numbers)
        gone = weakref.ref(net.model), weakref.ref(net.model.signals("abc")[0]["h"])
        net.follow(second, "abc")
        loop.until(lambda: len(numbers) == 2)
        assert [ref() for ref in gone] == [None, None]
    finally:
        gc.enable()


def test_a_net_keeps_what_it_made_of_the_last_texts_alone(loop, net, numbers):
    net.follow(checkpoints(1)[0], "")
    loop.until(lambda: numbers)
    for text in ("a", "b", "c", "ab"):
        net.model.signals(text)
    assert net.model.signals.cache_info().currsize == 2


def test_while_a_run_goes_on_the_page_shows_its_newest_net(desk):
    lab, engine, _ = desk.visit(steps=5000)
    engine.act("start", {})
    seen = set()

    def several():
        engine._follow()
        if (
            lab.snapshot.status in ("running", "waiting")
            and lab.snapshot.model.name != "that comes with this corpus"
        ):
            seen.add(lab.snapshot.model.number)
        return len(seen) >= 3

    desk.loop.until(several)
    assert all(number % 5 == 0 for number in seen)
    (passage,) = [p for p in lab.compute().passages() if p.key == "inside"]
    assert (
        f"The net of this run’s last checkpoint, after {lab.snapshot.model.number} step"
        in passage.description
    )
    engine.act("end", {})


def test_a_run_that_is_found_again_shows_its_curves_at_once_and_reads_nothing_on_the_loop(desk, monkeypatch):
    lab, engine, _ = desk.visit()
    engine.act("start", {})
    desk.until(lab, "finished")
    threads = []
    monkeypatch.setattr(
        newest, "restore", lambda data: threads.append(threading.current_thread()) or restore(data)
    )
    again, _, _ = desk.visit(run=lab.run)
    assert (again.snapshot.number, again.snapshot.described) == (50, lab.snapshot.described)
    assert desk.until(again, "finished").model.number == 50
    assert len(threads) == 1
    assert threads[0] is not threading.current_thread()
