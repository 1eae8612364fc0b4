"""Shared by the scripted RTMP clients: AMF0, chunks in both directions, the handshake, FLV tags.

The writer does not validate its input; the reader follows RTMP 1.0 section 5.3.
"""

import socket
import struct
import time

HANDSHAKE = 1536
AUDIO, VIDEO, DATA, COMMAND = 8, 9, 18, 20


def string(text):
    octets = text.encode()
    return struct.pack("!BH", 2, len(octets)) + octets


def number(value):
    return struct.pack("!Bd", 0, value)


NULL = b"\x05"


def key(name, value):
    octets = name.encode()
    return struct.pack("!H", len(octets)) + octets + value


def anonymous_object(**members):
    """An object of strings, numbers, booleans and encoded values."""
    encoded = b""
    for name, value in members.items():
        if isinstance(value, bool):
            value = struct.pack("!BB", 1, value)
        elif isinstance(value, str):
            value = string(value)
        elif isinstance(value, (int, float)):
            value = number(value)
        encoded += key(name, value)
    return b"\x03" + encoded + b"\x00\x00\x09"


def strict_array(*values):
    return struct.pack("!BI", 10, len(values)) + b"".join(values)


class Connection:
    """A TCP connection with RTMP chunks."""

    def __init__(self, host, port=1935):
        self.socket = socket.create_connection((host, port), 10)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.incoming = bytearray()
        self.chunk_size = {"in": 128, "out": 128}
        self.partial = {}  # chunk stream: header and payload of the incomplete incoming message
        self.sent = {}  # chunk stream: timestamp, length, type and stream of the last message sent

    def handshake(self, c1=bytes(8) + bytes(range(256)) * 5 + bytes(range(248))):
        """The simple handshake: C2 is S1 with the time of reading (section 5.2.4)."""
        self.socket.sendall(b"\x03" + c1)
        answer = self.exactly(1 + 2 * HANDSHAKE)
        s1 = answer[1 : 1 + HANDSHAKE]
        self.socket.sendall(s1[:4] + struct.pack("!I", int(time.monotonic() * 1000) & 0xFFFFFFFF) + s1[8:])

    def exactly(self, count):
        while len(self.incoming) < count:
            more = self.socket.recv(65536)
            if not more:
                raise EOFError("the server closed")
            self.incoming += more
        octets = bytes(self.incoming[:count])
        del self.incoming[:count]
        return octets

    # Out

    def basic_header(self, form, chunk_stream):
        if chunk_stream < 64:
            return bytes([form << 6 | chunk_stream])
        if chunk_stream < 320:
            return bytes([form << 6, chunk_stream - 64])
        return struct.pack("<BH", form << 6 | 1, chunk_stream - 64)

    def chunks(self, chunk_stream, kind, payload, timestamp=0, stream=0, form=0, repeat_extended=True):
        """Sends the chunks of a message. `form` is the type of the first: 0 absolute; 1 and 2 have the delta to the
        previous message, 3 nothing. The extended timestamp is repeated in the type-3 chunks that continue the
        message unless `repeat_extended` is false."""
        before = self.sent.get(chunk_stream, (0, 0, 0, 0))
        value = timestamp if form == 0 else timestamp - before[0]
        field = min(value, 0xFFFFFF)
        header = self.basic_header(form, chunk_stream)
        if form <= 2:
            header += field.to_bytes(3, "big")
        if form <= 1:
            header += len(payload).to_bytes(3, "big") + bytes([kind])
        if form == 0:
            header += struct.pack("<I", stream)
        extended = struct.pack("!I", value & 0xFFFFFFFF) if field == 0xFFFFFF else b""
        result = [header + extended + payload[: self.chunk_size["out"]]]
        again = self.basic_header(3, chunk_stream) + (extended if repeat_extended else b"")
        for start in range(self.chunk_size["out"], len(payload), self.chunk_size["out"]):
            result.append(again + payload[start : start + self.chunk_size["out"]])
        self.sent[chunk_stream] = (timestamp, len(payload), kind, stream)
        return result

    def send(self, chunk_stream, kind, payload, timestamp=0, stream=0, form=0, repeat_extended=True):
        self.socket.sendall(
            b"".join(self.chunks(chunk_stream, kind, payload, timestamp, stream, form, repeat_extended))
        )

    def set_chunk_size(self, size):
        self.send(2, 1, struct.pack("!I", size))
        self.chunk_size["out"] = size

    def command(self, name, transaction, *values, chunk_stream=3, stream=0, kind=COMMAND, form=0):
        self.send(chunk_stream, kind, string(name) + number(transaction) + b"".join(values), 0, stream, form)

    # In

    def message(self):
        """Returns the next message: (chunk stream, type, stream, timestamp, payload). Handles Set Chunk Size and Abort."""
        while True:
            first = self.exactly(1)[0]
            form, chunk_stream = first >> 6, first & 63
            if chunk_stream == 0:
                chunk_stream = 64 + self.exactly(1)[0]
            elif chunk_stream == 1:
                chunk_stream = 64 + int.from_bytes(self.exactly(2), "little")
            state = self.partial.setdefault(chunk_stream, {"payload": b"", "timestamp": 0, "field": 0})
            if form <= 2:
                state["field"] = int.from_bytes(self.exactly(3), "big")
            if form <= 1:
                state["length"] = int.from_bytes(self.exactly(3), "big")
                state["kind"] = self.exactly(1)[0]
            if form == 0:
                state["stream"] = int.from_bytes(self.exactly(4), "little")
            value = state["field"]
            if value == 0xFFFFFF:
                value = int.from_bytes(self.exactly(4), "big")
            if not state["payload"]:
                state["timestamp"] = value if form == 0 else state["timestamp"] + value
            missing = state["length"] - len(state["payload"])
            state["payload"] += self.exactly(min(missing, self.chunk_size["in"]))
            if len(state["payload"]) < state["length"]:
                continue
            payload, state["payload"] = state["payload"], b""
            if state["kind"] == 1:
                self.chunk_size["in"] = int.from_bytes(payload, "big")
            elif state["kind"] == 2:
                self.partial[int.from_bytes(payload, "big")]["payload"] = b""
            return chunk_stream, state["kind"], state["stream"], state["timestamp"], payload

    def await_command(self, *names):
        """Reads until one of these commands arrives; returns its payload."""
        while True:
            _, kind, _, _, payload = self.message()
            if kind == COMMAND and any(payload.startswith(string(name)) for name in names):
                return payload


def flv_tags(path):
    """Yields (type, timestamp, payload) of each tag of an FLV file (FLV 10.1, annex E.4.1)."""
    with open(path, "rb") as file:
        file.read(9 + 4)
        while len(header := file.read(11)) == 11:
            length = int.from_bytes(header[1:4], "big")
            timestamp = int.from_bytes(header[4:7], "big") | header[7] << 24
            yield header[0] & 31, timestamp, file.read(length)
            file.read(4)
