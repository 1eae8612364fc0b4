"""Edits what hosts said in a capture, and writes it as a capture again.

A dialogue is a list of items: the opening of a TCP connection, octets on it, its end, or a datagram. TCP headers are
made anew, so that octets can be inserted and removed; sequence numbers, checksums and acknowledgments are right.
Captures must be Ethernet with IPv4.
"""

import dataclasses
import pathlib
import struct

SEGMENT, MTU = 1448, 1500
FIN, SYN, RST, PUSH, ACK = 1, 2, 4, 8, 16


@dataclasses.dataclass
class Item:
    """`act` is `open`, `data`, `fin`, `rst`, `udp` or `raw` (an IP packet); `time` is in seconds."""

    time: float
    act: str
    source: tuple
    destination: tuple
    data: bytes = b""

    @property
    def ends(self):
        return frozenset((self.source, self.destination))


def address(octets):
    return ".".join(str(octet) for octet in octets)


def octets(address):
    return bytes(int(part) for part in address.split("."))


def read(path):
    """Returns the items of a capture in pcap format."""
    data = pathlib.Path(path).read_bytes()
    unit = {b"\xd4\xc3\xb2\xa1": 1e-6, b"\x4d\x3c\xb2\xa1": 1e-9}[data[:4]]
    items, place, expected = [], 24, {}
    while place + 16 <= len(data):
        seconds, fraction, captured, _ = struct.unpack_from("<4I", data, place)
        frame = data[place + 16 : place + 16 + captured]
        place += 16 + captured
        if frame[12:14] != b"\x08\x00":
            continue
        packet = frame[14 : 14 + struct.unpack_from("!H", frame, 16)[0]]
        start = (packet[0] & 15) * 4
        item = Item(
            seconds + fraction * unit, "udp",
            (address(packet[12:16]), struct.unpack_from("!H", packet, start)[0]),
            (address(packet[16:20]), struct.unpack_from("!H", packet, start + 2)[0]),
        )
        if packet[9] == 17:
            item.data = packet[start + 8 :]
            items.append(item)
        elif packet[9] == 6:
            items += segment(item, packet[start:], expected)
        else:
            item.act, item.data = "raw", packet
            items.append(item)
    return items


def segment(item, octets, expected):
    """Returns the items of a TCP segment, without octets sent before."""
    number = struct.unpack_from("!I", octets, 4)[0]
    flags, payload = octets[13], octets[(octets[12] >> 4) * 4 :]
    key = (item.source, item.destination)
    if flags & SYN:
        expected[key] = (number + 1) & 0xFFFFFFFF
        return [] if flags & ACK else [dataclasses.replace(item, act="open")]
    old = (expected.get(key, number) - number) & 0xFFFFFFFF
    fresh = payload[old:] if old < 0x80000000 else payload
    expected[key] = (number + old + len(fresh)) & 0xFFFFFFFF
    items = [dataclasses.replace(item, act="data", data=fresh)] if fresh else []
    if flags & RST:
        items.append(dataclasses.replace(item, act="rst", data=b""))
    elif flags & FIN:
        items.append(dataclasses.replace(item, act="fin", data=b""))
    return items


def checksum(octets):
    total = sum(struct.unpack(f"!{len(octets) // 2}H", octets[: len(octets) // 2 * 2]))
    if len(octets) % 2:
        total += octets[-1] << 8
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


class Writer:
    """Writes items as Ethernet frames."""

    def __init__(self):
        self.frames, self.numbers, self.identification = [], {}, 0

    def ip(self, source, destination, protocol, payload):
        self.identification = (self.identification + 1) & 0xFFFF
        head = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(payload), self.identification, 0x4000, 64, protocol, 0)
        head += octets(source) + octets(destination)
        return head[:10] + struct.pack("!H", checksum(head)) + head[12:] + payload

    def fragments(self, packet):
        """Returns an IP packet, in fragments if it is longer than the MTU."""
        if len(packet) <= MTU:
            return [packet]
        head, body, parts = packet[:20], packet[20:], []
        for start in range(0, len(body), MTU - 20):
            part = body[start : start + MTU - 20]
            more = 0x2000 if start + len(part) < len(body) else 0
            own = head[:2] + struct.pack("!HHH", 20 + len(part), int.from_bytes(head[4:6], "big"), more | start >> 3)
            own += head[8:10] + b"\0\0" + head[12:]
            parts.append(own[:10] + struct.pack("!H", checksum(own)) + own[12:] + part)
        return parts

    def frame(self, time, packet):
        link = b"\x02\x00" + packet[16:20] + b"\x02\x00" + packet[12:16] + b"\x08\x00"
        self.frames.append((time, link + packet))

    def transport(self, time, protocol, source, destination, header, payload, place):
        """Adds a packet; `place` is where the checksum is in its header."""
        pseudo = octets(source[0]) + octets(destination[0])
        pseudo += struct.pack("!BBH", 0, protocol, len(header) + len(payload))
        sum_ = checksum(pseudo + header + payload)
        header = header[:place] + struct.pack("!H", sum_ or 0xFFFF) + header[place + 2 :]
        for packet in self.fragments(self.ip(source[0], destination[0], protocol, header + payload)):
            self.frame(time, packet)

    def tcp(self, time, source, destination, flags, payload=b""):
        own, other = self.numbers[(source, destination)], self.numbers[(destination, source)]
        acknowledged = other if flags & ACK else 0
        header = struct.pack(
            "!HHIIBBHHH", source[1], destination[1], own, acknowledged, 0x50, flags, 64240, 0, 0)
        self.transport(time, 6, source, destination, header, payload, 16)
        used = len(payload) + (1 if flags & (SYN | FIN) else 0)
        self.numbers[(source, destination)] = (own + used) & 0xFFFFFFFF

    def write(self, item):
        time, source, destination = item.time, item.source, item.destination
        if item.act == "raw":
            self.frame(time, item.data)
        elif item.act == "udp":
            header = struct.pack("!HHHH", source[1], destination[1], 8 + len(item.data), 0)
            self.transport(time, 17, source, destination, header, item.data, 6)
        elif item.act == "open":
            seed = source[1] * 65_537 + destination[1]
            self.numbers[(source, destination)] = seed * 40_503 & 0xFFFFFFFF
            self.numbers[(destination, source)] = seed * 69_069 & 0xFFFFFFFF
            self.tcp(time, source, destination, SYN)
            self.tcp(time + 1e-4, destination, source, SYN | ACK)
            self.tcp(time + 2e-4, source, destination, ACK)
        elif item.act == "data":
            for start in range(0, len(item.data), SEGMENT):
                self.tcp(time, source, destination, PUSH | ACK, item.data[start : start + SEGMENT])
            self.tcp(time + 5e-5, destination, source, ACK)
        elif item.act == "fin":
            self.tcp(time, source, destination, FIN | ACK)
            self.tcp(time + 5e-5, destination, source, ACK)
        elif item.act == "rst":
            self.tcp(time, source, destination, RST | ACK)

    def save(self, path):
        parts = [struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262_144, 1)]
        for time, frame in sorted(self.frames, key=lambda entry: entry[0]):
            seconds = int(time)
            parts.append(struct.pack("<4I", seconds, int((time - seconds) * 1e6), len(frame), len(frame)) + frame)
        pathlib.Path(path).parent.mkdir(parents=True, exist_ok=True)
        pathlib.Path(path).write_bytes(b"".join(parts))


def write(path, items):
    """Writes items as a capture, in the order of their times."""
    writer = Writer()
    for item in sorted(items, key=lambda item: item.time):
        writer.write(item)
    writer.save(path)


def unreachable(item, time):
    """The ICMP port unreachable that the host of `item`'s destination answers with."""
    quoted = Writer().ip(item.source[0], item.destination[0], 17, struct.pack(
        "!HHHH", item.source[1], item.destination[1], 8 + len(item.data), 0) + item.data[:20])
    icmp = b"\x03\x03\x00\x00\x00\x00\x00\x00" + quoted
    icmp = icmp[:2] + struct.pack("!H", checksum(icmp)) + icmp[4:]
    packet = Writer().ip(item.destination[0], item.source[0], 1, icmp)
    return Item(time, "raw", (item.destination[0], 0), (item.source[0], 0), packet)


def messages(items, is_start):
    """Cuts the octets of TCP connections where messages begin; each has the time of its last octets."""
    rest, cut = {}, []
    for item in items:
        if item.act != "data":
            cut.append(item)
            continue
        key = (item.source, item.destination)
        waiting = rest.get(key, b"") + item.data
        while waiting:
            length = is_start(waiting)
            if not length or length > len(waiting):
                break
            cut.append(dataclasses.replace(item, data=waiting[:length]))
            waiting = waiting[length:]
        rest[key] = waiting
    return cut


def rtsp(octets):
    """The length of the RTSP message or interleaved frame at the start, or 0 if it is not complete."""
    if octets[:1] == b"$":
        return 4 + struct.unpack_from("!H", octets, 2)[0] if len(octets) >= 4 else 0
    end = octets.find(b"\r\n\r\n")
    if end < 0:
        return 0
    body = 0
    for line in octets[:end].split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            body = int(value)
    return end + 4 + body


http = rtsp


def with_body(message, change):
    """Changes the body of an RTSP or HTTP message, and its Content-Length."""
    head, _, body = message.partition(b"\r\n\r\n")
    body = change(body)
    lines = [
        b"Content-Length: %d" % len(body) if line.lower().startswith(b"content-length:") else line
        for line in head.split(b"\r\n")
    ]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body
