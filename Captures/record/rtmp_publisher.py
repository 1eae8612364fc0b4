"""A publisher with configurable chunks: rtmp_publisher.py FILM.flv HOST[:PORT] APP/NAME OPTIONS.

Sends the file's tags in real time. Video is on chunk stream 6, audio on 4, data on 5; the first message of
each starts with a type-0 chunk, the others with type 1.
"""

import argparse
import struct
import time

from rtmp_wire import AUDIO, DATA, NULL, VIDEO, Connection, anonymous_object, flv_tags, string


def as_codec_12(payload):
    """Converts an Enhanced RTMP tag of HEVC to the legacy form: the AVC tag of FLV 10.1 with codec 12. Returns None for
    tags without a legacy form."""
    if not payload[0] & 0x80 or payload[1:5] != b"hvc1":
        return payload
    first = bytes([payload[0] & 0x70 | 12])
    match payload[0] & 15:
        case 0:  # sequence start
            return first + bytes(4) + payload[5:]
        case 1:  # coded frames, with a composition time
            return first + b"\x01" + payload[5:]
        case 2:  # sequence end
            return first + b"\x02" + bytes(3)
        case 3:  # coded frames, composition time 0
            return first + b"\x01" + bytes(3) + payload[5:]
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("film")
    parser.add_argument("host")
    parser.add_argument("path")
    parser.add_argument("--chunk-sizes", type=int, nargs="+", default=[128], help="chunk sizes, each for an equal part of the tags")
    parser.add_argument("--first-timestamp", type=int, default=0, help="offset of the file's timestamps, modulo 2^32")
    parser.add_argument("--omit-extended", action="store_true", help="omit extended timestamps in type-3 chunks")
    parser.add_argument("--codec-12", action="store_true", help="HEVC as codec 12 instead of hvc1")
    options = parser.parse_args()
    host, _, port = options.host.partition(":")
    app, name = options.path.split("/")

    connection = Connection(host, int(port or 1935))
    connection.handshake()
    connection.command("connect", 1, anonymous_object(
        app=app, type="nonprivate", flashVer="FMLE/3.0 (compatible; script)", tcUrl=f"rtmp://{options.host}/{app}"))
    connection.await_command("_result")
    connection.command("createStream", 2, NULL, form=1)
    stream = int(struct.unpack("!d", connection.await_command("_result")[-8:])[0])
    connection.command("publish", 0, NULL, string(name), string("live"), chunk_stream=8, stream=stream)
    connection.await_command("onStatus")

    tags = list(flv_tags(options.film))
    if options.codec_12:
        tags = [(kind, timestamp, as_codec_12(payload) if kind == VIDEO else payload) for kind, timestamp, payload in tags]
        tags = [tag for tag in tags if tag[2] is not None]
    start = time.monotonic()
    size = None
    for place, (kind, timestamp, payload) in enumerate(tags):
        wanted = options.chunk_sizes[place * len(options.chunk_sizes) // len(tags)]
        if wanted != size and (size is not None or wanted != 128):
            connection.set_chunk_size(wanted)
        size = wanted
        time.sleep(max(0, start + timestamp / 1000 - time.monotonic()))
        chunk_stream = {AUDIO: 4, VIDEO: 6, DATA: 5}[kind]
        if kind == DATA:
            payload = string("@setDataFrame") + payload
        timestamp = options.first_timestamp + timestamp
        # A type-1 chunk has a small delta: only absolute timestamps are extended.
        absolute = chunk_stream not in connection.sent or timestamp >= 0xFFFFFF
        connection.send(chunk_stream, kind, payload, timestamp & 0xFFFFFFFF if absolute else timestamp, stream,
                        0 if absolute else 1, not options.omit_extended)
    connection.command("FCUnpublish", 3, NULL, string(name))
    connection.command("deleteStream", 4, NULL, b"\x00" + struct.pack("!d", stream), form=1)
    connection.socket.close()


main()
