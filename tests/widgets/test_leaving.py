"""Timers that end when their visitor has left ask nothing of a page that is no more."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from panel.io.state import set_curdoc

from widgets.work.pace import Quiet, soon


class Page:
    """As much of a document as timers need: one that is destroyed has no session, and takes no callbacks."""

    def __init__(self):
        self.session_context = object()
        self.asked = []

    def add_next_tick_callback(self, work):
        if self.session_context is None:
            raise AttributeError("_change_callbacks")
        self.asked.append(work)


@pytest.mark.parametrize("stays", [True, False])
def test_work_is_asked_of_those_who_stay(stays):
    page = Page()
    if not stays:
        page.session_context = None
    soon(page, print)
    assert page.asked == [print] * stays


@pytest.mark.parametrize("stays", [True, False])
def test_a_quiet_that_outlives_its_visitor_ends_in_silence(stays):
    page, faults = Page(), []

    async def rest():
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: faults.append(context))
        with set_curdoc(page):
            Quiet(print, 0.01).request()
        if not stays:
            page.session_context = None
        await asyncio.sleep(0.05)

    # In a thread of its own: beside the browser's tests the main one has a loop already.
    with ThreadPoolExecutor() as threads:
        threads.submit(asyncio.run, rest()).result()
    assert faults == []
    assert len(page.asked) == stays
