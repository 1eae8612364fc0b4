extension STUNWords {
    /// Messages of STUN and TURN.
    static let english: [String: String] = [
        "stun.check":
            "One peer tries a pair of candidates: if this reaches the other, and the answer comes back, the two can speak "
            + "directly on it. The name holds both peers' fragments, the one it is sent to first.",
        "stun.check.nominates":
            "The controlling peer chooses this pair: once the check is answered, both use it for everything that follows.",
        "stun.consentRefused":
            "The peer does not want to receive any more on this pair: the sender must stop at once, or use another.",
        "stun.consent":
            "The peer asks whether it may go on sending: without an answer it must fall silent after 30 seconds.",
        "stun.request.binding":
            "Asks a server from which address this packet came: behind a translating router (NAT) only others can tell.",
        "stun.request.sharedSecret": "Asks the server for a name and a password, as the first STUN had it.",
        "stun.request.allocate":
            "Asks a relay for an address of its own, on which others may reach the client when no direct way works.",
        "stun.request.refresh": "Asks the relay to keep the address longer, or to take it back.",
        "stun.request.createPermission": "Tells the relay from which peers it is to let packets in.",
        "stun.request.channelBind":
            "Asks the relay for a number that stands for a peer: packets then need only four octets more.",
        "stun.request.connect": "Asks the relay to connect to a peer over TCP.",
        "stun.request.connectionBind": "Ties this connection to one that the relay has with a peer.",
        "stun.indication.binding": "Keeps the way open in routers between the two; nobody answers it.",
        "stun.indication.send": "The client hands a packet to the relay, for a peer.",
        "stun.indication.data": "The relay hands on what a peer has sent.",
        "stun.indication.connectionAttempt": "A peer has connected to the relay's address.",
        "stun.success.binding": "The answer came back, and says from which address the question was seen to come.",
        "stun.success.allocate":
            "The relay has given an address: it becomes a candidate of type relay, the last resort.",
        "stun.success.refresh": "The address is kept for the time that is said.",
        "stun.success.createPermission": "The relay will let packets of these peers in.",
        "stun.success.channelBind": "The number stands for the peer from now on.",
        "stun.error": "The request was refused.",
        "stun.error.300": "Refused: another server is to be asked instead.",
        "stun.error.400":
            "Refused: the request lacks something or is malformed; often the name or the password is missing.",
        "stun.error.401":
            "Refused for now: the server wants a name and a password, and says for which realm. The next request is to "
            + "bring them.",
        "stun.error.401.again":
            "Refused although the request brought a name and a code made with the password: one of them is wrong, or the "
            + "name is no longer valid.",
        "stun.error.401.check":
            "The peer refuses the check: its code is not made with the password that this peer told, or it knows no such "
            + "name.",
        "stun.request.signed":
            "Asks with a name, the server's realm and nonce, and a code made with the password. The password itself is not "
            + "on the wire: whether the code is right, only the server can tell.",
        "stun.error.403": "Refused: the server's own rules forbid it.",
        "stun.error.420": "Refused: the request has an attribute that must be understood, and is not known.",
        "stun.error.437": "Refused: the client has no address at the relay, or already has one.",
        "stun.error.438": "Refused for now: the nonce is too old. The next request is to use the new one.",
        "stun.error.440": "Refused: the relay has no addresses of this family (IPv4 or IPv6).",
        "stun.error.441": "Refused: these are not the credentials with which the address was asked for.",
        "stun.error.442": "Refused: the relay does not carry this transport.",
        "stun.error.443": "Refused: the peer's address is of another family than the relay's.",
        "stun.error.446": "Refused: there is a connection to this peer already.",
        "stun.error.447": "Refused: the relay could not connect to the peer, or it took too long.",
        "stun.error.486": "Refused: this user has as many addresses as the relay grants.",
        "stun.error.487":
            "Both peers took the same role: the receiver of this answer changes its own, and tries again.",
        "stun.error.500": "Refused: the server failed; the same request may be tried again.",
        "stun.error.508": "Refused: the relay has no more addresses or ports.",
    ]
}
