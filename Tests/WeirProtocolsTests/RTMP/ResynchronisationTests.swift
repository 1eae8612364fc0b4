import Testing
import WeirPackets
import WeirTesting
@testable import WeirEngine
@testable import WeirProtocols

@Suite struct ResynchronisationTests {
    private typealias Feed = DissectorFeed<RTMPDissector>

    /// A publisher's stream: alternating audio and video, first with type 0, then with type 1.
    private static func media(_ count: Int, chunkSize: Int) -> [[UInt8]] {
        (0..<count).map { index in
            let format: UInt8 = index < 2 ? 0 : 1
            if index.isMultiple(of: 2) {
                var generator = SeededGenerator(UInt64(index))
                return RTMPBytes.message(
                    chunkStream: 5, type: 8, time: 23, format: format, chunkSize: chunkSize,
                    hex("AF 01") + generator.octets(100 + index))
            }
            return RTMPBytes.message(
                chunkStream: 6, type: 9, time: 40, format: format, chunkSize: chunkSize,
                RTMPBytes.video(index % 8 == 1 ? 9_000 : 1_500, seed: UInt64(index)))
        }
    }

    private static func setSize(_ size: Int) -> [UInt8] {
        var value: [UInt8] = []
        value.append32(UInt32(size))
        return RTMPBytes.message(chunkStream: 2, type: 1, stream: 0, value)
    }

    /// After a gap anywhere, messages are read correctly again soon, and none is invented.
    @Test(arguments: [128, 4_096, 65_536]) func afterAGap(_ chunkSize: Int) throws {
        let messages = Self.media(40, chunkSize: chunkSize)
        let octets = Self.setSize(chunkSize) + messages.flatMap { $0 }
        var whole = try Feed.afterHandshake()
        try whole.feed(octets, .clientToServer)
        #expect(whole.rtmp.count == 41)
        let lengths = Set(whole.rtmp.map { [Int($0.typeID), $0.length] })
        var generator = SeededGenerator(7)
        for _ in 0..<120 {
            let start = 3_000 + Int(generator.next() % 30_000)
            let missing = 1 + Int(generator.next() % 3_000)
            var feed = try Feed.afterHandshake()
            try feed.feed(octets[..<start], .clientToServer)
            feed.miss(missing, .clientToServer)
            for from in stride(from: start + missing, to: octets.count, by: 1_448) {
                try feed.feed(octets[from..<min(octets.count, from + 1_448)], .clientToServer)
            }
            feed.finish()
            let last = feed.rtmp.suffix(6)
            #expect(last.map(\.length) == whole.rtmp.suffix(6).map(\.length), "\(start), \(missing)")
            #expect(last.map(\.typeID) == whole.rtmp.suffix(6).map(\.typeID))
            #expect(feed.rtmp.allSatisfy { lengths.contains([Int($0.typeID), $0.length]) }, "\(start), \(missing)")
        }
    }

    /// A gap inside a message: the message is marked, and nothing else is lost.
    @Test(arguments: [128, 4_096]) func holeInAMessage(_ chunkSize: Int) throws {
        let video = RTMPBytes.message(type: 9, chunkSize: chunkSize, RTMPBytes.video(9_000))
        let octets = Self.setSize(chunkSize) + video + RTMPBytes.connect
        for (start, missing) in [(400, 50), (700, 1_448), (2_000, 5_000), (300, 8_000)] {
            var feed = try Feed.afterHandshake()
            try feed.feed(octets[..<start], .clientToServer)
            feed.miss(missing, .clientToServer)
            try feed.feed(octets[(start + missing)...], .clientToServer)
            #expect(feed.rtmp.map(\.typeID) == [1, 9, 20])
            #expect(feed.rtmp.map(\.isCut) == [false, true, false])
            #expect(feed.remarks == [])
        }
    }

    /// A message truncated by a gap or the end is reported as far as known, even if the gap exceeds the message.
    @Test(arguments: [8, 400, 3_000]) func cutMessages(_ missing: Int) throws {
        let octets = Self.setSize(4_096) + RTMPBytes.connect
        let words = ["command, truncated before its contents", "a command, truncated before its name", "connect"]
        for kept in [12, 20, 30, 48] where kept + missing >= 49 || kept > 12 {
            var feed = try Feed.afterHandshake()
            try feed.feed(octets[..<(16 + kept)], .clientToServer)
            feed.miss(missing, .clientToServer)
            // After a gap that ends inside the message, its remainder is still expected.
            if kept + missing < 49 { feed.finish() }
            #expect(feed.rtmp.map(\.typeID) == [1, 20], "\(kept)")
            let message = try #require(feed.rtmp.last)
            #expect(message.isCut && message.length == 37 && message.chunkStreamID == 3)
            #expect(message.summary(.masked).hasPrefix(words[kept < 14 ? 0 : kept < 22 ? 1 : 2]))
        }
        // A truncated video frame at the end is not reported; a command is.
        var feed = try Feed.afterHandshake()
        try feed.feed(
            Self.setSize(4_096) + RTMPBytes.message(type: 9, chunkSize: 4_096, RTMPBytes.video(900))[..<500],
            .clientToServer)
        try feed.feed(RTMPBytes.answer + octets[..<50], .serverToClient)
        feed.finish()
        #expect(feed.rtmp.map(\.typeID) == [1, 1, 20])
    }

    /// The capture starts anywhere: neither handshake nor chunk size are known.
    @Test(arguments: [128, 1_024, 4_096, 8_192, 3_000]) func lateStart(_ chunkSize: Int) throws {
        let octets = Self.media(60, chunkSize: chunkSize).flatMap { $0 }
        var whole = try Feed.afterHandshake()
        try whole.feed(Self.setSize(chunkSize) + octets, .clientToServer)
        let lengths = whole.rtmp.map(\.length)
        for start in stride(from: 20_000, to: 40_000, by: 677) {
            var feed = Feed(startsLate: true)
            for from in stride(from: start, to: octets.count, by: 1_448) {
                try feed.feed(octets[from..<min(octets.count, from + 1_448)], .clientToServer)
            }
            feed.finish()
            #expect(feed.rtmp.count >= 8, "\(start)")
            #expect(feed.rtmp.map(\.length) == Array(lengths.suffix(feed.rtmp.count)), "\(start)")
            #expect(feed.remarks.first?.hasPrefix("rtmp.remark.midstream") == true)
            #expect(feed.rtmp.allSatisfy { !$0.framing.isTimestampKnown && !$0.framing.isMessageStreamKnown })
            #expect(feed.parts.isEmpty)
        }
    }

    /// Messages in single chunks imply no chunk size, even if octets at a common chunk boundary look like a chunk
    /// header.
    @Test(arguments: 0..<4) func lateStartInOneChunk(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed)
        var feed = Feed(startsLate: true)
        var lengths: [Int] = []
        for index in 0..<120 {
            let length = 140 + Int(generator.next() % 900)
            lengths.append(length)
            var video = RTMPBytes.video(length, seed: generator.next())
            if length > 300 { video.replaceSubrange(128..<133, with: hex("86 009562 5B")) }
            let format: UInt8 = index == 0 ? 0 : 1
            try feed.feed(
                RTMPBytes.message(chunkStream: 6, type: 9, time: 40, format: format, chunkSize: 4_096, video),
                .clientToServer)
        }
        feed.finish()
        #expect(feed.rtmp.map(\.length) == lengths)
    }

    /// A capture that starts after SYN but before C0 still contains the handshake.
    @Test func lateStartWithHandshake() throws {
        var feed = Feed(startsLate: true)
        try feed.feed(RTMPBytes.handshake[..<900], .clientToServer)
        try feed.feed(RTMPBytes.handshake[900...] + RTMPBytes.connect, .clientToServer)
        try feed.feed(RTMPBytes.answer)
        #expect(feed.parts.count == 6)
        #expect(feed.rtmp.count == 1)
        // One that starts with C2 does not.
        feed = Feed(startsLate: true)
        try feed.feed(RTMPBytes.part(2) + RTMPBytes.connect, .clientToServer)
        feed.finish()
        #expect(feed.rtmp.map(\.framing.passedOver) == [1_536])
    }

    /// No chunks are found in random octets.
    @Test(arguments: 0..<4) func noise(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed)
        var feed = Feed(startsLate: true)
        for _ in 0..<200 { try feed.feed(generator.octets(1_448), .clientToServer) }
        feed.finish()
        #expect(feed.rtmp.isEmpty)
        let octets = [UInt8(4)] + generator.octets(66_000)
        let nothing = [UInt8]()
        for port: UInt16 in [40_000, 1_935] {
            let flow = FlowContext(
                id: 1, transport: .tcp, client: Endpoint(address: IPAddress(ipv4: 1), port: 50_000),
                server: Endpoint(address: IPAddress(ipv4: 2), port: port), startsLate: true)
            var opening = FirstBytes(client: octets.rawSpan, server: nothing.rawSpan, flow: flow)
            opening.starts = [[0, 1_448, 2_896], []]
            #expect(RTMPDissector.probe(opening) == .no)
        }
    }

    /// Search and buffering are bounded.
    @Test func boundedSearch() throws {
        var feed = Feed(startsLate: true)
        // Repeatedly looks like a video chunk, and never is one.
        let teaser = hex("46 000010 200000 09 17 01 000000 00")
        for _ in 0..<400 {
            try feed.feed((0..<100).flatMap { _ in teaser }, .clientToServer)
            #expect(feed.waiting(.clientToServer) < 600_000)
        }
    }
}
