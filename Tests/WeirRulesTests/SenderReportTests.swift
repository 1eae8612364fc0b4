import CaptureTesting
import Testing

/// The counts and times in sender reports.
@Suite("Sender report contents") struct SenderReportTests {
    /// Reports for a minute of audio, every five seconds, and the expected findings.
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var said: [String]
        var report: @Sendable (Double, inout MadeMedia) -> Void

        init(_ name: String, _ said: [String], _ report: @escaping @Sendable (Double, inout MadeMedia) -> Void) {
            (testDescription, self.said, self.report) = (name, said, report)
        }
    }

    static let rows: [Row] = [
        Row("all is well", []) { $1.senderReport(at: $0) },
        Row("headers count as octets", ["warning RTCP-SR-COUNT.headers"]) { $1.senderReport(at: $0, each: 172) },
        Row("a little more than payload is no header", []) { $1.senderReport(at: $0, each: 166) },
        Row("one count of packets falls", ["warning RTCP-SR-COUNT.fell"]) {
            $1.senderReport(at: $0, counting: $0 == 30 ? 7 : nil)
        },
        Row("the wall clock stands still", ["warning RTCP-SR-CLOCK.slope"]) {
            $1.senderReport(at: $0, wallClock: 3)
        },
        Row("the wall clock stands still for less than it takes to tell", []) {
            if $0 < 10 { $1.senderReport(at: $0, wallClock: 3) }
        },
    ]

    @Test("are judged by the packets, and by earlier reports", arguments: rows)
    func said(_ row: Row) {
        var media = MadeMedia()
        media.sound(3_000)
        for time in stride(from: 3.0, to: 60, by: 4.5) { row.report(time, &media) }
        let collector = Collector.of(media.frames)
        #expect(collector.said("RTCP-SR-COUNT") + collector.said("RTCP-SR-CLOCK") == row.said)
    }
}
