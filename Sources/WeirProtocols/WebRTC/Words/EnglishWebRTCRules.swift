extension WebRTCWords {
    /// Titles, explanations and fixes of the rules.
    static let englishRules: [String: String] = [
        "ICE-USERNAME.other":
            "The check is addressed to {0}, which is not the ice-ufrag in the receiver's description.",
        "ICE-USERNAME.turned":
            "The username of the check has the sender's fragment first: the receiver cannot match it.",
        "why.ICE-USERNAME": "The receiver does not know this username, and refuses the check.",
        "mend.ICE-USERNAME": "Write the remote ice-ufrag, a colon, and the local ice-ufrag.",
        "ICE-ATTRS.priority": "The check has no PRIORITY.",
        "ICE-ATTRS.role": "The check has neither ICE-CONTROLLING nor ICE-CONTROLLED.",
        "ICE-ATTRS.roles": "The check has both ICE-CONTROLLING and ICE-CONTROLLED.",
        "ICE-ATTRS.nomination": "USE-CANDIDATE is sent by an agent that is not controlling.",
        "ICE-ATTRS.undecided": "Consent checks need neither, and what preceded was not captured.",
        "why.ICE-ATTRS":
            "The receiver cannot prioritize a new candidate, or each agent waits for the other to nominate.",
        "mend.ICE-ATTRS":
            "Put PRIORITY and exactly one role attribute into each check; only the controlling agent nominates.",
        "ICE-ROLE.controlled": "The controlling agent sends ICE-CONTROLLED.",
        "ICE-ROLE.controlling": "The controlled agent sends ICE-CONTROLLING.",
        "why.ICE-ROLE": "Both agents nominate, or neither does, and the call never starts.",
        "mend.ICE-ROLE": "The offerer controls, and against a lite agent the full one; switch the role on 487.",
        "ICE-PRIORITY.formula": "The priority {0} of the {1} candidate {2} does not follow the formula.",
        "ICE-PRIORITY.twice": "Two candidates of a component have priority {0}: {1} and {2}.",
        "why.ICE-PRIORITY": "Pairs are checked in a poor order, and a relay may win over a direct path.",
        "mend.ICE-PRIORITY": "Compute it from type, address and component with the formula.",
        "ICE-XMAPPED.differs": "The server-reflexive candidate is not the mapped address that the server returned.",
        "why.ICE-XMAPPED": "Checks to it reach no one, or another host.",
        "mend.ICE-XMAPPED": "Use XOR-MAPPED-ADDRESS of the response to the request from the same base.",
        "ICE-PAIR.undecided": "How the peers connected was not captured.",
        "ICE-PAIR.unseen":
            "Checks were answered, and the peers exchange data; which pair was nominated was not captured.",
        "ICE-PAIR.oneSided": "Whether a pair was nominated is unknown: the capture may contain one direction only.",
        "ICE-PAIR.none": "No candidate pair was nominated: {0} {0|pair|pairs}, {1} {1|check|checks}, {2} with success.",
        "why.ICE-PAIR": "Without a pair there is no media.",
        "mend.ICE-PAIR": "See the causes in the session's outcome: candidates, firewalls, passwords, roles.",
        "ICE-CONSENT.late": "Media continued for {0} s after the last answered check (frame {1}).",
        "why.ICE-CONSENT": "A peer that is gone, or that never consented, is flooded with media.",
        "mend.ICE-CONSENT": "Send a consent check every 5 seconds, and stop 30 seconds after the last response.",
        "DTLS-ROLE.turned": "The wrong side sends ClientHello: the answer has a=setup:{0}.",
        "why.DTLS-ROLE": "Both sides wait for each other, or both start.",
        "mend.DTLS-ROLE": "Send ClientHello from the side that a=setup makes active.",
        "DTLS-FP.another":
            "The certificate matches one of the announced fingerprints, but not that of {0}, which a peer may choose.",
        "DTLS-FP.differs": "The certificate does not match the fingerprint in the description.",
        "why.DTLS-FP": "The peer must refuse it: it may be a man-in-the-middle attack.",
        "mend.DTLS-FP":
            "Announce the fingerprint of the certificate in use, and make sure that no server changes or caches "
            + "descriptions.",
        "DTLS-SRTP-EXT.missing": "ClientHello offers no SRTP profile, although RTP was negotiated.",
        "DTLS-SRTP-EXT.chosen": "The server did not select exactly one of the offered profiles.",
        "why.DTLS-SRTP-EXT": "Without a common profile there are no SRTP keys.",
        "mend.DTLS-SRTP-EXT":
            "Offer use_srtp with a profile that the peer supports, and select one of the offered profiles.",
        "DTLS-FIRST.handshake": "ClientHello was sent before any check on this path succeeded.",
        "DTLS-FIRST.media": "Media was sent before the handshake was complete.",
        "why.DTLS-FIRST": "Packets before consent are dropped, and the handshake waits for a retransmission.",
        "mend.DTLS-FIRST": "Start the handshake after a successful check, and media after the handshake.",
        "DTLS-SIZE.long": "{1} is in a datagram of {0} octets, from {2}.",
        "why.DTLS-SIZE": "A path with a smaller MTU drops it every time, and the handshake never completes.",
        "mend.DTLS-SIZE": "Set the library's MTU to 1,200, or use certificates with ECDSA keys, which are shorter.",
        "RTP-MID.absent":
            "None of {0} packets carries its MID, although both sides negotiated it: only SSRC or payload type "
            + "identify the media section.",
        "RTP-MID.unknown":
            "None of {0} packets carries its MID, although both sides negotiated it, and nothing else identifies the "
            + "media section.",
        "RTP-MID.undecided": "None of {0} packets carries its MID; those that did may not have been captured.",
        "why.RTP-MID":
            "A receiver that does not know the SSRC yet drops the packets, or assigns them to the wrong media section.",
        "mend.RTP-MID": "Write the MID header extension into the first packets of each stream.",
        "SRTP-DEMUX.other": "The first octet of a datagram belongs to none of the protocols on this flow.",
        "why.SRTP-DEMUX": "Receivers drop it.",
        "mend.SRTP-DEMUX": "Send nothing else on the flow, or use another port.",
        "SRTP-ROC.restart":
            "The sequence number of one SSRC jumps from {0} to {1}: receivers take that for a packet {2} back, not "
            + "for a later one.",
        "why.SRTP-ROC":
            "Receivers drop it as an old packet, or get the rollover counter wrong and can decrypt nothing from then "
            + "on.",
        "mend.SRTP-ROC": "Continue the sequence numbers; use a new SSRC to restart them.",
    ]
}
