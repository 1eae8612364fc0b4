extension RTPWords {
    /// Encrypted media.
    static let englishSRTP: [String: String] = [
        "SRTP-AUTH.some":
            "The authentication tag of {0} of {1} packets is wrong, first of seq {2}: they were changed on the way, or made with "
            + "another key.",
        "SRTP-AUTH.none":
            "The authentication tag of none of {0} {0|packet|packets} is right: they were made with another key than a=crypto "
            + "tells.",
        "why.SRTP-AUTH": "The receiver drops each packet whose tag is wrong, as if it had been lost.",
        "mend.SRTP-AUTH":
            "Send with the key and the suite of one's own a=crypto, count the turns of the sequence number, and let nothing on "
            + "the way change packets.",
    ]
}
