extension RTPWords {
    static let englishRIST: [String: String] = [
        "expect.rist": "RTCP of RIST is on the next port; recognized in frame {0}",
        "outcome.rist.media": "media was sent for {0} s",
        "outcome.rist.noMedia": "the capture contains no media",
        "outcome.rist.shared": "{0} paths share the packets",
        "outcome.rist.paths": "{0} paths: {1} {1|packet was|packets were} lost on one and arrived on another",
        "outcome.rist.lost": "{0} {0|packet|packets} lost",
        "outcome.rist.recovered": "all recovered",
        "outcome.rist.unrecovered": "{0} never recovered",
        "outcome.rist.unrecoveredOrUnseen": "{0} never recovered, or not captured",
        "outcome.rist.answered": "retransmissions arrived {0} ms after the NACK",
        "outcome.rist.roundTrip": "round-trip time {0} ms",
        "outcome.rist.noReceiver": "the capture contains no RTCP from the receiver",
        "cause.rist-closed-port": "nothing is listening on {0} (ICMP port unreachable)",
        "cause.rist-no-retransmission": "the receiver sends NACKs, but nothing is retransmitted",
    ]
}
