"""Open a page as a browser does, page and websocket, and check that the session delivers a lab."""

import asyncio
import re
import sys
import urllib.request

from bokeh.protocol import Protocol
from bokeh.protocol.receiver import Receiver
from tornado.websocket import websocket_connect


async def document(url: str) -> str:
    """The document that a session on `url` delivers, as JSON."""
    page = urllib.request.urlopen(url, timeout=60).read().decode()
    token = re.search(r'"token":"([^"]+)"', page).group(1)
    socket = await websocket_connect(
        url.replace("http", "ws", 1) + "/ws", subprotocols=["bokeh", token], max_message_size=10**9
    )
    protocol = Protocol()
    receiver = Receiver(protocol)

    async def receive():
        message = None
        while message is None:
            message = await receiver.consume(await socket.read_message())
        return message

    await receive()  # the server's greeting
    request = protocol.create("PULL-DOC-REQ")
    for part in (request.header_json, request.metadata_json, request.content_json):
        await socket.write_message(part)
    reply = await receive()
    socket.close()
    return reply.content_json


if __name__ == "__main__":
    delivered = asyncio.run(asyncio.wait_for(document(sys.argv[1]), 120))
    if '"slug","echo"' not in delivered.replace(" ", ""):
        sys.exit(f"the session on {sys.argv[1]} delivered no lab")
    print(f"a session on {sys.argv[1]} delivered the first lab ({len(delivered) // 1000} kB)")
