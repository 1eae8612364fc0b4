"""Converts a recorded Ethernet capture to other link types and tunnels, and to the file formats of other tools.

Usage: make_transports.py PLAIN.pcap OUTPUT-DIRECTORY. The IP packets and times are
unchanged. Frames without IPv4 (ARP, IPv6) are omitted, except in files that differ only in
format.
"""

import pathlib
import struct
import sys

from scapy.all import ARP, GRE, IP, UDP, Dot1AD, Dot1Q, Ether, IPv6, PcapReader, Raw
from scapy.contrib.mpls import MPLS
from scapy.layers.ppp import PPPoE

CLIENT = "10.77.0.1"
LINK_NULL, LINK_ETHERNET, LINK_PPP, LINK_RAW, LINK_LOOP = 0, 1, 9, 101, 108


def outward(frame):
    return frame[IP].src == CLIENT


def ends(frame, first, second):
    """Returns the tunnel endpoints in the direction of the frame."""
    return dict(zip(("src", "dst"), (first, second) if outward(frame) else (second, first)))


def header(frame, type=None):
    link = Ether(src=frame.src, dst=frame.dst)
    if type is not None:
        link.type = type
    return link


def packet(frame):
    """Returns the IP packet without Ethernet padding."""
    data = bytes(frame)[14:]
    return Raw(data[: frame[IP].len])


def outer(frame, protocol, identification):
    return IP(**ends(frame, "10.99.0.1", "10.99.0.2"), proto=protocol, id=identification, flags="DF")


def vlan(frame, _):
    return header(frame, 0x8100) / Dot1Q(vlan=7, prio=5, type=0x0800) / packet(frame)


def qinq(frame, _):
    return header(frame, 0x88A8) / Dot1AD(vlan=77, type=0x8100) / Dot1Q(vlan=7, type=0x0800) / packet(frame)


def mpls(frame, _):
    return header(frame, 0x8847) / MPLS(label=16077, s=0, ttl=62) / MPLS(label=77, s=1, ttl=62) / packet(frame)


def pppoe(frame, _):
    inner = b"\x00\x21" + bytes(packet(frame))  # the PPP protocol number of IPv4
    return header(frame, 0x8864) / PPPoE(sessionid=0x77, code=0, len=len(inner)) / Raw(inner)


def gre(frame, number):
    return header(frame, 0x0800) / outer(frame, 47, number) / GRE(proto=0x0800) / packet(frame)


def gre_key_ethernet(frame, number):
    """GRE with key, sequence number and checksum, containing Ethernet (as in NVGRE and port mirroring)."""
    whole = Raw(bytes(frame))
    tunnel = GRE(proto=0x6558, key_present=1, key=0x77, seqnum_present=1, sequence_number=number, chksum_present=1)
    return header(frame, 0x0800) / outer(frame, 47, number) / tunnel / whole


def ip_in_ip(frame, number):
    return header(frame, 0x0800) / outer(frame, 4, number) / packet(frame)


def ip_in_ipv6(frame, _):
    hosts = ends(frame, "fd99::1", "fd99::2")
    return header(frame, 0x86DD) / IPv6(**hosts, nh=4, hlim=62) / packet(frame)


def gtpu(frame, number):
    """GTP-U: one tunnel id per direction, the second with an extension header."""
    inner = bytes(packet(frame))
    if outward(frame):
        gtp = struct.pack("!BBHI", 0x30, 0xFF, len(inner), 0x00007701)
    else:  # flag E: sequence, N-PDU, then a PDU session container (type 0x85) of one word
        gtp = struct.pack("!BBHI", 0x34, 0xFF, len(inner) + 8, 0x00007702)
        gtp += struct.pack("!HBB", 0, 0, 0x85) + bytes([1, 0x00, 0x09, 0x00])
    datagram = outer(frame, 17, number) / UDP(sport=2152, dport=2152) / Raw(gtp + inner)
    return header(frame, 0x8100) / Dot1Q(vlan=77, type=0x8100) / Dot1Q(vlan=7, type=0x0800) / datagram


def raw(frame, _):
    return packet(frame)


def null(frame, _):
    return Raw(struct.pack("<I", 2) + bytes(packet(frame)))  # AF_INET in the recording machine's byte order


def loop(frame, _):
    return Raw(struct.pack(">I", 2) + bytes(packet(frame)))


def ppp(frame, _):
    return Raw(b"\xff\x03\x00\x21" + bytes(packet(frame)))


WRAPPINGS = {
    "made-vlan": (vlan, LINK_ETHERNET),
    "made-qinq": (qinq, LINK_ETHERNET),
    "made-mpls": (mpls, LINK_ETHERNET),
    "made-pppoe": (pppoe, LINK_ETHERNET),
    "made-gre": (gre, LINK_ETHERNET),
    "made-gre-ethernet": (gre_key_ethernet, LINK_ETHERNET),
    "made-ip-in-ip": (ip_in_ip, LINK_ETHERNET),
    "made-ip-in-ipv6": (ip_in_ipv6, LINK_ETHERNET),
    "made-gtpu-qinq": (gtpu, LINK_ETHERNET),
    "made-raw": (raw, LINK_RAW),
    "made-null": (null, LINK_NULL),
    "made-loop": (loop, LINK_LOOP),
    "made-ppp": (ppp, LINK_PPP),
}


def stamp(time, resolution):
    return int(round(float(time) * 1_000_000)) * (resolution // 1_000_000)


def write_pcap(path, frames, link, order="<", cut=0):
    """frames: pairs of time and octets. cut: number of octets to remove at the file's end."""
    data = struct.pack(order + "IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262144, link)
    for time, octets in frames:
        seconds, micros = divmod(stamp(time, 1_000_000), 1_000_000)
        data += struct.pack(order + "IIII", seconds, micros, len(octets), len(octets)) + octets
    path.write_bytes(data[: len(data) - cut])


def block(order, kind, body):
    body += bytes(-len(body) % 4)
    length = len(body) + 12
    return struct.pack(order + "II", kind, length) + body + struct.pack(order + "I", length)


def option(order, code, value):
    return struct.pack(order + "HH", code, len(value)) + value + bytes(-len(value) % 4)


def section(order, frames, link, resolution, name):
    """A pcapng section: header, an interface, a name resolution block, packets with comments, statistics."""
    end = option(order, 0, b"")
    data = block(order, 0x0A0D0D0A, struct.pack(order + "IHHq", 0x1A2B3C4D, 1, 0, -1))
    interface = struct.pack(order + "HHI", link, 0, 0) + option(order, 2, name.encode())
    if resolution == 1_000_000_000:
        interface += option(order, 9, b"\x09")
    data += block(order, 1, interface + end)
    names = struct.pack(order + "HH", 1, 16) + bytes([10, 77, 0, 2]) + b"rtsp-server\0"
    data += block(order, 4, names + struct.pack(order + "HH", 0, 0))
    for number, (time, octets) in enumerate(frames):
        ticks = stamp(time, resolution)
        body = struct.pack(order + "IIIII", 0, ticks >> 32, ticks & 0xFFFFFFFF, len(octets), len(octets))
        body += octets + bytes(-len(octets) % 4)
        if number == 0:
            body += option(order, 1, b"first packet of this section") + end
        data += block(order, 6, body)
    ticks = stamp(frames[-1][0], resolution)
    statistics = struct.pack(order + "III", 0, ticks >> 32, ticks & 0xFFFFFFFF)
    for code, count in ((4, len(frames)), (5, 0)):  # received, dropped
        statistics += option(order, code, struct.pack(order + "Q", count))
    return data + block(order, 5, statistics + end)


def main():
    source, directory = sys.argv[1], pathlib.Path(sys.argv[2])
    recorded = list(PcapReader(source))
    plain = [(frame.time, bytes(frame)) for frame in recorded]
    carrying = [frame for frame in recorded if IP in frame and ARP not in frame]
    for name, (wrap, link) in WRAPPINGS.items():
        frames = [(frame.time, bytes(wrap(frame, number))) for number, frame in enumerate(carrying, 1)]
        write_pcap(directory / f"{name}.pcap", frames, link)
    write_pcap(directory / "made-big-endian.pcap", plain, LINK_ETHERNET, order=">")
    write_pcap(directory / "made-cut-short.pcap", plain, LINK_ETHERNET, cut=40)
    half = len(carrying) // 2
    ethernet = [(frame.time, bytes(frame)) for frame in carrying[:half]]
    bare = [(frame.time, bytes(packet(frame))) for frame in carrying[half:]]
    sections = section("<", ethernet, LINK_ETHERNET, 1_000_000_000, "eth0")
    sections += section(">", bare, LINK_RAW, 1_000_000, "tun0")
    (directory / "made-sections.pcapng").write_bytes(sections)


main()
