// Violations of each rule of RTP and RTCP.

enum RTPCases {
    private static let play = Conversations.play
    private static let interleaved = Conversations.interleaved

    /// Packets with timestamps 20 ms apart, every other one a fifth of a second late.
    private static let uneven = (0..<60).map { index in
        "U 5000 6000 \(100 + index) \(9000 + index * 1800)\n\n+\(index % 2 == 0 ? 0.001 : 0.2)"
    }.joined(separator: "\n\n")

    /// Pictures of two packets, ten per second: every other one takes more than a tenth of a second.
    private static let slow = (0..<120).map { index in
        """
        U 5000 6000 \(100 + 2 * index) \(9000 + 9000 * index)

        +\(index % 2 == 0 ? 0.04 : 0.14)

        U 5000 6000 \(101 + 2 * index) \(9000 + 9000 * index)

        +0.008
        """
    }.joined(separator: "\n\n")

    /// Pictures of one packet, ten per second.
    static let even = (0..<120).map { "U 5000 6000 \(100 + $0) \(9000 + 9000 * $0)\n\n+0.099" }
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
        // The capture ends before the session.
        Case(
            "RTP-NOT-ARRIVED", play,
            [
                ("P 5000 6000 100 20", "W C 8000\n\n+7\n\nD 198.51.100.7:7000 198.51.100.8:7100 96 500 0A0B0C0D 5"),
                (Conversations.endOfPlay, "+0.1"),
            ], "error never", "error never"),
        Case("RTP-SEQ-LOSS", interleaved, [("M 0 101 12000", "M 0 110 12000")], "error lost"),
        Case("RTP-SEQ-REORDER", interleaved, [("M 0 101 12000", "M 0 102 12000\n\nM 0 101 12000")], "note late"),
        Case("RTP-SEQ-DUP", interleaved, [("M 0 101 12000", "M 0 101 12000\n\nM 0 101 12000")], "note twice"),
        Case("RTP-SEQ-DUP", interleaved, [("M 0 101 12000", "M 0 101 12000\n\nM 0 101 24000")], "warning again"),
        Case(
            "RTP-SEQ-RESTART", play, [("V 5001 6001 S", "P 5000 6000 30000 20\n\nV 5001 6001 S")],
            "warning restarts"),
        Case(
            "H264-FIRST-IDR", play, [(";sprop-parameter-sets=Z0LAH9oBQBboQAAAAwBAAAAMo8YMqA==,aM4PyA==", "")],
            "warning sets"),
        Case("RTP-JITTER", play, [("P 5000 6000 100 20", uneven)], "warning high"),
        Case("RTP-PORT-EVEN", play, [("m=audio 0", "m=audio 49171")], "warning odd"),
        Case(
            "RTP-PT-MUX", play,
            [
                ("a=control:track1", "a=control:track1\na=rtcp-mux"),
                ("P 5000 6000 100 20", "D 192.0.2.2:6000 192.0.2.1:5000 72 100 12345678 20"),
            ], "error collides"),
        Case(
            "RTP-SSRC-COLLISION", play,
            [
                (
                    "P 5000 6000 100 20",
                    """
                    D 192.0.2.9:7000 192.0.2.1:7002 0 100 CAFE 6

                    D 192.0.2.10:7000 192.0.2.1:7002 0 500 CAFE 6

                    D 192.0.2.9:7000 192.0.2.1:7002 0 106 CAFE 6

                    P 5000 6000 100 20
                    """
                )
            ], "error shared"),
        Case(
            "RTP-ENDPOINT", play,
            [("P 5000 6000 100 20", "D 192.0.2.2:6100 192.0.2.1:5000 96 100 12345678 20")], "error port"),
        Case(
            "RTP-ENDPOINT", play,
            [("P 5000 6000 100 20", "D 192.0.2.7:6000 192.0.2.1:5000 96 100 12345678 20")], "warning address"),
        Case("RTP-PACE", play, [("P 5000 6000 100 20", slow)], "warning slow"),
        Case("PCM-SIZE", play, [("a=control:track2", "a=control:track2\na=ptime:20")], "note other"),
        Case("H264-FIRST-IDR", play, [("P 5000 6000 100 20", "P 5000 6000 101 20")], "warning never"),
        Case("RTCP-MUX", play, [("V 5001 6001 S", "V 5000 6000 S")], "error unagreed"),
        Case("RTCP-MUX", play, [("cV 5001 6001 R", "cV 5001 6000 R")], "error port"),
        Case("RTCP-MUX", play, [("cV 5001 6001 R", "cV 5001 6009 R")], "error port"),
        Case(
            "RTCP-INTERVAL", play, [("V 5001 6001 S", "V 5001 6001 S\n\nV 5001 6001 S\n\nV 5001 6001 S")], "note often"),
        Case("RTCP-BYE", play, [("cV 5001 6001 R", "cV 5001 6001 R\n\n+30")], "note never"),
        Case("RTCP-SR-ABSENT", play, [("V 5001 6001 S\n\n", "")], "warning never"),
        Case("RTCP-RR-ABSENT", play, [("cV 5001 6001 R\n\n", "")], "warning never"),
    ]
}
