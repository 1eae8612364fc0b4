#!/usr/bin/env python3
"""A WebRTC peer (aiortc), with signaling in lines of JSON over TCP.

    webrtc_peer.py answer [--listen PORT] …       waits for an offer
    webrtc_peer.py offer HOST:PORT …              makes one

    --media audio,video,data   what is sent (the offerer decides)
    --seconds N                duration, once connected
    --turn HOST:PORT/TRANSPORT a relay (credentials test and test-secret); only relay candidates are used
    --break password           use a wrong ICE password of the other side
    --break fingerprint        signal a wrong certificate fingerprint
    --ipv4                     signal no IPv6 candidates
    --wait N                   connection timeout
    --keylog FILE              write the secrets of DTLS, as SSLKEYLOGFILE does
    --sent FILE                write the RTP and RTCP packets that are sent, in the clear, one a line in hexadecimal
    --profile NAME             offer this SRTP profile only, as OpenSSL names it
"""
import argparse
import asyncio
import json
import re

import aioice
import aiortc.rtcdtlstransport
import aiortc.rtcicetransport
from aiortc import (RTCConfiguration, RTCIceServer, RTCPeerConnection, RTCSessionDescription)
from aiortc.mediastreams import AudioStreamTrack, VideoStreamTrack


class RelayOnly(aioice.Connection):
    """ICE with relay candidates only; aiortc has no such policy."""

    async def gather_candidates(self):
        self._transport_policy = aioice.TransportPolicy.RELAY
        await super().gather_candidates()
        self._transport_policy = aioice.TransportPolicy.ALL


def without(sdp, unwanted):
    return "".join(line for line in sdp.splitlines(keepends=True)
                   if not (line.startswith("a=candidate:") and unwanted(line.split())))


def told(sdp, options):
    """Returns the description as sent."""
    if options.turn:
        sdp = without(sdp, lambda words: words[7] != "relay")
    if options.ipv4:
        sdp = without(sdp, lambda words: ":" in words[4])
    if options.broken == "fingerprint":
        sdp = re.sub(r"(a=fingerprint:sha-\d+ )(..)", lambda found: found[1] + ("00" if found[2] != "00" else "11"), sdp)
    return sdp


def heard(sdp, options):
    """Returns the remote description as used."""
    if options.broken == "password":
        sdp = re.sub(r"(a=ice-pwd:)\S+", r"\1thisIsNotThePasswordThatWasTold", sdp)
    return sdp


def log_keys(name):
    """Lets the contexts of OpenSSL, which aiortc creates itself, write their secrets."""
    create = aiortc.rtcdtlstransport.RTCCertificate._create_ssl_context

    def create_and_log(certificate, srtp_profiles):
        context = create(certificate, srtp_profiles)

        def log(_, line):
            with open(name, "ab") as file:
                file.write(line + b"\n")

        context.set_keylog_callback(log)
        return context

    aiortc.rtcdtlstransport.RTCCertificate._create_ssl_context = create_and_log


def keep_sent(name):
    """Writes each packet before it is encrypted."""
    send_rtp = aiortc.rtcdtlstransport.RTCDtlsTransport._send_rtp

    async def keep_and_send(transport, data):
        with open(name, "a", encoding="ascii") as file:
            print(data.hex(), file=file)
        await send_rtp(transport, data)

    aiortc.rtcdtlstransport.RTCDtlsTransport._send_rtp = keep_and_send


async def send(writer, kind, description):
    writer.write(json.dumps({"type": kind, "sdp": description}).encode() + b"\n")
    await writer.drain()


async def receive(reader):
    line = await reader.readline()
    return json.loads(line) if line else {"type": "bye"}


def connection(options):
    servers = []
    if options.turn:
        address, transport = options.turn.split("/")
        servers = [RTCIceServer(f"turn:{address}?transport={transport}", "test", "test-secret")]
        aiortc.rtcicetransport.Connection = RelayOnly
    peer = RTCPeerConnection(RTCConfiguration(iceServers=servers))
    peer.connected = asyncio.Event()

    @peer.on("connectionstatechange")
    def changed():
        print("connection", peer.connectionState, flush=True)
        if peer.connectionState in ("connected", "failed", "closed"):
            peer.connected.set()

    @peer.on("datachannel")
    def channel_opened(channel):
        @channel.on("message")
        def answer(message):
            if isinstance(message, str) and message.startswith("ping"):
                channel.send("pong" + message[4:])

    return peer


def add_media(peer, options):
    for medium in options.media.split(","):
        if medium == "audio":
            peer.addTrack(AudioStreamTrack())
        elif medium == "video":
            peer.addTrack(VideoStreamTrack())
        elif medium == "data":
            channel = peer.createDataChannel("chat")

            @channel.on("open")
            def opened(channel=channel):
                for number in range(5):
                    channel.send(f"ping {number}")


async def stay(peer, options):
    try:
        await asyncio.wait_for(peer.connected.wait(), options.wait)
        if peer.connectionState == "connected":
            await asyncio.sleep(options.seconds)
    except asyncio.TimeoutError:
        print("not connected", flush=True)


async def offer(options):
    host, port = options.peer.rsplit(":", 1)
    reader, writer = await asyncio.open_connection(host, int(port))
    peer = connection(options)
    add_media(peer, options)
    await peer.setLocalDescription(await peer.createOffer())
    await send(writer, "offer", told(peer.localDescription.sdp, options))
    answer = await receive(reader)
    await peer.setRemoteDescription(RTCSessionDescription(heard(answer["sdp"], options), "answer"))
    await stay(peer, options)
    writer.write(b'{"type": "bye"}\n')
    await writer.drain()
    await peer.close()
    writer.close()


async def answer(options):
    done = asyncio.Event()

    async def serve(reader, writer):
        peer = connection(options)
        message = await receive(reader)
        await peer.setRemoteDescription(RTCSessionDescription(heard(message["sdp"], options), "offer"))
        for transceiver in peer.getTransceivers():
            peer.addTrack(AudioStreamTrack() if transceiver.kind == "audio" else VideoStreamTrack())
        await peer.setLocalDescription(await peer.createAnswer())
        await send(writer, "answer", told(peer.localDescription.sdp, options))
        await receive(reader)
        await peer.close()
        writer.close()
        done.set()

    async with await asyncio.start_server(serve, port=options.listen):
        await done.wait()


parser = argparse.ArgumentParser()
parser.add_argument("role", choices=["offer", "answer"])
parser.add_argument("peer", nargs="?")
parser.add_argument("--listen", type=int, default=6868)
parser.add_argument("--media", default="audio")
parser.add_argument("--seconds", type=float, default=3)
parser.add_argument("--wait", type=float, default=8)
parser.add_argument("--turn")
parser.add_argument("--ipv4", action="store_true")
parser.add_argument("--break", dest="broken", choices=["password", "fingerprint"])
parser.add_argument("--keylog")
parser.add_argument("--sent")
parser.add_argument("--profile")
options = parser.parse_args()
if options.keylog:
    log_keys(options.keylog)
if options.sent:
    keep_sent(options.sent)
if options.profile:
    profiles = aiortc.rtcdtlstransport.SRTP_PROFILES
    profiles[:] = [known for known in profiles if known.openssl_profile.decode() == options.profile]
asyncio.run((offer if options.role == "offer" else answer)(options))
