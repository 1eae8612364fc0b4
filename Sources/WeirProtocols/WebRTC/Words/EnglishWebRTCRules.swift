extension WebRTCWords {
    /// What the rules say, why they matter, and how to mend what breaks them.
    static let englishRules: [String: String] = [
        "ICE-USERNAME.other": "A check names its receiver {0}, and the receiver's description says another name.",
        "ICE-USERNAME.turned": "The check names its sender first: the receiver cannot match it.",
        "why.ICE-USERNAME": "The receiver finds no peer of that name, and refuses the check.",
        "mend.ICE-USERNAME": "Write the remote ice-ufrag, a colon, and the local one.",
        "ICE-ATTRS.priority": "The check has no PRIORITY.",
        "ICE-ATTRS.role": "The check says neither ICE-CONTROLLING nor ICE-CONTROLLED.",
        "ICE-ATTRS.roles": "The check says both ICE-CONTROLLING and ICE-CONTROLLED.",
        "ICE-ATTRS.nomination": "USE-CANDIDATE comes from an agent that does not control.",
        "ICE-ATTRS.undecided": "Checks for consent need neither, and what came before is not in the capture.",
        "why.ICE-ATTRS": "The receiver cannot rank a new candidate, or both believe that the other nominates.",
        "mend.ICE-ATTRS":
            "Put PRIORITY and exactly one role into each check; let only the controlling agent nominate.",
        "ICE-ROLE.controlled": "The agent that has to control says that it is controlled.",
        "ICE-ROLE.controlling": "The agent that has to be controlled says that it controls.",
        "why.ICE-ROLE": "Either both nominate, or none does, and the call never begins.",
        "mend.ICE-ROLE": "Let the offerer control, and the full agent against a lite one; change the role on 487.",
        "ICE-PRIORITY.formula": "The priority {0} of the {1} candidate {2} does not follow the formula.",
        "ICE-PRIORITY.twice": "Two candidates of a component have the priority {0}: {1} and {2}.",
        "why.ICE-PRIORITY": "Pairs are tried in an unlucky order, and a relay may win over a direct way.",
        "mend.ICE-PRIORITY": "Build it of type, address and component as the formula has it.",
        "ICE-XMAPPED.differs": "The server-reflexive candidate is not the address that the server told.",
        "why.ICE-XMAPPED": "Checks to it reach nobody, or somebody else.",
        "mend.ICE-XMAPPED": "Take the candidate from XOR-MAPPED-ADDRESS of the answer to the request of the same base.",
        "ICE-PAIR.undecided": "How the peers found their way is not in the capture.",
        "ICE-PAIR.unseen":
            "Checks were answered, and the peers speak with each other; which pair was nominated is not in the capture.",
        "ICE-PAIR.oneSided":
            "Whether a pair was nominated cannot be told: the capture may hold only what one end of them sent.",
        "ICE-PAIR.none": "No pair was nominated: {0} {0|pair|pairs} tried with {1} {1|check|checks}, {2} answered.",
        "why.ICE-PAIR": "Without a pair there is no media.",
        "mend.ICE-PAIR": "See the causes in the session's outcome: candidates, firewalls, passwords, roles.",
        "ICE-CONSENT.late": "Media went on for {0} s after the last check that was granted (frame {1}).",
        "why.ICE-CONSENT": "A peer that is gone, or never wanted it, is flooded with media.",
        "mend.ICE-CONSENT": "Ask for consent every 5 seconds, and stop 30 seconds after the last answer.",
        "DTLS-ROLE.turned": "ClientHello comes from the wrong side: the answer said a=setup:{0}.",
        "why.DTLS-ROLE": "Both wait for the other, or both begin.",
        "mend.DTLS-ROLE": "Let the side that a=setup makes active send ClientHello.",
        "DTLS-FP.another":
            "The certificate has one of the announced hashes, but not the one of {0}, which a peer may choose.",
        "DTLS-FP.differs": "The certificate is not the one whose hash the description announced.",
        "why.DTLS-FP": "The other side must refuse: it could be somebody in between.",
        "mend.DTLS-FP":
            "Announce the hash of the certificate that is used, and see that no server changes or stores old descriptions.",
        "DTLS-SRTP-EXT.missing": "ClientHello offers no profile for SRTP, though RTP was agreed on.",
        "DTLS-SRTP-EXT.chosen": "The server did not choose exactly one of the offered profiles.",
        "why.DTLS-SRTP-EXT": "Without a common profile there are no keys for media.",
        "mend.DTLS-SRTP-EXT": "Offer use_srtp with a profile that the peer has, and choose one of the offer.",
        "DTLS-FIRST.handshake": "ClientHello was sent before any check on this way was granted.",
        "DTLS-FIRST.media": "Media was sent before the handshake was over.",
        "why.DTLS-FIRST": "What comes before consent is dropped, and the handshake waits for its repetition.",
        "mend.DTLS-FIRST": "Begin the handshake when a check was granted, and media when it is over.",
        "DTLS-SIZE.long": "{1} comes in a datagram of {0} octets, from {2}.",
        "why.DTLS-SIZE": "A path that does not take it drops it each time, and the handshake never ends.",
        "mend.DTLS-SIZE": "Set the library's MTU to 1,200, or use certificates with ECDSA keys, which are short.",
        "RTP-MID.absent":
            "None of {0} packets names its medium, though both sides agreed on that: only SSRC or payload type tell.",
        "RTP-MID.unknown":
            "None of {0} packets names its medium, though both sides agreed on that; nothing else tells it.",
        "RTP-MID.undecided": "None of {0} packets names its medium; the capture may lack those that did.",
        "why.RTP-MID": "A receiver that does not know the SSRC yet drops the packets, or mixes media up.",
        "mend.RTP-MID": "Write the MID extension into the first packets of each stream.",
        "SRTP-DEMUX.other": "A datagram's first octet stands for none of the protocols on this flow.",
        "why.SRTP-DEMUX": "Receivers drop it.",
        "mend.SRTP-DEMUX": "Send nothing else on the flow, or on a port of its own.",
        "SRTP-ROC.restart":
            "The sequence numbers of one SSRC go on from {0} with {1}: a receiver takes that for a packet {2} back, not for one that "
            + "follows.",
        "why.SRTP-ROC":
            "The receiver drops it as an old packet, or counts the turns of the number wrongly and can decrypt nothing any more.",
        "mend.SRTP-ROC": "Keep the sequence numbers going; take a new SSRC when counting anew.",
    ]
}
