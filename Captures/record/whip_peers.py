"""WHIP and WHEP peers for the recordings (aiortc): whip_peers.py ROLE PORT [HOST] [--play] [--token TOKEN]
[--tls FOLDER].

`serve` answers offers posted to /whip and /whep; `talk` publishes a test pattern to the first, or plays from the
second, and deletes the resource. aiortc gathers all candidates before it offers, so that PATCH only signals the end of
candidates.
"""

import argparse
import asyncio
import ssl

import aiohttp
import aiohttp.web
from aiortc import RTCConfiguration, RTCPeerConnection, RTCSessionDescription
from aiortc.contrib.media import MediaBlackhole
from aiortc.mediastreams import VideoStreamTrack

SECONDS = 2
ICE_SERVERS = '<stun:10.77.0.2:3478>; rel="ice-server"'


async def offer_of(peer):
    await peer.setLocalDescription(await peer.createOffer())
    return peer.localDescription.sdp


class Server:
    def __init__(self, token):
        self.token, self.peers = token, {}

    def allows(self, request):
        return not self.token or request.headers.get("Authorization") == f"Bearer {self.token}"

    async def post(self, request):
        if not self.allows(request):
            return aiohttp.web.Response(status=401, headers={"WWW-Authenticate": "Bearer"})
        if request.path == "/moved":
            return aiohttp.web.Response(status=307, headers={"Location": "/whip"})
        peer = RTCPeerConnection(RTCConfiguration(iceServers=[]))
        await peer.setRemoteDescription(RTCSessionDescription(sdp=await request.text(), type="offer"))
        if request.path == "/whep":
            peer.addTrack(VideoStreamTrack())
        else:
            sink = MediaBlackhole()
            peer.on("track", sink.addTrack)
            asyncio.ensure_future(sink.start())
        await peer.setLocalDescription(await peer.createAnswer())
        name = f"/resource/{len(self.peers) + 1:04x}"
        self.peers[name] = peer
        return aiohttp.web.Response(
            status=201, content_type="application/sdp", text=peer.localDescription.sdp,
            headers={"Location": name, "ETag": '"first"', "Link": ICE_SERVERS})

    async def patch(self, request):
        if request.path not in self.peers:
            return aiohttp.web.Response(status=404)
        await request.read()
        return aiohttp.web.Response(status=204)

    async def delete(self, request):
        peer = self.peers.pop(request.path, None)
        if peer is None:
            return aiohttp.web.Response(status=404)
        await peer.close()
        return aiohttp.web.Response(status=200)


async def serve(options):
    server = Server(options.token)
    application = aiohttp.web.Application()
    for path in ("/whip", "/whep", "/moved"):
        application.router.add_post(path, server.post)
    application.router.add_patch("/resource/{name}", server.patch)
    application.router.add_delete("/resource/{name}", server.delete)
    runner = aiohttp.web.AppRunner(application)
    await runner.setup()
    await aiohttp.web.TCPSite(runner, "0.0.0.0", options.port).start()
    await asyncio.get_running_loop().create_future()


def fragment(sdp):
    """Returns the body of PATCH: the offer's ufrag and end-of-candidates."""
    lines = sdp.splitlines()
    credentials = [line for line in lines if line.startswith(("a=ice-ufrag:", "a=ice-pwd:"))][:2]
    medium = next(line for line in lines if line.startswith("m="))
    mid = next(line for line in lines if line.startswith("a=mid:"))
    return "\r\n".join([*credentials, medium, mid, "a=end-of-candidates", ""])


async def talk(options):
    base = f"{'https' if options.tls else 'http'}://{options.host}:{options.port}"
    security = ssl.create_default_context(cafile=options.tls + "/cert.pem") if options.tls else True
    headers = {"Authorization": f"Bearer {options.token}"} if options.token else {}
    peer = RTCPeerConnection(RTCConfiguration(iceServers=[]))
    sink = MediaBlackhole()
    if options.play:
        peer.addTransceiver("video", direction="recvonly")
        peer.on("track", sink.addTrack)
    else:
        peer.addTransceiver(VideoStreamTrack(), direction="sendonly")
    path = "/whep" if options.play else "/moved"
    connector = aiohttp.TCPConnector(ssl=security)
    async with aiohttp.ClientSession(headers=headers, connector=connector) as session:
        sdp = await offer_of(peer)
        async with session.post(base + path, data=sdp, headers={"Content-Type": "application/sdp"}) as response:
            answer, location, etag = await response.text(), response.headers["Location"], response.headers["ETag"]
        await peer.setRemoteDescription(RTCSessionDescription(sdp=answer, type="answer"))
        await sink.start()
        trickle = {"Content-Type": "application/trickle-ice-sdpfrag", "If-Match": etag}
        async with session.patch(base + location, data=fragment(sdp), headers=trickle) as response:
            await response.read()
        await asyncio.sleep(SECONDS)
        async with session.delete(base + location) as response:
            await response.read()
    await peer.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("role", choices=["serve", "talk"])
    parser.add_argument("port", type=int)
    parser.add_argument("host", nargs="?", default="127.0.0.1")
    parser.add_argument("--play", action="store_true", help="WHEP instead of WHIP")
    parser.add_argument("--token", help="bearer token")
    parser.add_argument("--tls", metavar="FOLDER", help="talk in TLS, to the server of cert.pem in this folder")
    options = parser.parse_args()
    asyncio.run({"serve": serve, "talk": talk}[options.role](options))


main()
