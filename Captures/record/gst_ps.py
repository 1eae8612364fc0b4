"""Sends an MPEG program stream in RTP like GB/T 28181 cameras, as no Debian package does: gst_ps.py HOST PORT FRAMES

The stream is made by GStreamer's mpegpsmux with H.264. All packets of a picture have its timestamp, and the last one the
marker.
"""

import random
import socket
import struct
import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

PAYLOAD_TYPE = 96
LONGEST = 1400


def main():
    host, port, frames = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    Gst.init(None)
    pipeline = Gst.parse_launch(
        f"videotestsrc is-live=true num-buffers={frames} pattern=ball"
        " ! video/x-raw,width=160,height=120,framerate=10/1"
        " ! x264enc bitrate=100 speed-preset=veryfast tune=zerolatency key-int-max=10 ! h264parse config-interval=-1"
        " ! video/x-h264,stream-format=byte-stream,alignment=au ! mpegpsmux ! appsink name=sink sync=false")
    sink = pipeline.get_by_name("sink")
    out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    source, sequence = random.getrandbits(32), random.getrandbits(16)
    pending, last = b"", None

    def send(octets, time):
        nonlocal sequence
        timestamp = time * 9 // 100_000 & 0xFFFFFFFF
        for start in range(0, len(octets), LONGEST):
            marker = 0x80 if start + LONGEST >= len(octets) else 0
            header = struct.pack("!BBHII", 0x80, marker | PAYLOAD_TYPE, sequence, timestamp, source)
            out.sendto(header + octets[start : start + LONGEST], (host, port))
            sequence = sequence + 1 & 0xFFFF

    pipeline.set_state(Gst.State.PLAYING)
    while (sample := sink.emit("pull-sample")) is not None:
        buffer = sample.get_buffer()
        octets = buffer.extract_dup(0, buffer.get_size())
        # A buffer without a time continues the previous picture.
        time = last if buffer.pts == Gst.CLOCK_TIME_NONE else buffer.pts
        if pending and last is not None and time != last:
            send(pending, last)
            pending = b""
        pending += octets
        last = time
    if pending:
        send(pending, last)
    pipeline.set_state(Gst.State.NULL)


main()
