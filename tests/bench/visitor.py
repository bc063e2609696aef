"""A visitor without a browser: asks for the page, opens its websocket and pulls the document."""

import asyncio
import re
import statistics
import time
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor

from bokeh.protocol import Protocol
from bokeh.protocol.receiver import Receiver
from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.websocket import WebSocketClientConnection, websocket_connect

_TOKEN = re.compile(r'"token":"([^"]+)"')
_PATIENCE = 60
_MOST = 10**9


async def _visit(url: str) -> WebSocketClientConnection:
    """Open the page at `url` as far as its whole document; the connection stays open."""
    client = AsyncHTTPClient(force_instance=True)
    try:
        page = await client.fetch(url, request_timeout=_PATIENCE)
    finally:
        client.close()
    token = _TOKEN.search(page.body.decode())[1]
    address = url.partition("?")[0].replace("http://", "ws://") + "/ws"
    request = HTTPRequest(address, headers={"Sec-WebSocket-Protocol": f"bokeh, {token}"})
    socket = await websocket_connect(request, max_message_size=_MOST)
    protocol = Protocol()
    receiver = Receiver(protocol)
    await _receive(socket, receiver)
    pull = protocol.create("PULL-DOC-REQ")
    for part in (pull.header_json, pull.metadata_json, pull.content_json):
        await socket.write_message(part)
    answer = await _receive(socket, receiver)
    if answer.msgtype != "PULL-DOC-REPLY":
        raise RuntimeError(f"{url} answered {answer.msgtype}")
    return socket


async def _receive(socket: WebSocketClientConnection, receiver: Receiver):
    message = None
    while message is None:
        fragment = await asyncio.wait_for(socket.read_message(), _PATIENCE)
        if fragment is None:
            raise RuntimeError("the server closed the websocket")
        message = await receiver.consume(fragment)
    return message


def visit_once(url: str) -> None:
    """Come, see the page, and leave."""

    async def come_and_go() -> None:
        (await _visit(url)).close()

    _run(come_and_go())


def visit_as_class(url: str, size: int, seconds: float, look) -> tuple[list[float], object]:
    """`size` visitors, spread over `seconds`: each one's waiting time in ms, and `look()` while all are there."""

    async def come(rank: int):
        await asyncio.sleep(seconds * rank / size)
        started = time.perf_counter()
        socket = await _visit(url)
        return 1000 * (time.perf_counter() - started), socket

    async def come_all():
        visits = await asyncio.gather(*(come(rank) for rank in range(size)))
        seen = look()
        for _, socket in visits:
            socket.close()
        await asyncio.sleep(0.2)
        return [spent for spent, _ in visits], seen

    return _run(come_all())


def _run(visits: Coroutine):
    """Run beside the loop that Playwright keeps in this thread."""
    with ThreadPoolExecutor(1) as beside:
        return beside.submit(asyncio.run, visits).result()


def p95(values: list[float]) -> float:
    """The value that 95 in 100 do not exceed."""
    return statistics.quantiles(values, n=20, method="inclusive")[-1]
