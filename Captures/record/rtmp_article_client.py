"""The RTMP publishers of two articles, rebuilt from the articles' code including its faults.

    rtmp_article_client.py handshake URL              the first article: only the handshake
    rtmp_article_client.py publish URL [FILM.flv]     the second: publishes; FILM is sent as soon as the client
                                                      assumes permission

Method names and the order of writes are the articles'. Added: a read returns up to 4096 available octets
(--wait simulates a busy run loop), and the server's responses are found by parsing its chunks. Sending media is
added, too; FILM's tags are sent with the articles' `sendBuffer`.
"""

import argparse
import ctypes
import select
import socket
import struct
import sys
import time

from rtmp_wire import AUDIO, DATA, NULL, VIDEO, Connection, anonymous_object, flv_tags, number, string

SIGNATURE = 1536
STREAM_INVOKE, STREAM_AUDIO = 3, 4  # SGStreamIDInvoke, SGStreamIDAudio
INVOKE, NOTIFY = 20, 18  # SGMSGTypeID_INVOKE, SGMSGTypeID_NOTIFY

CONNECTED, HANDSHAKE_0, HANDSHAKE_1, HANDSHAKE_2, COMPLETE, FC_PUBLISH, READY = 1, 2, 3, 4, 5, 6, 7

library = ctypes.CDLL(None)
library.malloc.restype = ctypes.c_void_p
library.malloc.argtypes = [ctypes.c_size_t]
library.free.argtypes = [ctypes.c_void_p]


def uninitialised(count):
    """`malloc`, `memset(c1Bytes, 0, 4 + 4)`, a copy, `free`: the rest is previous heap content."""
    block = library.malloc(count)
    ctypes.memset(block, 0, 4 + 4)
    copy = ctypes.string_at(block, count)
    library.free(block)
    return copy


def log(text):
    """NSLog: the text is formatted in memory that is freed afterwards."""
    line = f"2016-08-02 22:23:15.886 SGRtmpPublisher[650:225659] {text}\n".encode()
    block = library.malloc(SIGNATURE)
    ctypes.memmove(block, line, len(line))
    library.free(block)
    print(text, flush=True)


class Session:
    def __init__(self, url, publishes, wait):
        self.scheme, _, rest = url.partition("://")
        self.host, _, path = rest.partition("/")
        self.host, _, port = self.host.partition(":")
        self.port = int(port or 0)
        self.app = path.split("/")[0]
        self.play_path = path.split("/")[-1].split(":")[0]
        self.publishes = publishes
        self.wait = wait
        self.handshake = None  # not created before the first assignment: octets appended until then are lost
        self.numOfInvokes = 0
        self.tracked = {}
        self.preChunk = {}
        self.streamID = 0
        self.outChunkSize = 128
        self.closed = False

    def connect(self):
        log(f"scheme:{self.scheme} host:{self.host} app:{self.app} playPath:{self.play_path} port:{self.port}")
        self.socket = socket.create_connection((self.host, self.port or 1935), 10)
        self.parser = Connection.__new__(Connection)
        self.parser.incoming, self.parser.partial = bytearray(), {}
        self.parser.chunk_size = {"in": 128, "out": 128}
        self.parser.exactly = self.take
        self.set_status(CONNECTED)
        self.handshake0()

    def set_status(self, status):
        self.status = status
        log(f"rtmpStatus-----{status}")

    def write(self, data):
        self.socket.sendall(data)

    # The handshake

    def handshake0(self):
        self.set_status(HANDSHAKE_0)
        self.write(b"\x03")
        self.handshake1_of_second_article() if self.publishes else self.write(uninitialised(SIGNATURE))

    def handshake1_of_second_article(self):
        """Named handshake1 in the article, and called again instead of sending C2: handshake2, which would send C2, is
        never called."""
        self.write(uninitialised(SIGNATURE))

    def handshake1_of_first_article(self):
        self.set_status(HANDSHAKE_2)
        s1 = self.handshake[:SIGNATURE]
        self.write(s1[:4] + bytes(4) + s1[8:])  # memset(s1Bytes + 4, 0, 4)

    def did_receive_data(self, data):
        if self.status < COMPLETE and self.handshake is not None:
            self.handshake += data
        log(f"{len(data)}")
        if self.status == HANDSHAKE_0:
            if data[0] != 3:
                return
            self.set_status(HANDSHAKE_1)
            if len(data) == 1:
                return
            data = data[1:]
            self.handshake = data
        if self.status == HANDSHAKE_1:
            if len(self.handshake) < SIGNATURE:
                return
            if self.publishes:
                self.handshake1_of_second_article()
            else:
                self.handshake1_of_first_article()
            rest = self.handshake[SIGNATURE:]
            self.handshake = rest
            if not rest:
                return
        elif self.status != HANDSHAKE_2:
            self.parse(data)
            return
        # The case of S2. In the second article it is reached only by falling through from the previous one.
        if len(data) >= SIGNATURE:
            log("handshake complete")
            self.set_status(COMPLETE)
            if self.publishes:
                self.sendConnectPacket()

    # Commands (the second article)

    def invoke(self, name, *values, stream=STREAM_INVOKE, kind=INVOKE):
        self.numOfInvokes += 1
        self.tracked[self.numOfInvokes] = name
        self.sendBuffer(string(name) + number(self.numOfInvokes) + b"".join(values), stream, kind)

    def sendConnectPacket(self):
        url = f"{self.scheme}://{self.host}:{self.port}/{self.app}" if self.port else \
            f"{self.scheme}://{self.host}/{self.app}"
        self.invoke("connect", anonymous_object(app=self.app, type="nonprivate", tcUrl=url, fpad=False,
                                                capabilities=15.0, audioCodecs=10.0, videoCodecs=7.0,
                                                videoFunction=1.0))

    def answered(self, transaction, payload):
        command = self.tracked.get(transaction)
        if command == "connect":
            self.invoke("releaseStream", NULL, string(self.play_path), kind=NOTIFY)
            self.invoke("FCPublish", NULL, string(self.play_path), kind=NOTIFY)
            self.invoke("createStream", NULL)
        elif command == "createStream":
            if payload[10] or payload[19] != 5 or payload[20]:
                log("RTMP: Unexpected reply on connect()")
            else:
                self.streamID = int(struct.unpack_from("!d", payload, 21)[0])
            self.invoke("publish", NULL, string(self.play_path), string("live"), stream=STREAM_AUDIO)
            self.set_status(READY)

    def sendBuffer(self, data, stream, kind, timestamp=0):
        before = self.preChunk.get(stream)
        if before is None:
            chunk = bytes([stream & 0x1F]) + be24(timestamp) + be24(len(data)) + bytes([kind])
            chunk += struct.pack("<I", self.streamID)
        else:
            chunk = bytes([0x40 | stream & 0x1F]) + be24(timestamp - before) + be24(len(data)) + bytes([kind])
        self.preChunk[stream] = timestamp
        step = min(len(data), self.outChunkSize)
        chunk += data[:step]
        for start in range(step, len(data), self.outChunkSize):
            chunk += bytes([0xC0 | stream & 0x1F]) + data[start : start + self.outChunkSize]
        self.write(chunk)

    # Not in the articles

    def take(self, count):
        if len(self.parser.incoming) < count:
            raise BlockingIOError
        octets = bytes(self.parser.incoming[:count])
        del self.parser.incoming[:count]
        return octets

    def parse(self, data):
        self.parser.incoming += data
        while True:
            kept, states = bytes(self.parser.incoming), {k: dict(v) for k, v in self.parser.partial.items()}
            try:
                _, kind, _, _, payload = self.parser.message()
            except BlockingIOError:
                self.parser.incoming, self.parser.partial = bytearray(kept), states
                return
            if kind == INVOKE:
                length = struct.unpack_from("!H", payload, 1)[0]
                name = payload[3 : 3 + length].decode()
                log(f"command: {name}")
                if name == "_result":
                    self.answered(int(struct.unpack_from("!d", payload, 4 + length)[0]), payload)

    def run(self, seconds, until=lambda: False):
        end = time.monotonic() + seconds
        while not self.closed and not until() and (left := end - time.monotonic()) > 0:
            if not select.select([self.socket], [], [], left)[0]:
                return
            time.sleep(self.wait)
            data = self.socket.recv(4096)
            self.closed = not data
            if data:
                self.did_receive_data(data)


def be24(value):
    return (value & 0xFFFFFF).to_bytes(3, "big")


def send_film(session, path):
    """Sends real tags in real time, on the chunk streams of the second article."""
    start = None
    for kind, timestamp, payload in flv_tags(path):
        if start is None:
            start = time.monotonic() - timestamp / 1000
        session.run(start + timestamp / 1000 - time.monotonic())
        if session.closed:
            return
        if kind == DATA:
            payload = string("@setDataFrame") + payload
        if kind in (AUDIO, VIDEO, DATA):
            session.sendBuffer(payload, STREAM_AUDIO, kind, timestamp)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("article", choices=["handshake", "publish"])
    parser.add_argument("url")
    parser.add_argument("film", nargs="?")
    parser.add_argument("--wait", type=float, default=0, help="seconds between arrival and reading of octets")
    parser.add_argument("--seconds", type=float, default=2, help="duration")
    options = parser.parse_args()
    session = Session(options.url, options.article == "publish", options.wait)
    session.connect()
    if options.film:
        session.run(5, lambda: session.status == READY)
        if session.status != READY:
            sys.exit("not ready")
        send_film(session, options.film)
    session.run(options.seconds)
    session.socket.close()
    print(f"status {session.status}")


main()
