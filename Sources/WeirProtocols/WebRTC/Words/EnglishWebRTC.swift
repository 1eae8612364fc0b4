extension WebRTCWords {
    /// Phases, outcomes and causes of calls.
    static let english: [String: String] = [
        "limit.relayed": "limit reached: {0} peers behind relays were not followed, since a flow had too many",
        "limit.permissions":
            "limit reached: {0} requests for permissions of a relay were not followed, since a flow had too many",
        "limit.candidates":
            "limit reached: a call had too many candidates, pairs of them, or relays; {0} were not followed",
        "limit.callNames":
            "limit reached: a call had too many names or generations; of {0} the steps may not have been recognised",
        "limit.turn":
            "limit reached: {0} messages of TURN belong to no session, since too many clients asked servers at once",
        "limit.gathered": "limit reached: {0} addresses that servers told clients were not remembered",
        "phase.signaling": "Signaling",
        "phase.ice": "Find a way (ICE)",
        "phase.dtls": "Agree on keys (DTLS)",
        "webrtc.remark.firstOctet":
            "A datagram begins with the octet {0}, which stands for none of the protocols that share a flow in WebRTC.",
        "webrtc.transport": "medium {0}",
        "webrtc.transport.unnamed": "transport {0}",
        "webrtc.outcome.transport": "{0}: {1}",
        "webrtc.outcome.newNames":
            "from frame {0} on checks have other names: ICE began anew, or the call has another transport",
        "webrtc.remark.newNames":
            "Both names are new: ICE begins anew, or this is another transport of the call. The capture holds no description "
            + "that says which.",
        "webrtc.agent": "one peer",
        "webrtc.offerer": "the peer that offered",
        "webrtc.answerer": "the peer that answered",
        "webrtc.outcome.connected": "connected on {0} ↔ {1}{2}",
        "webrtc.outcome.connectedTCP": "connected over TCP on {0} ↔ {1}{2}",
        "webrtc.outcome.relayed": "connected over a relay on {0} ↔ {1}{2}",
        "webrtc.outcome.nominated": ", nominated {0} ms after the first check",
        "webrtc.outcome.nominatedLater":
            ", nominated in frame {0}; the first pair was nominated {1} ms after the first check",
        "webrtc.outcome.noPair": "no candidate pair was nominated: the peers never connected",
        "webrtc.outcome.refusedOffer": "the offer was refused in frame {0}: {1}",
        "webrtc.outcome.refusedOffers": "the offer was refused in frame {0}: {1} ({2} refusals in all)",
        "webrtc.outcome.refusedPreflight": "the preflight request (OPTIONS) was refused in frame {0}: {1}",
        "webrtc.outcome.noDTLS": "DTLS never started",
        "webrtc.outcome.signalingOnly": "no connectivity check, handshake or media of this call was found",
        "webrtc.outcome.signalingUnseen":
            "no signaling was found that can be read: it may be encrypted, cut off, not captured, or of a form unknown here",
        "webrtc.outcome.secured": "keys agreed on by DTLS",
        "webrtc.outcome.notSecured": "DTLS handshake incomplete",
        "webrtc.outcome.notSecuredSeen": "DTLS handshake incomplete as far as the capture goes",
        "webrtc.outcome.encryptedMedia": "encrypted media for {0} s",
        "webrtc.outcome.media": "media for {0} s",
        "webrtc.outcome.nominationUnseen":
            "the peers speak with each other; which pair was nominated, the capture does not hold",
        "webrtc.outcome.waysUnseen":
            "the peers speak with each other; how they found the way, the capture does not hold",
        "webrtc.outcome.restarted": "ICE began anew in frame {0}, and a pair was nominated again in frame {1}",
        "webrtc.outcome.restartOpen": "ICE began anew in frame {0}, and the capture holds no nomination since",
        "webrtc.outcome.hiddenCertificates":
            "whether the certificates are the announced ones cannot be seen, since DTLS 1.3 encrypts them",
        "webrtc.outcome.dataChannels": "data channels named in the description: {0}",
        "webrtc.remark.restart":
            "ICE begins anew: the name changes from {0} to {1}, and new candidates and checks follow, while media goes on on "
            + "the old pair",
        "webrtc.remark.restarted":
            "ICE began anew: both names are new, and the capture holds no description that says so",
        "webrtc.pair": "a new pair of candidates: {0} → {1}",
        "webrtc.end": "{0} ({1}, told in frame {2})",
        "webrtc.end.named": "{0} (host, told as a name in frame {1})",
        "webrtc.end.untold": "{0}",
        "webrtc.end.ofRelay": "an address of the relay {0}",
        "webrtc.end.behindRelay": "a peer behind the relay {0}",
        "webrtc.stream.source": "medium {0} of the description in frame {1}, by its SSRC",
        "webrtc.stream.mid": "medium {0} of the description in frame {1}, by the mid in its header",
        "webrtc.stream.payloadType": "medium {0} of the description in frame {1}, by its payload type",
        "webrtc.stream.layer": "{0}; layer {1} of simulcast, by the rid in its header",
        "webrtc.stream.goesOn": "{0}; it goes on with what it sent on another pair ({1})",
        "webrtc.stream.repairs": "{0}; sends packets of layer {1} again",
        "webrtc.outcome.noPairSeen": "no candidate pair was nominated as far as the capture goes",
        "webrtc.outcome.unanswered":
            "{1} {1|check|checks} from {2} to {3} (last in frame {0}): whether {1|it was|they were} answered, the capture does not show",
        "webrtc.outcome.lost": "{0} {0|packet|packets} lost",
        "webrtc.outcome.dataChannel": "data channels ({0}), encrypted",
        "webrtc.cause.no-candidate": "{1} sent no candidate (frame {0})",
        "webrtc.cause.no-candidate.ruledOut": "missing candidates: one was signaled in frame {0}",
        "webrtc.cause.no-checks.ruledOut": "no connectivity checks: the first is in frame {0}",
        "webrtc.cause.unanswered.ruledOut": "unanswered checks: a pair was nominated in frame {0}",
        "webrtc.cause.integrity.ruledOut": "a wrong ICE password: the check in frame {0} is authenticated",
        "webrtc.cause.no-dtls.ruledOut": "DTLS never started: the ClientHello is in frame {0}",
        "webrtc.cause.fingerprint.ruledOut": "a wrong certificate: that in frame {0} matches the description",
        "webrtc.cause.one-family": "one peer has IPv4 candidates only, the other IPv6 only (up to frame {0})",
        "webrtc.cause.no-checks":
            "candidates were exchanged (up to frame {0}), and the capture contains no connectivity check",
        "webrtc.cause.unanswered":
            "nothing answered {1} {1|check|checks} from {2} to {3} in the capture (last in frame {0})",
        "webrtc.cause.refused": "checks from {2} to {3} were refused with {1} (first in frame {0})",
        "webrtc.cause.integrity": "the check in frame {0} is not authenticated with the password of the description",
        "webrtc.cause.role-conflict": "both peers took the same ICE role (487 in frame {0})",
        "webrtc.cause.relay-only": "only the relay worked: no direct check was answered (nominated in frame {0})",
        "webrtc.cause.not-nominated": "checks succeeded (first in frame {0}), but no candidate pair was nominated",
        "webrtc.cause.relay-refused": "the TURN server refused a request with {1} (frame {0})",
        "webrtc.cause.stale-answer":
            "the answer in frame {0} carries the ICE credentials from before the restart in frame {1}",
        "webrtc.cause.consent-refused": "a peer revoked consent in frame {0} ({1}): the sender must stop at once",
        "webrtc.cause.consent-lost":
            "consent checks went on until frame {0}, and the last response in the capture is in frame {1}",
        "webrtc.cause.no-dtls": "a candidate pair was nominated (frame {0}), and neither side sent a ClientHello",
        "webrtc.cause.no-dtls.due":
            "{1} did not send the ClientHello that a=setup:{2} in the answer (frame {3}) asks for; a candidate "
            + "pair was nominated in frame {0}",
        "webrtc.cause.both-passive":
            "both sides wait for a ClientHello: a=setup:passive in the offer (frame {0}) and in the answer (frame {1})",
        "webrtc.cause.both-active":
            "both sides act as DTLS client: a=setup:active in the offer (frame {0}) and in the answer (frame {1})",
        "webrtc.cause.unanswered-dtls":
            "{1} {1|ClientHello|ClientHellos} (first in frame {0}), and the capture contains no response",
        "webrtc.cause.large-dtls":
            "handshake datagrams of up to {1} bytes (frame {0}) were retransmitted: they may exceed the MTU of "
            + "the path",
        "webrtc.cause.fingerprint": "the certificate in frame {0} does not match the fingerprint in the description",
        "webrtc.cause.alert": "DTLS failed with the alert {1} (frame {0})",
        "webrtc.cause.credentials-refused": "the server refused the credentials in the request",
        "webrtc.cause.credentials-missing": "the server requires credentials, and the request carries none",
        "webrtc.cause.forbidden": "the server forbids the request",
        "webrtc.cause.not-found": "the server has no such endpoint or stream",
        "webrtc.cause.method-not-allowed": "the URL does not accept POST",
        "webrtc.cause.content-type": "the server does not accept the content type {0}",
        "webrtc.cause.content-type.whip": "the offer was sent as {0}, not as application/sdp (RFC 9725)",
        "webrtc.cause.content-type.none": "the offer was sent without a content type",
        "webrtc.cause.server-unavailable": "the server is overloaded or unavailable",
        "webrtc.cause.server-unavailable.retry": "the server is overloaded or unavailable (Retry-After: {0} s)",
        "webrtc.cause.server-error": "the server failed with {0}",
        "webrtc.cause.offer-refused": "the server did not accept the offer ({0})",
        "webrtc.cause.preflight-refused":
            "the server does not allow a page of this origin to post, so no offer is sent (CORS)",
    ]
}
