"""An RTSP player for the recordings: rtspsrc with fakesinks, controlled by a sequence of steps.

Steps: play=SECONDS, pause=SECONDS, seek=POSITION (seconds into the file), eos (until the stream ends).
"""

import argparse
import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst  # noqa: E402


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("location")
    parser.add_argument("steps", nargs="*", default=["play=4"])
    parser.add_argument("--protocols", default="udp", help="udp, tcp, http, udp-mcast, or a sum such as tcp+tls")
    parser.add_argument("--rtsp-version", choices=["1-0", "2-0"])
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="another property of rtspsrc")
    options = parser.parse_args()

    Gst.init(None)
    pipeline = Gst.Pipeline.new(None)
    source = Gst.ElementFactory.make("rtspsrc")
    source.set_property("location", options.location)
    Gst.util_set_object_arg(source, "protocols", options.protocols)
    source.set_property("latency", 200)
    if options.rtsp_version:
        Gst.util_set_object_arg(source, "default-rtsp-version", options.rtsp_version)
    for pair in options.set:
        name, value = pair.split("=", 1)
        Gst.util_set_object_arg(source, name, value)
    pipeline.add(source)

    def on_pad(_, pad):
        sink = Gst.ElementFactory.make("fakesink")
        sink.set_property("sync", True)
        pipeline.add(sink)
        sink.sync_state_with_parent()
        pad.link(sink.get_static_pad("sink"))

    source.connect("pad-added", on_pad)
    bus = pipeline.get_bus()

    def run(seconds, until=Gst.MessageType.EOS):
        """Runs the bus for a while; returns whether the expected message arrived."""
        end = GLib.get_monotonic_time() + seconds * 1_000_000
        while (left := end - GLib.get_monotonic_time()) > 0:
            message = bus.timed_pop_filtered(int(left * 1000), Gst.MessageType.ERROR | until)
            if message is None:
                return False
            if message.type == Gst.MessageType.ERROR:
                error, debug = message.parse_error()
                print(error.message, debug, file=sys.stderr)
                pipeline.set_state(Gst.State.NULL)
                sys.exit(1)
            return True
        return False

    for step in options.steps:
        name, _, value = step.partition("=")
        if name == "play":
            pipeline.set_state(Gst.State.PLAYING)
            run(float(value))
        elif name == "pause":
            pipeline.set_state(Gst.State.PAUSED)
            run(float(value))
        elif name == "seek":
            position = int(float(value) * Gst.SECOND)
            pipeline.seek_simple(Gst.Format.TIME, Gst.SeekFlags.FLUSH | Gst.SeekFlags.KEY_UNIT, position)
        elif name == "eos":
            pipeline.set_state(Gst.State.PLAYING)
            run(60)
        else:
            sys.exit("unknown step " + step)
    pipeline.set_state(Gst.State.NULL)


main()
