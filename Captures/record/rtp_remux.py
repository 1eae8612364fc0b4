"""Sends a file over RTP with PyAV's FFmpeg libraries, which are newer than Debian's, without reencoding:
rtp_remux.py FILE URL [OPTION=VALUE…]. The packets of its first stream are sent in real time.
"""

import sys
import time

import av


def main():
    name, url, *rest = sys.argv[1:]
    options = dict(argument.split("=", 1) for argument in rest)
    source = av.open(name)
    output = av.open(url, "w", format="rtp", options=options)
    target = output.add_stream_from_template(source.streams[0], opaque=True)
    start = time.monotonic()
    for packet in source.demux(source.streams[0]):
        if packet.dts is None:
            continue
        time.sleep(max(0, start + float(packet.dts * packet.time_base) - time.monotonic()))
        packet.stream = target
        output.mux(packet)
    output.close()


main()
