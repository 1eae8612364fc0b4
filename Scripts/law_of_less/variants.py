"""Reduced, reordered and edited variants of a capture."""
import collections
import struct

from .frames import Frame, Packet

Variant = collections.namedtuple("Variant", "name frames link options mayLose", defaults=((), False))
"""With `mayLose` it lacks datagrams between others: nobody can tell that from a loss on the way."""

FIRST = 100
SNAP_LENGTHS = (60, 96, 200)
NEIGHBOURS = 300_000
"""Nanoseconds within which two packets of different conversations may change places."""
DELAYS = (30, 1_000)
"""Milliseconds by which one side's packets are late."""
COPIES = (500, 2_000)
"""Milliseconds after which a second copy of all packets begins."""
STEPS = (-3_600, -1, 1)
"""Seconds by which single frames are stamped wrong."""


def variants(link, frames, other, most=FIRST):
    """Yields all variants of a capture; `other` (link type and frames) is merged into one of them."""
    packets = [Packet(frame, link) for frame in frames]
    yield from left_out(link, frames, packets, most)
    yield from one_side(link, frames, packets)
    yield from unanswered(link, frames, packets)
    yield Variant("undelivered", undelivered(frames, packets), link)
    for length in SNAP_LENGTHS:
        yield Variant(f"snap length {length}", [cut(frame, length) for frame in frames], link)
    for part in (3, 10, 25, 50, 75, 90):
        count = len(frames) * part // 100
        yield Variant(f"begun behind frame {count}", frames[count:], link)
        yield Variant(f"ended at frame {count}", frames[:count], link)
    for count in range(1, min(most, len(frames)), 7):
        yield Variant(f"begun behind frame {count}", frames[count:], link)
        yield Variant(f"ended at frame {count}", frames[:count], link)
    yield Variant("neighbours swapped", swapped(frames, packets), link)
    yield from late(link, frames, packets)
    yield Variant("every packet twice", [frame for frame in frames for _ in range(2)], link)
    for milliseconds in COPIES:
        again = [frame._replace(time=frame.time + milliseconds * 1_000_000) for frame in frames]
        yield Variant(f"again {milliseconds} ms later", sorted(frames + again, key=lambda frame: frame.time), link)
    for seconds in STEPS:
        yield Variant(f"one frame in 50 stamped {seconds:+} s", misstamped(frames, seconds), link)
    if other and other[0] == link:
        yield Variant("merged", merged(frames, other[1]), link)
    if link == 1:
        yield Variant("VLAN", [tagged(frame) for frame in frames], link)
    yield Variant("filter tcp", frames, link, ("--filter", "tcp"))


def late(link, frames, packets):
    """One host's TCP packets later in the file, as in captures merged from two machines with different clocks."""
    hosts = sorted({packet.source[0] for packet in packets if packet.transport == "tcp"})
    for host in hosts[:2]:
        for milliseconds in DELAYS:
            moved = [
                frame._replace(time=frame.time + milliseconds * 1_000_000)
                if packet.transport == "tcp" and packet.source[0] == host else frame
                for frame, packet in zip(frames, packets)]
            yield Variant(f"{host.hex()} late by {milliseconds} ms", sorted(moved, key=lambda frame: frame.time), link)


def misstamped(frames, seconds):
    """Single frames with wrong times in their places: the capture clock steps back repeatedly."""
    return [frame._replace(time=frame.time + seconds * 1_000_000_000) if place % 50 == 49 else frame
            for place, frame in enumerate(frames)]


def left_out(link, frames, packets, most):
    """Yields the first frames and those that everything else depends on."""
    places = set(range(min(most, len(frames))))
    for place, packet in enumerate(packets):
        if packet.flags & 2 or packet.payload[:6] == b"SETUP " or packet.payload[:5] == b"RTSP/":
            places.add(place)
        if packet.transport == "tcp" and packet.payload[:1] == b"\x02" and packet.payload[7:8] == b"\x01":
            places.add(place)
    for place in sorted(places)[:4 * most]:
        isDatagram = packets[place].transport != "tcp"
        yield Variant(f"without frame {place + 1}", frames[:place] + frames[place + 1:], link, (), isDatagram)


def one_side(link, frames, packets):
    """Yields the packets of one host only, for each pair of hosts."""
    hosts = sorted({packet.source[0] for packet in packets if packet.transport})
    for host in hosts[:4]:
        name = host.hex()
        yield Variant(f"nothing from {name}", [
            frame for frame, packet in zip(frames, packets) if packet.host != host], link)


def unanswered(link, frames, packets):
    """Without responses to connection attempts, missing from the capture or removed by a filter."""
    def answers(packet):
        return packet.transport == "tcp" and (packet.flags & 0x12 == 0x12 or packet.flags & 4)
    yield Variant("without SYN-ACK and RST", [
        frame for frame, packet in zip(frames, packets) if not answers(packet)], link)
    yield Variant("filter SYN and UDP", frames, link, ("--filter", "tcp[13]=2 or udp"))


ROUTER = bytes([10, 255, 255, 254])
"""A host that is none of those that talk."""


def undelivered(frames, packets):
    """A router prohibits the first datagram between each two endpoints (RFC 1812 §5.2.7.1, code 13)."""
    result, told = [], set()
    for frame, packet in zip(frames, packets):
        result.append(frame)
        octets, start = frame.octets, packet.start
        if packet.transport != "udp" or octets[start] >> 4 != 4 or (packet.source, packet.destination) in told:
            continue
        told.add((packet.source, packet.destination))
        quote = octets[start:start + (octets[start] & 15) * 4 + 8]
        header = struct.pack(">BBHHHBBH", 0x45, 0, 28 + len(quote), 0, 0, 64, 1, 0) + ROUTER + octets[start + 12:start + 16]
        error = octets[:start] + header + struct.pack(">BBHI", 3, 13, 0, 0) + quote
        result.append(Frame(0, frame.time, error, len(error)))
    return result


def cut(frame, length):
    return frame._replace(octets=frame.octets[:length])


def swapped(frames, packets):
    """Swaps each frame with the next one if they have nearly the same time; the times keep their places."""
    result, place = list(frames), 0
    while place + 1 < len(result):
        first, second = result[place], result[place + 1]
        if second.time - first.time <= NEIGHBOURS and packets[place].transport and packets[place + 1].transport:
            result[place] = second._replace(time=first.time)
            result[place + 1] = first._replace(time=second.time)
            place += 1
        place += 1
    return result


def merged(frames, others):
    """Both captures merged by time; the other's frames have no number."""
    shift = frames[0].time - others[0].time
    foreign = [Frame(0, frame.time + shift + 1, frame.octets, frame.length) for frame in others]
    return sorted(frames + foreign, key=lambda frame: frame.time)


def tagged(frame):
    octets = frame.octets
    return frame._replace(octets=octets[:12] + b"\x81\x00\x00\x64" + octets[12:], length=frame.length + 4)
