import CaptureTesting
import Testing
import WeirComparison
import WeirPackets
import WeirTesting

/// A mutation of a capture: one thing that another run would have done differently.
private struct Mutation: CustomStringConvertible {
    var capture: String
    var description: String
    var change: ([KeptFrame]) -> [KeptFrame]

    /// Replaces the text of one frame.
    static func text(_ capture: String, _ frame: Int, _ old: String, _ new: String) -> Self {
        Self(capture: capture, description: "\(capture) #\(frame) \(old) → \(new)") { frames in
            frames.map { $0.info.number == frame ? $0.replacing(old, with: new) : $0 }
        }
    }

    /// Delays a frame and all after it.
    static func pause(_ capture: String, _ frame: Int, seconds: Int64) -> Self {
        Self(capture: capture, description: "\(capture) #\(frame) late by \(seconds) s") { frames in
            frames.map { moved in
                var moved = moved
                if moved.info.number >= frame { moved.info.time.nanoseconds += seconds * 1_000_000_000 }
                return moved
            }
        }
    }
}

@Suite("Planted differences between runs")
struct PlantedDifferenceTests {
    /// Texts that decide something, and what replaces them, of the same length.
    private static let replacements: [(old: String, new: String)] = [
        ("200 OK", "404 No"), ("200 OK", "461 No"), ("200 OK", "503 No"), ("201 Created", "403 Refused"),
        ("OPTIONS rtsp", "OPTIOMS rtsp"), ("Accept: application/sdp", "Accept: application/xyz"),
        ("H264/90000", "H265/90000"), ("PCMU/8000", "PCMA/8000"), ("a=rtpmap:96", "a=rtpmap:99"),
        ("packetization-mode=1", "packetization-mode=0"), ("profile-level-id=4", "profile-level-id=6"),
        ("RTP/AVP/UDP;unicast", "RTP/AVX/UDP;unicast"), ("m=video", "m=audio"), ("a=sendrecv", "a=sendonly"),
        ("a=setup:actpass", "a=setup:passive"), ("a=rtcp-mux", "a=rtcp-xyz"), ("VP8/90000", "VP9/90000"),
        ("opus/48000", "opus/16000"), ("a=fmtp:96", "a=fmtp:98"), ("Server: GStreamer", "Server: GSfreamer"),
        ("Lavf59", "Lavf58"),
        ("NetConnection.Connect.Success", "NetConnection.Connect.Reject!"),
        ("NetStream.Publish.Start", "NetStream.Publish.Fault"), ("NetStream.Play.Start", "NetStream.Play.Nope!"),
        ("nonprivate", "nonPrivate"), ("createStream", "creatfStream"), ("releaseStream", "releaseStreax"),
        ("FCPublish", "FCPubl1sh"), ("live", "dead"), ("npt=0.000-", "npt=9.000-"), ("framerate:10", "framerate:25"),
        ("typ host", "typ relay"), ("b=AS:40", "b=AS:90"), ("a=control:stream=0", "a=control:stream=7"),
        ("mode=\"PLAY\"", "mode=\"RECO\""), ("TEARDOWN", "TEARDOWM"), ("Public: ", "Publix: "),
        ("User-Agent: ", "User-Agemt: "), ("Server: ", "Serwer: "), ("Range: ", "Rangy: "),
    ]

    private static let captures = [
        "rtsp/rtsp-udp", "rtsp/rtsp-udp-gst", "rtsp/rtsp-tcp-interleaved", "rtsp/rtsp-digest", "rtsp/rtsp-record-udp",
        "rtsp/rtsp-pause-seek", "rtsp/rtsp-ipv6", "rtsp/rtsp-h265-opus", "rtmp/rtmp-publish", "rtmp/rtmp-play",
        "rtmp/rtmp-publish-gst", "webrtc/webrtc-call", "webrtc/whip", "webrtc/whep", "webrtc/signaling-websocket",
        "webrtc/signaling-newline", "rtsp/rtsp-2.0", "rtsp/rtsp-vp8-g722",
    ]

    /// Returns the mutations that are possible in a capture.
    private static func mutations(_ capture: String, _ frames: [KeptFrame]) -> [Mutation] {
        var found: [Mutation] = []
        for frame in frames {
            for (old, new) in replacements where old.utf8.count == new.utf8.count && old != new {
                guard frame.replacing(old, with: new).octets != frame.octets else { continue }
                found.append(.text(capture, frame.info.number, old, new))
            }
        }
        return found
    }

    @Test("One mutation gives one difference in at least 95 % of 200")
    func mutations() throws {
        var random = SeededGenerator(37)
        var all: [Mutation] = []
        var frames: [String: [KeptFrame]] = [:]
        for capture in Self.captures {
            frames[capture] = try ComparedCaptures.frames(capture)
            all += Self.mutations(capture, frames[capture] ?? [])
        }
        all.shuffle(using: &random)
        let chosen = all.prefix(200)
        try #require(chosen.count == 200)
        var originals: [String: ComparedCapture] = [:]
        var wrong: [String] = []
        for mutation in chosen {
            let before = frames[mutation.capture] ?? []
            let original = originals[mutation.capture] ?? ComparedCaptures.read(before)
            originals[mutation.capture] = original
            let runs = RunsComparison(original, ComparedCaptures.read(mutation.change(before)))
            if runs.differences.count != 1 {
                let kinds = runs.differences.map {
                    "\($0.kind) \($0.protocolName) \(($0.stepA ?? $0.stepB)?.summary ?? "")"
                }
                wrong.append("\(mutation): \(runs.differences.count) \(kinds)")
            }
        }
        print("one difference: \(200 - wrong.count) of 200\n" + wrong.joined(separator: "\n"))
        #expect(wrong.count <= 10, "\(wrong.joined(separator: "\n"))")
    }

    @Test("A capture does not differ from itself as a run", arguments: captures)
    func same(_ capture: String) throws {
        let read = try ComparedCaptures.read(capture)
        #expect(RunsComparison(read, read).differences.isEmpty)
    }

    @Test(
        "Two runs of the same programs are recognized as runs",
        arguments: [
            ("rtsp/rtsp-digest", "rtsp/rtsp-wrong-password", "← 401"),
            ("rtmp/rtmp-publish", "rtmp/rtmp-publish-denied", ""),
        ])
    func runs(_ good: String, _ bad: String, _ said: String) throws {
        guard case .runs(let runs) = Comparison(try ComparedCaptures.read(good), try ComparedCaptures.read(bad)) else {
            Issue.record("taken for two places")
            return
        }
        #expect(runs.isDifferent)
        let first = try #require(runs.decisive)
        let difference = runs.sessions[first.session].differences[first.difference]
        #expect(difference.weight == .decisive)
        if good.hasPrefix("rtsp") { #expect(difference.changes.contains { $0.path == "status" && $0.b == "401" }) }
    }

    @Test("A response that takes 2 s longer is one difference in timing")
    func late() throws {
        let frames = try ComparedCaptures.frames("rtsp/rtsp-udp")
        let mutation = Mutation.pause("rtsp/rtsp-udp", 11, seconds: 2)
        let runs = RunsComparison(ComparedCaptures.read(frames), ComparedCaptures.read(mutation.change(frames)))
        #expect(runs.differences.map(\.kind) == [.timing])
    }

    @Test("Lost media is one difference of the stream")
    func lostMedia() throws {
        let frames = try ComparedCaptures.frames("rtsp/rtsp-udp")
        let missing = Set(stride(from: 60, to: 300, by: 7))
        let kept = frames.filter { !missing.contains($0.info.number) || ($0.octets.count < 100) }
        let runs = RunsComparison(ComparedCaptures.read(frames), ComparedCaptures.read(kept))
        #expect(!runs.differences.isEmpty)
        #expect(runs.differences.allSatisfy { $0.kind == .stream })
    }
}
