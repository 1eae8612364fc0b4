"""Decides what tshark must be told (`-d`) so that it looks where weir found something."""
from .differences import PROTOCOLS
from .messages import port_of


def rules(weir, shipped, tcp_flows):
    """`-d` rules for weir's flows that tshark does not see as shipped.

    `shipped` is {protocol: flows}; `tcp_flows` are weir's flows with RTSP, whose RTP and RTCP are interleaved and need
    no rule of their own.
    """
    told = set()
    for message in weir.rtsp:
        if frozenset((message.source, message.destination)) not in shipped["rtsp"]:
            # A request goes to the server; whoever answers is the server.
            server = message.source if message.what.isdigit() else message.destination
            told.add(f"tcp.port=={port_of(server)},rtsp")
    # RTP first: its dissector hands RTCP on the same port over (RFC 5761), the RTCP dissector gives nothing back.
    taken = set()
    for protocol in ("rtp", "rtcp"):
        for item in getattr(weir, protocol):
            flow = frozenset((item.source, item.destination))
            if flow in shipped[protocol] or flow in tcp_flows or flow in taken:
                continue
            if protocol == "rtcp" and flow in shipped["rtp"]:
                continue
            taken.add(flow)
            told.add(f"udp.port=={port_of(item.destination)},{protocol}")
    # A port that is told two things would get the last one: let RTP win, see above.
    rtp = {rule.partition(",")[0] for rule in told if rule.endswith(",rtp")}
    return {rule for rule in told if not (rule.endswith(",rtcp") and rule.partition(",")[0] in rtp)}


def forget_bystanders(tshark, weir, shipped):
    """A `-d` rule is about a port, so it also changes flows nobody asked about. Drops what tshark says of a flow on
    which weir found nothing and which tshark as shipped does not see either."""
    asked = set().union(*(weir.flows(protocol) for protocol in PROTOCOLS))
    for protocol, flows in shipped.items():
        kept = [item for item in getattr(tshark, protocol)
                if frozenset((item.source, item.destination)) in flows | asked]
        setattr(tshark, protocol, kept)
