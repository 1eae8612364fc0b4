"""Matches the findings of both analyzers and reports the differences."""
import dataclasses

PROTOCOLS = ("rtsp", "sdp", "rtp", "rtcp", "rtmp", "http", "websocket", "stun", "dtls", "srt")
KINDS = {
    "onlyWeir": "weir reports it, tshark does not, told where to look or not",
    "onlyTshark": "tshark reports it, weir does not",
    "differs": "both report it, with different facts",
    "unseen": "tshark as shipped sees less of this flow, or nothing; told with -d it sees more",
    "repeated": "tshark reports a packet that the capture holds twice once more than weir",
}


@dataclasses.dataclass(frozen=True)
class Difference:
    protocol: str
    kind: str
    text: str

    def __str__(self):
        return f"{self.kind:<10} {self.protocol:<4}  {self.text}"


@dataclasses.dataclass
class Tally:
    equal: int = 0
    only_weir: int = 0
    only_tshark: int = 0
    differing: int = 0


@dataclasses.dataclass
class Comparison:
    tallies: dict
    differences: list


def pair(weirs, tsharks, keys):
    """Pairs items with equal keys, the strictest key first. Returns the pairs and both remainders, in order."""
    weirs, tsharks, pairs = list(weirs), list(tsharks), []
    for key in keys:
        waiting = {}
        for item in tsharks:
            waiting.setdefault(key(item), []).append(item)
        left = []
        for item in weirs:
            candidates = waiting.get(key(item))
            if candidates:
                pairs.append((item, candidates.pop(0)))
            else:
                left.append(item)
        weirs = left
        kept = {id(item) for items in waiting.values() for item in items}
        tsharks = [item for item in tsharks if id(item) in kept]
    return pairs, weirs, tsharks


def disagreements(weir, tshark, names):
    """Returns `name weir A, tshark B` for each differing value that both provide."""
    result = []
    for name in names:
        ours, theirs = getattr(weir, name), getattr(tshark, name)
        if ours is not None and theirs is not None and ours != theirs:
            result.append(f"{name} weir {plain(ours)}, tshark {plain(theirs)}")
    return result


def plain(value):
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def ends(item):
    return item.source, item.destination


def rtsp_disagreements(weir, tshark):
    # An absent CSeq or Session is a value, too, not an unknown one.
    found = disagreements(weir, tshark, ("frame", "what", "uri", "content_length"))
    for name in ("cseq", "session"):
        ours, theirs = getattr(weir, name), getattr(tshark, name)
        if ours != theirs:
            found.append(f"{name} weir {ours or '-'}, tshark {theirs or '-'}")
    return found


def media_disagreements(weir, tshark):
    return disagreements(weir, tshark, ("source", "destination", "type", "port", "protocol", "formats"))


def rtcp_disagreements(weir, tshark):
    return disagreements(weir, tshark, ("type",))


def rtmp_disagreements(weir, tshark):
    return disagreements(weir, tshark, ("frame", "what", "chunk_stream", "stream", "timestamp", "length", "command",
                                        "transaction"))


def http_disagreements(weir, tshark):
    return disagreements(weir, tshark, ("frame", "what", "target"))


def websocket_disagreements(weir, tshark):
    return disagreements(weir, tshark, ("frame", "opcode", "length", "fragments", "code"))


def peer_disagreements(weir, tshark):
    found = disagreements(weir, tshark, ("what", "transaction"))
    if weir.mapped != tshark.mapped:
        found.append(f"mapped weir {weir.mapped or '-'}, tshark {tshark.mapped or '-'}")
    return found


def srt_disagreements(weir, tshark):
    return disagreements(weir, tshark, ("timestamp", "socket", "sequence", "message", "acknowledgement", "rtt", "version",
                                        "latency"))


def stream_disagreements(weir, tshark):
    # tshark provides a channel only in its own fields.
    found = disagreements(weir, tshark, ("channel", "seen", "expected", "lost", "balance"))
    for name in ("first", "last"):
        # With reordered packets, "first" by arrival and by order are both right.
        if not set(getattr(weir, name)) & set(getattr(tshark, name)):
            found.append(f"{name} weir {plain(getattr(weir, name))}, tshark {plain(getattr(tshark, name))}")
    if weir.repeats > tshark.repeats:
        found.append(f"capture duplicates weir {weir.repeats}, tshark at most {tshark.repeats}")
    return found


KEYS = {
    "rtsp": (lambda m: (*ends(m), m.frame, m.what, m.cseq), lambda m: (*ends(m), m.what, m.cseq),
             lambda m: (*ends(m), m.frame, m.what), lambda m: (*ends(m), m.frame)),
    "sdp": (lambda m: (*ends(m), m.frame, m.type, m.port, m.protocol, m.formats), lambda m: (m.frame, m.index)),
    "rtcp": (lambda p: (*ends(p), p.frame, p.type), lambda p: (*ends(p), p.frame)),
    "rtmp": (lambda m: (*ends(m), m.frame, m.what, m.chunk_stream, m.timestamp, m.length),
             lambda m: (*ends(m), m.frame, m.what, m.chunk_stream, m.timestamp),
             lambda m: (*ends(m), m.what, m.chunk_stream, m.timestamp),
             lambda m: (*ends(m), m.frame, m.what, m.chunk_stream), lambda m: (*ends(m), m.what, m.chunk_stream),
             lambda m: (*ends(m), m.frame, m.chunk_stream), lambda m: (*ends(m), m.frame, m.chunk_stream is None)),
    "http": (lambda m: (*ends(m), m.frame, m.what, m.target), lambda m: (*ends(m), m.frame)),
    "websocket": (lambda m: (*ends(m), m.frame, m.opcode, m.length), lambda m: (*ends(m), m.frame)),
    "stun": (lambda m: (*ends(m), m.frame, m.what, m.transaction), lambda m: (*ends(m), m.frame)),
    "dtls": (lambda m: (*ends(m), m.frame, m.what),),
    "srt": (lambda p: (*ends(p), p.frame, p.what),),
    "rtp": (lambda s: (*ends(s), s.ssrc, s.channel), lambda s: (*ends(s), s.ssrc)),
}
DISAGREEMENTS = {"rtsp": rtsp_disagreements, "sdp": media_disagreements, "rtcp": rtcp_disagreements,
                 "rtmp": rtmp_disagreements, "rtp": stream_disagreements, "http": http_disagreements,
                 "websocket": websocket_disagreements, "stun": peer_disagreements, "dtls": peer_disagreements,
                 "srt": srt_disagreements}


def compare(weir, tshark, shipped, repeated_frames=frozenset()):
    """Compares two Findings. `shipped` is {protocol: {flow: count}} of what tshark recognizes by default;
    `repeated_frames` are frames with a duplicate packet."""
    tallies, found = {}, []
    tunnels = tunnelled(weir)
    for protocol in PROTOCOLS:
        ours, theirs = getattr(weir, protocol), getattr(tshark, protocol)
        if protocol == "http":
            ours, theirs = ([item for item in items if frozenset(ends(item)) not in tunnels] for items in (ours, theirs))
        pairs, only_weir, only_tshark = pair(ours, theirs, KEYS[protocol])
        tally = tallies[protocol] = Tally(only_weir=len(only_weir), only_tshark=len(only_tshark))
        for ours_item, theirs_item in pairs:
            facts = DISAGREEMENTS[protocol](ours_item, theirs_item)
            if facts:
                tally.differing += 1
                found.append(Difference(protocol, "differs", f"{ours_item}: {'; '.join(facts)}"))
            else:
                tally.equal += 1
        found += [Difference(protocol, "onlyWeir", describe(item)) for item in only_weir]
        for item in only_tshark:
            repeated = getattr(item, "frame", None) in repeated_frames
            found.append(Difference(protocol, "repeated" if repeated else "onlyTshark", describe(item)))
        found += [Difference(protocol, "unseen", f"{' <> '.join(sorted(flow))}: {seen} of {told} as shipped")
                  for flow, seen, told in unseen(weir, tshark, shipped, protocol)]
    return Comparison(tallies, found)


def tunnelled(weir):
    """Flows whose HTTP carries RTSP or RTMP: only the carried protocol is compared."""
    return {frozenset(ends(item)) for item in weir.rtsp + weir.rtmp + weir.rtp
            if not hasattr(item, "ssrc") or item.channel is not None} - {
                frozenset(ends(item)) for item in weir.websocket}


def unseen(weir, tshark, shipped, protocol):
    """(flow, default count, count with `-d`) of weir's flows on which the `-d` options made a difference."""
    # Recognized together with its carrier, or alone on any port.
    if protocol in ("sdp", "http", "websocket", "stun", "dtls", "srt"):
        return []
    told, ours = tshark.counts(protocol), weir.counts(protocol)
    return [(flow, shipped[protocol][flow], told[flow]) for flow in sorted(ours, key=sorted)
            if shipped[protocol][flow] < told[flow]]


def describe(item):
    if hasattr(item, "seen"):
        return f"{item}: {item.seen} packets, first {item.first[0]}, last {item.last[0]}, lost {item.lost}"
    return str(item)
