import Testing
import WeirPackets
import WeirTesting
@testable import WeirEngine
@testable import WeirProtocols

@Suite struct ChunkTests {
    private typealias Feed = DissectorFeed<RTMPDissector>

    private static func read(_ octets: [UInt8], limits: Limits = Limits()) throws -> Feed {
        var feed = try Feed.afterHandshake(limits: limits)
        try feed.feed(octets, .clientToServer)
        return feed
    }

    /// Headers: octets, type, chunk stream, header length, time, length, message type, message stream.
    @Test(arguments: [
        // RTMP §5.3.2.1: 12345 as message stream ID is 39 30 00 00.
        ("03 0003E8 000020 08 39300000", 0, 3, 12, 1_000, 32, 8, 12_345),
        ("83 000014", 2, 3, 4, 20, 0, 0, 0), ("C3", 3, 3, 1, 0, 0, 0, 0),
        // RTMP §5.3.2.2.
        ("04 0003E8 000133 09 3A300000", 0, 4, 12, 1_000, 307, 9, 12_346),
        // RTMP §5.3.1.1: 365 is 1, then 301.
        ("01 2D01 000000 000001 08 01000000", 0, 365, 14, 0, 1, 8, 1),
        ("40 00 000001 000002 09", 1, 64, 9, 1, 2, 9, 0), ("C0 FF", 3, 319, 2, 0, 0, 0, 0),
        ("C1 FFFF", 3, 65_599, 3, 0, 0, 0, 0),
        // Extended timestamps (RTMP §5.3.1.3), absolute and as deltas.
        ("04 FFFFFF 00000A 09 01000000 01000000", 0, 4, 16, 0x100_0000, 10, 9, 1),
        ("44 FFFFFF 00000A 09 00FFFFFF", 1, 4, 12, 0xFF_FFFF, 10, 9, 0),
        ("84 FFFFFF FFFFFFFF", 2, 4, 8, 0xFFFF_FFFF, 0, 0, 0),
        // publish of librtmp and ffmpeg: the message stream ID is little-endian.
        ("04 000000 000022 14 01000000", 0, 4, 12, 0, 34, 20, 1),
    ])
    func headers(
        _ text: String, _ format: Int, _ id: Int, _ octets: Int, _ time: Int, _ length: Int, _ type: Int, _ stream: Int
    )
        throws
    {
        let bytes = hex(text)
        let read = RTMPChunkHeader(bytes.rawSpan, at: 0)
        let header = try #require(read)
        #expect(Int(header.format) == format)
        #expect(header.chunkStreamID == id)
        #expect(header.octets == octets && bytes.count == octets)
        #expect(Int(header.time) == time)
        #expect(header.messageLength == length)
        #expect(Int(header.typeID) == type)
        #expect(Int(header.messageStreamID) == stream)
        for count in 0..<bytes.count {
            let short = Array(bytes[..<count])
            #expect(RTMPChunkHeader(short.rawSpan, at: 0) == nil)
            #expect((count + 1...octets).contains(RTMPChunkHeader.octets(short.rawSpan, at: 0)))
        }
        #expect(RTMPChunkHeader.octets(bytes.rawSpan, at: 0) == octets)
    }

    /// The chunks of RTMP §5.3.2.1, four audio messages.
    @Test func firstExampleOfTheSpecification() throws {
        let payload = hex("2A") + [UInt8](repeating: 1, count: 31)
        var octets = hex("03 0003E8 000020 08 39300000") + payload + hex("83 000014") + payload
        octets += hex("C3") + payload + hex("C3") + payload
        let feed = try Self.read(octets)
        #expect(feed.rtmp.map(\.timestamp) == [1_000, 1_020, 1_040, 1_060])
        #expect(feed.rtmp.allSatisfy { $0.messageStreamID == 12_345 && $0.length == 32 && $0.chunks == 1 })
        #expect(feed.rtmp.map(\.framing.wireOctets) == [44, 36, 33, 33])
        #expect(feed.rtmp.map(\.framing.step) == [nil, 20, 20, 20])
        #expect(feed.rtmp.map(\.framing.position) == [3_117, 3_153, 3_186, 3_219])
    }

    /// The chunks of RTMP §5.3.2.2, one video message.
    @Test func secondExampleOfTheSpecification() throws {
        let payload = RTMPBytes.video(307)
        var octets = hex("04 0003E8 000133 09 3A300000") + payload[..<128]
        octets += hex("C4") + payload[128..<256] + hex("C4") + payload[256...]
        let feed = try Self.read(octets)
        let message = try #require(feed.rtmp.first)
        #expect(feed.rtmp.count == 1)
        #expect(message.chunks == 3 && message.length == 307 && message.messageStreamID == 12_346)
        #expect(message.framing.wireOctets == 140 + 129 + 52)
    }

    @Test func interleavedChunksOfTwoStreams() throws {
        let body = hex("02 000A") + Array("onMetaData".utf8) + hex("0C 00000080") + [UInt8](repeating: 0x61, count: 128)
        var octets = hex("04 000000 000092 12 01000000") + body[..<128]
        octets += hex("02 000000 000004 05 00000000 0000FFFF C4") + body[128...]
        let feed = try Self.read(octets)
        #expect(feed.said == [.other("Window Acknowledgement Size 65535"), .other("data: onMetaData")])
        #expect(feed.rtmp.last?.framing.wireOctets == 146 + 13)
    }

    /// Peers that repeat the extended timestamp in type 3 chunks, and peers that do not.
    @Test(arguments: [true, false]) func extendedTimestampOnType3(_ isRepeated: Bool) throws {
        let stamp = hex("01000000")
        let body = RTMPBytes.video(400)
        var octets = hex("04 FFFFFF 000190 09 01000000") + stamp
        octets += body[..<128]
        for start in [128, 256, 384] {
            octets += [0xC4] + (isRepeated ? stamp : []) + body[start..<min(400, start + 128)]
        }
        for cut in stride(from: 1, through: octets.count, by: 7) {
            var feed = try Feed.afterHandshake()
            try feed.feed(octets[..<cut], .clientToServer)
            try feed.feed(octets[cut...] + RTMPBytes.connect, .clientToServer)
            #expect(feed.rtmp.count == 2)
            #expect(feed.rtmp.first?.framing.extendedHabit == (isRepeated ? .repeated : .omitted))
            #expect(feed.rtmp.first?.timestamp == 0x100_0000)
            #expect(feed.remarks == (isRepeated ? [] : ["rtmp.remark.extendedOmitted"]))
        }
    }

    /// Type 3 chunks that start messages, deltas of 32 bits, and times that exceed 2^24 and 2^32.
    @Test func timestamps() throws {
        let audio = hex("AF 01 21")
        func type(_ format: UInt8, _ field: String, _ extended: String = "") -> [UInt8] {
            let head: [UInt8] = [format << 6 | 5] + (format < 3 ? hex(field) : [])
            let rest = format == 0 ? hex("000003 08 01000000") : format == 1 ? hex("000003 08") : []
            return head + rest + hex(extended) + audio
        }
        var octets = type(0, "FFFFF0") + type(1, "000017") + type(2, "000017") + type(3, "")
        octets += type(0, "FFFFFF", "FFFFFFF0") + type(1, "000020") + type(1, "FFFFFF", "01000000")
        octets += type(3, "", "01000000") + type(1, "FFFFEC") + type(0, "000064")
        let feed = try Self.read(octets)
        #expect(
            feed.rtmp.map(\.timestamp) == [
                0xFF_FFF0, 0x100_0007, 0x100_001E, 0x100_0035, 0xFFFF_FFF0, 0x10, 0x100_0010, 0x200_0010, 0x2FF_FFFC,
                100,
            ])
        #expect(feed.rtmp.map(\.framing.step)[5] == 32)
        #expect(
            feed.rtmp.map(\.framing.isExtended) == [false, false, false, false, true, false, true, true, false, false])
        #expect(feed.rtmp.map(\.framing.hasNegativeDelta) == [Bool](repeating: false, count: 8) + [true, false])
        #expect(feed.rtmp[9].framing.goesBackByDelta == false)
        #expect(feed.remarks == [])
        // A stream that starts at a late timestamp does not step back.
        let late = try Self.read(type(0, "000000") + type(1, "FFFB12") + type(1, "FFFFEC"))
        #expect(late.rtmp.map(\.framing.hasNegativeDelta) == [false, false, true])
        let wrapped = try Self.read(type(0, "FFFFF0") + type(0, "000008"))
        #expect(wrapped.rtmp.map(\.framing.wrapsAt24Bits) == [false, true])
    }

    /// Set Chunk Size applies from the next chunk on, also in the middle of a message on another chunk stream.
    @Test(arguments: [1, 17, 128, 4_096, 65_536, 0x7FFF_FFFF]) func chunkSizes(_ size: Int) throws {
        let video = RTMPBytes.video(5_000)
        var value: [UInt8] = []
        value.append32(UInt32(size))
        let set = RTMPBytes.message(chunkStream: 2, type: 1, stream: 0, value)
        var octets = hex("04 000000 001388 09 01000000") + video[..<128] + set
        for start in stride(from: 128, to: 5_000, by: size) {
            octets += [0xC4] + video[start..<min(5_000, start + min(size, 5_000))]
        }
        octets += RTMPBytes.message(type: 20, stream: 0, chunkSize: size, Array(RTMPBytes.connect[12...]))
        let feed = try Self.read(octets)
        #expect(feed.rtmp.map(\.typeID) == [1, 9, 20])
        #expect(feed.rtmp.last?.framing.chunkSize == size)
        #expect(feed.remarks == [])
        #expect(feed.rtmp.dropFirst().first?.chunks == 1 + (5_000 - 128 + size - 1) / size)
    }

    /// Skipping counts chunks and octets the same wherever segments end, and stops before the end of the message.
    @Test(arguments: [1, 17, 128, 4_096, 0x7FFF_FFFF], [nil, 0x0123_4567 as UInt32])
    func skippingWithinAMessage(_ size: Int, _ extended: UInt32?) {
        let length = 1_000
        // The type of each octet: whether it belongs to a header.
        var octets: [UInt8] = []
        var isHeader: [Bool] = []
        for offset in 0..<length {
            if offset > 0, offset % size == 0 {
                octets.append(0xC4)
                if let extended { octets.append32(extended) }
                isHeader += [Bool](repeating: true, count: octets.count - isHeader.count)
            }
            octets.append(0x55)
            isHeader.append(false)
        }
        var random = SeededGenerator(UInt64(size))
        for most in [1, 7, 100, 2_000] {
            var cursor = RTMPChunkCursor()
            cursor.chunkSize = size
            (cursor.chunkLeft, cursor.messageLeft) = (min(size, length), length)
            (cursor.continuation, cursor.extended) = (0xC4, extended)
            var offset = 0
            while offset < octets.count {
                let end = min(octets.count, offset + Int.random(in: 1...most, using: &random))
                let passed = cursor.pass(octets.rawSpan.clamped(offset, end))
                offset += passed
                let payload = isHeader[..<offset].count { !$0 }
                let headers = offset - payload
                #expect(cursor.passed == offset)
                #expect(cursor.messageLeft == length - payload)
                #expect(cursor.chunks * cursor.headerOctets == headers)
                #expect(cursor.chunkLeft == min(size - (payload - cursor.chunks * size), length - payload))
                if offset < end { break }
            }
            #expect(cursor.messageLeft > 0)
            // It stops at the last octet, in a segment with more than one chunk, or where the segment splits a header.
            #expect(most > 1 || extended != nil || cursor.messageLeft == 1)
        }
    }

    @Test(arguments: ["00000000", "80001000"]) func chunkSizesThatAreNotAllowed(_ text: String) throws {
        let feed = try Self.read(hex("02 000000 000004 01 00000000") + hex(text) + RTMPBytes.connect)
        #expect(feed.remarks == ["rtmp.remark.chunkSize"])
        #expect(feed.rtmp.count == 2)
    }

    @Test func abort() throws {
        let video = RTMPBytes.video(300)
        let head = hex("04 000000 00012C 09 01000000")
        var octets = head + video[..<128] + hex("02 000000 000004 02 00000000 00000004")
        octets += head + video[..<128] + [0xC4] + video[128..<256] + [0xC4] + video[256...]
        let feed = try Self.read(octets)
        #expect(feed.rtmp.map(\.typeID) == [2, 9])
        #expect(feed.remarks == [])
    }

    @Test func headersThatAreOdd() throws {
        let audio = hex("AF 01 21")
        // A first chunk of type 1; a basic header longer than necessary; a message interrupted by another one.
        var octets = hex("45 000000 000003 08") + audio + hex("00 00 000000 000003 08 01000000") + audio
        octets += hex("01 0000 000000 000003 08 01000000") + audio + hex("06 000000 0000C8 09 01000000")
        octets += RTMPBytes.video(128) + hex("46 000001 000005 09") + RTMPBytes.video(5)
        let feed = try Self.read(octets)
        #expect(feed.rtmp.map(\.chunkStreamID) == [5, 64, 64, 6])
        #expect(feed.rtmp.map(\.framing.beginsWithoutType0) == [true, false, false, false])
        #expect(feed.rtmp.map { $0.framing.isBasicHeaderLong($0.chunkStreamID) } == [false, false, true, false])
        #expect(feed.rtmp.last?.framing.unfinished == RTMPFraming.Unfinished(received: 128, length: 200))
        #expect(feed.remarks == ["rtmp.remark.firstType1", "rtmp.remark.longID", "rtmp.remark.unfinished"])
    }

    /// Continuation chunks that repeat the header instead of using type 3.
    @Test func continuationsOfOtherTypes() throws {
        let video = RTMPBytes.video(300)
        let head = hex("000009 00012C 09 01000000")
        for (octet, rest) in [(UInt8(0x04), head), (0x44, Array(head[..<7])), (0x84, hex("000000"))] {
            var octets = [0x04] + head + video[..<128]
            octets += [octet] + rest + video[128..<256] + [0xC4] + video[256...]
            let feed = try Self.read(octets)
            #expect(feed.rtmp.map(\.framing.oddContinuations) == [1])
            #expect(feed.rtmp.map(\.timestamp) == [9])
            #expect(feed.rtmp.first?.framing.unfinished == nil)
        }
    }

    /// A message of 16 MiB less one octet: media are counted; commands are kept up to the limit, which is reported.
    @Test func longestMessages() throws {
        var limits = Limits()
        limits.messageOctets = 100_000
        let length = 0xFF_FFFF
        for type in [UInt8(9), 18] {
            var feed = try Feed.afterHandshake(limits: limits)
            let name = type == 9 ? hex("27 01 000000") : hex("02 0001 61 0C 00FF0000")
            try feed.feed(
                RTMPBytes.message(chunkStream: 2, type: 1, stream: 0, [0x7F, 0xFF, 0xFF, 0xFF]), .clientToServer)
            try feed.feed(hex("04 000000 FFFFFF \(type == 9 ? "09" : "12") 01000000") + name, .clientToServer)
            var left = length - name.count
            while left > 0 {
                let some = min(left, 65_000)
                try feed.feed([UInt8](repeating: 0x61, count: some), .clientToServer)
                #expect(feed.waiting(.clientToServer) == 0)
                left -= some
            }
            try feed.feed(RTMPBytes.connect, .clientToServer)
            #expect(feed.rtmp.map(\.length) == [4, length, 37])
            #expect(feed.rtmp[1].isCut == (type == 18))
            #expect(feed.remarks == (type == 18 ? ["rtmp.remark.tooLong"] : []))
        }
    }

    /// The total buffered by all connections is limited too.
    @Test func budget() {
        let budget = SharedOctetBudget(total: 10)
        #expect(budget.take(7) == 7)
        #expect(budget.take(7) == 3)
        #expect(budget.take(1) == 0)
        budget.returnBorrowed(5)
        #expect(budget.take(9) == 5)
        #expect(budget.take(-1) == 0)
    }

    @Test func aggregate() throws {
        // As Flash Media Server sends them: times as in FLV tags, the first equal to the aggregate's.
        let first = hex("08 000003 0003E8 00 000000 AF01AA 0000000E")
        let second = hex("09 000006 000410 00 000000 270100000011 00000011")
        let body = first + second
        let feed = try Self.read(RTMPBytes.message(type: 22, time: 5_000, body))
        #expect(feed.rtmp.map(\.typeID) == [22, 8, 9])
        #expect(feed.rtmp.map(\.timestamp) == [5_000, 5_000, 5_040])
        #expect(feed.rtmp.map(\.length) == [body.count, 3, 6])
        let aggregate = try #require(feed.rtmp.first?.aggregate)
        #expect(aggregate.count == 2 && aggregate.offset == 4_000 && aggregate.order == .flv && aggregate.flaws == [])
        // Times as in the specification (RTMP §6.1.1).
        let plain = hex("08 000003 00001388 000000 AF01AA 0000000E")
        #expect(RTMPAggregate(plain.rawSpan, timestamp: 5_000, isCut: false).order == .specification)
        // A wrong back pointer, a size that does not fit, and trailing octets.
        let wrong = hex("08 000003 0003E8 00 000000 AF01AA 0000000D") + hex("09 0000FF 0003E8 00 000000 2701")
        #expect(
            RTMPAggregate(wrong.rawSpan, timestamp: 1_000, isCut: false).flaws == [
                .backPointer(1, expected: 14, actual: 13), .size(2),
            ])
        #expect(
            RTMPAggregate((first + [1, 2]).rawSpan, timestamp: 1_000, isCut: false).flaws == [.leftOver(octets: 2)])
        var limits = Limits()
        limits[RTMPLimits.self].aggregatedMessages = 1
        let limited = RTMPAggregate((first + first).rawSpan, timestamp: 1_000, isCut: false, limits: limits)
        #expect(limited.count == 1 && limited.isLimited && limited.flaws == [])
        for count in 0..<body.count { _ = RTMPAggregate(Array(body[..<count]).rawSpan, timestamp: 0, isCut: true) }
    }

    /// The frame of a message's first octet is kept, whatever arrives in between.
    @Test func firstFrames() throws {
        var feed = try Feed.afterHandshake()
        let video = RTMPBytes.message(type: 9, RTMPBytes.video(1_000))
        try feed.feed(video[..<300], .clientToServer)
        try feed.feed(video[300..<900], .clientToServer)
        try feed.feed(video[900...] + RTMPBytes.connect, .clientToServer)
        // Frame 1 is the handshake.
        #expect(feed.rtmp.map(\.firstFrame) == [2, 4])
    }
}
