"""Media as public bug reports describe it, made from recorded media."""

import dataclasses
import struct

import dialogue
from reported_rtsp import base, changed, line, video_only

VIDEO, AUDIO = 53_858, 34_698


def packets(items, port, change):
    """Changes the RTP packets from a port: `change` gets a mutable copy and its index."""
    result, number = [], 0
    for item in items:
        if item.act == "udp" and item.source[1] == port and item.data[0] >> 6 == 2:
            octets = bytearray(item.data)
            change(octets, number)
            number += 1
            item = dataclasses.replace(item, data=bytes(octets))
        result.append(item)
    return result


def time_of(packet):
    return struct.unpack_from("!I", packet, 4)[0]


def set_time(packet, value):
    struct.pack_into("!I", packet, 4, value & 0xFFFFFFFF)


def parameter_sets_apart(folder):
    """The sequence parameter set has the marker bit, and it and the picture parameter set the time of the picture
    before."""
    def change(packet, number):
        if packet[12] & 31 in (7, 8, 9):
            set_time(packet, time_of(packet) - 9_000 if number else time_of(packet))
        if packet[12] & 31 == 7:
            packet[1] |= 0x80
    return packets(base(folder, "rtsp-udp"), VIDEO, change)


def marker_per_unit(folder):
    """The marker bit is set on the last packet of every NAL unit."""
    def change(packet, number):
        kind = packet[12] & 31
        if kind < 24 or kind == 28 and packet[13] & 0x40:
            packet[1] |= 0x80
    return packets(base(folder, "rtsp-udp"), VIDEO, change)


def mode_of_single_units(folder):
    """packetization-mode=0 in the description, and fragmentation units in the media."""
    items = dialogue.messages(dialogue.read(folder / "rtsp/article-dialogue.pcap"), dialogue.rtsp)
    return changed(
        items, b"packetization-mode=1",
        lambda data: dialogue.with_body(data, lambda body: body.replace(b"packetization-mode=1;", b"")))


def audio_behind(folder):
    """The timestamps of the audio advance 3 % too slowly: it falls behind the video."""
    first = []

    def change(packet, number):
        if not first:
            first.append(time_of(packet))
        set_time(packet, first[0] + (time_of(packet) - first[0]) * 97 // 100)
    return packets(base(folder, "rtsp-udp"), AUDIO, change)


def clock_of_hours(folder):
    """Sender reports map the video to another day than the audio: the encoder's clock was set in between."""
    items = []
    for item in base(folder, "rtsp-udp"):
        if item.act == "udp" and item.source[1] == VIDEO + 1 and item.data[1:2] == b"\xc8":
            octets = bytearray(item.data)
            seconds = struct.unpack_from("!I", octets, 8)[0]
            struct.pack_into("!I", octets, 8, seconds + 7_200)
            item = dataclasses.replace(item, data=bytes(octets))
        items.append(item)
    return items


def wrong_parameter_sets(folder):
    """The picture changes its size with a new sequence parameter set that the description does not have."""
    def change(packet, number):
        if packet[12] & 31 == 7 and number > 10:
            packet[13:16] = b"\x42\xc0\x1e"
    return packets(base(folder, "rtsp-udp"), VIDEO, change)


def foreign_source(folder):
    """A second sender with another SSRC, of a session that was not ended, sends to the same port."""
    items = base(folder, "rtsp-udp")
    others = []
    for item in items:
        if item.act == "udp" and item.source[1] == VIDEO:
            octets = bytearray(item.data)
            octets[8:12] = b"\x13\x57\x9b\xdf"
            octets[2:4] = struct.pack("!H", struct.unpack_from("!H", octets, 2)[0] + 20_000 & 0xFFFF)
            others.append(dataclasses.replace(item, time=item.time + 0.011, data=bytes(octets)))
    return items + others[20:]


def padding_without_octets(folder):
    """The sender report has the padding bit, and no padding: the receiver drops it, and its report names none."""
    recorded = video_only(folder, "rtsp-udp-gst")
    start, items, received = recorded[0].time, [], 0
    report = next(item for item in recorded if item.act == "udp" and item.data[1] == 201)
    for item in recorded:
        probes = item.source[1] == 46_008  # They open a path through a firewall, and are no RTP.
        if item is report or probes or start + 3 < item.time and item.act == "udp":
            continue
        if item.act == "udp" and item.source[1] == 35_827:
            item.data = bytes([item.data[0] | 0x20]) + item.data[1:]
        elif item.act == "udp" and item.source[1] == 35_826:
            received = struct.unpack_from("!H", item.data, 2)[0]
        items.append(item if item.time < start + 3 else dataclasses.replace(item, time=item.time - 1.9))
    octets = bytearray(report.data)
    octets[16:20] = struct.pack("!I", received)
    return items + [dataclasses.replace(report, time=start + 3.01, data=bytes(octets))]


CASES = {
    "media-parameter-sets-apart": parameter_sets_apart,
    "media-marker-per-unit": marker_per_unit,
    "media-mode-0-fragments": mode_of_single_units,
    "media-audio-slow": audio_behind,
    "media-report-clock": clock_of_hours,
    "media-parameter-sets-changed": wrong_parameter_sets,
    "media-foreign-source": foreign_source,
    "media-report-padding": padding_without_octets,
}
