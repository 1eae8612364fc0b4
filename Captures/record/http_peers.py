"""WebSocket peers for the recordings: http_peers.py ROLE LIBRARY PORT [HOST] [--plain].

The server answers each text message with another and echoes each binary message; `websockets` and `aiohttp` are two
implementations of the protocol. The client sends text, binary data, a fragmented message with a ping between its frames,
repeated messages (for compression), an empty one, and a close frame with a reason.
"""

import argparse
import asyncio
import json

import aiohttp
import aiohttp.web
import websockets
import websockets.asyncio.client
import websockets.asyncio.server

SUBPROTOCOLS = ["chat.example", "echo.example"]


def status(number):
    return json.dumps({"type": "status", "number": number, "camera": "front door", "state": "recording"})


def answer(text):
    return json.dumps({"type": "answer", "to": len(text), "words": "heard " + text[:40]})


async def serve_websockets(options):
    async def talk(connection):
        async for message in connection:
            await connection.send(answer(message) if isinstance(message, str) else message)

    compression = None if options.plain else "deflate"
    async with websockets.asyncio.server.serve(
        talk, "0.0.0.0", options.port, subprotocols=SUBPROTOCOLS, compression=compression
    ):
        await asyncio.get_running_loop().create_future()


async def talk_websockets(options):
    compression = None if options.plain else "deflate"
    address = f"ws://{options.host}:{options.port}/talk?room=7"
    async with websockets.asyncio.client.connect(
        address, subprotocols=SUBPROTOCOLS[1:], compression=compression
    ) as connection:
        for number in range(4):
            await connection.send(status(number))
            await connection.recv()
        await connection.send(bytes(range(256)) * 2)
        await connection.recv()
        await (await connection.ping(b"are you there"))

        async def pieces():
            yield "in three "
            await (await connection.ping())
            yield "pieces, with a ping "
            yield "between them"

        await connection.send(pieces())
        await connection.recv()
        await connection.send("")
        await connection.recv()
        await connection.close(4000, "that was all")


async def serve_aiohttp(options):
    async def talk(request):
        socket = aiohttp.web.WebSocketResponse(compress=not options.plain, heartbeat=1.0)
        await socket.prepare(request)
        async for message in socket:
            if message.type == aiohttp.WSMsgType.TEXT:
                await socket.send_str(answer(message.data))
            elif message.type == aiohttp.WSMsgType.BINARY:
                await socket.send_bytes(message.data)
        return socket

    async def page(request):
        return aiohttp.web.Response(text="<html><body>talk</body></html>", content_type="text/html")

    application = aiohttp.web.Application()
    application.router.add_get("/", page)
    application.router.add_get("/talk", talk)
    runner = aiohttp.web.AppRunner(application)
    await runner.setup()
    await aiohttp.web.TCPSite(runner, "0.0.0.0", options.port).start()
    await asyncio.get_running_loop().create_future()


async def talk_aiohttp(options):
    base = f"http://{options.host}:{options.port}"
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=1)) as session:
        # A page first: the connection is then upgraded to WebSocket.
        async with session.get(base + "/") as response:
            await response.read()
        async with session.ws_connect(base + "/talk", compress=0 if options.plain else 15) as socket:
            for number in range(3):
                await socket.send_str(status(number))
                await socket.receive()
            await socket.send_bytes(b"\x00\xff" * 35_000)
            await socket.receive()
            await asyncio.sleep(2.5)
            await socket.close(code=1001, message=b"going away")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("role", choices=["serve", "talk"])
    parser.add_argument("library", choices=["websockets", "aiohttp"])
    parser.add_argument("port", type=int)
    parser.add_argument("host", nargs="?", default="127.0.0.1")
    parser.add_argument("--plain", action="store_true", help="without compression")
    options = parser.parse_args()
    asyncio.run(globals()[f"{options.role}_{options.library}"](options))


main()
