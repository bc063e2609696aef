"""The websocket: frames of a message leave together, without Nagle's delay, and a visitor may leave at any time."""

import asyncio

import pytest
from bokeh.protocol import Protocol
from bokeh.server.views.ws import WSHandler
from tornado.websocket import WebSocketClosedError, WebSocketHandler

from app.transport import _without_delay, send_at_once


class Connection:
    """As much of a server connection as sending needs."""

    def __init__(self, socket):
        self._socket = socket
        self.protocol = Protocol()


class Socket(WSHandler):
    def __init__(self):
        self.connection = Connection(self)
        self.ws_connection = type("Open", (), {"is_closing": lambda self: False})()


@pytest.fixture
def sent(monkeypatch):
    """The turn of the loop at which each frame was written."""
    frames = []
    turn = [0]

    def write(self, message, binary=False):
        frames.append((turn[0], message))
        future = asyncio.get_running_loop().create_future()
        asyncio.get_running_loop().call_soon(
            lambda: (turn.__setitem__(0, turn[0] + 1), future.set_result(None))
        )
        return future

    monkeypatch.setattr(WebSocketHandler, "write_message", write)
    send_at_once()
    return frames


def test_all_frames_of_a_message_leave_in_one_turn(sent, run_async):
    run_async(Socket().send_message(Protocol().create("OK", "x")))
    assert len(sent) == 3
    assert {turn for turn, _ in sent} == {0}


def test_a_visitor_who_left_is_no_fault(sent, monkeypatch, run_async):
    tried = []

    async def closed(self, message, binary=False):
        tried.append(message)
        raise WebSocketClosedError

    monkeypatch.setattr(WebSocketHandler, "write_message", closed)
    assert run_async(Socket().send_message(Protocol().create("OK", "x"))) is None
    assert tried


def test_a_visitor_who_leaves_between_two_frames_is_no_fault(sent, monkeypatch, run_async):
    tried = []

    def closed(self, message, binary=False):
        tried.append(message)
        raise WebSocketClosedError

    monkeypatch.setattr(WebSocketHandler, "write_message", closed)
    assert run_async(Socket().send_message(Protocol().create("OK", "x"))) is None
    assert tried


def test_a_fault_of_another_kind_is_not_hidden(sent, monkeypatch, run_async):
    async def broken(self, message, binary=False):
        raise RuntimeError("broken")

    monkeypatch.setattr(WebSocketHandler, "write_message", broken)
    with pytest.raises(RuntimeError, match="broken"):
        run_async(Socket().send_message(Protocol().create("OK", "x")))


def test_nagle_is_off_as_soon_as_a_websocket_opens():
    class Opening:
        nodelay = None

        def set_nodelay(self, on):
            self.nodelay = on

    socket = Opening()
    assert _without_delay(lambda self: "opened")(socket) == "opened"
    assert socket.nodelay is True


def test_doing_it_twice_changes_nothing():
    send_at_once()
    before = (WSHandler.open, WSHandler.send_message)
    send_at_once()
    assert (WSHandler.open, WSHandler.send_message) == before
