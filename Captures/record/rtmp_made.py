"""Both ends of an RTMP connection with features that no other program here uses: rtmp_made.py server PORT, or client HOST PORT FILM.

Chunk stream ids of two and three octets; interleaved chunks of several messages; a chunk size that changes inside a
message; Abort; messages that start with chunks of type 2 and 3; an aggregate message; shared objects; commands and data in
AMF3; all user control events; all limit types; two message streams; pause, seek, play2 and similar commands.
"""

import socket
import struct
import sys
import time

from rtmp_wire import AUDIO, DATA, HANDSHAKE, NULL, VIDEO, Connection, anonymous_object, flv_tags, key, number, string

USER_CONTROL, SHARED_OBJECT, AMF3_DATA, AMF3_SHARED_OBJECT, AMF3_COMMAND, AGGREGATE = 4, 19, 15, 16, 17, 22


def user_control(event, *values):
    return struct.pack(f"!H{len(values)}I", event, *values)


def shared_object(name, version, *events):
    """The name without a type marker, the version, flags; then each event after its type and length (RTMP 7.1.3)."""
    body = struct.pack("!H", len(name)) + name.encode() + struct.pack("!III", version, 0, 0)
    return body + b"".join(struct.pack("!BI", kind, len(data)) + data for kind, data in events)


def tag(kind, timestamp, payload):
    """An FLV tag, the element of an aggregate message (RTMP 7.1.6)."""
    header = bytes([kind]) + len(payload).to_bytes(3, "big") + (timestamp & 0xFFFFFF).to_bytes(3, "big")
    return header + bytes([timestamp >> 24, 0, 0, 1]) + payload + struct.pack("!I", 11 + len(payload))


def status(level, code, **more):
    return anonymous_object(level=level, code=code, **more)


def server(port):
    listener = socket.create_server(("", port))
    peer = Connection.__new__(Connection)
    peer.socket, _ = listener.accept()
    peer.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    peer.incoming, peer.partial, peer.sent = bytearray(), {}, {}
    peer.chunk_size = {"in": 128, "out": 128}
    c1 = peer.exactly(1 + HANDSHAKE)[1:]
    s1 = struct.pack("!II", 7_000, 0) + bytes(range(250, 2, -1)) * 6 + bytes(40)
    peer.socket.sendall(b"\x03" + s1 + c1)
    peer.exactly(HANDSHAKE)

    peer.await_command("connect")
    peer.send(2, 5, struct.pack("!I", 2500))
    for limit in (0, 1, 2):  # hard, soft, dynamic
        peer.send(2, 6, struct.pack("!IB", 3000 + limit, limit), form=1 if limit else 0)
    peer.send(2, USER_CONTROL, user_control(0, 0))
    peer.command("_result", 1, anonymous_object(fmsVer="made/1", capabilities=31),
                 status("status", "NetConnection.Connect.Success", objectEncoding=3))
    peer.command("onBWDone", 0, NULL, number(8192))
    for stream in (1, 2):
        peer.await_command("createStream")
        peer.command("_result", 1 + stream, NULL, number(stream))
    peer.await_command("publish")
    peer.command("onStatus", 0, NULL, status("status", "NetStream.Publish.Start"), chunk_stream=5, stream=1)
    peer.await_command("play")
    for event in ((4, 2), (0, 2), (31, 2), (32, 2), (6, 123_456), (2, 2)):
        peer.send(2, USER_CONTROL, user_control(*event))
    peer.command("onStatus", 0, NULL, status("status", "NetStream.Play.Reset"), chunk_stream=5, stream=2)
    peer.command("onStatus", 0, NULL, status("status", "NetStream.Play.Start"), chunk_stream=5, stream=2)
    peer.send(65, SHARED_OBJECT, shared_object("scores", 1, (11, b"")))
    peer.send(65, SHARED_OBJECT, shared_object("scores", 2, (4, key("red", number(3)))))
    peer.send(66, AMF3_SHARED_OBJECT, b"\x00" + shared_object("scores", 3, (9, b"\x00\x03red")))
    peer.await_command("pause")
    peer.command("onStatus", 0, NULL, status("status", "NetStream.Pause.Notify"), chunk_stream=5, stream=2)
    peer.await_command("seek")
    peer.command("onStatus", 0, NULL, status("error", "NetStream.Seek.InvalidTime"), chunk_stream=5, stream=2)
    peer.await_command("getStats")
    peer.command("_error", 9, NULL, status("error", "NetConnection.Call.Failed"))
    peer.send(2, 3, struct.pack("!I", 20_000))
    peer.await_command("deleteStream")
    peer.send(2, USER_CONTROL, user_control(1, 2))
    time.sleep(0.1)


def client(host, port, film):
    peer = Connection(host, port)
    peer.handshake()
    peer.command("connect", 1, anonymous_object(app="made", flashVer="MAC 10,0,32,18", objectEncoding=3,
                                                tcUrl=f"rtmp://{host}:{port}/made"))
    peer.await_command("_result")
    peer.send(2, 5, struct.pack("!I", 2500))
    peer.command("createStream", 2, NULL, form=1)
    peer.await_command("_result")
    peer.send(3, 20, string("createStream") + number(3) + NULL, form=3)  # of the same length, type and stream
    peer.await_command("_result")
    peer.command("publish", 4, NULL, string("one"), string("live"), chunk_stream=64, stream=1)
    peer.await_command("onStatus")
    peer.command("play", 5, NULL, string("two"), number(-2), number(-1), b"\x01\x01", chunk_stream=320, stream=2)
    peer.send(2, USER_CONTROL, user_control(3, 2, 500))
    while True:
        _, kind, _, _, payload = peer.message()
        if kind == USER_CONTROL and payload[:2] == b"\x00\x06":
            time.sleep(0.03)
            peer.send(2, USER_CONTROL, user_control(7, 123_456))
        if kind == AMF3_SHARED_OBJECT:
            break

    tags = [entry for entry in flv_tags(film) if entry[0] != DATA]
    for kind, timestamp, payload in tags[:3]:
        peer.send({AUDIO: 4, VIDEO: 6}[kind], kind, payload, timestamp, 1)
    video = next(entry for entry in tags[3:] if entry[0] == VIDEO)
    audio = [entry for entry in tags[3:] if entry[0] == AUDIO]

    # Audio between the chunks of a video message, and a larger chunk size from its middle on.
    pieces = peer.chunks(6, VIDEO, video[2][:1000], 40, 1, form=1)
    peer.socket.sendall(b"".join(pieces[:3]))
    peer.send(4, AUDIO, audio[0][2], 46, 1, form=1)
    peer.set_chunk_size(300)
    rest = video[2][384:1000]
    peer.socket.sendall(b"".join(b"\xc6" + rest[start : start + 300] for start in range(0, len(rest), 300)))
    # Same length: only the delta (type 2), then nothing but the chunk stream (type 3).
    sound = audio[1][2][:80]
    peer.send(4, AUDIO, sound, 92, 1, form=1)
    peer.send(4, AUDIO, sound, 138, 1, form=2)
    peer.send(4, AUDIO, sound, 184, 1, form=3)

    # Started, aborted, and sent completely.
    pieces = peer.chunks(65_599, DATA, string("onCuePoint") + bytes(1000), 184, 1)
    peer.socket.sendall(pieces[0] + pieces[1])
    peer.send(2, 2, struct.pack("!I", 65_599))
    peer.send(65_599, DATA, string("onCuePoint") + anonymous_object(name="after the abort"), 190, 1)
    together = tag(VIDEO, 200, video[2][:200]) + tag(AUDIO, 205, audio[2][2]) + tag(AUDIO, 251, audio[3][2])
    peer.send(6, AGGREGATE, together, 240, 1)

    peer.send(65, SHARED_OBJECT, shared_object("scores", 0, (1, b"")))
    peer.send(65, SHARED_OBJECT, shared_object("scores", 1, (3, key("red", number(3)) + key("blue", string("none")))))
    # In AMF3: one format octet, then AMF0, and AMF3 values after the switch marker (AMF0 3.1).
    peer.send(3, AMF3_COMMAND, b"\x00" + string("setState") + number(6) + NULL + b"\x11\x0a\x0b\x01\x09live\x03\x01")
    peer.send(5, AMF3_DATA, b"\x00" + string("onTextData") + b"\x11\x06\x0bhello", 250, 1)
    for name, *values in [("receiveAudio", b"\x01\x00"), ("receiveVideo", b"\x01\x01"),
                          ("pause", b"\x01\x01", number(1500)), ("seek", number(99_000)),
                          ("play2", anonymous_object(oldStreamName="two", streamName="three", transition="switch"))]:
        peer.command(name, 0, NULL, *values, chunk_stream=8, stream=2)
    peer.command("getStats", 9, NULL, string("all"))
    peer.await_command("_error")
    peer.send(2, 3, struct.pack("!I", 5_000))
    peer.command("closeStream", 0, NULL, chunk_stream=8, stream=1)
    peer.command("deleteStream", 10, NULL, number(2))
    while True:
        _, kind, _, _, payload = peer.message()
        if kind == USER_CONTROL and payload[:2] == b"\x00\x01":
            break
    peer.socket.close()


if sys.argv[1] == "server":
    server(int(sys.argv[2]))
else:
    client(sys.argv[2], int(sys.argv[3]), sys.argv[4])
