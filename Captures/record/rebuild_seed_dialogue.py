"""Rebuilds the packets of the RTSP dialogue logged in an article about an iOS client.

The article (音视频开发——流媒体数据传输RTSP（二）, 2016) contains the client's code and a log of 2016-08-10 13:41:02 +0800. The
requests are those of the code; the responses are from the log, with CRLF and with blanks at two line ends,
without which the SDP body would not have the 508 octets of Content-Length. Times are those of the log, in
milliseconds.

Added to the log: the TCP handshake and acknowledgments, then RTP from 30040 to 12849,
starting as in RTP-Info, and sender reports to 12850. The client opened no socket there, so each is
answered by an ICMP port unreachable. The NAL units have valid types, FU-A headers and slice headers for the
SDP's parameter sets (15 frames a second, a key frame every two seconds); the coded macroblocks after them are
noise. The client's code sends nothing after PLAY.

Usage: rebuild_seed_dialogue.py OUTPUT.pcap
"""

import base64
import random
import struct
import sys

from scapy.all import ICMP, IP, TCP, UDP, Ether, Raw, wrpcap

CLIENT, SERVER = "192.168.0.110", "192.168.0.102"
CLIENT_MAC, SERVER_MAC = "02:00:c0:a8:00:6e", "02:00:c0:a8:00:66"
CLIENT_PORT, SERVER_PORT = 51834, 554
RTP_FROM, RTP_TO = 30040, 12849
MIDNIGHT = 1470758400  # 2016-08-10 00:00:00 +0800
NOON_SECOND = MIDNIGHT + 13 * 3600 + 41 * 60 + 2
SSRC = 0x2F6A81C3
FIRST_SEQUENCE, FIRST_TIMESTAMP = 18553, 3987283666
FRAME_RATE, CLOCK = 15, 90000

URL = "rtsp://192.168.0.102:554/live.264"

REQUESTS = [
    [f"OPTIONS {URL} RTSP/1.0", "CSeq: 1"],
    [f"DESCRIBE {URL} RTSP/1.0", "Accept: application/sdp", "CSeq: 2"],
    [
        f"SETUP {URL}/track1 RTSP/1.0",
        "Transport: RTP/AVP/UDP;unicast;client_port=12849-12850",
        "x-Dynamic-Rate: 0",
        "CSeq: 3",
    ],
    [f"PLAY {URL} RTSP/1.0", "Range: npt=0.000-", "CSeq: 4"],
]

DESCRIPTION = [
    "v=0",
    "o=- 1773926623 1 IN IP4 ",  # the blank is on the wire: see above
    "s=Session Streamed by LIBZRTSP",
    "i=live.264",
    "t=0 0",
    "a=tool:LIBZRTSPD v1/0.3",
    "a=type:broadcast",
    "a=control:*",
    "a=range:npt=0-",
    "a=x-qt-text-nam:Session Streamed by LIBZRTSP",
    "a=x-qt-text-inf:live.264",
    "m=video 0 RTP/AVP 96",
    "c=IN IP4 ",  # and this one
    "b=AS:0",
    "a=rtpmap:96 H264/90000",
    "a=fmtp:96 packetization-mode=1;profile-level-id=4D001E;"
    "sprop-parameter-sets=Z00AHpWoLQ9oQAAA+gAAHUwB,aO48gA==",
    "a=control:track1",
    "m=audio 0 RTP/AVP 0",
    "c=IN IP4 0.0.0.0",
    "b=AS:64",
    "a=rtpmap:0 PCMU/8000",
    "a=control:track2",
]

DATE = "Date: Wed, Aug 10 2016 05:41:03 GMT"
RESPONSES = [
    [
        "RTSP/1.0 200 OK",
        "CSeq: 1",
        DATE,
        "Public: OPTIONS, DESCRIBE, SETUP, PLAY, PAUSE, TEARDOWN, GET_PARAMETER, SET_PARAMETER",
    ],
    [
        "RTSP/1.0 200 OK",
        "CSeq: 2",
        "Content-Length: 508",
        "Content-Base: rtsp://192.168.0.102:554/live.264/",
        "Content-Type: application/sdp",
        DATE,
        "x-Accept-Dynamic-Rate: 1",
    ],
    [
        "RTSP/1.0 200 OK",
        "CSeq: 3",
        DATE,
        "Session: 63A3E5E6;timeout=60",
        "Transport: RTP/AVP/UDP;unicast;destination=192.168.0.110;source=192.168.0.102;"
        "client_port=12849-12850;server_port=30040-30041;mode=PLAY;",
        "x-Dynamic-Rate: 1",
    ],
    [
        "RTSP/1.0 200 OK",
        "CSeq: 4",
        DATE,
        "Range: npt=0.000-",
        "Session: 63A3E5E6",
        "RTP-Info: url=rtsp://192.168.0.102:554/live.264/track1;seq=18553;rtptime=3987283666,"
        "url=rtsp://192.168.0.102:554/live.264/track2;seq=0;rtptime=0",
    ],
]

# Seconds after 13:41 of each request and response, from the log.
LOGGED = [(0.6970, 0.7080), (0.7080, 0.7280), (0.7290, 0.7380), (0.7430, 0.7480)]
CONNECTED = 0.6960


def message(lines, body=b""):
    return "".join(line + "\r\n" for line in lines).encode() + b"\r\n" + body


class Capture:
    """Frames in time order, with an IP identification counter per host."""

    def __init__(self):
        self.frames = []
        self.identification = {CLIENT: 0x3A10, SERVER: 0x0000}

    def add(self, second, source, layer, **ip):
        to_server = source == CLIENT
        target = SERVER if to_server else CLIENT
        self.identification[source] = (self.identification[source] + 1) & 0xFFFF
        frame = (
            Ether(src=CLIENT_MAC if to_server else SERVER_MAC, dst=SERVER_MAC if to_server else CLIENT_MAC)
            / IP(src=source, dst=target, ttl=64, id=self.identification[source], **ip)
            / layer
        )
        frame = Ether(bytes(frame))  # checksums are filled in here
        frame.time = NOON_SECOND + second
        self.frames.append(frame)
        return frame

    def write(self, path):
        wrpcap(path, sorted(self.frames, key=lambda frame: float(frame.time)))


class Connection:
    def __init__(self, capture):
        self.capture = capture
        self.next = {CLIENT: 0x1E4D90A2, SERVER: 0x6B0733F5}
        self.clock = {CLIENT: 711204333, SERVER: 88021}  # milliseconds and 10 ms ticks, as on these two systems
        self.stamp = {CLIENT: 0, SERVER: 0}

    def send(self, second, source, flags, payload=b"", options=()):
        other = SERVER if source == CLIENT else CLIENT
        tick = int((second - 0.69) * (1000 if source == CLIENT else 100))
        self.stamp[source] = self.clock[source] + tick
        stamps = ("Timestamp", (self.stamp[source], self.stamp[other]))
        tcp = TCP(
            sport=CLIENT_PORT if source == CLIENT else SERVER_PORT,
            dport=SERVER_PORT if source == CLIENT else CLIENT_PORT,
            seq=self.next[source],
            ack=self.next[other] if "A" in flags else 0,
            flags=flags,
            window=65535 if "S" in flags and source == CLIENT else 4117 if source == CLIENT else 2896,
            options=[*options, stamps] if options else [("NOP", None), ("NOP", None), stamps],
        )
        self.capture.add(second, source, tcp / Raw(payload) if payload else tcp, flags="DF")
        self.next[source] = (self.next[source] + len(payload) + ("S" in flags)) & 0xFFFFFFFF

    def dialogue(self):
        syn = [("MSS", 1460), ("NOP", None), ("WScale", 5), ("NOP", None), ("NOP", None), ("SAckOK", b"")]
        self.send(CONNECTED - 0.0031, CLIENT, "S", options=syn)
        answer = [("MSS", 1460), ("SAckOK", b""), ("NOP", None), ("WScale", 1)]
        self.send(CONNECTED - 0.0006, SERVER, "SA", options=answer)
        self.send(CONNECTED - 0.0005, CLIENT, "A")
        body = message(DESCRIPTION)[:-2]
        assert len(body) == 508, len(body)
        for number, (written, read) in enumerate(LOGGED):
            request = message(REQUESTS[number])
            response = message(RESPONSES[number], body if number == 1 else b"")
            self.send(written + 0.0002, CLIENT, "PA", request)
            self.send(written + 0.0019, SERVER, "A")
            self.send(read - 0.0006, SERVER, "PA", response)
            self.send(read - 0.0005, CLIENT, "A")


def bits(text):
    text = text.replace(" ", "")
    text += "1" * (-len(text) % 8)
    return int(text, 2).to_bytes(len(text) // 8, "big")


def slice_unit(key, frame_number, size, noise):
    """A slice header for the SDP's SPS (8-bit frame_num, POC type 2) and PPS, then noise."""
    number = format(frame_number & 0xFF, "08b")
    if key:  # first_mb 0, slice_type 7, pps 0, frame_num, idr_pic_id 0, no prior pictures, no long term
        header = b"\x65" + bits("1 0001000 1" + number + "1 0 0")
    else:  # first_mb 0, slice_type 5, pps 0, frame_num, no override, no reordering, no marking
        header = b"\x41" + bits("1 00110 1" + number + "0 0 0")
    return header + bytes(noise.randrange(4, 256) for _ in range(size))  # no zeros, so that no start code can appear


def payloads(units, limit=1400):
    """RFC 6184 payloads for the NAL units of one access unit."""
    for unit in units:
        if len(unit) <= limit:
            yield unit
            continue
        indicator, kind, rest = (unit[0] & 0xE0) | 28, unit[0] & 0x1F, unit[1:]
        pieces = [rest[at : at + limit - 2] for at in range(0, len(rest), limit - 2)]
        for index, piece in enumerate(pieces):
            edge = (0x80 if index == 0 else 0) | (0x40 if index == len(pieces) - 1 else 0)
            yield bytes([indicator, edge | kind]) + piece


def media(capture, begin, seconds):
    noise = random.Random(2016)
    parameter_sets = [base64.b64decode(text) for text in ("Z00AHpWoLQ9oQAAA+gAAHUwB", "aO48gA==")]
    sequence, packets, octets, report_at = FIRST_SEQUENCE, 0, 0, 1.2
    for frame in range(int(seconds * FRAME_RATE)):
        elapsed = frame / FRAME_RATE
        at = begin + elapsed + noise.uniform(0, 0.003)
        timestamp = (FIRST_TIMESTAMP + frame * CLOCK // FRAME_RATE) & 0xFFFFFFFF
        key = frame % (2 * FRAME_RATE) == 0
        if key:
            units = [*parameter_sets, slice_unit(True, 0, noise.randrange(3200, 3900), noise)]
        else:
            units = [slice_unit(False, frame % (2 * FRAME_RATE), noise.randrange(280, 760), noise)]
        pieces = list(payloads(units))
        for index, piece in enumerate(pieces):
            marker = 0x80 if index == len(pieces) - 1 else 0
            header = struct.pack("!BBHII", 0x80, marker | 96, sequence, timestamp, SSRC)
            datagram = UDP(sport=RTP_FROM, dport=RTP_TO) / Raw(header + piece)
            capture.add(at + index * 0.00025, SERVER, datagram, flags="DF")
            sequence = (sequence + 1) & 0xFFFF
            packets += 1
            octets += len(piece)
        if elapsed >= report_at:
            report_at += 2.5
            sender_report(capture, at + 0.004, timestamp, packets, octets)


def sender_report(capture, second, timestamp, packets, octets):
    now = NOON_SECOND + second + 0.4 + 2208988800  # the camera's clock is 0.4 s ahead
    ntp = (int(now), int((now % 1) * 2**32) & 0xFFFFFFFF)
    stamp = (timestamp + int(0.004 * CLOCK)) & 0xFFFFFFFF
    report = struct.pack("!BBHIIIIII", 0x80, 200, 6, SSRC, *ntp, stamp, packets, octets)
    name = b"LIBZRTSP"
    items = struct.pack("!IBB", SSRC, 1, len(name)) + name
    items += bytes(4 - len(items) % 4)
    report += struct.pack("!BBH", 0x81, 202, len(items) // 4) + items
    sent = capture.add(second, SERVER, UDP(sport=RTP_FROM + 1, dport=RTP_TO + 1) / Raw(report), flags="DF")
    quoted = bytes(sent[IP])[:28]  # the IP header and 64 bits (RFC 792)
    capture.add(second + 0.0008, CLIENT, ICMP(type=3, code=3) / Raw(quoted))


def main():
    capture = Capture()
    Connection(capture).dialogue()
    media(capture, LOGGED[-1][1] + 0.006, 6.4)
    capture.write(sys.argv[1])


main()
