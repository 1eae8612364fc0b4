extension RTPWords {
    /// Messages about encrypted media.
    static let englishSRTP: [String: String] = [
        "SRTP-AUTH.some":
            "{0} of {1} packets {0|has|have} a wrong authentication tag (first seq {2} in frame {3}): modified in "
            + "transit, or a different key.",
        "SRTP-AUTH.none":
            "None of {0} {0|packet|packets} has a correct authentication tag (first in frame {1}{2}): the key differs "
            + "from a=crypto, or the rollover counter (ROC) does.",
        "SRTP-AUTH.givenUp": "; later ones were not checked",
        "SRTP-AUTH.unidentified":
            "{0} of {1} packets {0|has|have} no MKI although a=crypto declares one (first seq {2} in frame {3}); "
            + "without it, the authentication tags are correct.",
        "why.SRTP-AUTH": "The receiver drops packets with a wrong authentication tag.",
        "mend.SRTP-AUTH":
            "Use the key and suite of your own a=crypto, keep the rollover counter (ROC), and do not modify packets in "
            + "transit.",
    ]
}
