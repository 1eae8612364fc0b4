"""Calls of two aiortc peers with signaling over web protocols: web_call_peers.py ROLE CARRIER PORT [HOST].

`websocket` and `deflate` send JSON in WebSocket, without and with compression, among other messages of the same connection;
`tls` does so in TLS, with cert.pem and key.pem of the folder given by --tls;
`http` posts the offer as JSON and gets the answer in the response body, as in aiortc's example;
`socketio` emits events in a Socket.IO room, as chat servers do: long polling first, then WebSocket.
"""

import argparse
import asyncio
import json
import ssl

import aiohttp
import aiohttp.web
import socketio
import websockets.asyncio.client
import websockets.asyncio.server
from aiortc import RTCConfiguration, RTCPeerConnection, RTCSessionDescription
from aiortc.contrib.media import MediaBlackhole
from aiortc.mediastreams import AudioStreamTrack

SECONDS = 1.5


def new_peer():
    return RTCPeerConnection(RTCConfiguration(iceServers=[]))


async def offer(peer):
    peer.addTrack(AudioStreamTrack())
    await peer.setLocalDescription(await peer.createOffer())
    return {"sdp": peer.localDescription.sdp, "type": peer.localDescription.type}


async def answer(peer, message):
    sink = MediaBlackhole()
    peer.on("track", sink.addTrack)
    await peer.setRemoteDescription(RTCSessionDescription(message["sdp"], message["type"]))
    await sink.start()
    await peer.setLocalDescription(await peer.createAnswer())
    return {"sdp": peer.localDescription.sdp, "type": peer.localDescription.type}


async def take(peer, message):
    await peer.setRemoteDescription(RTCSessionDescription(message["sdp"], message["type"]))


def compression(options):
    return "deflate" if options.carrier == "deflate" else None


async def serve_websocket(options):
    async def talk(socket):
        peer = new_peer()
        async for text in socket:
            message = json.loads(text)
            if message["type"] == "hello":
                await socket.send(json.dumps({"type": "welcome", "users": ["alice", "bob"]}))
            elif message["type"] == "offer":
                await socket.send(json.dumps(await answer(peer, message)))
            elif message["type"] == "bye":
                await peer.close()

    security = None
    if options.tls:
        security = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        security.load_cert_chain(options.tls + "/cert.pem", options.tls + "/key.pem")
        security.set_alpn_protocols(["http/1.1"])
    async with websockets.asyncio.server.serve(
            talk, "0.0.0.0", options.port, compression=compression(options), ssl=security):
        await asyncio.get_running_loop().create_future()


async def talk_websocket(options):
    address = f"{'wss' if options.tls else 'ws'}://{options.host}:{options.port}/signaling"
    security = None
    if options.tls:
        security = ssl.create_default_context(cafile=options.tls + "/cert.pem")
        security.set_alpn_protocols(["http/1.1"])
    async with websockets.asyncio.client.connect(
            address, compression=compression(options), ssl=security) as socket:
        peer = new_peer()
        await socket.send(json.dumps({"type": "hello", "name": "alice"}))
        await socket.recv()
        await socket.send(json.dumps(await offer(peer)))
        await take(peer, json.loads(await socket.recv()))
        await asyncio.sleep(SECONDS)
        await socket.send(json.dumps({"type": "bye"}))
        await peer.close()


async def serve_http(options):
    async def post(request):
        return aiohttp.web.json_response(await answer(new_peer(), await request.json()))

    application = aiohttp.web.Application()
    application.router.add_post("/offer", post)
    runner = aiohttp.web.AppRunner(application)
    await runner.setup()
    await aiohttp.web.TCPSite(runner, "0.0.0.0", options.port).start()
    await asyncio.get_running_loop().create_future()


async def talk_http(options):
    peer = new_peer()
    async with aiohttp.ClientSession() as session:
        async with session.post(f"http://{options.host}:{options.port}/offer", json=await offer(peer)) as response:
            await take(peer, await response.json())
    await asyncio.sleep(SECONDS)
    await peer.close()


async def serve_socketio(options):
    server = socketio.AsyncServer(async_mode="aiohttp")
    peers = {}

    @server.event
    async def join(sid, data):
        await server.enter_room(sid, data["room"])
        await server.emit("ready", {"room": data["room"], "peers": 2}, to=sid)

    @server.event
    async def offer(sid, data):
        peers[sid] = new_peer()
        await server.emit("answer", await answer(peers[sid], data), to=sid)

    @server.event
    async def bye(sid):
        await peers.pop(sid).close()

    application = aiohttp.web.Application()
    server.attach(application)
    runner = aiohttp.web.AppRunner(application)
    await runner.setup()
    await aiohttp.web.TCPSite(runner, "0.0.0.0", options.port).start()
    await asyncio.get_running_loop().create_future()


async def talk_socketio(options):
    client = socketio.AsyncClient()
    events = asyncio.Queue()
    client.on("ready", events.put)
    client.on("answer", events.put)
    await client.connect(f"http://{options.host}:{options.port}")
    peer = new_peer()
    await client.emit("join", {"room": "lobby"})
    await events.get()
    await client.emit("offer", await offer(peer))
    await take(peer, await events.get())
    await asyncio.sleep(SECONDS)
    await client.emit("bye")
    await peer.close()
    await client.disconnect()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("role", choices=["serve", "talk"])
    parser.add_argument("carrier", choices=["websocket", "deflate", "tls", "http", "socketio"])
    parser.add_argument("port", type=int)
    parser.add_argument("host", nargs="?", default="127.0.0.1")
    parser.add_argument("--tls", metavar="FOLDER")
    options = parser.parse_args()
    carrier = options.carrier if options.carrier in ("http", "socketio") else "websocket"
    asyncio.run(globals()[f"{options.role}_{carrier}"](options))


main()
