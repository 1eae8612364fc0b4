#!/usr/bin/env python3
"""The web server for browser calls: the page, and signaling in JSON over WebSocket.

    browser_signaling.py PORT relay|aiortc [--simulcast] [--ipv4] [--sent FILE]

`relay` forwards messages between two browsers, offerer and answerer; `aiortc` answers itself.
`--simulcast` adds all layers of the offer to the answer, as a media server would: browsers only send them. With
`--ipv4` aiortc signals no IPv6 candidates. `--sent` writes the encoded frames that the offerer reports, one a line.
"""

import argparse
import asyncio
import json
import pathlib
import re

import aiohttp.web
from aiortc import RTCConfiguration, RTCPeerConnection, RTCSessionDescription
from aiortc.contrib.media import MediaBlackhole
from aiortc.mediastreams import AudioStreamTrack, VideoStreamTrack
from aiortc.sdp import candidate_from_sdp

PAGE = pathlib.Path(__file__).with_name("browser_page.html")


class Relay:
    """Forwards messages between the browsers; early ones are queued."""

    def __init__(self, options):
        self.options = options
        self.sockets = {}
        self.waiting = {"offer": [], "answer": []}
        self.offered = ""

    async def talk(self, role, socket):
        other = "answer" if role == "offer" else "offer"
        self.sockets[role] = socket
        for text in self.waiting[role]:
            await socket.send_str(text)
        async for message in socket:
            content = json.loads(message.data)
            if content["type"] == "sent":
                print(content["frame"], file=self.options.sent, flush=True)
                continue
            text = self.passed(content)
            if other in self.sockets:
                await self.sockets[other].send_str(text)
            else:
                self.waiting[other].append(text)

    def passed(self, message):
        if message["type"] == "offer":
            self.offered = message["sdp"]
        if message["type"] == "answer" and self.options.simulcast:
            message["sdp"] = taking_all_layers(message["sdp"], self.offered)
        return json.dumps(message)


def taking_all_layers(answer, offer):
    """Returns the answer with the layers and header extensions of the offer."""
    lines = re.findall(r"a=extmap:\d+ \S*(?:rtp-stream-id|repaired-rtp-stream-id)\r\n", offer)
    lines += [f"a=rid:{name} recv\r\n" for name in re.findall(r"a=rid:(\S+) send", offer)]
    lines += ["a=simulcast:recv " + offered + "\r\n" for offered in re.findall(r"a=simulcast:send (\S+)", offer)]
    lines = [line for line in lines if line not in answer]
    return answer + "".join(lines)


def told(sdp):
    """Returns the answer as sent."""
    lines = sdp.splitlines(keepends=True)
    return "".join(line for line in lines
                   if not (options.ipv4 and line.startswith("a=candidate:") and ":" in line.split()[4]))


async def answering(socket):
    """A peer of aiortc at the other end of the socket."""
    peer = RTCPeerConnection(RTCConfiguration(iceServers=[]))
    sink = MediaBlackhole()
    peer.on("track", sink.addTrack)

    @peer.on("datachannel")
    def opened(channel):
        channel.on("message", lambda text: channel.send(text.replace("ping", "pong")))

    async for message in socket:
        message = json.loads(message.data)
        if message["type"] == "offer":
            await peer.setRemoteDescription(RTCSessionDescription(message["sdp"], "offer"))
            for transceiver in peer.getTransceivers():
                peer.addTrack(AudioStreamTrack() if transceiver.kind == "audio" else VideoStreamTrack())
            await sink.start()
            await peer.setLocalDescription(await peer.createAnswer())
            await socket.send_json({"type": "answer", "sdp": told(peer.localDescription.sdp)})
        elif message["type"] == "candidate" and message["candidate"] and message["candidate"]["candidate"]:
            candidate = candidate_from_sdp(message["candidate"]["candidate"].split(":", 1)[1])
            candidate.sdpMid = message["candidate"]["sdpMid"]
            await peer.addIceCandidate(candidate)
        elif message["type"] == "bye":
            await peer.close()


def application(options):
    relay = Relay(options)

    async def page(request):
        return aiohttp.web.FileResponse(PAGE)

    async def signaling(request):
        socket = aiohttp.web.WebSocketResponse(compress=False)
        await socket.prepare(request)
        if options.answerer == "aiortc":
            await answering(socket)
        else:
            await relay.talk(request.query["role"], socket)
        return socket

    made = aiohttp.web.Application()
    made.add_routes([aiohttp.web.get("/", page), aiohttp.web.get("/signaling", signaling)])
    return made


parser = argparse.ArgumentParser()
parser.add_argument("port", type=int)
parser.add_argument("answerer", choices=["relay", "aiortc"])
parser.add_argument("--simulcast", action="store_true")
parser.add_argument("--ipv4", action="store_true")
parser.add_argument("--sent", type=argparse.FileType("w"))
options = parser.parse_args()
asyncio.set_event_loop(asyncio.new_event_loop())
aiohttp.web.run_app(application(options), port=options.port, print=None)
