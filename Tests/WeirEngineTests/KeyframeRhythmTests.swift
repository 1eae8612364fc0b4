import Testing
import WeirPackets

@testable import WeirProtocols

@Suite("Key frame intervals") struct KeyframeRhythmTests {
    private struct Came {
        var seconds: Int64
        var missing = 0
        var paused: Int64 = 0
    }

    /// Key frames, then the end of a stream that started at 0.
    private static let rows: [(came: [Came], end: Came, longest: Int64?)] = [
        ([], Came(seconds: 0), nil),
        ([], Came(seconds: 3), 3),
        ([Came(seconds: 0)], Came(seconds: 0), nil),
        ([Came(seconds: 0), Came(seconds: 2), Came(seconds: 3)], Came(seconds: 4), 2),
        // No further key frame.
        ([Came(seconds: 0), Came(seconds: 2)], Came(seconds: 9), 7),
        // The stream started in the middle of a group of pictures.
        ([Came(seconds: 5), Came(seconds: 6)], Came(seconds: 6), 5),
        // The missing packets may contain a key frame; if not, the interval was longer.
        ([Came(seconds: 0), Came(seconds: 2), Came(seconds: 8, missing: 1)], Came(seconds: 9, missing: 1), nil),
        ([Came(seconds: 0), Came(seconds: 6), Came(seconds: 8, missing: 1)], Came(seconds: 9, missing: 1), 6),
        ([Came(seconds: 0), Came(seconds: 2)], Came(seconds: 9, missing: 1), nil),
        ([Came(seconds: 0)], Came(seconds: 9, missing: 1), nil),
        // The media was paused in between.
        (
            [Came(seconds: 0), Came(seconds: 1), Came(seconds: 60, paused: 58_000_000_000)],
            Came(seconds: 60, paused: 58_000_000_000), 1
        ),
    ]

    @Test("the longest interval is reported if it is captured completely", arguments: rows)
    private func longest(came: [Came], end: Came, longest: Int64?) {
        func time(_ seconds: Int64) -> Timestamp { Timestamp(nanoseconds: seconds * 1_000_000_000) }
        var rhythm = KeyframeRhythm()
        for one in came {
            rhythm.add(at: time(one.seconds), since: time(0), missing: one.missing, paused: one.paused)
        }
        let reported = rhythm.longest(
            until: time(end.seconds), since: time(0), missing: end.missing, paused: end.paused)
        #expect(reported == longest.map { $0 * 1_000_000_000 })
        #expect(rhythm.count == came.count)
    }
}
