import CaptureTesting
import Testing
import WeirPackets
@testable import WeirEngine
@testable import WeirProtocols

/// Segments that were lost before the place of capture, and sent again.
@Suite("Segments whose first copy the capture lacks") struct HeldMediaTests {
    private static let frames = try? KeptFrame.read(RecordedCaptures.path("Captures/rtmp/rtmp-loss.pcap"))

    /// What TCP did to the session, and how many octets were sent again.
    private static func told(_ frames: [KeptFrame]) -> (outcome: [String], again: Int, outOfOrder: Int) {
        final class Flows: TimelineSink {
            var (outcome, again, outOfOrder) = ([String](), 0, 0)
            func begin(_ capture: CaptureRecord) {}
            func event(_ event: Event, session: Session?) {}
            func flow(_ flow: FlowRecord) {
                again += flow.tcp?.retransmittedBytes ?? 0
                outOfOrder += flow.tcp?.outOfOrderSegments ?? 0
            }
            func stream(_ stream: StreamRecord, session: Session?) {}
            func session(_ record: SessionRecord, session: Session) { outcome += record.outcome.map(\.key) }
            func end(_ summary: SummaryRecord) {}
        }
        let sink = Flows()
        let analyzer = Analyzer(sink: sink)
        analyzer.begin(CaptureRecord(file: "test", format: "pcap", linkTypes: [.ethernet], snapLength: nil))
        for frame in frames { frame.use { analyzer.process($0) } }
        analyzer.finish()
        return (sink.outcome, sink.again, sink.outOfOrder)
    }

    @Test("are told with what they held up")
    func lost() throws {
        let frames = try #require(Self.frames)
        let told = Self.told(Array(frames.prefix(68)))
        #expect(told.outcome.contains("outcome.resentUnseen.server") && told.again == 104 && told.outOfOrder == 0)
    }

    @Test("may have been overtaken where they come soon, or where nobody told that they were missing")
    func overtaken() throws {
        var frames = Array(try #require(Self.frames).prefix(68))
        // Without what the client said of the hole (frame 64).
        let silent = Self.told(frames.filter { $0.info.number != 64 })
        #expect(!silent.outcome.contains { $0.hasPrefix("outcome.resentUnseen") } && silent.again == 0)
        #expect(silent.outOfOrder == 1)
        // The hole (frame 63) is filled 5 ms later, by frame 66.
        for index in frames.indices where frames[index].info.number >= 66 {
            let time = frames[index].info.time.nanoseconds - 211_000_000
            frames[index].info.time = Timestamp(nanoseconds: time)
        }
        let soon = Self.told(frames)
        #expect(!soon.outcome.contains { $0.hasPrefix("outcome.resentUnseen") } && soon.again == 0)
        #expect(soon.outOfOrder == 1)
    }
}
