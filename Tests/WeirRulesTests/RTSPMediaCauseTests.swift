import CaptureTesting
import Testing
import WeirEngine
import WeirProtocols

/// Causes of media set up by RTSP that does not arrive or cannot be shown.
@Suite("Causes of missing media") struct RTSPMediaCauseTests {
    private func play(_ edits: [(String, String)]) throws -> Collector {
        try #require(Conversations.play.replacing(edits)).judged()
    }

    /// Media is replaced by silence; the capture contains other datagrams.
    private static let silence = [
        ("P 5000 6000 100 20\n\nV 5001 6001 S\n\ncV 5001 6001 R\n\nU 5002 6002 700 9000\n\nU 5002 6002 701 9000", "+8")
    ]
    private static let others = "D 198.51.100.7:7000 198.51.100.8:7100 96 500 0A0B0C0D 5"

    @Test("silence of UDP is likely if the capture has other datagrams")
    func silence() throws {
        let visible = [(Self.silence[0].0, Self.others + "\n\n+8")]
        #expect(try play(visible).causes == ["likely udp-silence"])
        // Without any datagram, UDP may not have been captured.
        #expect(try play(Self.silence).causes == [])
        #expect(try play([(Self.silence[0].0, Self.others + "\n\n+2")]).causes == [])
        #expect(try play(visible + [("Scale: 1.0\nRange: npt=0.000-\n\nS: RTSP", "\n\nG S 4\n\nS: RTSP")]).causes == [])
    }

    @Test("a port on which nothing is listening is shown by ICMP")
    func unreachable() throws {
        let error = ("V 5001 6001 S\n\ncV 5001 6001 R", "X 5000 6000\n\nV 5001 6001 S\n\n+5")
        let said = try play([error])
        #expect(said.causes == ["proved port-unreachable"])
        #expect(said.sessions.first?.causes.first?.frames.count == 1)
        // Receiver reports show that media arrived.
        #expect(try play([("V 5001 6001 S", "X 5000 6000\n\nV 5001 6001 S\n\n+5")]).causes == [])
    }

    @Test("video without a key frame for seconds cannot be shown")
    func keyframes() throws {
        let late = [
            ("seq=100;", "seq=101;"), ("P 5000 6000 100 20", "P 5000 6000 101 20"),
            ("V 5001 6001 S", "U 5000 6000 121 99000\n\nV 5001 6001 S"),
        ]
        #expect(try play(late).causes == ["proved key-frame-never"])
        let found = [
            ("seq=100;", "seq=81;"), ("P 5000 6000 100 20", "P 5000 6000 81 20"),
        ]
        #expect(try play(found).causes == ["proved key-frame-late"])
        // The missing packet may have been a key frame.
        #expect(try play([late[0], late[1], ("V 5001 6001 S", "U 5000 6000 123 99000\n\nV 5001 6001 S")]).causes == [])
    }

    @Test("a client that stops reading permanently is shown by its receive window")
    func zeroWindow() throws {
        let teardown =
            "C: TEARDOWN rtsp://h/live/ RTSP/1.0\nCSeq: 7\nSession: 63A3E5E6\n\nS: RTSP/1.0 200 OK\nCSeq: 7\n\nFIN"
        let out = ["ruledOut session-timeout"]
        #expect(try play([(teardown, "W C 0\n\n+5\n\nRST S")]).causes == ["proved receive-window-closed"] + out)
        #expect(try play([(teardown, "W C 0\n\n+5\n\nW C 100\n\nRST S")]).causes == out)
        // The capture ends first: a fact, not a cause.
        let open = try play([(teardown, "W C 0\n\n+5\n\nW C 0")])
        #expect(open.causes == [] && open.outcomes.last?.last == "outcome.zeroWindow.client")
    }
}
