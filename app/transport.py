"""The websocket sends at once: without this, every answer waits 40 ms for a delayed acknowledgement.

Bokeh writes one message as several small frames. With Nagle's algorithm on, the second waits until the
first has been acknowledged, and browsers delay that. `TCP_NODELAY` turns the algorithm off.
"""

from bokeh.server.views.ws import WSHandler


def send_at_once() -> None:
    """Set TCP_NODELAY on every websocket that opens from now on. Calling it again changes nothing."""
    if getattr(WSHandler.open, "sends_at_once", False):
        return
    open_socket = WSHandler.open

    def open_without_delay(self, *args, **kwargs):
        self.set_nodelay(True)
        return open_socket(self, *args, **kwargs)

    open_without_delay.sends_at_once = True
    WSHandler.open = open_without_delay
