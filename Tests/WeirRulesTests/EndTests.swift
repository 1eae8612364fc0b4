import CaptureTesting
import Testing
import WeirPackets
@testable import WeirEngine
@testable import WeirProtocols

/// How connections ended when frames are missing.
@Suite("Incompletely captured ends")
struct EndTests {
    /// Judges a capture without the frames of these numbers.
    static func judged(_ name: String, without numbers: [Int]) throws -> Collector {
        var frames = try KeptFrame.read(RecordedCaptures.path("Captures/\(name).pcap"))
        frames.removeAll { numbers.contains($0.info.number) }
        return Collector.of(frames.numbered)
    }

    /// Frames 333 and 334 are the FINs; 335 acknowledges the second.
    @Test("An acknowledged FIN was sent", arguments: [[333], [334], [333, 335]])
    func acknowledged(_ missing: [Int]) throws {
        let said = try Self.judged("rtsp/rtsp-client-gone", without: missing)
        #expect(said.outcomes == [["outcome.played", "outcome.closedWithoutTeardown"]])
        #expect(said.said("RTSP-TEARDOWN") == ["note RTSP-TEARDOWN.closedInterleaved"])
    }

    @Test("The order of two FINs that only sequence numbers show is unknown")
    func bothMissing() throws {
        let said = try Self.judged("rtsp/rtsp-client-gone", without: [333, 334])
        #expect(said.outcomes == [["outcome.played", "outcome.closedBySomebody"]])
    }

    @Test("A half-closed connection is not reported as open")
    func halfClosed() throws {
        let said = try Self.judged("rtsp/rtsp-client-gone", without: [334, 335])
        #expect(said.outcomes == [["outcome.played", "outcome.closedWithoutTeardown"]])
    }

    /// Frame 36 is the client's FIN on its second connection, 37 the server's.
    @Test("A connection without SETUP may be closed without TEARDOWN")
    func halfClosedEarly() throws {
        let said = try Self.judged("rtsp/rtsp-vlc-client", without: Array(37...200))
        #expect(said.outcomes.last == ["outcome.earlyAfter"])
    }

    @Test("A connection whose two FINs and their acknowledgments are missing is still open in the capture")
    func open() throws {
        let said = try Self.judged("rtsp/rtsp-client-gone", without: [333, 334, 335])
        #expect(said.outcomes == [["outcome.played", "outcome.open"]])
    }

    /// Frame 340 is TEARDOWN, 341 the client's FIN, 342 the response, 343 the client's RST in reply.
    @Test(
        "A response is missing only if the capture shows all of the server's octets",
        arguments: [[342], [341, 342], [342, 343], [341, 342, 343]])
    func unseenAnswer(_ missing: [Int]) throws {
        let said = try Self.judged("rtsp/rtsp-udp", without: missing)
        #expect(said.said("RTSP-UNANSWERED").contains("inconclusive RTSP-UNANSWERED.unseen"))
        #expect(!said.said("RTSP-UNANSWERED").contains("note RTSP-UNANSWERED.never"))
    }

    /// The server's FIN is in frame 331, TEARDOWN in 332, and the server's RST in 333.
    @Test("A server that closed or reset the connection has not answered", arguments: [[333], [331]])
    func unanswered(_ missing: [Int]) throws {
        let said = try Self.judged("rtsp/rtsp-server-killed", without: missing)
        #expect(said.said("RTSP-UNANSWERED").contains("note RTSP-UNANSWERED.never"))
    }

    /// After these frames, resynchronization with the HTTP messages fails, although the client sends for more than a
    /// second.
    @Test(
        "RTMPT media does not end at a gap after which its connection cannot be parsed",
        arguments: [77...79, 115...115])
    func unreadableRest(_ missing: ClosedRange<Int>) throws {
        let said = try Self.judged("rtmp/rtmpt-publish", without: Array(missing))
        #expect(said.outcomes == [["outcome.rtmp.publishedAtLeast", "outcome.rtmp.leftByClient"]])
    }

    @Test("Before any media such a gap does not show that none arrived")
    func unreadableMedia() throws {
        let said = try Self.judged("rtmp/rtmpt-publish", without: [39, 40, 41])
        #expect(said.outcomes == [["outcome.rtmp.readInPart", "outcome.rtmp.leftByClient"]])
    }

    @Test("A gap inside a body leaves the rest readable")
    func hole() throws {
        let said = try Self.judged("rtmp/rtmpt-publish", without: [96])
        #expect(said.outcomes == [["outcome.rtmp.published", "outcome.rtmp.leftByClient"]])
    }

    /// Frames 44 to 53 contain the client's candidate, the first checks and the first half of the ClientHello. The
    /// other candidate has the flow's port, and an mDNS name as its address.
    @Test("A call with missing first checks is one session")
    func burst() throws {
        let said = try Self.judged("webrtc/browser-simulcast", without: Array(44...53))
        #expect(said.sessions.count == 1)
        #expect(said.sessions.first?.streams.count == 4)
    }

    /// Without TEARDOWN, which is frame 332; 331 is the server's FIN, 333 its RST in reply to TEARDOWN.
    @Test("No TEARDOWN is expected if the server left, or if one may have been sent")
    func serverLeft() throws {
        let lacking = try Self.judged("rtsp/rtsp-server-killed", without: [332])
        #expect(lacking.said("RTSP-TEARDOWN") == ["inconclusive RTSP-TEARDOWN.unseen"])
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtsp/rtsp-server-killed.pcap"))
        // The client's FIN in place of its TEARDOWN.
        var closing = frames[331]
        closing.octets[16...17] = [0, 52]
        closing.octets[47] = 0x11
        closing.octets.removeLast(closing.octets.count - 66)
        (closing.info.capturedLength, closing.info.originalLength) = (66, 66)
        let closed = Collector.of((frames.prefix(331) + [closing]).map { $0 }.numbered)
        #expect(closed.said("RTSP-TEARDOWN") == ["note RTSP-TEARDOWN.byServer"])
    }
}
