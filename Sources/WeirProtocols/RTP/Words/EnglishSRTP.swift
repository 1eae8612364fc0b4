extension RTPWords {
    /// Encrypted media.
    static let englishSRTP: [String: String] = [
        "SRTP-AUTH.some":
            "{0} of {1} packets {0|has|have} a wrong authentication tag, first seq {2} in frame {3}: changed on the way, or made "
            + "with another key.",
        "SRTP-AUTH.none":
            "None of {0} {0|packet|packets} has a right authentication tag (first in frame {1}{2}): they were made with another "
            + "key than a=crypto tells, or with another count of the number's turns.",
        "SRTP-AUTH.givenUp": "; later ones were not tried",
        "SRTP-AUTH.unidentified":
            "{0} of {1} packets {0|lacks|lack} the identifier of the master key that a=crypto declares, first seq {2} in frame "
            + "{3}; without it their tags are right.",
        "why.SRTP-AUTH": "The receiver drops each packet whose tag is wrong, as if it had been lost.",
        "mend.SRTP-AUTH":
            "Send with the key and the suite of one's own a=crypto, count the turns of the sequence number, and let nothing on "
            + "the way change packets.",
    ]
}
