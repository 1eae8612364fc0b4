"""tshark's side: one run for packets as fields and stream statistics, one for RTSP messages and SDP as PDML."""
import collections
import dataclasses
import os
import pathlib
import re
import subprocess
import tempfile
import xml.etree.ElementTree as ElementTree

from .messages import (Findings, HTTPMessage, MediaLine, PeerMessage, RTCPPacket, RTMPMessage, RTPStream, RTSPMessage,
                       SRTPacket, WebSocketMessage, endpoint)
from .sequences import SequenceCount

# Reassembly as in weir. Heuristics have their defaults: flows that tshark does not recognize are a difference of their
# own (`unseen`) and decoded by -d rules per flow, not by heuristics that would affect other flows.
OPTIONS = ["-o", "tcp.reassemble_out_of_order:TRUE", "-o", "tcp.desegment_tcp_streams:TRUE",
           "-o", "ip.defragment:TRUE", "-o", "ipv6.defragment:TRUE",
           "-o", "rtsp.desegment_headers:TRUE", "-o", "rtsp.desegment_body:TRUE",
           # By default, tshark loses the chunk boundaries after a message above 32768 octets.
           "-o", "rtmpt.desegment:TRUE", "-o", "rtmpt.max_packet_size:16777216"]
# The relevant packets.
INTERESTING = "rtsp || rtp || rtcp || sdp || rtmpt || http || websocket || stun || dtls"
HANDSHAKE = ("c0", "c1", "c2", "s0", "s1", "s2")
FIELDS = ["frame.number", "frame.protocols", "ip.src", "ip.dst", "ipv6.src", "ipv6.dst", "udp.srcport", "udp.dstport",
          "tcp.srcport", "tcp.dstport", "ip.id", "rtsp.channel", "rtp.ssrc", "rtp.seq", "rtcp.pt", "rtsp.method",
          "rtsp.status", "rtmpt.header.csid", *(f"rtmpt.handshake.{part}" for part in HANDSHAKE)]
RTMP_TYPES = (("Set Chunk Size", 1), ("Abort Message", 2), ("Acknowledgement", 3), ("User Control Message", 4),
              ("Window Acknowledgement Size", 5), ("Set Peer Bandwidth", 6), ("Audio Data", 8), ("Video Data", 9),
              ("AMF3 Data", 15), ("AMF3 Shared Object", 16), ("AMF3 Command", 17), ("AMF0 Data", 18),
              ("AMF0 Shared Object", 19), ("AMF0 Command", 20), ("Aggregate", 22))
SRT_FIELDS = ["frame.number", "ip.src", "ip.dst", "ipv6.src", "ipv6.dst", "udp.srcport", "udp.dstport", *(
    f"srt.{name}" for name in ("iscontrol", "type", "timestamp", "id", "seqno", "msgno", "ackno", "rtt", "hs.version", "hs.isn",
                               "hs.agent_latency", "hs.peer_latency"))]
STREAM_LINE = re.compile(r"^\s*[\d.]+\s+[\d.]+\s+(\S+)\s+(\d+)\s+(\S+)\s+(\d+)\s+(0x[0-9A-Fa-f]+)\s+.*?\s(\d+)\s+"
                         r"(-?\d+)\s+\(-?[\d.]+%\)")


class TSharkError(Exception):
    pass


@dataclasses.dataclass
class Packet:
    """One frame's fields; lists contain each occurrence in the frame, in order."""
    frame: int
    source: str
    destination: str
    protocols: list
    ip_id: str
    channels: list
    ssrcs: list
    sequences: list
    rtcp_types: list
    rtsp: int
    rtmp: int


def keys(capture):
    """Returns the option for the secrets of the capture, if they are beside it."""
    log = pathlib.Path(capture).with_suffix(".keys")
    return ["-o", f"tls.keylog_file:{log}"] if log.exists() else []


def run(tshark, capture, arguments):
    # A separate configuration directory, so that the user's preferences do not change the result.
    with tempfile.TemporaryDirectory() as home:
        command = [tshark, "-n", "-r", str(capture), *OPTIONS, *keys(capture), *arguments]
        environment = {**os.environ, "HOME": home, "XDG_CONFIG_HOME": home, "LC_ALL": "C.UTF-8", "TZ": "UTC"}
        result = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", errors="replace",
                                env=environment)
    complaint = "\n".join(line for line in result.stderr.splitlines() if not line.startswith("Running as user"))
    # 2 with output: the file is truncated or damaged, and tshark reported everything before that.
    cut = result.returncode == 2 and ("cut short" in complaint or "damaged" in complaint)
    if result.returncode != 0 and not cut:
        raise TSharkError(f"tshark ended with {result.returncode}: {complaint.strip()[-500:]}")
    return result.stdout, complaint.strip() if cut else ""


def decode_as(told):
    return [argument for rule in sorted(told) for argument in ("-d", rule)]


def packets(tshark, capture, told=()):
    """Returns the relevant packets, and the losses of `-z rtp,streams` by (source, destination, ssrc)."""
    text, complaint = run(tshark, capture, [
        *decode_as(told), "-Y", INTERESTING, "-z", "rtp,streams", "-T", "fields",
        "-E", "separator=/t", "-E", "occurrence=a", "-E", "aggregator=,", *(part for field in FIELDS for part in ("-e", field))])
    lines, _, statistics = text.partition("========================= RTP Streams")
    return ([packet for packet in map(parse_packet, lines.splitlines()) if packet],
            parse_statistics(statistics), complaint)


def counts(listed):
    """{protocol: {flow: count}}, counted as Findings.counts does."""
    result = {protocol: collections.Counter() for protocol in ("rtsp", "rtp", "rtcp", "rtmp")}
    for packet in listed:
        flow = frozenset((packet.source, packet.destination))
        for protocol, present in (("rtsp", packet.rtsp), ("rtp", len(packet.ssrcs)), ("rtcp", len(packet.rtcp_types)),
                                  ("rtmp", packet.rtmp)):
            if present:
                result[protocol][flow] += present
    return result


def parse_packet(line):
    values = line.split("\t")
    if len(values) != len(FIELDS):
        return None
    value = dict(zip(FIELDS, values))
    split = {field: text.split(",") if text else [] for field, text in value.items()}
    protocols = value["frame.protocols"].split(":")
    if "icmp" in protocols or "icmpv6" in protocols:
        return None     # a quoted packet is not media
    # In a tunnel the innermost addresses and ports come last.
    version = next((name for name in reversed(protocols) if name in ("ip", "ipv6")), None)
    transport = next((name for name in reversed(protocols) if name in ("udp", "tcp")), None)
    if version is None or transport is None or not split[version + ".src"] or not split[transport + ".srcport"]:
        return None
    ends = [endpoint(split[f"{version}.{side}"][-1], split[f"{transport}.{side}port"][-1]) for side in ("src", "dst")]
    return Packet(int(value["frame.number"]), *ends, protocols, (split["ip.id"] or [""])[-1],
                  [int(text, 0) for text in split["rtsp.channel"]], split["rtp.ssrc"],
                  [int(text) for text in split["rtp.seq"]], [int(text) for text in split["rtcp.pt"]],
                  len(split["rtsp.method"]) + len(split["rtsp.status"]),
                  sum(len(values) for field, values in split.items() if field.startswith("rtmpt.")))


def parse_statistics(text):
    lost = {}
    for line in text.splitlines():
        match = STREAM_LINE.match(line)
        if match:
            source, source_port, destination, destination_port, ssrc, _, missing = match.groups()
            key = (endpoint(source, source_port), endpoint(destination, destination_port), ssrc.lower())
            lost[key] = lost.get(key, 0) + int(missing)
    return lost


def findings(tshark, capture, told=()):
    """Returns tshark's output with the given `-d` rules."""
    listed, lost, complaint = packets(tshark, capture, told)
    by_frame = {packet.frame: packet for packet in listed}
    text, _ = run(tshark, capture, [*decode_as(told), "-Y",
                                    "rtsp.method || rtsp.status || sdp || count(rtsp.channel) > 1 || rtmpt "
                                    "|| http || websocket || stun.type || dtls.handshake",
                                    "-T", "pdml", "-J", "rtsp sdp rtp rtcp sip rtmpt amf http websocket stun dtls"])
    result = Findings(complaint=complaint)
    channels, fragments = {}, {}
    for frame, protos in pdml_frames(text):
        if frame in by_frame:
            read_pdml_frame(by_frame[frame], protos, result, channels, fragments)
    result.rtp = streams(listed, lost, channels)
    result.rtcp = [RTCPPacket(packet.frame, packet.source, packet.destination, kind)
                   for packet in listed for kind in packet.rtcp_types]
    result.srt = srt_packets(tshark, capture, told)
    return result


def srt_packets(tshark, capture, told):
    """The packets of the flows that are told to be SRT."""
    rules = {rule for rule in told if rule.endswith(",srt")}
    if not rules:
        return []
    text, _ = run(tshark, capture, [*decode_as(rules), "-Y", "srt && !icmp && !icmpv6", "-T", "fields", "-E", "separator=/t",
                                    "-E", "occurrence=f", *(part for field in SRT_FIELDS for part in ("-e", field))])
    return [srt(dict(zip(SRT_FIELDS, line.split("\t")))) for line in text.splitlines()]


def srt(value):
    def number(name):
        text = value["srt." + name]
        return int(text, 0) if text else None
    ends = [endpoint(value["ip." + side] or value["ipv6." + side], value[f"udp.{side}port"]) for side in ("src", "dst")]
    control = value["srt.iscontrol"] in ("1", "True")
    latency = (number("hs.peer_latency"), number("hs.agent_latency"))
    return SRTPacket(int(value["frame.number"]), *ends, str(number("type")) if control else "data", number("timestamp"),
                     number("id"), number("hs.isn") if control else number("seqno"), number("msgno"), number("ackno"),
                     number("rtt"), number("hs.version"), None if latency[0] is None else latency)


def pdml_frames(text):
    """(frame number, all proto elements in document order) for each packet."""
    try:
        root = ElementTree.fromstring(text.encode("utf-8")) if text.strip() else ()
    except ElementTree.ParseError as error:
        raise TSharkError(f"tshark's PDML cannot be parsed: {error}") from error
    for packet in root:
        number = packet.find("proto[@name='geninfo']/field[@name='num']")
        yield int(number.get("show")), list(packet.iter("proto"))


def read_pdml_frame(packet, protos, result, channels, fragments):
    carrier, channel, media = "", None, 0
    for proto in protos:
        name = proto.get("name")
        if name in ("rtsp", "sip"):
            carrier = name
        if name == "rtsp":
            message = rtsp(packet, proto)
            if message:
                result.rtsp.append(message)
            text = show(proto, "rtsp.channel")
            channel = int(text, 0) if text else channel
        elif name == "rtmpt":
            result.rtmp += rtmp(packet, proto)
        elif name == "stun":
            message = stun(packet, proto)
            if message:
                result.stun.append(message)
        elif name == "dtls":
            result.dtls += dtls(packet, proto)
        elif name == "http":
            what = show(proto, "http.request.method") or show(proto, "http.response.code")
            if what:
                result.http.append(HTTPMessage(packet.frame, packet.source, packet.destination, what,
                                               show(proto, "http.request.uri")))
        elif name == "websocket":
            message = websocket(packet, proto, fragments)
            if message:
                result.websocket.append(message)
        elif name == "rtp":
            channels.setdefault(packet.frame, []).append(channel)
        elif name == "sdp":
            for line in fields(proto, "sdp.media"):
                result.sdp.append(media_line(packet, media, line, "" if carrier == "rtsp" else carrier))
                media += 1


def fields(proto, name):
    return [field.get("show", "") for field in proto.iter("field") if field.get("name") == name]


def show(proto, name):
    return next(iter(fields(proto, name)), None)


def stun(packet, proto):
    kind, transaction = show(proto, "stun.type"), show(proto, "stun.id")
    if kind is None or transaction is None:
        return None
    mapped = None
    for attribute in proto.iter("field"):
        if attribute.get("name") == "stun.attribute" and attribute.get("show") in ("0x0020", "0x0001", "0x8020"):
            values = {field.get("name"): field.get("show") for field in attribute.iter("field")}
            address, port = values.get("stun.att.ipv4") or values.get("stun.att.ipv6"), values.get("stun.att.port")
            if address and port and (mapped is None or attribute.get("show") == "0x0020"):
                mapped = endpoint(address, port)
    return PeerMessage(packet.frame, packet.source, packet.destination, f"0x{int(kind, 0):04x}",
                       transaction.replace(":", "")[-24:], mapped)


def dtls(packet, proto):
    """Hellos and certificates; a fragmented certificate is reported with its last fragment."""
    kinds = [kind for kind in fields(proto, "dtls.handshake.type") if kind in ("1", "2")]
    kinds += ["11"] * len(fields(proto, "dtls.handshake.certificates_length"))
    return [PeerMessage(packet.frame, packet.source, packet.destination, kind) for kind in kinds]


def rtsp(packet, proto):
    what = show(proto, "rtsp.method") or show(proto, "rtsp.status")
    if what is None:
        return None
    # tshark has no CSeq field: the header line is unnamed text.
    cseq = None
    for field in proto.findall("field"):
        name, colon, value = re.sub(r"(\\r|\\n)+$", "", field.get("show", "")).partition(":")
        if field.get("name") == "" and colon and name.strip().lower() == "cseq" and cseq is None:
            cseq = value.strip()
    session, length = show(proto, "rtsp.session"), show(proto, "rtsp.content-length")
    return RTSPMessage(packet.frame, packet.source, packet.destination, what, cseq, show(proto, "rtsp.url"),
                       None if session is None else session.partition(";")[0].strip(),
                       None if length is None else int(length))


def websocket(packet, proto, fragments):
    """The message that a frame completes; its earlier fragments are in `fragments`."""
    opcode, length = int(show(proto, "websocket.opcode"), 0), int(show(proto, "websocket.payload_length_ext_16")
                                                                   or show(proto, "websocket.payload_length_ext_64")
                                                                   or show(proto, "websocket.payload_length"))
    ends = (packet.source, packet.destination)
    if opcode >= 8:
        code = show(proto, "websocket.payload.close.status_code")
        return WebSocketMessage(packet.frame, *ends, opcode, length, 1, None if code is None else int(code))
    first, joined, count = fragments.pop(ends, (opcode, 0, 0)) if opcode == 0 else (opcode, 0, 0)
    joined, count = joined + length, count + 1
    if show(proto, "websocket.fin") in ("1", "True"):
        return WebSocketMessage(packet.frame, *ends, first, joined, count)
    fragments[ends] = (first, joined, count)
    return None


def media_line(packet, index, text, carrier):
    parts = text.split()
    kind, port, protocol = (parts + ["", "", ""])[:3]
    number = port.partition("/")[0]
    return MediaLine(packet.frame, packet.source, packet.destination, index, kind,
                     int(number) if number.isdigit() else None, protocol, tuple(parts[3:]), carrier)


def rtmp(packet, proto):
    """The handshake parts that are reported together, or a message."""
    parts = [part.upper() for part in HANDSHAKE if show(proto, f"rtmpt.handshake.{part}") is not None]
    if parts:
        return [RTMPMessage(packet.frame if part == parts[-1] else None, packet.source, packet.destination, part)
                for part in sorted(parts)]
    chunk_stream = show(proto, "rtmpt.header.csid")
    if chunk_stream is None:
        return []
    names = ("timestamp", "ets", "bodysize", "typeid", "streamid")
    value = {name: show(proto, f"rtmpt.header.{name}") for name in names}
    number = {name: None if text is None else int(text, 0) for name, text in value.items()}
    extended = number["timestamp"] == 0xFFFFFF and number["ets"] is not None
    command, transaction = rtmp_command(proto) if number["typeid"] in (None, 17, 20) else (None, None)
    return [RTMPMessage(packet.frame, packet.source, packet.destination, rtmp_type(proto, number["typeid"]),
                        int(chunk_stream), number["streamid"], number["ets" if extended else "timestamp"],
                        number["bodysize"], command, transaction)]


def rtmp_type(proto, number):
    """The type, taken from tshark's name of the message if the header has none."""
    if number is None:
        words = proto.get("showname", "").partition("(")[2]
        number = next((value for name, value in RTMP_TYPES if words.startswith(name)), None)
    return None if number is None else str(number)


def rtmp_command(proto):
    """The name and the transaction of a command: the first two values of its body."""
    body = next((field for field in proto.findall("field") if field.get("show") == "RTMP Body"), None)
    values = [] if body is None else body.findall("field")
    if len(values) < 2 or not show(values[1], "amf.number"):
        return None, None
    return show(values[0], "amf.string"), float(show(values[1], "amf.number"))


def streams(listed, lost, channels):
    counts = {}
    for packet in listed:
        known = channels.get(packet.frame, [])
        if len(known) != len(packet.ssrcs):
            known = packet.channels if len(packet.channels) == len(packet.ssrcs) else [None] * len(packet.ssrcs)
        for ssrc, sequence, channel in zip(packet.ssrcs, packet.sequences, known):
            key = (packet.source, packet.destination, ssrc, channel)
            counts.setdefault(key, SequenceCount()).add(sequence, packet.ip_id)
    result = []
    for key, count in counts.items():
        # The statistics ignore channels, and process the packets of a frame in the wrong order: 65532 of 107 lost.
        balance = lost.get(key[:3]) if key[3] is None else None
        result.append(RTPStream(*key, count.seen, count.firsts, count.lasts, count.expected, count.lost, balance,
                                count.repeats))
    return result
