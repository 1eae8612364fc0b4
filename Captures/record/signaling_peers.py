"""Two aiortc peers and their server, with signaling in JSON over TCP as in an article of 2020.

    signaling_peers.py server FRAMING PORT
    signaling_peers.py caller FRAMING HOST PORT [--video] [--seconds N]
    signaling_peers.py callee FRAMING HOST PORT

The messages are the article's: login, heartbeat, sdp and icecandidate, each with source, destination and params; a
description is an object in an object of the same name, a candidate is in `sdp`. aiortc gathers its candidates before
it creates a description; they are removed from it and sent individually, with an empty one as their end. The server assigns
id 7 to the first peer and 8 to the second, and forwards everything.

FRAMING is newline, nul, concatenated, or length and 1, 2, 4 or 8, then be or le, then incl if it includes itself. With
--pieces a message is sent in segments of 400 octets.
"""

import argparse
import asyncio
import json
import re
import socket

from aiortc import RTCConfiguration, RTCPeerConnection, RTCSessionDescription
from aiortc.contrib.media import MediaBlackhole
from aiortc.mediastreams import AudioStreamTrack, VideoStreamTrack
from aiortc.sdp import candidate_from_sdp


class Framing:
    """A message framing."""

    def __init__(self, name):
        self.name = name
        length = re.fullmatch(r"length([1248])(be|le)(incl)?", name)
        if length:
            self.width = int(length[1])
            self.order = "big" if length[2] == "be" else "little"
            self.extra = self.width if length[3] else 0

    def pack(self, message):
        text = json.dumps(message, separators=(",", ":")).encode()
        if self.name == "newline":
            return text + b"\n"
        if self.name == "nul":
            return text + b"\0"
        if self.name == "concatenated":
            return text
        return (len(text) + self.extra).to_bytes(self.width, self.order) + text

    async def read(self, reader):
        if self.name == "newline":
            return json.loads(await reader.readuntil(b"\n"))
        if self.name == "nul":
            return json.loads((await reader.readuntil(b"\0"))[:-1])
        if self.name == "concatenated":
            return await self.brackets(reader)
        length = int.from_bytes(await reader.readexactly(self.width), self.order) - self.extra
        return json.loads(await reader.readexactly(length))

    @staticmethod
    async def brackets(reader):
        text, depth, quoted, escaped = bytearray(), 0, False, False
        while True:
            octet = await reader.readexactly(1)
            text += octet
            if quoted:
                quoted = escaped or octet != b'"'
                escaped = octet == b"\\" and not escaped
            elif octet == b'"':
                quoted = True
            elif octet in b"{[":
                depth += 1
            elif octet in b"}]":
                depth -= 1
                if depth == 0:
                    return json.loads(text)


class Link:
    """A connection for messages."""

    def __init__(self, framing, reader, writer, pieces=False):
        self.framing, self.reader, self.writer, self.pieces = framing, reader, writer, pieces
        writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    async def send(self, *messages):
        octets = b"".join(self.framing.pack(message) for message in messages)
        step = 400 if self.pieces else len(octets)
        for start in range(0, len(octets), step):
            self.writer.write(octets[start : start + step])
            await self.writer.drain()
            if self.pieces:
                await asyncio.sleep(0.002)

    async def receive(self):
        return await self.framing.read(self.reader)


def message(kind, source, destination, **params):
    return {"type": kind, "source": source, "destination": destination, "params": params}


async def serve(framing, port):
    links, waiting = {}, {}

    async def peer(reader, writer):
        link = Link(framing, reader, writer)
        own = None
        try:
            while True:
                said = await link.receive()
                if said["type"] == "login":
                    own, other = (8, 7) if 7 in links else (7, 8)
                    links[own] = link
                    await link.send(message("login", 0, own, peer_id=own, remote_peer_id=other))
                    for held in waiting.pop(own, []):
                        await link.send(held)
                elif said["type"] == "heartbeat":
                    await link.send(message("heartbeat", 0, own))
                elif said["destination"] in links:
                    await links[said["destination"]].send(said)
                else:  # not connected yet
                    waiting.setdefault(said["destination"], []).append(said)
        except (asyncio.IncompleteReadError, ConnectionError):
            links.pop(own, None)

    server = await asyncio.start_server(peer, port=port, limit=1 << 20)
    await server.serve_forever()


def taken_apart(description):
    """Returns the description without its candidates, and the candidates with their media."""
    lines, candidates, index = [], [], -1
    for line in description.sdp.splitlines():
        if line.startswith("m="):
            index += 1
        if line.startswith("a=candidate:"):
            candidates.append([line[2:], index])
        elif line != "a=end-of-candidates":
            lines.append(line)
    mids = re.findall(r"^a=mid:(\S*)", description.sdp, re.MULTILINE)
    return "\r\n".join(lines) + "\r\n", [(text, place, mids[place]) for text, place in candidates]


class Peer:
    def __init__(self, link, video):
        self.link, self.video = link, video
        self.own = self.other = 0
        self.connection = RTCPeerConnection(RTCConfiguration(iceServers=[]))
        self.sink = MediaBlackhole()
        self.connection.on("track", self.sink.addTrack)
        self.is_up = asyncio.Event()
        self.is_over = asyncio.Event()
        self.connection.on("connectionstatechange", self.changed)

    async def changed(self):
        if self.connection.connectionState == "connected":
            await self.sink.start()
            self.is_up.set()

    def add_tracks(self):
        self.connection.addTrack(AudioStreamTrack())
        if self.video:
            self.connection.addTrack(VideoStreamTrack())

    async def login(self):
        await self.link.send(message("login", 0, 0))
        said = await self.link.receive()
        self.own, self.other = said["params"]["peer_id"], said["params"]["remote_peer_id"]

    async def beat(self):
        while True:
            await self.link.send(message("heartbeat", self.own, 0))
            await asyncio.sleep(1)

    async def describe(self):
        description = self.connection.localDescription
        text, candidates = taken_apart(description)
        await self.link.send(
            message("sdp", self.own, self.other, sdp={"sdp": text, "type": description.type})
        )
        # Sent together: several messages in one segment.
        trickled = [{"sdp": line, "sdpMLineIndex": place, "sdpMid": mid} for line, place, mid in candidates]
        trickled.append({"candidate": "", "sdpMLineIndex": 0, "sdpMid": "0"})
        await self.link.send(
            *[message("icecandidate", self.own, self.other, icecandidate=candidate) for candidate in trickled]
        )

    async def call(self):
        self.add_tracks()
        await self.connection.setLocalDescription(await self.connection.createOffer())
        await self.describe()

    async def follow(self):
        waiting = []
        while True:
            said = await self.link.receive()
            if said["type"] == "sdp":
                content = said["params"]["sdp"]
                await self.connection.setRemoteDescription(RTCSessionDescription(content["sdp"], content["type"]))
                if content["type"] == "offer":
                    self.add_tracks()
                    answer = await self.connection.createAnswer()
                    await self.connection.setLocalDescription(answer)
                    await self.describe()
                for candidate in waiting:
                    await self.connection.addIceCandidate(candidate)
                waiting = []
            elif said["type"] == "icecandidate":
                content = said["params"]["icecandidate"]
                candidate = None
                if content.get("sdp"):
                    candidate = candidate_from_sdp(content["sdp"].split(":", 1)[1])
                    candidate.sdpMid, candidate.sdpMLineIndex = content["sdpMid"], content["sdpMLineIndex"]
                if self.connection.remoteDescription is None:
                    waiting.append(candidate)
                else:
                    await self.connection.addIceCandidate(candidate)
            elif said["type"] == "bye":
                self.is_over.set()


async def run(options):
    framing = Framing(options.framing)
    if options.role == "server":
        return await serve(framing, options.port)
    reader, writer = await asyncio.open_connection(options.host, options.port, limit=1 << 20)
    peer = Peer(Link(framing, reader, writer, options.pieces), options.video)
    await peer.login()
    tasks = [asyncio.create_task(peer.beat()), asyncio.create_task(peer.follow())]
    if options.role == "caller":
        await peer.call()
        await asyncio.wait_for(peer.is_up.wait(), 20)
        await asyncio.sleep(options.seconds)
        await peer.link.send(message("bye", peer.own, peer.other))
    else:
        await asyncio.wait_for(peer.is_over.wait(), 60)
    for task in tasks:
        task.cancel()
    await peer.connection.close()
    writer.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("role", choices=["server", "caller", "callee"])
    parser.add_argument("framing")
    parser.add_argument("host")
    parser.add_argument("port", type=int, nargs="?")
    parser.add_argument("--video", action="store_true")
    parser.add_argument("--pieces", action="store_true")
    parser.add_argument("--seconds", type=float, default=2)
    arguments = parser.parse_args()
    if arguments.role == "server":
        arguments.port = int(arguments.host)
    asyncio.run(run(arguments))
