"""Publishes files over RTMP with PyAV's FFmpeg libraries, which are newer than Debian's, without reencoding:
rtmp_remux.py URL [OPTION=VALUE…] FILE…

The streams of all files are muxed into one FLV in real time: one of HEVC, AV1, VP9, Opus or FLAC is Enhanced
RTMP; several streams of one kind are multitrack (version 2).
"""

import sys
import time

import av


def main():
    url, *rest = sys.argv[1:]
    options = dict(argument.split("=", 1) for argument in rest if "=" in argument)
    inputs = [av.open(argument) for argument in rest if "=" not in argument]
    av.logging.set_level(av.logging.WARNING)
    output = av.open(url, "w", format="flv", options=options)
    targets = {}
    for number, source in enumerate(inputs):
        for stream in source.streams:
            targets[number, stream.index] = output.add_stream_from_template(stream, opaque=True)
    packets = sorted(
        ((number, packet) for number, source in enumerate(inputs) for packet in source.demux() if packet.dts is not None),
        key=lambda entry: entry[1].dts * entry[1].time_base,
    )
    start = time.monotonic()
    for number, packet in packets:
        time.sleep(max(0, start + float(packet.dts * packet.time_base) - time.monotonic()))
        packet.stream = targets[number, packet.stream.index]
        output.mux(packet)
    output.close()


main()
