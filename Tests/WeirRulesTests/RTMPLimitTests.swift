import Testing
import WeirEngine
import WeirPackets
@testable import WeirProtocols

/// Each RTMP track is counted separately, and reached RTMP limits are reported.
@Suite("Tracks and limits of RTMP") struct RTMPLimitTests {
    private typealias Bench = FLVBench

    private final class Told: TimelineSink {
        var streams: [RTMPTrack] = []
        var remarks: [String] = []
        var lines: [String] = []
        var limits: [String] = []
        func begin(_ capture: CaptureRecord) {}
        func event(_ event: Event, session: Session?) {
            remarks += event.remarks.map(\.text.key)
            lines.append(event.message.summary(.masked))
        }
        func flow(_ flow: FlowRecord) {}
        func stream(_ stream: StreamRecord, session: Session?) {
            if let details = stream.details as? RTMPStreamDetails { streams.append(details.track) }
        }
        func session(_ record: SessionRecord, session: Session) {}
        func end(_ summary: SummaryRecord) { limits = summary.limitsReached.map(\.key) }
    }

    private static func reported(_ bench: Bench, _ lower: (inout Limits) -> Void = { _ in }) -> Told {
        var options = AnalyzerOptions()
        lower(&options.limits)
        let reported = Told()
        bench.play(into: reported, options: options)
        return reported
    }

    @Test("Tracks of one message have separate figures")
    func tracks() throws {
        var bench = Bench()
        bench.send(9, Bench.tracks(0, Bench.record(), Bench.record()), at: 0)
        // The second track is longer than the limit for other media.
        let large = Bench.hex("00001000 65") + [UInt8](repeating: 0xAB, count: 4_095)
        for step in UInt32(0)..<10 {
            let isKey = step.isMultiple(of: 5)
            let small = isKey ? Bench.hex("00000003 65AABB") : Bench.hex("00000003 41AABB")
            var second = large
            if !isKey { second[4] = 0x41 }
            bench.send(9, Bench.tracks(3, isKey: isKey, small, second), at: 40 * step)
        }
        // One track alone, with its number; and the default track without one.
        bench.send(9, Bench.hex("A6 03 61766331 01 00000003 41AABB"), at: 400)
        bench.send(9, Bench.hex("A3 61766331 00000003 41AABB"), at: 400)
        let reported = Self.reported(bench)
        #expect(reported.streams.map(\.trackID) == [0, 1])
        #expect(reported.streams.map(\.frames) == [11, 11])
        #expect(reported.streams.map(\.keyframes) == [2, 2])
        #expect(reported.streams.map(\.followedFrames) == [11, 11])
        #expect(reported.streams.map(\.codec) == ["H.264", "H.264"])
        #expect(reported.streams.map(\.configuration?.width) == [640, 640])
        #expect(reported.streams.allSatisfy { $0.faults.messages == 0 && abs(($0.frameRate ?? 0) - 25) < 0.01 })
        let rates = reported.streams.compactMap(\.bitrate)
        #expect(rates.count == 2 && rates[0] < 10_000 && rates[1] > 700_000)
        // The message that configures both tracks is shown once.
        #expect(reported.lines.count { $0.hasPrefix("video: H.264 (2 tracks) sequence header") } == 1)
        #expect(reported.remarks == [])
    }

    @Test("A requested timestamp jump is no gap", arguments: [true, false])
    func jumps(_ isAskedFor: Bool) {
        var bench = Bench()
        bench.send(9, Bench.avc, at: 0)
        for step in UInt32(0)..<5 { bench.send(9, Bench.key, at: 40 * step) }
        let code = Bench.name("code") + Bench.string("NetStream.Seek.Notify")
        let status = Bench.string("onStatus") + Bench.number(0) + [5, 3] + code + [0, 0, 9]
        if isAskedFor { bench.send(20, status, fromClient: false) }
        bench.send(9, Bench.key, at: 60_000)
        if isAskedFor { bench.send(20, status, fromClient: false) }
        bench.send(9, Bench.key, at: 1_000)
        bench.send(9, Bench.key, at: 1_040)
        let reported = Self.reported(bench)
        #expect(reported.streams.map(\.gaps) == [isAskedFor ? 0 : 1])
        #expect(reported.streams.map(\.timestampsBack) == [isAskedFor ? 0 : 1])
    }

    @Test("Tracks of several codecs have their own codec")
    func codecs() {
        var bench = Bench()
        bench.send(8, Bench.hex("95 20 6D703461 00 000002 1210 4F707573 01 000000"), at: 0)
        bench.send(8, Bench.hex("95 21 6D703461 00 000002 AABB 4F707573 01 000003 AABBCC"), at: 20)
        let reported = Self.reported(bench)
        #expect(reported.streams.map(\.codec) == ["AAC", "Opus"])
        #expect(reported.streams.map(\.payloadOctets) == [2 + 2, 0 + 3])
    }

    private static let reached: [(what: String, lower: @Sendable (inout Limits) -> Void)] = [
        ("rtmp.remark.chunkStreams", { $0[RTMPLimits.self].chunkStreams = 1 }),
        ("rtmp.remark.tracks", { $0[FLVLimits.self].messageTracks = 1 }),
        ("rtmp.remark.amfLimit", { $0[AMFLimits.self].values = 2 }),
        ("rtmp.remark.amfLimit", { $0[AMFLimits.self].flaws = 0 }),
        ("rtmp.remark.aggregateLimit", { $0[RTMPLimits.self].aggregatedMessages = 1 }),
        ("rtmp.remark.streamNames", { $0[RTMPLimits.self].streamNames = 1 }),
        ("limit.statuses", { $0[RTMPLimits.self].statusesPerStream = 1 }),
        ("limit.oddMessages", { $0[RTMPLimits.self].oddMessages = 1 }),
        ("limit.requests", { $0.outstandingRequests = 1 }),
        ("limit.requests", { $0[RTMPLimits.self].commandOctets = 10 }), ("limit.streams", { $0.streamsPerFlow = 1 }),
    ]

    @Test("Reached limits are reported", arguments: reached.indices)
    func limit(_ index: Int) {
        var bench = Bench()
        bench.connect()
        for name in ["a", "b"] {
            bench.send(20, Bench.string("publish") + Bench.number(5) + [5] + Bench.string(name) + Bench.string("live"))
        }
        for _ in 0..<3 {
            bench.send(20, Bench.string("onStatus") + Bench.number(0) + [5, 3, 0, 0, 9], fromClient: false)
            bench.send(4, Bench.hex("0006 00000001"), stream: 0, fromClient: false)
        }
        bench.send(9, Bench.tracks(0, Bench.record(), Bench.record()))
        bench.send(8, Bench.aac)
        // An array in a shared object with fewer members than announced.
        let change = Bench.name("x") + Bench.hex("08 00000007 000009")
        let head = Bench.name("o") + Bench.hex("00000001 00000000 00000000 04 000000")
        bench.send(19, head + [UInt8(change.count)] + change)
        let sound = Bench.hex("08 000003 000000 00 000000 AF01AA 0000000E")
        bench.send(22, sound + sound)
        // A delta sets the time back, three times.
        for _ in 0..<3 { bench.back() }
        let (what, lower) = Self.reached[index]
        let plain = Self.reported(bench)
        #expect(!(plain.remarks + plain.limits).contains(what), "\(plain.remarks) \(plain.limits)")
        let reported = Self.reported(bench, lower)
        #expect((reported.remarks + reported.limits).contains(what), "\(reported.remarks) \(reported.limits)")
    }
}
