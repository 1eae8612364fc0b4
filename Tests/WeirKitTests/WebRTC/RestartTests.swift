import Foundation
import Testing
import WeirEngine
import WeirKit

@testable import WeirProtocols

/// ICE restarts, and similar descriptions.
@Suite("Restarts and calls on one connection") struct RestartTests {
    /// A signaling line with a description of one medium.
    private static func line(
        _ type: String, _ ufrag: String, origin: String = "- 7 1 IN IP4 127.0.0.1", hash: String = "AA"
    ) throws -> String {
        let sdp = [
            "v=0", "o=\(origin)", "s=-", "t=0 0", "m=audio 9 UDP/TLS/RTP/SAVPF 111", "c=IN IP4 0.0.0.0", "a=mid:0",
            "a=ice-ufrag:\(ufrag)", "a=ice-pwd:passwordOfTwentyTwoSigns\(ufrag)",
            "a=fingerprint:sha-256 " + [String](repeating: hash, count: 32).joined(separator: ":"),
            "a=setup:\(type == "offer" ? "actpass" : "active")", "a=rtpmap:111 opus/48000/2", "a=rtcp-mux", "",
        ].joined(separator: "\r\n")
        let octets = try JSONSerialization.data(withJSONObject: ["type": type, "sdp": sdp], options: [.sortedKeys])
        return String(decoding: octets, as: UTF8.self) + "\n"
    }

    /// Analyzes offers (`true`) and answers, each with its ufrag, on one connection.
    private static func result(_ said: [(isOffer: Bool, line: String)]) -> AnalysisResult {
        var dialogue = Dialogue(.tcp, port: 9_000)
        for said in said {
            if said.isOffer { dialogue.client(said.line) } else { dialogue.server(said.line) }
        }
        return dialogue.analyzed()
    }

    private static func staleAnswers(_ session: AnalysisResult.SessionResult) -> [Cause] {
        session.causes.filter { $0.id == "stale-answer" }
    }

    @Test(
        "an answer with the previous credentials is older than the restart",
        arguments: [("srv1", true), ("srv2", false)])
    func staleAnswer(_ ufrag: String, _ isStale: Bool) throws {
        let result = Self.result([
            (true, try Self.line("offer", "cln1")), (false, try Self.line("answer", "srv1", hash: "BB")),
            (true, try Self.line("offer", "cln2", origin: "- 7 2 IN IP4 127.0.0.1")),
            (false, try Self.line("answer", ufrag, origin: "- 7 2 IN IP4 127.0.0.1", hash: "BB")),
        ])
        #expect(result.sessions.count == 1)
        let session = try #require(result.sessions.first)
        #expect(session["iceRestarts"] == .integer(1))
        #expect(Self.staleAnswers(session).isEmpty != isStale)
        let remarks = result.events.flatMap(\.remarks).filter { $0.text.key == "webrtc.remark.restart" }
        #expect(remarks.count == (isStale ? 1 : 2))
    }

    @Test(
        "an offer with the same origin continues a call only with the same certificate",
        arguments: [
            ("AA", "- 7 2 IN IP4 127.0.0.1", 1), ("CC", "- 7 2 IN IP4 127.0.0.1", 2),
            ("AA", "- 8 2 IN IP4 127.0.0.1", 2),
        ])
    func sameOrigin(_ hash: String, _ origin: String, _ sessions: Int) throws {
        let result = Self.result([
            (true, try Self.line("offer", "cln1")), (false, try Self.line("answer", "srv1", hash: "BB")),
            (true, try Self.line("offer", "cln2", origin: origin, hash: hash)),
        ])
        #expect(result.sessions.count == sessions)
    }
}
