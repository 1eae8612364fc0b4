"""A WebRTC call of three seconds (aiortc): audio and video in one direction; signaling over TCP.

    answer ADDRESS    waits for the call
    offer ADDRESS     calls
"""
import asyncio
import json
import sys

from aiortc import RTCPeerConnection, RTCSessionDescription
from aiortc.contrib.media import MediaBlackhole
from aiortc.mediastreams import AudioStreamTrack, VideoStreamTrack

PORT = 8765


def message(connection):
    description = connection.localDescription
    return json.dumps({"type": description.type, "sdp": description.sdp}).encode() + b"\n"


async def offer(address):
    reader, writer = await asyncio.open_connection(address, PORT)
    connection = RTCPeerConnection()
    connection.addTrack(AudioStreamTrack())
    connection.addTrack(VideoStreamTrack())
    await connection.setLocalDescription(await connection.createOffer())
    writer.write(message(connection))
    answer = json.loads(await reader.readline())
    await connection.setRemoteDescription(RTCSessionDescription(**answer))
    await asyncio.sleep(4)
    await connection.close()
    writer.close()


async def answer(address):
    done = asyncio.Event()

    async def call(reader, writer):
        connection = RTCPeerConnection()
        sink = MediaBlackhole()
        connection.on("track", sink.addTrack)
        await connection.setRemoteDescription(RTCSessionDescription(**json.loads(await reader.readline())))
        await connection.setLocalDescription(await connection.createAnswer())
        await sink.start()
        writer.write(message(connection))
        await reader.read()
        await connection.close()
        writer.close()
        done.set()

    async with await asyncio.start_server(call, address, PORT, limit=1 << 20):
        await done.wait()


asyncio.run({"offer": offer, "answer": answer}[sys.argv[1]](sys.argv[2]))
