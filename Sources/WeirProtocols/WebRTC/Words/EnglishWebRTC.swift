extension WebRTCWords {
    /// Phases, outcomes and causes of calls.
    static let english: [String: String] = [
        "limit.relayed": "limit reached: {0} peers behind relays were not followed, since a flow had too many",
        "limit.candidates":
            "limit reached: a call had too many candidates, pairs of them, or relays; {0} were not followed",
        "phase.signaling": "Signaling",
        "phase.ice": "Find a way (ICE)",
        "phase.dtls": "Agree on keys (DTLS)",
        "webrtc.remark.firstOctet":
            "A datagram begins with the octet {0}, which stands for none of the protocols that share a flow in WebRTC.",
        "webrtc.agent": "one peer",
        "webrtc.offerer": "the peer that offered",
        "webrtc.answerer": "the peer that answered",
        "webrtc.outcome.connected": "connected on {0}, nominated {1} ms after the first check",
        "webrtc.outcome.relayed": "connected over a relay on {0}, nominated {1} ms after the first check",
        "webrtc.outcome.noPair": "no way between the peers was found: no pair of candidates was nominated",
        "webrtc.outcome.signalingOnly": "the capture holds signaling only, no check and no media",
        "webrtc.outcome.secured": "keys agreed on by DTLS",
        "webrtc.outcome.notSecured": "DTLS did not come to its end",
        "webrtc.outcome.notSecuredSeen": "DTLS did not come to its end as far as the capture goes",
        "webrtc.outcome.encryptedMedia": "encrypted media for {0} s",
        "webrtc.outcome.media": "media for {0} s",
        "webrtc.outcome.nominationUnseen":
            "the peers speak with each other; how they found the way, the capture does not hold",
        "webrtc.outcome.noPairSeen": "no pair of candidates was nominated as far as the capture goes",
        "webrtc.outcome.lost": "{0} packets lost",
        "webrtc.outcome.dataChannel": "data channels ({0}), encrypted",
        "webrtc.cause.noCandidate": "{1} told no candidate (frame {0})",
        "webrtc.cause.oneFamily":
            "the candidates of one peer are IPv4 only, those of the other IPv6 only (up to frame {0})",
        "webrtc.cause.noChecks": "candidates were exchanged (up to frame {0}), and the capture holds no check",
        "webrtc.cause.unanswered": "{1} checks from {2} to {3}, the last in frame {0}, and the capture holds no answer",
        "webrtc.cause.refused": "checks from {2} to {3} were refused with {1} (first in frame {0})",
        "webrtc.cause.integrity":
            "the authentication code of the check in frame {0} is wrong: it was not made with the password of the description",
        "webrtc.cause.roleConflict": "both peers took the same role (487 in frame {0})",
        "webrtc.cause.relayOnly": "only the relay worked: no direct check was answered (nominated in frame {0})",
        "webrtc.cause.notNominated": "checks were answered (first in frame {0}), but no pair was nominated",
        "webrtc.cause.consentLost": "consent was asked for until frame {0}, and last given in frame {1}",
        "webrtc.cause.noDTLS": "the way was there (frame {0}), but nobody began DTLS on it",
        "webrtc.cause.unansweredDTLS": "ClientHello was sent {1} times (first in frame {0}) and not answered",
        "webrtc.cause.largeDTLS":
            "the handshake in datagrams of up to {1} octets (frame {0}) was sent again and again: they may be too long for the "
            + "path",
        "webrtc.cause.fingerprint":
            "the certificate in frame {0} is not the one whose hash the description announced",
        "webrtc.cause.alert": "DTLS was refused with {1} (frame {0})",
    ]
}
