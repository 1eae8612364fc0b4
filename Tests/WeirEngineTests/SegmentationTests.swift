import CaptureTesting
import Testing
import WeirEngine
import WeirPackets
import WeirProtocols
import WeirTesting

/// The timeline does not depend on the segmentation of the conversation.
@Suite("Segmentation") struct SegmentationTests {
    /// Captures without loss whose media, if any, is on TCP.
    static let captures = [
        "rtsp-tcp-interleaved", "rtsp-http-tunnel", "rtsp-http-tunnel-gst", "rtsp-digest", "rtsp-record-tcp",
        "rtsp-pause-seek-tcp", "rtsp-ipv6-tcp", "rtsp-2.0-tcp", "rtsp-record-to-ffmpeg", "rtsp-record-hung-up",
        "rtmp-publish", "rtmp-play", "rtmp-publish-gst", "rtmp-play-rtmpdump", "rtmp-play-odd-port",
        "rtmp-extended-start", "rtmp-extended-omitted", "rtmp-chunks-128", "rtmp-chunks-changing",
        "rtmp-enhanced-multitrack", "rtmp-several", "rtmpt-publish", "rtmpe-refused", "article-publish-stalled",
    ]
    /// Whether a line is about a message; other events depend on times that a replay does not have.
    private static func isSaid(_ line: AnalyzedTimeline.Line) -> Bool {
        switch line.protocolName {
        case "rtsp", "sdp": true
        case "rtmp": line.kind == "handshake" || line.kind == "message"
        default: false
        }
    }

    private static func path(_ name: String) -> String {
        RecordedCaptures.path("Captures/\(name.hasPrefix("rtsp") ? "rtsp" : "rtmp")/\(name).pcap")
    }

    static func conversation(_ name: String) throws -> Conversation {
        let conversation = Conversation(try KeptFrame.read(path(name)))
        #expect(conversation.leftOver == 0)
        #expect(!conversation.turns.isEmpty)
        return conversation
    }

    private static var options: AnalyzerOptions {
        var options = AnalyzerOptions()
        options.packets = true
        return options
    }

    /// One segment per turn, as large as IP allows: the reference.
    private static func plain(_ conversation: Conversation) -> AnalyzedTimeline {
        let replay = Replay(conversation) { count, _ in
            stride(from: 0, to: count, by: 60_000).map { Replay.Piece($0..<min(count, $0 + 60_000)) }
        }
        return AnalyzedTimeline.emit(replay.frames, options: options)
    }

    private static func expectSame(_ replay: Replay, _ plain: AnalyzedTimeline, _ place: Comment) {
        let timeline = AnalyzedTimeline.analyzedBothWays(replay.frames, place)
        let difference = zip(timeline.lines, plain.lines).first { $0 != $1 }
        if let difference { Issue.record("\(place): \(difference.0) instead of \(difference.1)") }
        #expect(timeline.lines.count == plain.lines.count, place)
        #expect(timeline.streams.map(\.details.summary) == plain.streams.map(\.details.summary), place)
        // Outcomes contain frame numbers.
        #expect(
            timeline.sessions.map { $0.outcome.map(\.key) } == plain.sessions.map { $0.outcome.map(\.key) }, place)
        #expect(
            timeline.sessions.map { $0.phases.map(\.phase) } == plain.sessions.map { $0.phases.map(\.phase) }, place)
    }

    @Test("the plain replay gives the same timeline as the capture", arguments: captures)
    func plain(capture: String) throws {
        let conversation = try Self.conversation(capture)
        let replayed = Self.plain(conversation).lines.filter(Self.isSaid)
        let frames = try KeptFrame.read(Self.path(capture))
        let recorded = AnalyzedTimeline.emit(frames, options: Self.options).lines
            .filter(Self.isSaid)
        #expect(!replayed.isEmpty)
        #expect(replayed == recorded)
    }

    @Test("one octet at a time", arguments: RecordedCaptures.sample(captures, every: 5))
    func singleOctets(capture: String) throws {
        let conversation = try Self.conversation(capture).prefix(12_000)
        let replay = Replay(conversation, acknowledges: 3) { count, _ in (0..<count).map { Replay.Piece($0..<$0 + 1) } }
        Self.expectSame(replay, Self.plain(conversation), "one octet")
    }

    @Test("cut anywhere", arguments: RecordedCaptures.sample(captures, every: 5))
    func randomCuts(capture: String) throws {
        let conversation = try Self.conversation(capture)
        let plain = Self.plain(conversation)
        for (seed, largest) in [97, 1_460, 9_000].enumerated() {
            let replay = Replay(conversation, seed: UInt64(seed), acknowledges: 2) {
                Replay.Piece.random($0, upTo: largest, &$1)
            }
            Self.expectSame(replay, plain, "at most \(largest) octets")
        }
    }

    @Test(
        "out of order, retransmitted, overlapping, and captured twice",
        arguments: RecordedCaptures.sample(captures, every: 5))
    func disorder(capture: String) throws {
        let conversation = try Self.conversation(capture)
        let plain = Self.plain(conversation)
        for seed in 0..<6 {
            let replay = Replay(conversation, seed: UInt64(seed)) { count, random in
                let largest = [40, 700, 1_460].randomElement(using: &random) ?? 700
                var pieces = Replay.Piece.random(count, upTo: largest, &random)
                for piece in pieces where random.chance(6) {
                    let spread = Int.random(in: 0...200, using: &random)
                    let lower = max(0, piece.range.lowerBound - spread)
                    pieces.append(Replay.Piece(lower..<min(count, piece.range.upperBound + spread / 2)))
                }
                pieces.sort { $0.range.lowerBound < $1.range.lowerBound }
                for index in pieces.indices {
                    pieces[index].isCapturedTwice = random.chance(5)
                    guard random.chance(3) else { continue }
                    pieces.swapAt(index, min(pieces.count - 1, index + Int.random(in: 1...6, using: &random)))
                }
                return pieces
            }
            Self.expectSame(replay, plain, "seed \(seed)")
        }
    }

    @Test("the conversation ends anywhere in its first octets", arguments: ["rtmp-publish", "rtmp-play-rtmpdump"])
    func endsAnywhere(capture: String) throws {
        let conversation = try Self.conversation(capture)
        // Every offset after the handshake and around the ends of its parts.
        let ends = Array(6_000...8_192) + Array(1_530...1_545) + Array(stride(from: 1, to: 6_000, by: 53))
        for count in ends {
            let timeline = Self.plain(conversation.prefix(count))
            let last = try #require(timeline.lines.last)
            #expect(!last.summary.isEmpty && last.kind != "malformed", "\(count) octets")
            #expect(timeline.sessions.count <= 1)
        }
    }
}
