"""Chooses the `-d` options with which tshark decodes the flows that weir recognized."""
from .differences import PROTOCOLS
from .messages import port_of


def rules(weir, shipped):
    """Returns `-d` rules for the flows with more in weir than in tshark by default: {protocol: {flow: count}}."""
    less = {protocol: {flow for flow, count in weir.counts(protocol).items() if shipped[protocol][flow] < count}
            for protocol in ("rtsp", "rtp", "rtcp", "rtmp")}
    # tshark already decodes such a flow as RTMP, or as HTTP with RTMP inside, which a rule would break.
    # A rule cannot name RTSP or RTMP inside TLS.
    told = {f"tcp.port=={port_of(message.server)},rtmpt" for message in weir.rtmp
            if not shipped["rtmp"][flow_of(message)] and flow_of(message) not in weir.decrypted}
    # Inside WebSocket a rule would decode the frames as their payload.
    wrapped = set(weir.counts("websocket"))
    for message in weir.rtsp:
        if flow_of(message) in less["rtsp"] - wrapped - weir.decrypted:
            # Requests go to the server; responses come from it.
            server = message.source if message.what.isdigit() else message.destination
            told.add(f"tcp.port=={port_of(server)},rtsp")
    framed = {flow_of(item) for item in weir.rtp if item.transport == "tcp"}     # a length before each packet (RFC 4571)
    interleaved = set(weir.counts("rtsp"))      # RTP and RTCP there follow from RTSP
    # RTP first: its dissector passes on RTCP on the same port (RFC 5761), but not vice versa.
    taken = set(shipped["rtp"])
    for protocol in ("rtp", "rtcp"):
        for item in getattr(weir, protocol):
            flow = flow_of(item)
            if flow not in less[protocol] or flow in interleaved or (protocol == "rtcp" and flow in taken):
                continue
            taken.add(flow)
            if flow in framed:
                told.update(f"tcp.port=={port_of(end)},rtp" for end in flow)
                continue
            told.add(f"udp.port=={port_of(item.destination)},{protocol}")
    # As shipped, tshark takes SRT for UDT, from which it comes.
    told |= {f"udp.port=={min(port_of(packet.source), port_of(packet.destination))},srt" for packet in weir.srt}
    # Of two rules for a port, tshark uses the last one: RTP takes precedence, see above.
    return {rule for rule in told if not (rule.endswith(",rtcp") and rule.replace(",rtcp", ",rtp") in told)}


def flow_of(item):
    return frozenset((item.source, item.destination))


def forget_bystanders(tshark, weir, shipped):
    """A `-d` rule applies to a port and thus to unrelated flows, too. Drops tshark's output for flows on which neither
    weir nor tshark by default finds anything."""
    asked = set().union(*(weir.counts(protocol) for protocol in PROTOCOLS))
    for protocol, flows in shipped.items():
        setattr(tshark, protocol, [item for item in getattr(tshark, protocol) if flow_of(item) in asked or
                                   flow_of(item) in flows])
