extension SignalingWords {
    /// Explanations of steps.
    static let english: [String: String] = [
        "protocol.signaling": "SIG",
        "limit.secrets":
            "limit reached: {0} messages contained more secrets than are tracked; other messages may show some of them",
        "limit.signaling": "limit reached: {0} signaling messages contained more than is decoded",
        "signaling.login": "Registers with the signaling server, or joins a room.",
        "signaling.offer": "Offers media and codecs to the other peer (SDP).",
        "signaling.answer": "Accepts media and codecs of the offer (SDP); ICE can start.",
        "signaling.pranswer": "A provisional answer; the final answer follows.",
        "signaling.candidate": "An address where the sender may be reachable.",
        "signaling.candidate.host": "Host candidate: an address of the sender's own interface.",
        "signaling.candidate.mdns": "Host candidate behind an mDNS name: same network only.",
        "signaling.candidate.srflx": "Server-reflexive candidate: the address outside the NAT.",
        "signaling.candidate.prflx": "Peer-reflexive candidate: learned from a check.",
        "signaling.candidate.relay": "Relay candidate: an address at a TURN server; last resort.",
        "signaling.endOfCandidates": "The sender has no more candidates.",
        "signaling.heartbeat": "Keeps the connection open.",
        "signaling.bye": "Ends the call, or leaves the session.",
        "signaling.error": "Reports an error.",
        "signaling.other": "Signaling without a description or a candidate.",
        "signaling.up": "The peers are connected: ICE and DTLS are complete.",
        "signaling.broken": "JSON that cannot be parsed.",
        "signaling.remark.skipped": "{0} octets before it are not a message",
    ]
}
