extension STUNWords {
    /// Titles, explanations and fixes of the rules.
    static let englishRules: [String: String] = [
        "STUN-HEADER.length": "The message length {0} is not a multiple of 4.",
        "STUN-HEADER.attributes": "The attributes do not end where the message ends.",
        "why.STUN-HEADER": "Receivers drop the message, and retransmissions do not help.",
        "mend.STUN-HEADER": "Pad each attribute to four octets, and include the padding in the message length.",
        "STUN-FINGERPRINT.wrong": "The FINGERPRINT checksum is wrong.",
        "STUN-FINGERPRINT.notLast": "FINGERPRINT is not the last attribute: {0} follows.",
        "why.STUN-FINGERPRINT": "The receiver takes the packet for another protocol, and drops it.",
        "mend.STUN-FINGERPRINT": "Compute it last, with the final message length, and append nothing after it.",
        "STUN-INTEGRITY.wrong": "MESSAGE-INTEGRITY does not match the password in the description.",
        "why.STUN-INTEGRITY": "The receiver refuses or drops the message: checks fail, and the peers never connect.",
        "mend.STUN-INTEGRITY":
            "Sign checks with the receiver's current ice-pwd, and make sure that no signaling server changes it.",
        "STUN-420.unnamed": "The error response does not list the unknown attributes.",
        "STUN-420.other": "The error response lists {0}, which the request did not contain.",
        "why.STUN-420": "The client does not know what to omit.",
        "mend.STUN-420": "List every unknown comprehension-required attribute of the request.",
        "STUN-RETX.hurried": "Retransmitted after {1} ms, although the previous interval was {0} ms.",
        "STUN-RETX.consent": "A consent check was retransmitted in the same transaction.",
        "why.STUN-RETX": "Retransmissions without backoff add to congestion.",
        "mend.STUN-RETX": "Double the interval with each retransmission; use a new transaction for each consent check.",
        "TURN-NONCE.old": "{0} carries the nonce that the server refused with 438, not the new one.",
        "why.TURN-NONCE": "The server refuses each request: permissions, channels and then the allocation expire.",
        "mend.TURN-NONCE": "Retry with the NONCE and REALM of the 438 response, and use them from then on.",
        "TURN-FLOW.channel": "Channel number {0} is outside 0x4000 to 0x4FFF.",
        "TURN-FLOW.permission": "Data is sent to {0}, for which no permission was granted.",
        "TURN-FLOW.accepted":
            "{0} was refused with 401, although the server accepted this user's credentials in frame {1}: they expired, or "
            + "the nonce did, which is answered with 438.",
        "TURN-FLOW.credentials": "{0} was refused with 401 despite credentials: wrong username or password.",
        "why.TURN-FLOW": "The relay drops the data, and media that needs it never arrives.",
        "mend.TURN-FLOW":
            "Request a permission or channel for each peer and refresh it in time; check username, password and realm.",
    ]
}
