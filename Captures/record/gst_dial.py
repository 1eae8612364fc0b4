"""Sends PCMU with telephone events (RFC 4733): gst_dial.py HOST PORT KEYS"""

import sys
import time

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

KEYS = "0123456789*#ABCD"


def main():
    host, port, keys = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    Gst.init(None)
    pipeline = Gst.parse_launch(
        f"rtpdtmfmux name=mux ! udpsink host={host} port={port} "
        "audiotestsrc is-live=true freq=440 samplesperbuffer=160 ! audio/x-raw,rate=8000,channels=1 ! mulawenc "
        "! rtppcmupay pt=0 ssrc=305419896 min-ptime=20000000 max-ptime=20000000 ! mux.sink_0 "
        "rtpdtmfsrc name=dial pt=101 ssrc=305419896 ! mux.priority_sink_1")
    pipeline.set_state(Gst.State.PLAYING)
    time.sleep(0.6)
    for key in keys:
        for start in (True, False):
            fields = f"dtmf-event,type=(int)1,method=(int)1,start=(boolean){'true' if start else 'false'}"
            if start:
                fields += f",number=(int){KEYS.index(key)},volume=(int)10"
            structure = Gst.Structure.new_from_string(fields)
            event = Gst.Event.new_custom(Gst.EventType.CUSTOM_UPSTREAM, structure)
            pipeline.send_event(event)
            time.sleep(0.2)
        time.sleep(0.2)
    time.sleep(0.5)
    pipeline.set_state(Gst.State.NULL)


main()
