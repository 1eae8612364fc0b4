extension WebRTCWords {
    /// Phases, outcomes and causes of calls.
    static let english: [String: String] = [
        "limit.dataChannels": "limit reached: too many data channels in {0} DTLS {0|connection|connections}",
        "limit.relayed": "limit reached: too many peers behind relays on a flow; {0} were not tracked",
        "limit.permissions": "limit reached: too many permission requests to a relay on a flow; {0} were not tracked",
        "limit.candidates":
            "limit reached: too many candidates, candidate pairs or relays in a call; {0} were not tracked",
        "limit.callNames":
            "limit reached: too many names or generations in a call; the steps of {0} may not have been recognized",
        "limit.turn": "limit reached: too many clients of TURN servers at once; {0} TURN messages belong to no session",
        "limit.gathered": "limit reached: {0} addresses that servers reported to clients were not stored",
        "phase.signaling": "Signaling",
        "phase.ice": "Connectivity checks (ICE)",
        "phase.dtls": "Key exchange (DTLS)",
        "webrtc.remark.firstOctet":
            "A datagram starts with octet {0}, which is not that of a protocol multiplexed in WebRTC.",
        "webrtc.transport": "media section {0}",
        "webrtc.transport.unnamed": "transport {0}",
        "webrtc.outcome.transport": "{0}: {1}",
        "webrtc.outcome.newNames":
            "checks use new ICE credentials from frame {0} on: an ICE restart, or another transport of the call",
        "webrtc.remark.newNames":
            "Both username fragments are new: an ICE restart, or another transport of the call. The capture contains "
            + "no description that says which.",
        "webrtc.agent": "one peer",
        "webrtc.offerer": "the offerer",
        "webrtc.answerer": "the answerer",
        "webrtc.outcome.connected": "connected on {0} ↔ {1}{2}",
        "webrtc.outcome.connectedTCP": "connected over TCP on {0} ↔ {1}{2}",
        "webrtc.outcome.relayed": "connected through a relay on {0} ↔ {1}{2}",
        "webrtc.outcome.nominated": ", nominated {0} ms after the first check",
        "webrtc.outcome.nominatedLater":
            ", nominated in frame {0}; the first pair was nominated {1} ms after the first check",
        "webrtc.outcome.noPair": "no candidate pair was nominated: the peers never connected",
        "webrtc.outcome.refusedOffer": "the offer was refused in frame {0}: {1}",
        "webrtc.outcome.refusedOffers": "the offer was refused in frame {0}: {1} ({2} refusals in all)",
        "webrtc.outcome.refusedPreflight": "the preflight request (OPTIONS) was refused in frame {0}: {1}",
        "webrtc.outcome.noDTLS": "DTLS never started",
        "webrtc.outcome.signalingOnly": "no connectivity check, handshake or media of this call was captured",
        "webrtc.outcome.signalingUnseen":
            "no readable signaling: it may be encrypted, truncated, not captured, or in a format Weir does not know",
        "webrtc.outcome.signalingEncrypted": "no readable signaling: it may be in flow {0}, TLS to {1}",
        "webrtc.outcome.secured": "DTLS handshake complete (SRTP keys established)",
        "webrtc.outcome.securedLate":
            "DTLS handshake complete only after {0} s, in which the client sent its ClientHello {1} more {1|time|times} "
            + "(SRTP keys established)",
        "webrtc.outcome.notSecured": "DTLS handshake incomplete",
        "webrtc.outcome.notSecuredSeen": "DTLS handshake incomplete in the capture",
        "webrtc.outcome.encryptedMedia": "encrypted media for {0} s",
        "webrtc.outcome.media": "media for {0} s",
        "webrtc.outcome.nominationUnseen":
            "the peers exchange data; which candidate pair was nominated was not captured",
        "webrtc.outcome.waysUnseen": "the peers exchange data; the connectivity checks were not captured",
        "webrtc.outcome.restarted": "ICE restart in frame {0}; a candidate pair was nominated again in frame {1}",
        "webrtc.outcome.restartOpen": "ICE restart in frame {0}; the capture contains no nomination since then",
        "webrtc.outcome.hiddenCertificates": "whether the certificates match is unknown: DTLS 1.3 encrypts them",
        "webrtc.outcome.dataChannels": "data channels in the description: {0}",
        "webrtc.remark.restart":
            "ICE restart: the username fragment changes from {0} to {1}; new candidates and checks follow, while "
            + "media continues on the old pair",
        "webrtc.remark.restarted":
            "ICE restart: both username fragments are new, and the capture contains no description of it",
        "webrtc.pair": "new candidate pair: {0} → {1}",
        "webrtc.end": "{0} ({1}, signaled in frame {2})",
        "webrtc.end.named": "{0} (host, signaled as a name in frame {1})",
        "webrtc.end.untold": "{0}",
        "webrtc.end.ofRelay": "an address of the relay {0}",
        "webrtc.end.behindRelay": "a peer behind the relay {0}",
        "webrtc.stream.source": "media section {0} of the description in frame {1}, by SSRC",
        "webrtc.stream.mid": "media section {0} of the description in frame {1}, by the MID header extension",
        "webrtc.stream.payloadType": "media section {0} of the description in frame {1}, by payload type",
        "webrtc.stream.layer": "{0}; simulcast layer {1}, by the RID header extension",
        "webrtc.stream.goesOn": "{0}; continues from another pair ({1})",
        "webrtc.stream.repairs": "{0}; retransmits packets of layer {1}",
        "webrtc.outcome.noPairSeen": "no candidate pair was nominated in the capture",
        "webrtc.outcome.unanswered":
            "{1} {1|check|checks} from {2} to {3} (last in frame {0}): answers may not have been captured",
        "webrtc.outcome.lost": "{0} {0|packet|packets} lost",
        "webrtc.outcome.rejected": "the answer rejects {0} with port 0 (frame {1})",
        "webrtc.outcome.dataChannel": "data channels ({0}), encrypted",
        "webrtc.outcome.readDataChannel": "data channels ({0}), decrypted",
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
        "webrtc.answer.count": "which has {0} media {0|section|sections} for {1} in the offer",
        "webrtc.answer.order": "whose media sections are not in the order of the offer",
        "webrtc.answer.actpass": "which leaves the DTLS roles open (a=setup:actpass)",
        "webrtc.answer.bundle": "whose BUNDLE group lists a media section that it does not have",
        "webrtc.answer.rtcpMux": "which does not multiplex RTCP of bundled media (no a=rtcp-mux)",
        "webrtc.answer.sha1": "whose fingerprints are all of SHA-1, which not all peers accept",
        "webrtc.cause.answer-unacceptable": "the offerer sent no check after the answer in frame {0}, {1}",
        "webrtc.cause.former-credentials":
            "nothing answered {4} {4|check|checks} from {1} to {2} in the capture (last in frame {0}): their username "
            + "fragment is from before the description in frame {3}",
        "webrtc.cause.unanswered-dtls.elsewhere":
            "the ClientHello in frame {0} is from {2}, and the ServerHello in frame {1} goes to {3}",
        "webrtc.cause.unanswered-dtls.unaccepted":
            "the client repeated its ClientHello {1} times after the ServerHello in frame {0}: it does not accept the "
            + "server's messages, or does not receive them",
        "webrtc.cause.unanswered-dtls.cookie":
            "the server asked for a cookie, and the capture contains no response to {1} ClientHellos with it (first in "
            + "frame {0})",
        "webrtc.cause.unanswered.likely":
            "no answer to {1} {1|check|checks} from {2} to {3} (last in frame {0}), although other flows show {4} in "
            + "both directions",
        "webrtc.cause.port-unreachable": "nothing is listening on {1} (ICMP port unreachable in frame {0})",
        "webrtc.cause.refused": "checks from {2} to {3} were refused with {1} (first in frame {0})",
        "webrtc.cause.integrity.response":
            "the response in frame {0} is not authenticated with the password in the description: the sender of the check "
            + "ignores it",
        "webrtc.cause.integrity": "the check in frame {0} is not authenticated with the password in the description",
        "webrtc.cause.role-conflict": "both peers took the same ICE role (487 in frame {0})",
        "webrtc.cause.relay-only": "only the relay worked: no direct check was answered (nominated in frame {0})",
        "webrtc.cause.not-nominated": "checks succeeded (first in frame {0}), but no candidate pair was nominated",
        "webrtc.cause.relay-refused": "the TURN server refused a request with {1} (frame {0})",
        "webrtc.cause.stale-answer":
            "the answer in frame {0} carries the ICE credentials from before the restart in frame {1}",
        "webrtc.cause.consent-refused": "a peer revoked consent in frame {0} ({1}): the sender must stop at once",
        "webrtc.cause.consent-lost":
            "consent checks continued until frame {0}, and the last response in the capture is in frame {1}",
        "webrtc.cause.no-dtls": "a candidate pair was nominated (frame {0}), and neither side sent a ClientHello",
        "webrtc.cause.no-dtls.due":
            "{1} did not send the ClientHello that a=setup:{2} in the answer (frame {3}) requires; a candidate pair "
            + "was nominated in frame {0}",
        "webrtc.cause.both-passive":
            "both sides wait for a ClientHello: a=setup:passive in the offer (frame {0}) and in the answer (frame {1})",
        "webrtc.cause.both-active":
            "both sides act as DTLS client: a=setup:active in the offer (frame {0}) and in the answer (frame {1})",
        "webrtc.cause.unanswered-dtls":
            "{1} {1|ClientHello|ClientHellos} (first in frame {0}), and the capture contains no response",
        "webrtc.cause.large-dtls.fragments":
            "{1} {1|datagram|datagrams} in answer to the ClientHello (frame {0}) {1|is|are} incomplete: IP fragments "
            + "were lost, or not captured",
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
