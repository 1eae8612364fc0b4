// What breaks each rule of RTP and RTCP.

enum RTPCases {
    private static let play = Conversations.play
    private static let interleaved = Conversations.interleaved

    /// Packets a millisecond apart, whose timestamps say a tenth of a second.
    private static let hurried = (0..<60).map { "U 5000 6000 \(100 + $0) \(9000 + $0 * 9000)" }
        .joined(separator: "\n\n")

    static let rtp: [RTSPCase] = [
        Case(
            "RTP-NOT-ARRIVED", play,
            [("P 5000 6000 100 20", "+20"), ("U 5002 6002 700 9000\n\nU 5002 6002 701 9000", "+1")],
            "error never", "error never"),
        Case("RTP-NOT-ARRIVED", play, [("U 5002 6002 700 9000\n\nU 5002 6002 701 9000", "+1")], "warning never"),
        Case("RTP-NOT-ARRIVED", play, [("P 5000 6000 100 20", "+20\n\nP 5000 6000 100 20")], "warning late"),
        Case(
            "RTP-NOT-ARRIVED", play,
            [("P 5000 6000 100 20", "X 5000 6000"), ("U 5002 6002 700 9000\n\nU 5002 6002 701 9000", "+1")],
            "error unreachable"),
        Case("RTP-NOT-ARRIVED", play, [("V 5001 6001 S", "V 5001 6001 S\n\nX 5001 6001")], "note rtcp"),
        Case("RTP-SEQ-LOSS", interleaved, [("M 0 101 12000", "M 0 110 12000")], "error lost"),
        Case("RTP-SEQ-REORDER", interleaved, [("M 0 101 12000", "M 0 102 12000\n\nM 0 101 12000")], "note late"),
        Case("RTP-SEQ-DUP", interleaved, [("M 0 101 12000", "M 0 101 12000\n\nM 0 101 12000")], "note twice"),
        Case("RTP-JITTER", play, [("P 5000 6000 100 20", hurried)], "warning high"),
        Case("RTP-PORT-EVEN", play, [("m=audio 0", "m=audio 49171")], "warning odd"),
        Case("RTCP-SR-ABSENT", play, [("V 5001 6001 S\n\n", "")], "warning never"),
        Case("RTCP-RR-ABSENT", play, [("cV 5001 6001 R\n\n", "")], "warning never"),
    ]
}
