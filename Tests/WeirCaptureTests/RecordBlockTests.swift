import Foundation
import Testing
import WeirCapture
import WeirPackets

/// Records in memory, those that the source reads, and those read ahead on another thread are the same frames.
@Suite("Blocks of records") struct RecordBlockTests {
    /// The description of a frame.
    private static func describe(_ frame: borrowing Frame) -> String {
        "\(frame.info.number) \(frame.info.time.nanoseconds) \(frame.info.isTimeReplaced) \(frame.info.capturedLength) "
            + "\(frame.info.originalLength) \(frame.info.linkType.rawValue) \(frame.bytes.array().hashValue)"
    }

    /// Reads a file; in blocks, frame by frame, or frames of blocks in turn with others.
    private static func frames(
        _ octets: [UInt8], filter: CaptureFilter?, most: Int, readsAhead: Bool = false
    ) throws -> [String] {
        let path = NSTemporaryDirectory() + "weir-\(UUID().uuidString).pcap"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(octets).write(to: URL(fileURLWithPath: path))
        var file = try CaptureFile(path, filter: filter, readsAhead: readsAhead)
        var frames: [String] = []
        do throws(CaptureError) {
            while true {
                if most > 0, let read = block(file.records(), most, &frames) { file.skip(read) }
                guard let frame = try file.next() else { break }
                frames.append(describe(frame))
            }
        } catch {
            frames.append("\(error.kind) \(error.offset ?? -1) \(error.frame ?? -1)")
        }
        frames.append("\(file.wrongTimes.map { "\($0)" } ?? "-")")
        return frames
    }

    private static func block(
        _ records: consuming RecordBlock?, _ most: Int, _ frames: inout [String]
    ) -> RecordBlock.Progress? {
        guard var block = records else { return nil }
        var count = 0
        while count < most, let frame = block.next() {
            frames.append(describe(frame))
            count += 1
        }
        return block.progress
    }

    private static func check(_ octets: [UInt8], filter: CaptureFilter? = nil) throws {
        let single = try frames(octets, filter: filter, most: 0)
        #expect(single.count > 1)
        for most in [1, 2, .max] { #expect(try frames(octets, filter: filter, most: most) == single) }
        #expect(try frames(octets, filter: filter, most: .max, readsAhead: true) == single)
    }

    @Test("with any times", arguments: FrameTimeTests.cases.map(\.bears))
    func times(_ seconds: [UInt32]) throws {
        var file = CaptureBytes.pcap()
        for (index, second) in seconds.enumerated() {
            file.record([UInt8](repeating: UInt8(index % 256), count: 20 + index % 7), seconds: second)
        }
        try Self.check(file.octets)
    }

    @Test("in any byte order, unit and layout")
    func formats() throws {
        for (magic, bigEndian, extra): (UInt32, Bool, Int) in [
            (0xA1B2_C3D4, false, 0), (0xA1B2_C3D4, true, 0), (0xA1B2_3C4D, false, 0), (0xA1B2_CD34, false, 8),
        ] {
            var file = CaptureBytes.pcap(magic: magic, bigEndian: bigEndian, snapLength: 60)
            for index in 0..<9 {
                file.record(
                    [UInt8](repeating: 7, count: 30 + 10 * index), fraction: UInt32(index), originalLength: 200,
                    extra: extra)
            }
            try Self.check(file.octets)
        }
    }

    @Test("of a file that is cut short or damaged anywhere")
    func damage() throws {
        var file = CaptureBytes.pcap()
        for index in 0..<5 { file.record([UInt8](repeating: UInt8(index), count: 11)) }
        for length in 25..<file.octets.count { try Self.check(Array(file.octets[..<length])) }
        for place in 40..<file.octets.count {
            var octets = file.octets
            octets[place] ^= 0xFF
            try Self.check(octets)
        }
    }

    @Test("with a filter, more than the window contains, and packets larger than it")
    func sizes() throws {
        var file = CaptureBytes.pcap()
        for index in 0..<700 { file.record([UInt8](repeating: UInt8(index % 256), count: 1 + index * 13 % 1_500)) }
        file.record([UInt8](repeating: 9, count: 262_000))
        file.record([UInt8](repeating: 8, count: 60))
        try Self.check(file.octets)
        try Self.check(file.octets, filter: CaptureFilter("greater 700"))
    }

    @Test("that fill the ring of blocks that are read ahead several times")
    func ring() throws {
        var file = CaptureBytes.pcap()
        for index in 0..<4_000 {
            file.record([UInt8](repeating: UInt8(index % 256), count: 1_000 + index * 13 % 500), seconds: UInt32(index))
        }
        try Self.check(file.octets)
        // Which thread is ahead depends on chance.
        let single = try Self.frames(file.octets, filter: nil, most: 0)
        for most in 1...20 {
            #expect(try Self.frames(file.octets, filter: nil, most: 1 << most, readsAhead: true) == single)
        }
    }

    @Test("of pcapng, with packets larger than a block that is read ahead, compressed or cut short")
    func readAhead() throws {
        var file = CaptureBytes()
        file.section()
        file.interface()
        for (index, size) in [60, 17_000, 60, 300_000, 900_000, 1_400, 250_000, 16_384, 60].enumerated() {
            file.enhanced([UInt8](repeating: UInt8(index), count: size))
        }
        let whole = file.octets
        for octets in [
            whole, CompressionTests.gzip(whole), CompressionTests.zstd(whole), Array(whole.dropLast(100_000)),
            Array(CompressionTests.gzip(whole).dropLast(9)),
        ] {
            let single = try Self.frames(octets, filter: nil, most: 0)
            #expect(try Self.frames(octets, filter: nil, most: 0, readsAhead: true) == single)
        }
    }
}
