"""A faulty link: forwards Ethernet frames between two interfaces and drops, delays or duplicates selected ones.

Candidates are RTP packets in UDP from the right side to the left (--mode udp) or TCP segments with payload in that
direction (--mode tcp), selected by a seeded generator. Every action is a line of JSON in the log; the last line
counts forwarded packets. "frame" counts the candidates in order of arrival, from 1.

A delayed packet is held until --behind later ones of its stream have passed (or for --hold seconds), so it arrives
out of order; "overtakenBy" is their number. A duplicate follows its original by some milliseconds with
another IP identification, so that it is not mistaken for a capture duplicate.
"""

import argparse
import json
import random
import select
import signal
import socket
import struct
import sys
import time

PACKET_OUTGOING = 4
ETHERNET = 14


def checksum(header):
    total = sum(struct.unpack(f"!{len(header) // 2}H", header))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def describe(frame, mode, rtx=None):
    """Returns the log entry of a candidate packet, or None for all others."""
    if len(frame) < ETHERNET + 20 or frame[12:14] != b"\x08\x00" or frame[ETHERNET] >> 4 != 4:
        return None
    length = (frame[ETHERNET] & 15) * 4
    total = struct.unpack_from("!H", frame, ETHERNET + 2)[0]
    identification = struct.unpack_from("!H", frame, ETHERNET + 4)[0]
    protocol = frame[ETHERNET + 9]
    packet = frame[ETHERNET + length : ETHERNET + total]
    if mode == "udp" and protocol == 17 and len(packet) >= 20:
        _, to, _, _, first, second, sequence, timestamp, ssrc = struct.unpack_from("!HHHHBBHII", packet)
        if first >> 6 != 2 or 192 <= second <= 223:  # RTCP (RFC 5761 section 4)
            return None
        about = {
            "destinationPort": to,
            "ssrc": f"0x{ssrc:08x}",
            "payloadType": second & 0x7F,
            "sequence": sequence,
            "timestamp": timestamp,
            "ipIdentification": identification,
        }
        if rtx is not None and second & 0x7F == rtx and len(packet) >= 22:
            about["original"] = struct.unpack_from("!H", packet, 20)[0]
        return about
    if mode == "tcp" and protocol == 6 and len(packet) >= 20:
        source, to, sequence = struct.unpack_from("!HHI", packet)
        payload = len(packet) - (packet[12] >> 4) * 4
        if payload <= 0 or packet[13] & 7:  # FIN, SYN, RST
            return None
        return {
            "sourcePort": source,
            "destinationPort": to,
            "sequence": sequence,
            "length": payload,
            "ipIdentification": identification,
        }
    return None


def doubled(frame):
    """Returns the packet with another IP identification."""
    copy = bytearray(frame)
    length = (copy[ETHERNET] & 15) * 4
    copy[ETHERNET + 4] ^= 0x80
    copy[ETHERNET + 10 : ETHERNET + 12] = b"\0\0"
    copy[ETHERNET + 10 : ETHERNET + 12] = checksum(bytes(copy[ETHERNET : ETHERNET + length])).to_bytes(2, "big")
    return bytes(copy)


class Relay:
    def __init__(self, options):
        self.options = options
        self.random = random.Random(options.seed)
        self.lines = []
        self.seen = 0
        self.passed = {}  # stream: packets forwarded
        self.streams = {}  # SSRC: packets sent
        self.held = []
        self.counts = {"seen": 0, "dropped": 0, "delayed": 0, "doubled": 0}
        self.left = self.open(options.left)
        self.right = self.open(options.right)

    @staticmethod
    def open(interface):
        port = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
        port.bind((interface, 0))
        # Frames are addressed to the other host: PACKET_MR_PROMISC on SOL_PACKET.
        index = socket.if_nametoindex(interface)
        port.setsockopt(263, 1, struct.pack("IHH8s", index, 1, 0, b""))
        return port

    def note(self, action, about):
        self.counts[action] += 1
        line = {"action": action, "frame": self.seen, **about}
        self.lines.append(line)
        return line

    def from_right(self, frame):
        about = describe(frame, self.options.mode, self.options.rtx)
        if about is None:
            self.left.send(frame)
            return
        self.seen += 1
        stream = about.get("ssrc", about["destinationPort"])
        if "ssrc" in about:
            sent = self.streams.setdefault(stream, {"sent": 0, "firstSequence": about["sequence"]})
            sent["sent"] += 1
            sent["lastSequence"] = about["sequence"]
        chance = self.random.random()  # one draw per packet: the same seed selects the same packets
        odds = self.options
        if self.seen <= odds.skip or chance >= odds.drop + odds.delay + odds.double:
            if "original" in about:
                self.lines.append({"action": "resent", "frame": self.seen, **about})
            self.forward(frame, stream)
        elif chance < odds.drop:
            self.note("dropped", about)
        elif chance < odds.drop + odds.delay:
            self.hold(frame, stream, odds.hold, self.note("delayed", about))
        else:
            self.note("doubled", about)
            self.forward(frame, stream)
            self.hold(doubled(frame), stream, 0.004, None)

    def hold(self, frame, stream, seconds, line):
        passed = self.passed.get(stream, 0)
        self.held.append(
            {"frame": frame, "stream": stream, "from": passed, "until": time.monotonic() + seconds, "line": line}
        )

    def forward(self, frame, stream):
        self.left.send(frame)
        self.passed[stream] = self.passed.get(stream, 0) + 1
        self.release()

    def release(self):
        now = time.monotonic()
        waiting = []
        for entry in self.held:
            overtaken = self.passed.get(entry["stream"], 0) - entry["from"]
            line = entry["line"]
            if entry["until"] > now and (line is None or overtaken < self.options.behind):
                waiting.append(entry)
                continue
            self.left.send(entry["frame"])
            if line is not None:
                line["overtakenBy"] = overtaken
        self.held = waiting

    def run(self):
        while True:
            ready, _, _ = select.select([self.left, self.right], [], [], 0.002 if self.held else 1)
            for port in ready:
                frame, address = port.recvfrom(65535)
                if address[2] == PACKET_OUTGOING:
                    continue
                if port is self.left:
                    self.right.send(frame)
                else:
                    self.from_right(frame)
            self.release()

    def close(self):
        self.counts["seen"] = self.seen
        summary = {"action": "summary", "seed": self.options.seed, **self.counts}
        if self.streams:
            summary["streams"] = self.streams
        with open(self.options.log, "w") as log:
            log.writelines(json.dumps(line) + "\n" for line in [*self.lines, summary])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("left", help="interface towards the receiver")
    parser.add_argument("right", help="interface towards the sender")
    parser.add_argument("--mode", choices=["udp", "tcp"], required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--drop", type=float, default=0.0)
    parser.add_argument("--delay", type=float, default=0.0)
    parser.add_argument("--double", type=float, default=0.0)
    parser.add_argument("--behind", type=int, default=2)
    parser.add_argument("--hold", type=float, default=0.08, help="maximum delay of a packet in seconds")
    parser.add_argument("--skip", type=int, default=0, help="number of first packets without faults")
    parser.add_argument("--rtx", type=int, help="payload type of retransmissions (RFC 4588), logged as resent when forwarded")
    parser.add_argument("--log", required=True)
    relay = Relay(parser.parse_args())
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    print("relaying", flush=True)
    try:
        relay.run()
    finally:
        relay.close()


main()
