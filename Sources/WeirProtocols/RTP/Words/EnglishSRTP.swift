extension RTPWords {
    /// Encrypted media.
    static let englishSRTP: [String: String] = [
        "SRTP-AUTH.some":
            "{0} of {1} packets {0|has|have} a wrong authentication tag, first seq {2} in frame {3}: changed on the way, or made "
            + "with another key.",
        "SRTP-AUTH.none":
            "None of {0} {0|packet|packets} has a right authentication tag (first in frame {1}): they were made with another key "
            + "than a=crypto tells.",
        "why.SRTP-AUTH": "The receiver drops each packet whose tag is wrong, as if it had been lost.",
        "mend.SRTP-AUTH":
            "Send with the key and the suite of one's own a=crypto, count the turns of the sequence number, and let nothing on "
            + "the way change packets.",
    ]
}
