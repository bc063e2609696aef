"""The websocket sends at once and in one go: without this, every answer waits for the network's own timers.

Bokeh writes one message as several small frames, and lets the loop turn between them.

- With Nagle's algorithm on, the second frame waits until the first has been acknowledged, which browsers
  delay by 40 ms. `TCP_NODELAY` turns the algorithm off.
- Panel finds the socket taken while such a message is on its way, and tries again 10 ms later. A message
  whose frames are all handed to the socket in one go is never found half-way.
"""

import asyncio
import functools
import logging

from bokeh.server.views.ws import WSHandler
from panel.io.document import dispatch_tornado
from tornado.websocket import WebSocketClosedError


def send_at_once() -> None:
    """Change how every websocket of this process opens and sends. Calling it again changes nothing."""
    if getattr(WSHandler, "sends_at_once", False):
        return
    WSHandler.sends_at_once = True
    WSHandler.open = _without_delay(WSHandler.open)
    WSHandler.send_message = _in_one_go(WSHandler.send_message)
    logging.getLogger("asyncio").addFilter(_is_a_fault)


def _without_delay(open_socket):
    @functools.wraps(open_socket)
    def open_without_delay(self, *args, **kwargs):
        self.set_nodelay(True)
        return open_socket(self, *args, **kwargs)

    return open_without_delay


def _in_one_go(send_message):
    @functools.wraps(send_message)
    async def send_in_one_go(self, message):
        if self.connection is None:
            return await send_message(self, message)
        try:
            frames = dispatch_tornado(self.connection, msg=message)
        except WebSocketClosedError:
            return None  # a visitor who left needs no answer: on_close has been called, or will be
        for outcome in await asyncio.gather(*frames, return_exceptions=True):
            if isinstance(outcome, Exception) and not isinstance(outcome, WebSocketClosedError):
                raise outcome
        return None

    return send_in_one_go


def _is_a_fault(record: logging.LogRecord) -> bool:
    """Whether asyncio's complaint is about more than a frame that its reader did not wait for."""
    return not (record.exc_info and isinstance(record.exc_info[1], WebSocketClosedError))
