import CaptureTesting
import Testing
import WeirPackets
@testable import WeirEngine
@testable import WeirProtocols

/// Segments that were lost before the capture point and retransmitted.
@Suite("Segments whose first copy is missing") struct HeldMediaTests {
    private static let frames = try? KeptFrame.read(RecordedCaptures.path("Captures/rtmp/rtmp-loss.pcap"))

    /// Returns the effects of TCP on the session, and the number of retransmitted octets.
    private static func reported(_ frames: [KeptFrame]) -> (outcome: [String], again: Int, outOfOrder: Int) {
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

    @Test("are reported with their delay")
    func lost() throws {
        let frames = try #require(Self.frames)
        let reported = Self.reported(Array(frames.prefix(68)))
        #expect(reported.outcome.contains("outcome.resentUnseen.server") && reported.again == 104)
    }

    @Test("may be reordered if they arrive soon, or if nothing reported them missing")
    func overtaken() throws {
        var frames = Array(try #require(Self.frames).prefix(68))
        // Without the duplicate acknowledgments and SACKs about the gap (frame 64).
        let whole = Self.reported(frames)
        let silent = Self.reported(frames.filter { $0.info.number != 64 })
        #expect(!silent.outcome.contains { $0.hasPrefix("outcome.resentUnseen") } && silent.again == 0)
        #expect(silent.outOfOrder == whole.outOfOrder + 1)
        // The gap (frame 63) is filled 5 ms later, by frame 66.
        for index in frames.indices where frames[index].info.number >= 66 {
            let time = frames[index].info.time.nanoseconds - 211_000_000
            frames[index].info.time = Timestamp(nanoseconds: time)
        }
        let soon = Self.reported(frames)
        #expect(!soon.outcome.contains { $0.hasPrefix("outcome.resentUnseen") } && soon.again == 0)
        #expect(soon.outOfOrder == whole.outOfOrder + 1)
    }

    @Test("may be reordered if an acknowledgment repeats with another window and no SACK")
    func windowUpdate() throws {
        var frames = Array(try #require(Self.frames).prefix(68))
        frames[63] = frames[63].withoutSelectiveAcknowledgment
        let reported = Self.reported(frames)
        #expect(!reported.outcome.contains { $0.hasPrefix("outcome.resentUnseen") } && reported.again == 0)
    }
}

/// Spurious retransmissions.
@Suite("Spurious retransmissions") struct NeedlessSegmentTests {
    /// Returns the delays that steps are remarked with.
    private static func remarks(_ frames: [KeptFrame]) -> [String] {
        final class Steps: TimelineSink {
            var remarks: [String] = []
            func begin(_ capture: CaptureRecord) {}
            func event(_ event: Event, session: Session?) { remarks += event.remarks.map(\.text.key) }
            func flow(_ flow: FlowRecord) {}
            func stream(_ stream: StreamRecord, session: Session?) {}
            func session(_ record: SessionRecord, session: Session) {}
            func end(_ summary: SummaryRecord) {}
        }
        let sink = Steps()
        let analyzer = Analyzer(sink: sink)
        analyzer.begin(CaptureRecord(file: "test", format: "pcap", linkTypes: [.ethernet], snapLength: nil))
        for frame in frames { frame.use { analyzer.process($0) } }
        analyzer.finish()
        return sink.remarks.filter { $0.hasPrefix("tcp.resent") }
    }

    /// Frame 620 is a retransmission; frame 621 reports by D-SACK that its octets had arrived.
    @Test("delayed nothing")
    func needless() throws {
        var frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtmp/rtmp-enhanced-multitrack.pcap"))
        #expect(Self.remarks(frames) == ["tcp.resentNeedlessly.client"])
        frames[620] = frames[620].withoutSelectiveAcknowledgment
        #expect(Self.remarks(frames) == ["tcp.resent.client"])
    }
}

extension KeptFrame {
    /// The same segment without the SACK option of one block.
    fileprivate var withoutSelectiveAcknowledgment: Self {
        var frame = self
        for start in 54..<max(54, octets.count - 9) where octets[start] == 5 && octets[start + 1] == 10 {
            for place in start..<start + 10 { frame.octets[place] = 1 }
            return frame
        }
        return frame
    }
}
