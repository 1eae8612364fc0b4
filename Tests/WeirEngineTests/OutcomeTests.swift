import CaptureTesting
import Testing
import WeirEngine
import WeirPackets
import WeirProtocols

/// The last line of a session, for captures of real peers.
@Suite("Outcomes")
struct OutcomeTests {
    private static let outcomes: [(capture: String, keys: [[String]])] = [
        ("rtsp-udp", [["outcome.played"]]),
        ("rtsp-not-found", [["outcome.status"]]),
        ("rtsp-no-protocol", [["outcome.stoppedAfter"]]),
        ("rtsp-client-gone", [["outcome.played", "outcome.closedWithoutTeardown"]]),
        ("rtsp-standstill-tcp", [["outcome.played", "outcome.silence"]]),
        ("rtsp-standstill-udp", [["outcome.played", "outcome.silence", "outcome.silentEnd"]]),
        ("rtsp-retransmission", [["outcome.played", "outcome.lost"]]),
        ("rtsp-srtp", [["outcome.played"]]),
        ("rtsp-midstream-udp", [["outcome.controlUnseen"]]),
        ("rtsp-port-unreachable", [["outcome.sent", "outcome.notTaken"]]),
        ("rtsp-snaplen-udp", [["outcome.cut"]]),
        ("rtmp-publish", [["outcome.rtmp.published"]]),
        ("rtmp-publish-gst", [["outcome.rtmp.published"]]),
        ("rtmp-play", [["outcome.rtmp.played", "outcome.rtmp.resetByClient"]]),
        ("rtmp-play-rtmpdump", [["outcome.rtmp.played"]]),
        ("rtmp-play-nothing", [["outcome.rtmp.playNoMedia", "outcome.rtmp.leftByClient"]]),
        ("rtmp-no-application", [["outcome.rtmp.connectUnanswered", "outcome.rtmp.closedByServer"]]),
        ("rtmp-publish-403", [["outcome.rtmp.unanswered", "outcome.rtmp.closedByServer"]]),
        ("rtmp-publish-denied", [["outcome.rtmp.publishDropped", "outcome.rtmp.closedByServer"]]),
        ("rtmp-publish-taken", [["outcome.rtmp.publishRefused", "outcome.rtmp.leftByClient"]]),
        ("rtmp-server-killed", [["outcome.rtmp.played", "outcome.rtmp.closedByServer"]]),
    ]

    @Test("The outcome states what happened", arguments: outcomes)
    func outcome(_ capture: String, _ keys: [[String]]) throws {
        let path = RecordedCaptures.path("Captures/\(capture.prefix { $0 != "-" })/\(capture).pcap")
        let timeline = AnalyzedTimeline.emit(try KeptFrame.read(path))
        #expect(timeline.sessions.map { $0.outcomeBeforeCauses.map(\.key) } == keys)
    }

    @Test("if a session's setup is not captured, its media is not reported as missing", arguments: [16, 17, 23])
    func unassigned(_ frame: Int) throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtsp/rtsp-udp.pcap"))
        let timeline = AnalyzedTimeline.emit(Less.begun(behind: frame - 1, of: frames).frames)
        #expect(timeline.streams.count == 2)
        let first = try #require(timeline.sessions.first?.outcome.first).key
        #expect(["outcome.controlUnseen", "outcome.acceptedUnseen"].contains(first), "\(first)")
    }

    /// The content of the connection is recognized only once it is complete, after both FINs.
    @Test(
        "how a connection ended is reported even if it was recognized later",
        arguments: [
            ("article-publish", 6), ("article-publish", 7), ("article-publish", 11), ("rtmp-no-application", 13),
        ])
    func endedBeforeRecognised(_ name: String, from frame: Int) throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtmp/\(name).pcap"))
        let whole = AnalyzedTimeline.emit(frames)
        let part = AnalyzedTimeline.emit(Less.begun(behind: frame - 1, of: frames).frames)
        #expect(
            part.sessions.map { $0.outcomeBeforeCauses.last?.key }
                == whole.sessions.map { $0.outcomeBeforeCauses.last?.key })
        #expect(part.lines.filter { $0.kind == "close" }.count == whole.lines.filter { $0.kind == "close" }.count)
    }

    @Test("nothing is parsed from an encrypted payload")
    func encrypted() throws {
        let timeline = AnalyzedTimeline.emit(
            try KeptFrame.read(RecordedCaptures.path("Captures/webrtc/webrtc-call.pcap")))
        #expect(!timeline.lines.contains { $0.kind == "keyframe" })
        let streams = timeline.streams.compactMap { $0.details as? RTPStreamDetails }.map(\.stream)
        #expect(streams.map(\.packets) == [163, 163, 98, 98])
        #expect(streams.allSatisfy { $0.mainFormat?.isEncrypted == true && $0.keyframes.count == 0 })
    }

    @Test("a tunnel with one half captured proves nothing", arguments: [7, 14])
    func halfTunnel(_ frame: Int) throws {
        let path = RecordedCaptures.path("Captures/rtsp/rtsp-http-tunnel.pcap")
        let frames = try KeptFrame.read(path)
        #expect(AnalyzedTimeline.emit(frames).sessions.map(\.outcome.count) == [1])
        let half = AnalyzedTimeline.emit(frames.enumerated().filter { $0.offset != frame - 1 }.map { $0.element })
        let keys = half.sessions.flatMap(\.outcome).map(\.key)
        #expect(keys.first == "outcome.played")
        #expect(frame == 7 ? keys.count == 1 : keys.last == "outcome.resetUnsure")
        let answers: UInt16 = 37_482
        let asked = AnalyzedTimeline.emit(
            frames.filter {
                $0.portNumbers.map { ports in ports.source != answers && ports.destination != answers } ?? true
            })
        #expect(asked.sessions.flatMap(\.outcome).map(\.key).first == "outcome.halfTunnel")
    }

    /// GET, its response, or POST: the other half suffices to pair the connections.
    @Test("a tunnel is recognized without any one of its opening messages", arguments: [[7], [9], [7, 9], [14]])
    func tunnelWithoutOpening(_ missing: [Int]) throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtsp/rtsp-http-tunnel.pcap"))
        let whole = AnalyzedTimeline.emit(frames)
        let part = AnalyzedTimeline.emit(frames.filter { !missing.contains($0.info.number) })
        func media(_ timeline: AnalyzedTimeline) -> [String] {
            timeline.streams.compactMap { stream in
                (stream.details as? RTPStreamDetails).map {
                    "\($0.stream.ssrc) \($0.stream.packets) \(stream.session ?? 0)"
                }
            }.sorted()
        }
        #expect(media(whole).count == 2 && media(part) == media(whole))
    }

    /// A retransmission of a request after 300 ms without a response.
    private static func delayed(_ capture: String, requestWith words: String) throws -> [KeptFrame] {
        let frames = try KeptFrame.read(RecordedCaptures.path(capture))
        let place = try #require(
            frames.firstIndex { String(decoding: $0.octets, as: UTF8.self).contains(words) })
        let later: Int64 = 300_000_000
        func shifted(_ frame: KeptFrame) -> KeptFrame {
            var frame = frame
            frame.info.time = Timestamp(nanoseconds: frame.info.time.nanoseconds + later)
            return frame
        }
        var again = shifted(frames[place])
        // A distinct packet, by its IP identification (Ethernet and IPv4).
        again.octets[18] ^= 0x40
        var all = Array(frames[...place]) + [again] + frames[(place + 1)...].map(shifted)
        for index in all.indices { all[index].info.number = index + 1 }
        return all
    }

    @Test("the longest TCP delay is in the outcome and at the step")
    func heldUp() throws {
        let timeline = AnalyzedTimeline.emit(
            try Self.delayed("Captures/rtsp/rtsp-basic.pcap", requestWith: "CSeq: 1\r\n"))
        let reported = timeline.sessions.flatMap(\.outcome).filter { $0.key == "outcome.resent.client" }
        guard case .decimal(let waited, _)? = reported.first?.arguments.first else {
            Issue.record("\(timeline.sessions.map(\.outcome))")
            return
        }
        #expect(reported.count == 1 && waited >= 299 && waited < 310)
        let whole = AnalyzedTimeline.emit(try KeptFrame.read(RecordedCaptures.path("Captures/rtsp/rtsp-basic.pcap")))
        #expect(whole.sessions.flatMap(\.outcome).allSatisfy { !$0.key.hasPrefix("outcome.resent") })
    }
}
