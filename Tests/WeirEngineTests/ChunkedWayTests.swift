import CaptureTesting
import Testing
import WeirEngine
import WeirPackets
import WeirProtocols
import WeirTesting

extension AnalyzedTimeline {
    /// Returns the timeline of frames, after checking that it is the same, including all figures, without the RTMP fast
    /// path.
    @discardableResult
    static func analyzedWithoutFastPaths(
        _ frames: some Collection<KeptFrame>, packets: Bool = false, _ place: Comment? = nil
    ) -> AnalyzedTimeline {
        var options = AnalyzerOptions()
        options.packets = packets
        let short = emit(frames, options: options)
        options.hasFastPaths = false
        let long = emit(frames, options: options)
        if let difference = zip(short.lines, long.lines).first(where: { $0 != $1 }) {
            Issue.record("\(place ?? ""): the short way says \(difference.0) instead of \(difference.1)")
        }
        #expect(short.lines.count == long.lines.count, place)
        #expect(short.places == long.places, place)
        #expect(figures(short.streams) == figures(long.streams), place)
        #expect(short.streams.map(\.lastFrame) == long.streams.map(\.lastFrame), place)
        #expect(short.sessions.map(\.outcome) == long.sessions.map(\.outcome), place)
        #expect(short.facts == long.facts, place)
        #expect(short.summary?.limitsReached == long.summary?.limitsReached, place)
        return short
    }

    private static func figures(_ streams: [StreamRecord]) -> [[Field]] { streams.map { $0.details.fields(.revealed) } }
}

/// Most RTMP segments are in the middle of a message and bypass the dissector; the timeline must not change.
@Suite("The fast path of RTMP chunks") struct ChunkedWayTests {
    static let captures = RecordedCaptures.all.filter { $0.hasPrefix("Captures/rtmp/") && $0.hasSuffix(".pcap") }

    private static func frames(_ capture: String) throws -> [KeptFrame] {
        try KeptFrame.read(RecordedCaptures.path(capture))
    }

    @Test("as recorded", arguments: captures)
    func recorded(capture: String) throws {
        let frames = try Self.frames(capture)
        AnalyzedTimeline.analyzedWithoutFastPaths(frames, "media left out")
        AnalyzedTimeline.analyzedWithoutFastPaths(frames, packets: true, "media shown")
    }

    @Test("from any frame on", arguments: RecordedCaptures.sample(captures, every: 6))
    func late(capture: String) throws {
        let frames = try Self.frames(capture)
        for start in stride(from: 3, to: frames.count, by: max(1, frames.count / 4)) {
            AnalyzedTimeline.analyzedWithoutFastPaths(frames[start...], "from frame \(start + 1)")
        }
    }

    @Test("without some frames", arguments: RecordedCaptures.sample(captures, every: 6))
    func losses(capture: String) throws {
        let frames = try Self.frames(capture)
        for seed in 0..<2 {
            var random = SeededGenerator(UInt64(seed))
            AnalyzedTimeline.analyzedWithoutFastPaths(frames.filter { _ in !random.chance(20) }, "seed \(seed)")
        }
    }

    @Test(
        "with frames truncated, changed, swapped and duplicated", arguments: RecordedCaptures.sample(captures, every: 6)
    )
    func damage(capture: String) throws {
        let frames = try Self.frames(capture)
        for seed in 0..<4 {
            var random = SeededGenerator(UInt64(seed))
            var damaged = frames
            for index in damaged.indices where random.chance(12) {
                let count = damaged[index].octets.count
                switch Int.random(in: 0..<4, using: &random) {
                case 0:
                    damaged[index].octets.removeLast(Int.random(in: 0...count / 2, using: &random))
                    damaged[index].info.capturedLength = damaged[index].octets.count
                case 1 where count > 70:
                    // Only payload octets change.
                    let place = Int.random(in: 66..<count, using: &random)
                    damaged[index].octets[place] = UInt8.random(in: 0...255, using: &random)
                case 2: damaged.swapAt(index, min(damaged.count - 1, index + Int.random(in: 1...3, using: &random)))
                default: damaged.append(damaged[index])
                }
            }
            AnalyzedTimeline.analyzedWithoutFastPaths(damaged, "seed \(seed)")
        }
    }

    @Test("with pauses that end with a segment sent again", arguments: captures)
    func paused(capture: String) throws {
        let frames = try Self.frames(capture)
        let places = frames.indices.dropLast().filter { frames[$0].octets.count > 200 }
        for place in stride(from: places.count / 3, to: places.count, by: max(1, places.count / 5)) {
            let place = places[place]
            var paused = frames
            for index in paused.indices where index > place { paused[index].info.time.nanoseconds += 3_000_000_000 }
            var again = frames[place]
            again.info.time.nanoseconds += 2_900_000_000
            paused.insert(again, at: place + 1)
            AnalyzedTimeline.analyzedWithoutFastPaths(paused, "after frame \(place + 1)")
        }
    }

    @Test("in other segments and out of order", arguments: SegmentationTests.captures.filter { $0.hasPrefix("rtmp-") })
    func replayed(capture: String) throws {
        let conversation = try SegmentationTests.conversation(capture)
        for seed in 0..<4 {
            let replay = Replay(conversation, seed: UInt64(seed), acknowledges: 2) { count, random in
                var pieces = Replay.Piece.random(count, upTo: [3, 200, 1_460, 9_000][seed], &random)
                for index in pieces.indices where random.chance(9) {
                    pieces.swapAt(index, min(pieces.count - 1, index + 2))
                }
                return pieces
            }
            AnalyzedTimeline.analyzedWithoutFastPaths(replay.frames, "seed \(seed)")
        }
    }
}
