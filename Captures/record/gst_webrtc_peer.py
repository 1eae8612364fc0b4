#!/usr/bin/python3
"""A WebRTC peer (GStreamer's webrtcbin with libnice), with signaling in lines of JSON over TCP.

    gst_webrtc_peer.py answer [--listen PORT]   waits for an offer
    gst_webrtc_peer.py offer HOST:PORT          makes one

    --seconds N   duration of the audio, once connected
    --video       send video, too
    --no-bundle   one transport per medium, with its own ICE and DTLS
    --no-udp      gather only TCP candidates (RFC 6544)
    --ipv4        signal no IPv6 candidates
"""
import argparse
import json
import socket
import threading

import gi

for module in (("Gst", "1.0"), ("GstWebRTC", "1.0"), ("GstSdp", "1.0")):
    gi.require_version(*module)
from gi.repository import GLib, Gst, GstSdp, GstWebRTC  # noqa: E402

Gst.init(None)
SOUND = ("audiotestsrc is-live=true wave=sine ! opusenc bitrate=24000 ! rtpopuspay pt=96 ! "
         "application/x-rtp,media=audio,encoding-name=OPUS,payload=96 ! call. ")
PICTURE = ("videotestsrc is-live=true pattern=ball ! video/x-raw,width=160,height=120,framerate=10/1 ! "
           "vp8enc deadline=1 target-bitrate=40000 keyframe-max-dist=10 ! rtpvp8pay pt=97 ! "
           "application/x-rtp,media=video,encoding-name=VP8,payload=97 ! call.")


class Peer:
    def __init__(self, connection, options):
        self.options = options
        self.loop = GLib.MainLoop()
        self.lines = connection.makefile("rw", newline="\n")
        policy = "none" if options.no_bundle else "max-bundle"
        media = SOUND + (PICTURE if options.video else "")
        self.pipeline = Gst.parse_launch(f"webrtcbin name=call bundle-policy={policy} {media}")
        self.names = ["audio0", "video1"]
        self.call = self.pipeline.get_by_name("call")
        # Kept, since webrtcbin does not own the returned object.
        self.ice = self.call.props.ice_agent
        if options.no_udp:
            self.ice.props.agent.props.ice_udp = False
        self.call.connect("on-ice-candidate", self.candidate_found)
        self.call.connect("notify::connection-state", self.state_changed)
        self.call.connect("pad-added", self.medium_came)
        if options.role == "offer":
            self.call.connect("on-negotiation-needed", self.negotiate)

    def send(self, message):
        self.lines.write(json.dumps(message) + "\n")
        self.lines.flush()

    def candidate_found(self, _, index, candidate):
        if not (self.options.ipv4 and ":" in candidate.split()[4]):
            self.send({"type": "candidate", "candidate": candidate, "sdpMLineIndex": index,
                       "sdpMid": self.names[index]})

    def medium_came(self, _, pad):
        sink = Gst.ElementFactory.make("fakesink")
        self.pipeline.add(sink)
        sink.sync_state_with_parent()
        pad.link(sink.get_static_pad("sink"))

    def state_changed(self, call, _):
        print("connection", call.props.connection_state.value_nick, flush=True)
        if call.props.connection_state == GstWebRTC.WebRTCPeerConnectionState.CONNECTED:
            if self.options.role == "offer":
                GLib.timeout_add(int(self.options.seconds * 1000), self.hang_up)

    def hang_up(self):
        self.send({"type": "bye"})
        self.loop.quit()

    def describe(self, kind):
        made = Gst.Promise.new_with_change_func(self.described, kind)
        self.call.emit("create-" + kind, None, made)

    def described(self, promise, kind):
        reply = promise.get_reply()
        description = reply.get_value(kind)
        # Read before it is passed on: webrtcbin empties it.
        text = description.sdp.as_text()
        self.call.emit("set-local-description", description, Gst.Promise.new())
        self.send({"type": kind, "sdp": text})

    def negotiate(self, _):
        self.describe("offer")

    def heard(self, message):
        if message["type"] == "bye":
            self.loop.quit()
        elif message["type"] == "candidate":
            self.call.emit("add-ice-candidate", message["sdpMLineIndex"], message["candidate"])
        else:
            _, sdp = GstSdp.SDPMessage.new_from_text(message["sdp"])
            kind = GstWebRTC.WebRTCSDPType.OFFER if message["type"] == "offer" else GstWebRTC.WebRTCSDPType.ANSWER
            description = GstWebRTC.WebRTCSessionDescription.new(kind, sdp)
            self.call.emit("set-remote-description", description, Gst.Promise.new())
            if message["type"] == "offer":
                self.describe("answer")
        return False

    def listen(self):
        for line in self.lines:
            GLib.idle_add(self.heard, json.loads(line))
        GLib.idle_add(self.loop.quit)

    def run(self):
        threading.Thread(target=self.listen, daemon=True).start()
        self.pipeline.set_state(Gst.State.PLAYING)
        GLib.timeout_add_seconds(25, self.loop.quit)
        self.loop.run()
        self.pipeline.set_state(Gst.State.NULL)


parser = argparse.ArgumentParser()
parser.add_argument("role", choices=["offer", "answer"])
parser.add_argument("peer", nargs="?")
parser.add_argument("--listen", type=int, default=6868)
parser.add_argument("--seconds", type=float, default=3)
parser.add_argument("--video", action="store_true")
parser.add_argument("--no-bundle", action="store_true")
parser.add_argument("--no-udp", action="store_true")
parser.add_argument("--ipv4", action="store_true")
options = parser.parse_args()
if options.role == "offer":
    host, port = options.peer.rsplit(":", 1)
    Peer(socket.create_connection((host, int(port))), options).run()
else:
    with socket.create_server(("", options.listen)) as server:
        Peer(server.accept()[0], options).run()
