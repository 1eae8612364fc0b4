"""Plays over RTMP with PyAV's FFmpeg libraries: rtmp_remux_player.py URL SECONDS [OPTION=VALUE…]."""

import sys
import time

import av

url, seconds, *options = sys.argv[1:]
source = av.open(url, options=dict(option.split("=", 1) for option in options))
end = time.monotonic() + float(seconds)
for packet in source.demux():
    if time.monotonic() > end:
        break
source.close()
