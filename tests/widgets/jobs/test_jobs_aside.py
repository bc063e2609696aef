"""Work done in a thread, whose result comes back on the loop."""

import threading

import pytest

from widgets.jobs.aside import aside


def test_the_work_is_done_in_a_thread_and_its_result_comes_on_the_loop(loop):
    where, got = [], []

    def work():
        where.append(threading.current_thread())
        return 7

    aside(loop, work, lambda over: got.append((over.result(), threading.current_thread())))
    loop.until(lambda: got)
    assert got == [(7, threading.current_thread())]
    assert where[0] is not threading.current_thread()


def test_nobody_waits_for_it(loop):
    free, got = threading.Event(), []
    aside(loop, lambda: free.wait(10), lambda over: got.append(over.result()))
    assert got == []
    free.set()
    loop.until(lambda: got)
    assert got == [True]


def test_what_goes_wrong_is_raised_where_the_result_is_asked_for(loop):
    got = []
    aside(loop, lambda: 1 / 0, got.append)
    loop.until(lambda: got)
    with pytest.raises(ZeroDivisionError):
        got[0].result()


def test_one_after_another(loop):
    running, most, got = [], [], []

    def work():
        running.append(None)
        most.append(len(running))
        running.pop()

    for _ in range(20):
        aside(loop, work, got.append)
    loop.until(lambda: len(got) == 20)
    assert max(most) == 1


def test_a_loop_that_is_closed_meanwhile_harms_nobody(loop):
    class Closed:
        def call_soon_threadsafe(self, callback, *args):
            raise RuntimeError("Event loop is closed")

    got = []
    aside(Closed(), lambda: None, got.append)
    aside(loop, lambda: None, got.append)
    loop.until(lambda: got)
    assert len(got) == 1
