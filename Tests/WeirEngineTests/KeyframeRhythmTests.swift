import Testing
import WeirPackets

@testable import WeirProtocols

@Suite("Rhythm of key frames") struct KeyframeRhythmTests {
    private struct Came {
        var seconds: Int64
        var missing = 0
        var paused: Int64 = 0
    }

    private static let rows: [(came: [Came], longest: Int64?)] = [
        ([], nil),
        ([Came(seconds: 0)], nil),
        ([Came(seconds: 0), Came(seconds: 2), Came(seconds: 3)], 2),
        // A key frame may be among the packets that are missing.
        ([Came(seconds: 0), Came(seconds: 2), Came(seconds: 8, missing: 1), Came(seconds: 9, missing: 1)], 2),
        // Media was paused in between.
        ([Came(seconds: 0), Came(seconds: 1), Came(seconds: 60, paused: 58_000_000_000)], 1),
        ([Came(seconds: 0), Came(seconds: 8, missing: 3)], nil),
    ]

    @Test("the longest time between two is told where nothing else may lie between them", arguments: rows)
    private func longest(came: [Came], longest: Int64?) {
        var rhythm = KeyframeRhythm()
        for one in came {
            rhythm.add(
                at: Timestamp(nanoseconds: one.seconds * 1_000_000_000), missing: one.missing, paused: one.paused)
        }
        #expect(rhythm.longest == longest.map { $0 * 1_000_000_000 })
        #expect(rhythm.count == came.count)
    }
}
