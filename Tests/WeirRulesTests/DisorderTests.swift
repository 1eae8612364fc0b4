import CaptureTesting
import Testing
import WeirPackets
@testable import WeirEngine
@testable import WeirProtocols

/// Packets that follow their acknowledgment in the file: nothing is missing, and nothing is early.
@Suite("Packets after their acknowledgment")
struct DisorderTests {
    @Test(
        "are nobody's fault, whichever direction is late",
        arguments: [
            "webrtc/signaling-websocket", "webrtc/signaling-newline", "webrtc/signaling-http", "webrtc/whip",
            "webrtc/article-signaling", "http/rtsp-websocket", "rtsp/rtsp-basic", "rtsp/rtsp-digest",
            "rtsp/rtsp-tcp-interleaved", "rtmp/rtmp-publish", "rtmp/rtmp-play",
        ], [20, 300, 2_000])
    func blamesNobody(_ name: String, milliseconds: Int64) throws {
        let frames = Array(try KeptFrame.read(RecordedCaptures.path("Captures/\(name).pcap")).prefix(400))
        let whole = TimelineCounts(frames)
        for isFirst in [true, false] {
            let less = Less.late(isFirst: isFirst, by: milliseconds * 1_000_000, frames)
            let part = TimelineCounts(less.frames, origins: less.origins)
            #expect(whole.breaches(less, part).filter { $0.hasPrefix("(a)") } == [], "\(less.name)")
        }
    }

    @Test("are nobody's fault if it is a single one", arguments: [10, 100])
    func blamesNobody(milliseconds: Int64) throws {
        for name in ["webrtc/signaling-websocket", "webrtc/browser-aiortc", "rtmp/rtmp-publish", "rtsp/rtsp-digest"] {
            let frames = Array(try KeptFrame.read(RecordedCaptures.path("Captures/\(name).pcap")).prefix(200))
            let whole = TimelineCounts(frames)
            for place in frames.indices.prefix(40) where frames[place].ports?.isTCP == true {
                let less = Less.late(place, by: milliseconds * 1_000_000, frames)
                let part = TimelineCounts(less.frames, origins: less.origins)
                #expect(whole.breaches(less, part).filter { $0.hasPrefix("(a)") } == [], "\(name), \(less.name)")
            }
        }
    }

    /// Findings about order or absence that a reordered capture cannot justify.
    @Test(
        "are nobody's fault if many are out of order",
        arguments: [
            "rtsp/rtsp-pause-seek", "rtsp/rtsp-digest", "rtsp/rtsp-record-tcp", "rtsp/rtsp-server-killed",
            "rtsp/rtsp-tcp-interleaved", "rtsp/rtsp-http-tunnel", "rtsp/rtsp-basic", "rtmp/rtmp-publish",
            "rtmp/rtmp-play", "rtmp/rtmp-publish-denied", "rtmp/rtmp-publish-taken", "rtmp/rtmp-relay",
            "rtmp/rtmpt-publish", "rtmp/article-publish",
        ], [3, 5, 10, 20])
    func shuffled(_ name: String, within distance: Int) throws {
        let frames = Array(try KeptFrame.read(RecordedCaptures.path("Captures/\(name).pcap")).prefix(300))
        let whole = TimelineCounts(frames)
        for seed in 1...3 {
            // If nothing shows that two connections of one conversation are out of order, the file's order counts.
            for keepsTimes in name.hasSuffix("tunnel") ? [true] : [true, false] {
                let less = Less.shuffled(frames, within: distance, seed: UInt64(seed), keepsTimes: keepsTimes)
                let part = TimelineCounts(less.frames, origins: less.origins)
                // Datagrams have no order except that in the file.
                let breaches = whole.breaches(less, part).filter { line in
                    ["(a) RTSP", "(a) RTMP", "(c)"].contains { line.hasPrefix($0) }
                }
                #expect(breaches == [], "\(less.name)")
            }
        }
    }

    /// The client's close is after its consequences.
    @Test(
        "are present all the same, if it is TEARDOWN",
        arguments: [
            "rtsp-basic", "rtsp-udp", "rtsp-digest", "rtsp-2.0", "rtsp-record-tcp", "rtsp-pause-seek", "rtsp-srtp",
            "rtsp-tcp-interleaved",
        ], [6, 50, 300])
    func teardown(_ name: String, milliseconds: Int64) throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtsp/\(name).pcap"))
        let place = try #require(
            frames.firstIndex { String(decoding: $0.octets, as: UTF8.self).contains("TEARDOWN rtsp") })
        let less = Less.late(place, by: milliseconds * 1_000_000, frames)
        let outcomes = Self.judged(less.frames).outcomes
        #expect(outcomes == Self.judged(frames).outcomes)
        #expect(Self.judged(less.frames).said("RTSP-TEARDOWN") == [])
    }

    /// A WebSocket upgrade with the response first.
    @Test("are parsed in place, if the request is after its response")
    func upgrade() throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/webrtc/signaling-websocket.pcap"))
        let less = Less.late(3, by: 10_000_000, frames)
        let timeline = AnalyzedTimeline()
        Self.analyze(less.frames, timeline)
        let reported = timeline.lines.map { "\($0.protocolName) \($0.kind)" }
        #expect(reported.prefix(5).contains("http request"))
        #expect(reported.contains("signaling login"))
    }

    /// The server's permission to publish is not captured, but acknowledged by the media that follows.
    @Test(
        "are not reported as missing, if the media acknowledges them", arguments: ["rtmp-publish", "rtmp-publish-gst"])
    func acknowledged(_ name: String) throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtmp/\(name).pcap"))
        for place in frames.indices.prefix(60) where frames[place].ports?.isTCP == true {
            let found = Self.judged(Less.without(place, of: frames).frames).findings.filter {
                $0.rule == "RTMP-MEDIA-EARLY" && $0.verdict == .fail
            }
            #expect(found.isEmpty, "without frame \(place + 1)")
        }
    }

    /// The distance between two key frames is unknown if messages of their direction are missing.
    @Test("may contain key frames, so that no interval is reported", arguments: [60, 90, 120, 150])
    func distances(from first: Int) throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtmp/rtmp-publish.pcap"))
        let whole = Self.keyframes(frames)
        var rest = frames
        rest.removeSubrange(first..<first + 20)
        for index in rest.indices { rest[index].info.number = index + 1 }
        let part = Self.keyframes(rest)
        #expect(!part.isEmpty && part.count <= whole.count)
        var unreported = 0
        for (timestamp, distance) in part {
            guard let distance else { unreported += 1; continue }
            #expect(whole[timestamp] == distance, "key frame at \(timestamp)")
        }
        #expect(unreported >= 1)
    }

    /// Returns the key frames by timestamp, with milliseconds and frames since the previous one.
    private static func keyframes(_ frames: [KeptFrame]) -> [UInt32: [Int]?] {
        let timeline = AnalyzedTimeline()
        analyze(frames, timeline)
        var found: [UInt32: [Int]?] = [:]
        for line in timeline.lines where line.protocolName == "rtmp" && line.kind == "keyframe" {
            func number(_ name: String) -> Int? {
                guard case .integer(let value)? = line.fields.first(where: { $0.name == name })?.value else {
                    return nil
                }
                return Int(value)
            }
            guard let timestamp = number("timestamp") else { continue }
            let distance = number("sincePreviousMs").map { [$0, number("framesSincePrevious") ?? 0] }
            found[UInt32(timestamp)] = .some(distance)
        }
        return found
    }

    /// TEARDOWN, its response, and a reset: if the response is missing, only the sequence number of the reset shows it.
    @Test("were sent, if the sequence number of a reset counts them", arguments: [true, false])
    func reset(isAnswered: Bool) {
        var wire = Wire()
        wire.connect()
        wire.send(fromClient: true, Array("TEARDOWN rtsp://192.0.2.2/a RTSP/1.0\r\nCSeq: 1\r\nSession: 7\r\n\r\n".utf8))
        if isAnswered { wire.lose(fromClient: false, octets: 40) }
        wire.recordReset(fromClient: false)
        let frames = wire.packets.enumerated().map {
            KeptFrame(
                packet: $0.element.octets, number: $0.offset + 1,
                time: Timestamp(nanoseconds: $0.element.nanoseconds))
        }
        let found = Self.judged(frames).findings.filter { $0.rule == "RTSP-UNANSWERED" }.map(\.verdict)
        #expect(found == [isAnswered ? .inconclusive : .fail])
    }

    private static func judged(_ frames: [KeptFrame]) -> Collector {
        let collector = Collector()
        analyze(frames, RuleEngine(rules: BuiltIn.rules, sink: collector))
        return collector
    }

    private static func analyze(_ frames: [KeptFrame], _ sink: any TimelineSink) {
        var options = AnalyzerOptions()
        options.verifiesChecksums = false
        let analyzer = Analyzer(options: options, sink: sink)
        analyzer.begin(CaptureRecord(file: "test", format: "pcap", linkTypes: [.ethernet], snapLength: nil))
        for frame in frames { frame.use { analyzer.process($0) } }
        analyzer.finish()
    }
}
