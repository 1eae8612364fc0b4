#!/usr/bin/env python3
"""A client of Janus' echo test (aiortc): janus_client.py URL SECONDS. Its media is returned."""

import asyncio
import json
import sys

import websockets
from aiortc import RTCConfiguration, RTCPeerConnection, RTCSessionDescription
from aiortc.contrib.media import MediaBlackhole
from aiortc.mediastreams import AudioStreamTrack, VideoStreamTrack


class Janus:
    """Requests of Janus' API with their responses."""

    def __init__(self, socket):
        self.socket = socket
        self.number = 0
        self.names = {}

    async def ask(self, request, wanted, **members):
        self.number += 1
        transaction = f"request-{self.number}"
        await self.socket.send(json.dumps({"janus": request, "transaction": transaction, **self.names, **members}))
        async for text in self.socket:
            message = json.loads(text)
            if message.get("transaction") == transaction and message["janus"] == wanted:
                return message


async def call(url, seconds):
    async with websockets.connect(url, subprotocols=["janus-protocol"], compression=None) as socket:
        janus = Janus(socket)
        janus.names["session_id"] = (await janus.ask("create", "success"))["data"]["id"]
        attached = await janus.ask("attach", "success", plugin="janus.plugin.echotest")
        janus.names["handle_id"] = attached["data"]["id"]

        peer = RTCPeerConnection(RTCConfiguration(iceServers=[]))
        sink = MediaBlackhole()
        peer.on("track", sink.addTrack)
        peer.addTrack(AudioStreamTrack())
        peer.addTrack(VideoStreamTrack())
        await peer.setLocalDescription(await peer.createOffer())
        answer = await janus.ask(
            "message", "event", body={"audio": True, "video": True, "bitrate": 100000},
            jsep={"type": "offer", "sdp": peer.localDescription.sdp})
        await janus.ask("trickle", "ack", candidate={"completed": True})
        await peer.setRemoteDescription(RTCSessionDescription(answer["jsep"]["sdp"], "answer"))
        await sink.start()
        await asyncio.sleep(seconds)
        await janus.ask("keepalive", "ack")
        await janus.ask("detach", "success")
        await peer.close()
        del janus.names["handle_id"]
        await janus.ask("destroy", "success")


asyncio.run(call(sys.argv[1], float(sys.argv[2])))
