import CaptureTesting
import Testing
import WeirEngine
import WeirKit

@testable import WeirProtocols

/// Calls of browsers and media servers: simulcast layers, restarts, hidden addresses, DTLS 1.3.
@Suite("Recorded calls of browsers") struct BrowserCaptureTests {
    private static func members(_ value: FieldValue?) -> [Field] {
        guard case .object(let members) = value else { return [] }
        return members
    }

    @Test(
        "each call is one session without findings",
        arguments: [
            "browser-aiortc", "browser-simulcast", "browser-ice-restart", "browser-data-channel", "janus-echo",
        ])
    func sessions(_ name: String) throws {
        let (result, session) = try EditedCalls.recordedCall(name)
        #expect(session["selectedPair"] != nil && session.causes.isEmpty)
        #expect(result.errors.isEmpty)
        #expect(result.streams.allSatisfy { $0.session == session.record.id })
    }

    @Test("simulcast layers are assigned to their medium by name")
    func simulcast() throws {
        let result = try EditedCalls.recorded("browser-simulcast")
        let rids = Set(result.streams.compactMap { $0["rid"]?.string })
        #expect(rids == ["q", "h"])
        #expect(result.streams.filter { $0["rid"] != nil }.allSatisfy { $0["mid"] == .string("0") })
        guard case .array(let media) = result.sessions.first?["media"],
            case .array(let layers) = Self.members(media.first).first(where: { $0.name == "layers" })?.value
        else {
            Issue.record("no layers")
            return
        }
        #expect(layers.count == 2)
    }

    @Test("a restart is reported at its signaling, with its result")
    func restart() throws {
        let result = try EditedCalls.recorded("browser-ice-restart")
        let session = try #require(result.sessions.first)
        #expect(session["iceRestarts"] == .integer(1))
        #expect(session.outcome.contains { $0.contains("ICE restart in frame") && $0.contains("nominated again") })
        #expect(result.events.flatMap(\.remarks).filter { $0.text.key == "webrtc.remark.restart" }.count == 2)
    }

    @Test("a source's packets on two successive pairs are one stream", arguments: ["aiortc", "ice-restart"])
    func movedMedia(_ name: String) throws {
        let streams = try EditedCalls.recorded("browser-\(name)").streams
        let later = streams.filter { $0["continues"] != nil }
        #expect(!later.isEmpty)
        for stream in later {
            let before = try #require(streams.first { stream["continues"] == .integer($0.id) })
            #expect(before["ssrc"] == stream["ssrc"] && before.flow != stream.flow)
            // No sequence number is missing between the two.
            let (last, first) = (before["lastSequence"]?.double, stream["firstSequence"]?.double)
            #expect(try #require(last) + 1 == #require(first))
        }
        // A source that never moved has no continuation.
        let alone = Dictionary(grouping: streams) { $0["ssrc"]?.string }.values.filter { $0.count == 1 }
        #expect(alone.joined().allSatisfy { $0["continues"] == nil })
    }

    @Test("certificates encrypted by DTLS 1.3 are not compared")
    func hiddenCertificates() throws {
        let session = try #require(try EditedCalls.recorded("browser-ice-restart").sessions.first)
        #expect(session["fingerprintMatches"] == nil)
        #expect(session.outcome.contains { $0.contains("DTLS 1.3 encrypts them") })
        let older = try #require(try EditedCalls.recorded("browser-aiortc").sessions.first)
        #expect(older["fingerprintMatches"] == .bool(true))
        #expect(!older.outcome.contains { $0.contains("DTLS 1.3") })
    }

    @Test("each pair is reported once, with its candidates")
    func pairs() throws {
        let result = try EditedCalls.recorded("browser-aiortc")
        let said = result.events.flatMap(\.remarks).filter { $0.text.key == "webrtc.pair" }
        guard case .array(let pairs) = result.sessions.first?["candidatePairs"] else {
            Issue.record("no pairs")
            return
        }
        #expect(said.count == pairs.count && !said.isEmpty)
        #expect(said.allSatisfy { $0.text.arguments.count == 2 })
    }
}
