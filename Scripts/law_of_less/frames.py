"""Reads and writes the frames of a capture."""
import collections
import struct

Frame = collections.namedtuple("Frame", "origin time octets length")
"""`origin` is the number in the capture it comes from, `time` nanoseconds, `length` octets on the wire."""

LINK_HEADERS = {1: 14, 113: 16, 276: 20, 101: 0, 12: 0, 0: 4}
"""Octets before the IP header, by link type."""


def read(path):
    """Returns the link type and the frames of a plain pcap file, or None for other formats."""
    data = path.read_bytes()
    if len(data) < 24:
        return None
    order = {b"\xd4\xc3\xb2\xa1": ("<", 1000), b"\x4d\x3c\xb2\xa1": ("<", 1), b"\xa1\xb2\xc3\xd4": (">", 1000),
             b"\xa1\xb2\x3c\x4d": (">", 1)}.get(data[:4])
    if not order:
        return None
    endian, unit = order
    link = struct.unpack_from(endian + "I", data, 20)[0] & 0xFFFF
    frames, place = [], 24
    while place + 16 <= len(data):
        seconds, fraction, captured, length = struct.unpack_from(endian + "4I", data, place)
        octets = data[place + 16:place + 16 + captured]
        if len(octets) < captured:
            break
        frames.append(Frame(len(frames) + 1, seconds * 10 ** 9 + fraction * unit, octets, length))
        place += 16 + captured
    return link, frames


def write(path, link, frames):
    """Writes a pcap file with nanosecond timestamps."""
    parts = [struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 262144, link)]
    for frame in frames:
        seconds, fraction = divmod(frame.time, 10 ** 9)
        parts.append(struct.pack("<4I", seconds, fraction, len(frame.octets), frame.length))
        parts.append(frame.octets)
    path.write_bytes(b"".join(parts))


class Packet:
    """Transport, addresses and payload of a frame.

    A fragment of a datagram has only its hosts.
    """

    def __init__(self, frame, link):
        self.transport = self.source = self.destination = self.host = None
        self.start = 0
        self.flags, self.payload = 0, b""
        octets, start = frame.octets, LINK_HEADERS.get(link)
        if start is None or len(octets) < start + 20:
            return
        if link == 1 and octets[12:14] == b"\x81\x00":
            start += 4
        version = octets[start] >> 4
        if version == 4:
            transport = start + (octets[start] & 15) * 4
            number, addresses = octets[start + 9], (octets[start + 12:start + 16], octets[start + 16:start + 20])
            end = start + int.from_bytes(octets[start + 2:start + 4], "big")
            self.host, self.start = addresses[0], start
            if int.from_bytes(octets[start + 6:start + 8], "big") & 0x3FFF:
                return
        elif version == 6:
            transport, number = start + 40, octets[start + 6]
            addresses = (octets[start + 8:start + 24], octets[start + 24:start + 40])
            self.host, self.start = addresses[0], start
            end = transport + int.from_bytes(octets[start + 4:start + 6], "big")
        else:
            return
        if number not in (6, 17) or len(octets) < transport + 8:
            return
        self.transport = "tcp" if number == 6 else "udp"
        self.source = (addresses[0], octets[transport:transport + 2])
        self.destination = (addresses[1], octets[transport + 2:transport + 4])
        header = 8
        if number == 6:
            if len(octets) < transport + 20:
                return
            header, self.flags = (octets[transport + 12] >> 4) * 4, octets[transport + 13]
        self.payload = octets[transport + header:end]

    @property
    def flow(self):
        """The key of both directions of a conversation, or None without ports."""
        return frozenset((self.source, self.destination)) if self.transport else None
