extension RTSPWords {
    /// Causes of session failure.
    static let englishCauses: [String: String] = [
        "rtsp.cause.credentials-missing":
            "the server asked for credentials ({2} in frame {1}), and the client sent none on this connection",
        "rtsp.cause.credentials-rejected":
            "wrong user name or password: the credentials in frame {0} answer the challenge, and frame {1} is {2} again",
        "rtsp.cause.credentials-old-nonce":
            "the client repeats an old nonce in frame {0} instead of the one from the challenge in frame {3} ({2} again in "
            + "frame {1})",
        "rtsp.cause.credentials-old-nonce.ruledOut":
            "an old nonce: the credentials in frame {0} use the nonce of frame {1}",
        "rtsp.cause.credentials-algorithm":
            "the credentials in frame {0} use algorithm {3}, the server offers {4} ({2} again in frame {1})",
        "rtsp.cause.credentials-scheme":
            "the credentials in frame {0} use {3}, the server offers {4} ({2} in frame {1})",
        "rtsp.cause.credentials-uri":
            "the digest in frame {0} is for {3}, the request for {4} ({2} in frame {1})",
        "rtsp.cause.transport-refused":
            "the server does not support {0} (461 in frame {1}), and the client tried no other transport",
        "rtsp.cause.description-open":
            "the last line of the description in frame {0} has no line end, and some clients reject or ignore such a line",
        "rtsp.cause.no-usable-medium.noBody": "the response to DESCRIBE in frame {0} has no description",
        "rtsp.cause.no-usable-medium.noMedium": "the description in frame {0} has no media section (m=)",
        "rtsp.cause.no-usable-medium.noCodec":
            "the description in frame {0} names no codec: payload type {1} is dynamic and has no a=rtpmap",
        "rtsp.cause.port-unreachable.unrequested":
            "nothing is listening on {0} (ICMP port unreachable in frame {1}): the response to SETUP in frame {2} has client "
            + "port {3} instead of {4} as requested",
        "rtsp.cause.session-with-timeout":
            "SETUP in frame {0} repeats the Session header with its timeout, which only responses have ({1} in frame {2})",
        "rtsp.cause.port-unreachable": "nothing is listening on {0} (ICMP port unreachable in frame {1})",
        "rtsp.cause.udp-silence":
            "a firewall or NAT drops UDP: no RTP for {0} in {1} after PLAY was accepted in frame {2}",
        "rtsp.cause.key-frame-never":
            "no key frame in {0} of video (from frame {1}): players cannot start decoding",
        "rtsp.cause.key-frame-late":
            "the first key frame comes {0} after the first video packet (frame {1}): players show no video until then",
        "rtsp.cause.other-channel":
            "all media is sent on channel {0} (from frame {1}), and SETUP assigned {2}: clients discard it",
        "rtsp.cause.other-protocol":
            "the server speaks {0} on this port, not RTSP (frame {1})",
        "rtsp.cause.session-timeout":
            "session timeout: no request for {0} (timeout {1} s) since frame {2}, then the server closed the connection",
        "rtsp.cause.session-timeout.unknown":
            "session timeout: no request for {0} (timeout {1} s) before the 454 in frame {2}",
        "rtsp.cause.session-timeout.ruledOut":
            "a session timeout: the last request is in frame {0}, {1} before the end (timeout {2} s)",
        "rtsp.cause.keep-alive-refused":
            "the server refused the keep-alive {0} with {1} (frame {2}) and closed the connection {3} later",
        "rtsp.cause.response-number":
            "the client left {0} after the response to {1} in frame {2}, which repeats the CSeq of another request",
        "rtsp.cause.response-without-transport":
            "the client left {0} after the response to {1} in frame {2}, which has no Transport",
        "rtsp.cause.response-content-base":
            "the client left {0} after the response to {1} in frame {2}, whose Content-Base is no RTSP URL",
        "rtsp.cause.response-with-other-channels":
            "the client left {0} after the response to {1} in frame {2}, which has other channels than requested",
        "rtsp.cause.setup-of-other-url":
            "the URL of SETUP in frame {0} is not a control URL of the description ({1} in frame {2})",
        "rtsp.cause.setup-of-presentation":
            "SETUP in frame {0} is for the presentation instead of a control URL of its media ({1} in frame {2})",
        "rtsp.cause.transport-without-channels":
            "SETUP in frame {0} requests TCP without interleaved channels, which some servers require ({1} in frame {2})",
        "rtsp.cause.redirect-ignored":
            "the client does not follow the redirection in frame {0}: it requests the same URL again in frame {1}",
        "rtsp.cause.keep-alive-unanswered":
            "the keep-alive {0} (frame {1}) got no response in the {2} until the connection ended",
        "rtsp.cause.malformed-request":
            "the server closed the connection {0} after the malformed {1} request in frame {2} ({3})",
        "rtsp.flaw.noNumber": "no CSeq",
        "rtsp.flaw.number": "CSeq is not a number",
        "rtsp.flaw.strayLine": "a line is not a header field",
        "rtsp.flaw.startLine": "malformed request line",
        "rtsp.flaw.uri": "malformed URI",
        "rtsp.flaw.notUTF8": "not UTF-8",
        "rtsp.flaw.colon": "a space before a colon",
        "rtsp.flaw.length": "wrong Content-Length",
        "rtsp.flaw.lineEnd": "lines do not end in CRLF",
    ]
}
