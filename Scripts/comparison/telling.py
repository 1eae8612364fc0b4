"""Decides what tshark must be told (`-d`) so that it looks where weir found something."""
from .differences import PROTOCOLS
from .messages import port_of


def rules(weir, shipped):
    """`-d` rules for the flows on which weir reports more than tshark does as shipped: {protocol: {flow: count}}."""
    less = {protocol: {flow for flow, count in weir.counts(protocol).items() if shipped[protocol][flow] < count}
            for protocol in ("rtsp", "rtp", "rtcp", "rtmp")}
    # A flow of which tshark sees some RTMP is RTMP to it, or HTTP with RTMP inside, which a rule would take apart.
    told = {f"tcp.port=={port_of(message.server)},rtmpt" for message in weir.rtmp
            if not shipped["rtmp"][flow_of(message)]}
    # Inside WebSocket a rule would take its frames for what they carry.
    wrapped = set(weir.counts("websocket"))
    for message in weir.rtsp:
        if flow_of(message) in less["rtsp"] - wrapped:
            # A request goes to the server; whoever answers is the server.
            server = message.source if message.what.isdigit() else message.destination
            told.add(f"tcp.port=={port_of(server)},rtsp")
    framed = {flow_of(item) for item in weir.rtp if item.transport == "tcp"}     # a length before each packet (RFC 4571)
    interleaved = set(weir.counts("rtsp"))      # RTP and RTCP there follow from RTSP
    # RTP first: its dissector hands RTCP on the same port over (RFC 5761), the RTCP dissector gives nothing back.
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
    # A port that is told two things would get the last one: let RTP win, see above.
    return {rule for rule in told if not (rule.endswith(",rtcp") and rule.replace(",rtcp", ",rtp") in told)}


def flow_of(item):
    return frozenset((item.source, item.destination))


def forget_bystanders(tshark, weir, shipped):
    """A `-d` rule is about a port, so it also changes flows nobody asked about. Drops what tshark says of a flow on
    which weir found nothing and which tshark as shipped does not see either."""
    asked = set().union(*(weir.counts(protocol) for protocol in PROTOCOLS))
    for protocol, flows in shipped.items():
        setattr(tshark, protocol, [item for item in getattr(tshark, protocol) if flow_of(item) in asked or
                                   flow_of(item) in flows])
