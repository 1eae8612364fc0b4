extension SignalingWords {
    /// What the steps of signaling do.
    static let english: [String: String] = [
        "protocol.signaling": "SIG",
        "limit.secrets":
            "limit reached: {0} messages told more secrets than are looked for where others repeat them; some may show there",
        "limit.signaling": "limit reached: {0} messages of signaling had more in them than is read",
        "signaling.login":
            "A peer makes itself known to the signaling server, or enters a room, so that others can reach it. No "
            + "specification says how signaling is written; each program has its own words.",
        "signaling.offer":
            "Offers a session: the description (SDP) says which audio and video the sender can send and receive, in which "
            + "codecs, and how its transport is secured. The other peer sets it as its remote description.",
        "signaling.answer":
            "Answers the offer: which of the offered media and codecs are taken. With it both peers know each other's "
            + "descriptions, and ICE can begin to look for a way between them.",
        "signaling.pranswer":
            "A provisional answer: the peer can begin to set up the way already, and a final answer follows.",
        "signaling.candidate":
            "A candidate: an address at which the sender may be reached. The other peer pairs it with its own and sends a "
            + "check on each pair.",
        "signaling.candidate.host":
            "A host candidate: an address of the sender's own interface. It works where both peers are in one network, or "
            + "have public addresses. The other peer sends a check (a STUN request) to it, to see whether a way is there.",
        "signaling.candidate.mdns":
            "A host candidate whose address is hidden behind a name of multicast DNS: only peers in the same network can "
            + "resolve it.",
        "signaling.candidate.srflx":
            "A server-reflexive candidate: the sender's address as a STUN server saw it from outside, in front of its "
            + "translating router (NAT). A check from the other peer may pass the router once one was sent out.",
        "signaling.candidate.prflx":
            "A peer-reflexive candidate: an address of the sender that showed only when a check came from it.",
        "signaling.candidate.relay":
            "A relayed candidate: an address at a TURN server, which passes on everything. It works nearly everywhere, and "
            + "costs a detour; it is the last to be chosen.",
        "signaling.endOfCandidates":
            "The sender has no more candidates: when none of their checks is answered, the other peer can give up.",
        "signaling.heartbeat":
            "Says only that the sender is still there, and keeps the connection open on its way through routers.",
        "signaling.bye": "Ends the call, or leaves the room.",
        "signaling.error": "Says that something failed.",
        "signaling.other": "A message of the signaling between peers, without a description or a candidate.",
        "signaling.up": "The server reports that the way to the peer stands: ICE and DTLS are done.",
        "signaling.broken": "This should be JSON, and cannot be read.",
        "signaling.remark.skipped": "{0} octets before it begin no message",
    ]
}
