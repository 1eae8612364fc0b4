extension STUNWords {
    /// What the rules say, why they matter, and how to mend what breaks them.
    static let englishRules: [String: String] = [
        "STUN-HEADER.length": "The length of the message, {0}, is not a multiple of 4.",
        "STUN-HEADER.attributes": "The attributes do not end where the message does.",
        "why.STUN-HEADER": "Receivers drop the message, and the check or request is repeated in vain.",
        "mend.STUN-HEADER": "Pad each attribute to four octets, and count the padding in the message's length.",
        "STUN-FINGERPRINT.wrong": "The checksum in FINGERPRINT is wrong.",
        "STUN-FINGERPRINT.notLast": "FINGERPRINT is not the last attribute: {0} follows.",
        "why.STUN-FINGERPRINT": "The receiver takes the packet for something else, and drops it.",
        "mend.STUN-FINGERPRINT":
            "Compute it last, over the message with the final length, and append nothing afterwards.",
        "STUN-INTEGRITY.wrong": "MESSAGE-INTEGRITY is not made with the password that the description told.",
        "why.STUN-INTEGRITY": "The receiver refuses or drops the message: checks fail, and no way is found.",
        "mend.STUN-INTEGRITY":
            "Sign a check with the receiver's ice-pwd of the current generation, and see that no signaling server changes it.",
        "STUN-420.unnamed": "The refusal does not say which attributes are not known.",
        "STUN-420.other": "The refusal names the attribute {0}, which the request did not have.",
        "why.STUN-420": "The client cannot tell what to leave out.",
        "mend.STUN-420": "List every attribute of the request that must be understood and is not known.",
        "STUN-RETX.hurried": "The request was sent again after {1} ms, although {0} ms were waited before.",
        "STUN-RETX.consent": "A check for consent was sent again in the same transaction.",
        "why.STUN-RETX": "Repeating without waiting longer fills a network that is full already.",
        "mend.STUN-RETX":
            "Double the waiting time with each repetition; ask for consent with a new transaction each time.",
        "TURN-NONCE.old": "{0} carries the nonce that the server refused with 438, not the one that it gave.",
        "why.TURN-NONCE": "The server refuses each request: permissions, channels and then the allocation expire.",
        "mend.TURN-NONCE": "Retry with the NONCE and REALM of the 438 response, and use them from then on.",
        "TURN-FLOW.channel": "The channel number {0} is not one from 0x4000 to 0x4FFF.",
        "TURN-FLOW.permission": "A packet is to go to {0}, for which no permission was granted.",
        "TURN-FLOW.credentials": "{0} was refused with 401 although it had credentials: name or password are wrong.",
        "why.TURN-FLOW": "The relay drops what it carries, and media that needs it never arrives.",
        "mend.TURN-FLOW":
            "Ask for a permission or a channel for each peer and renew it in time; check name, password and realm.",
    ]
}
