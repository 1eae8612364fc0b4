"""Makes a capture of another place: copies a pcap (Ethernet, IPv4, microseconds) as a host behind a router with address
translation and with another clock would have captured it.

The times are moved by --ahead seconds and drift by --drift parts per million. 10.77.0.2 becomes 198.51.100.7, its UDP
ports move by 10000, and the maximum segment size of SYNs is clamped to 1400. The time to live is one less in packets of
10.77.0.2, and one more in packets to it, which pass the router later. Checksums are corrected.
"""

import argparse
import struct

OLD, NEW = bytes([10, 77, 0, 2]), bytes([198, 51, 100, 7])


def checksum(octets):
    if len(octets) % 2:
        octets += b"\0"
    total = sum(struct.unpack(f"!{len(octets) // 2}H", octets))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def clamped(segment):
    """Clamps the maximum segment size option of a SYN."""
    place, end = 20, (segment[12] >> 4) * 4
    while segment[13] & 2 and place < end and segment[place]:
        if segment[place] == 1:
            place += 1
            continue
        if segment[place] == 2:
            segment[place + 2 : place + 4] = (1400).to_bytes(2, "big")
        place += segment[place + 1]


def translated(frame):
    if frame[12:14] != b"\x08\x00" or frame[14] >> 4 != 4:
        return frame
    length = (frame[14] & 15) * 4
    total = struct.unpack_from("!H", frame, 16)[0]
    header, packet = bytearray(frame[14 : 14 + length]), bytearray(frame[14 + length : 14 + total])
    header[8] += -1 if header[12:16] == OLD else 1
    for place, port in ((12, 0), (16, 2)):
        if header[place : place + 4] == OLD:
            header[place : place + 4] = NEW
            if header[9] == 17:
                number = (struct.unpack_from("!H", packet, port)[0] + 10000) % 65536
                struct.pack_into("!H", packet, port, number)
    header[10:12] = b"\0\0"
    header[10:12] = checksum(bytes(header)).to_bytes(2, "big")
    if header[9] not in (6, 17):
        return frame[:14] + bytes(header) + bytes(packet) + frame[14 + total :]
    place = {6: 16, 17: 6}[header[9]]
    if header[9] == 6:
        clamped(packet)
    packet[place : place + 2] = b"\0\0"
    pseudo = bytes(header[12:20]) + struct.pack("!BBH", 0, header[9], len(packet))
    packet[place : place + 2] = checksum(pseudo + bytes(packet)).to_bytes(2, "big")
    return frame[:14] + bytes(header) + bytes(packet) + frame[14 + total :]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("source")
    parser.add_argument("target")
    parser.add_argument("--ahead", type=float, default=0)
    parser.add_argument("--drift", type=float, default=0)
    options = parser.parse_args()
    with open(options.source, "rb") as source, open(options.target, "wb") as target:
        target.write(source.read(24))
        start = None
        while record := source.read(16):
            seconds, fraction, captured, length = struct.unpack("<IIII", record)
            frame = source.read(captured)
            time = seconds * 1_000_000 + fraction
            start = time if start is None else start
            time += round(options.ahead * 1e6 + (time - start) * options.drift / 1e6)
            target.write(struct.pack("<IIII", time // 1_000_000, time % 1_000_000, captured, length))
            target.write(translated(frame))


main()
