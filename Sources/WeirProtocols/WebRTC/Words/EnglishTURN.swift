extension WebRTCWords {
    /// Phases, outcomes and causes of exchanges with TURN servers.
    static let englishTURN: [String: String] = [
        "phase.allocate": "Allocate",
        "phase.permissions": "Permissions",
        "phase.relay": "Relay",
        "turn.method.allocate": "Allocate",
        "turn.method.refresh": "Refresh",
        "turn.method.createPermission": "CreatePermission",
        "turn.method.channelBind": "ChannelBind",
        "turn.method.connect": "Connect",
        "turn.method.connectionBind": "ConnectionBind",
        "turn.method.other": "TURN",
        "turn.outcome.server": "{0}: {1}",
        "turn.outcome.more": "{0} more {0|server|servers}",
        "turn.outcome.noAnswer": "no answer from the server to {0} {1} {0|request|requests} in {2} s, in this capture",
        "turn.outcome.noAnswerSeen": "the capture contains no answer to {0} {1} {0|request|requests} ({2} s)",
        "turn.outcome.challenged":
            "the server asked for credentials in frame {0}, and the capture contains no request with them",
        "turn.outcome.unknown":
            "{0} TURN {0|request|requests} and {1} {1|response|responses}, without an allocation in the capture",
        "turn.outcome.granted": "relay address {0} allocated in frame {1} for {2} s",
        "turn.outcome.grantedFor": "relay address {0} allocated in frame {1}",
        "turn.outcome.refreshed": "refreshed {0} {0|time|times}, last in frame {1}",
        "turn.outcome.released": "deleted by the client in frame {0}",
        "turn.outcome.expires": "the allocation expires {0} s after frame {1} unless a Refresh succeeds",
        "turn.outcome.expired": "the allocation expired {0} s after frame {1}",
        "turn.outcome.refused": "{0} refused with {1} (last in frame {2}, {3} in all)",
        "turn.cause.no-answer":
            "{1} is down, or a firewall drops the packets ({0} requests, frames {2} to {3})",
        "turn.cause.no-answer.repeated":
            "no response from {1} arrived: the client retransmitted its request ({0} requests, frames {2} to {3})",
        "turn.cause.port-unreachable": "nothing is listening on {0} (ICMP port unreachable)",
        "turn.cause.stale-nonce":
            "the client does not use the new nonce that the server sends with 438: {0} {0|request|requests} "
            + "with the old one",
        "turn.cause.credentials-refused":
            "the server refused the credentials ({0} in frame {1}): username, password or realm is wrong",
        "turn.cause.credentials-refused.later":
            "the server refused {0} with 401 (frame {1}), although it accepted the user's credentials in frame {2}: they "
            + "expired, or the nonce did, which is answered with 438",
        "turn.cause.forbidden": "the server does not permit this peer address or client ({0} in frame {1})",
        "turn.cause.allocation-gone":
            "the server has no allocation for the client's address and port ({0} in frame {1})",
        "turn.cause.allocation-outlived":
            "the allocation expired {0} s after frame {1}: the client sent media for {2} s more, and none came back",
        "turn.cause.channel-bound-twice":
            "the TURN server refused a request with {0} (frame {1}): the client binds a second channel to a peer, which has "
            + "one since frame {2}",
        "turn.cause.channel-expired":
            "the channel expired {0} s after it was bound (frame {1}): the client sent data for {2} s more, and none came "
            + "back",
        "turn.cause.permission-expired":
            "the permission expired {0} s after it was installed (frame {1}): the client sent data for {2} s more, and "
            + "none came back",
        "turn.cause.allocation-expired":
            "the allocation had expired ({0} in frame {1}): it lasted {2} s from frame {3} on",
        "turn.cause.allocation-mismatch.again":
            "the server refuses the retransmission of a request that it accepted in frame {2} ({0} in frame {1})",
        "turn.cause.allocation-mismatch": "the client's address and port already have an allocation ({0} in frame {1})",
        "turn.cause.address-family": "the server has no relay addresses of the requested family ({0} in frame {1})",
        "turn.cause.wrong-credentials": "the username is not the one that made the allocation ({0} in frame {1})",
        "turn.cause.transport-unsupported": "the server does not relay the requested transport ({0} in frame {1})",
        "turn.cause.quota-reached": "the user has reached the server's allocation quota ({0} in frame {1})",
        "turn.cause.insufficient-capacity": "the server has no more relay addresses or ports ({0} in frame {1})",
        "turn.cause.relay-refused": "the TURN server refused a request with {0} (frame {1})",
    ]
}
