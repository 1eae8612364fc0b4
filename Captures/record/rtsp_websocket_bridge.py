"""RTSP over WebSocket, as in ONVIF: rtsp_websocket_bridge.py ROLE PORT HOST OTHER-PORT.

`serve` accepts WebSocket connections with the subprotocol `rtsp.onvif.org` on PORT, and connects to RTSP over TCP at HOST
and OTHER-PORT; `talk` accepts RTSP over TCP on PORT, and connects to a WebSocket server at HOST and OTHER-PORT. Octets are
forwarded as they arrive, so that interleaved frames start and end anywhere in the messages.
"""

import asyncio
import sys

import websockets.asyncio.client
import websockets.asyncio.server

PROTOCOL = "rtsp.onvif.org"


async def relay(reader, writer, socket):
    async def outward():
        while octets := await reader.read(1_000):
            await socket.send(octets)
        await socket.close()

    async def inward():
        async for message in socket:
            writer.write(message)
            await writer.drain()
        writer.close()

    await asyncio.gather(outward(), inward(), return_exceptions=True)


async def serve(port, host, other):
    async def take(socket):
        reader, writer = await asyncio.open_connection(host, other)
        await relay(reader, writer, socket)

    async with websockets.asyncio.server.serve(take, "0.0.0.0", port, subprotocols=[PROTOCOL], compression=None):
        await asyncio.get_running_loop().create_future()


async def talk(port, host, other):
    async def take(reader, writer):
        address = f"ws://{host}:{other}/rtsp-over-websocket"
        async with websockets.asyncio.client.connect(address, subprotocols=[PROTOCOL], compression=None) as socket:
            await relay(reader, writer, socket)

    server = await asyncio.start_server(take, "127.0.0.1", port)
    async with server:
        await server.serve_forever()


role, port, host, other = sys.argv[1:5]
asyncio.run({"serve": serve, "talk": talk}[role](int(port), host, int(other)))
