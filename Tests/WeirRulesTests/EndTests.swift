import CaptureTesting
import Testing
import WeirPackets
@testable import WeirEngine
@testable import WeirProtocols

/// How connections ended, where the capture lacks frames of it.
@Suite("Ends that the capture does not hold whole")
struct EndTests {
    /// What is said of a capture without the frames of these numbers.
    static func judged(_ name: String, without numbers: [Int]) throws -> Collector {
        var frames = try KeptFrame.read(RecordedCaptures.path("Captures/\(name).pcap"))
        frames.removeAll { numbers.contains($0.info.number) }
        let collector = Collector()
        let analyzer = Analyzer(sink: RuleEngine(rules: BuiltIn.rules, sink: collector))
        analyzer.begin(CaptureRecord(file: "test", format: "pcap", linkTypes: [.ethernet], snapLength: nil))
        for frame in frames.numbered { frame.use { analyzer.process($0) } }
        analyzer.finish()
        return collector
    }

    /// Frames 333 and 334 are the FINs, 335 acknowledges the second.
    @Test("A FIN that the other side acknowledges was sent", arguments: [[333], [334], [333, 335]])
    func acknowledged(_ missing: [Int]) throws {
        let said = try Self.judged("rtsp/rtsp-client-gone", without: missing)
        #expect(said.outcomes == [["outcome.played", "outcome.closedWithoutTeardown"]])
        #expect(said.said("RTSP-TEARDOWN") == ["note RTSP-TEARDOWN.closedInterleaved"])
    }

    @Test("Of two FINs that only their numbers show it is not known which was first")
    func bothMissing() throws {
        let said = try Self.judged("rtsp/rtsp-client-gone", without: [333, 334])
        #expect(said.outcomes == [["outcome.played", "outcome.closedBySomebody"]])
    }

    @Test("A connection that one side has closed is not called open")
    func halfClosed() throws {
        let said = try Self.judged("rtsp/rtsp-client-gone", without: [334, 335])
        #expect(said.outcomes == [["outcome.played", "outcome.closedWithoutTeardown"]])
    }

    @Test("A connection of which the capture lacks both FINs and what counts them is still open in it")
    func open() throws {
        let said = try Self.judged("rtsp/rtsp-client-gone", without: [333, 334, 335])
        #expect(said.outcomes == [["outcome.played", "outcome.open"]])
    }

    /// Frame 340 is TEARDOWN, 341 the client's FIN, 342 the answer, 343 the client's RST, which answers that.
    @Test(
        "An answer is missing only where the capture shows how much the server said",
        arguments: [[342], [341, 342], [342, 343], [341, 342, 343]])
    func unseenAnswer(_ missing: [Int]) throws {
        let said = try Self.judged("rtsp/rtsp-udp", without: missing)
        #expect(said.said("RTSP-UNANSWERED").contains("inconclusive RTSP-UNANSWERED.unseen"))
        #expect(!said.said("RTSP-UNANSWERED").contains("note RTSP-UNANSWERED.never"))
    }

    /// The server's FIN is in frame 331, TEARDOWN in 332, and 333 the server's RST.
    @Test("A server that has closed, or broken off, has not answered", arguments: [[333], [331]])
    func unanswered(_ missing: [Int]) throws {
        let said = try Self.judged("rtsp/rtsp-server-killed", without: missing)
        #expect(said.said("RTSP-UNANSWERED").contains("note RTSP-UNANSWERED.never"))
    }
}
