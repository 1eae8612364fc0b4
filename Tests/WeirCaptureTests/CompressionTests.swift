import CZlib
import CZstd
import Testing
import WeirCapture

@Suite("Compressed captures")
struct CompressionTests {
    /// A capture of packets that compress poorly.
    static func capture(packets: Int) -> CaptureBytes {
        var file = CaptureBytes.pcap()
        var state: UInt32 = 1
        for number in 0..<packets {
            let data = (0..<200).map { _ in
                state = state &* 1_664_525 &+ 1_013_904_223
                return UInt8(state >> 28)
            }
            file.record(data, fraction: UInt32(number))
        }
        return file
    }

    static func compress(_ octets: [UInt8], _ compression: Compression) -> [UInt8] {
        compression == .gzip ? gzip(octets) : zstd(octets)
    }

    static func gzip(_ octets: [UInt8]) -> [UInt8] {
        var stream = unsafe z_stream()
        let size = unsafe Int32(MemoryLayout<z_stream>.size)
        _ = unsafe deflateInit2_(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
        defer { unsafe _ = deflateEnd(&stream) }
        var input = octets
        var output = [UInt8](repeating: 0, count: octets.count + 1024)
        let made = unsafe input.withUnsafeMutableBufferPointer { source in
            unsafe output.withUnsafeMutableBufferPointer { target in
                unsafe stream.next_in = source.baseAddress
                unsafe stream.avail_in = UInt32(source.count)
                unsafe stream.next_out = target.baseAddress
                unsafe stream.avail_out = UInt32(target.count)
                _ = unsafe deflate(&stream, Z_FINISH)
                return unsafe target.count - Int(stream.avail_out)
            }
        }
        return Array(output.prefix(made))
    }

    static func zstd(_ octets: [UInt8]) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: ZSTD_compressBound(octets.count))
        let context = unsafe ZSTD_createCCtx()
        defer { unsafe _ = ZSTD_freeCCtx(context) }
        unsafe ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
        let made = unsafe ZSTD_compress2(context, &output, output.count, octets, octets.count)
        return Array(output.prefix(made))
    }

    @Test("recognized by content, streamed, complete", arguments: [Compression.gzip, .zstd])
    func whole(compression: Compression) throws {
        let plain = Self.capture(packets: 5000).octets
        let packed = Self.compress(plain, compression)
        let outcome = try Outcome(of: packed)
        #expect(outcome.error == nil)
        #expect(outcome.compression == compression)
        #expect(outcome.size == packed.count)
        #expect(outcome.octetsRead == packed.count)
        #expect(outcome.frames == (try Outcome(of: plain).frames))
    }

    @Test("pcapng inside", arguments: [Compression.gzip, .zstd])
    func pcapng(compression: Compression) throws {
        let outcome = try Outcome(of: Self.compress(PcapngFileTests.mixed(bigEndian: true).octets, compression))
        #expect(outcome.error == nil)
        #expect(outcome.format == .pcapng)
        #expect(outcome.frames.count == 2)
    }

    @Test("concatenated members and frames, and padding", arguments: [Compression.gzip, .zstd])
    func members(compression: Compression) throws {
        let plain = Self.capture(packets: 100).octets
        var packed = Self.compress(Array(plain.prefix(777)), compression)
        packed += Self.compress([], compression)
        packed += Self.compress(Array(plain.dropFirst(777)), compression)
        if compression == .gzip { packed += [0, 0, 0] }
        if compression == .zstd { packed = [0x5A, 0x2A, 0x4D, 0x18, 2, 0, 0, 0, 9, 9] + packed }
        let outcome = try Outcome(of: packed)
        #expect(outcome.error == nil)
        #expect(outcome.frames.count == 100)
    }

    @Test(
        "truncated anywhere: no complete frame is lost, and the damage is reported",
        arguments: [Compression.gzip, .zstd])
    func cuts(compression: Compression) throws {
        let plain = Self.capture(packets: 20).octets
        let packed = Self.compress(plain, compression)
        let whole = try Outcome(of: plain).frames
        var counts: [Int] = []
        for length in stride(from: 4, to: packed.count, by: 7) {
            let outcome = try Outcome(of: Array(packed.prefix(length)))
            #expect(outcome.error?.kind == .cutShort, "cut at \(length)")
            #expect(outcome.frames == Array(whole.prefix(outcome.frames.count)))
            counts.append(outcome.frames.count)
        }
        #expect(counts == counts.sorted())
        if compression == .gzip { #expect(counts.last == 20) }
    }

    @Test("truncated in a long file: frames of earlier blocks are delivered", arguments: [Compression.gzip, .zstd])
    func cutLate(compression: Compression) throws {
        let packed = Self.compress(Self.capture(packets: 5000).octets, compression)
        let outcome = try Outcome(of: Array(packed.dropLast(packed.count / 10)))
        #expect(outcome.error?.kind == .cutShort)
        #expect(outcome.frames.count > 4000)
        #expect(outcome.error?.frame == outcome.frames.count + 1)
        #expect(outcome.error?.offset == 24 + outcome.frames.count * 216)
    }

    @Test("damaged in the middle and in its checksum", arguments: [Compression.gzip, .zstd])
    func damaged(compression: Compression) throws {
        let plain = Self.capture(packets: 5000).octets
        var packed = Self.compress(plain, compression)
        let last = packed.count - (compression == .gzip ? 6 : 2)
        packed[last] ^= 0xFF
        let checksum = try Outcome(of: packed)
        #expect(checksum.error?.kind == .damaged)
        #expect(checksum.frames.count >= 4000)
        packed[last] ^= 0xFF
        for position in (packed.count * 8 / 10)..<(packed.count * 8 / 10 + 40) { packed[position] = 0xFF }
        let middle = try Outcome(of: packed)
        #expect(middle.error?.kind == .damaged)
        #expect(middle.frames.count > 2000)
    }

    @Test("trailing data of another kind", arguments: [Compression.gzip, .zstd])
    func trailing(compression: Compression) throws {
        let packed = Self.compress(Self.capture(packets: 10).octets, compression)
        let outcome = try Outcome(of: packed + Array("and more".utf8))
        #expect(outcome.error?.kind == .damaged)
        #expect(outcome.frames.count == 10)
    }

    @Test("compressed text, and an empty compressed file", arguments: [Compression.gzip, .zstd])
    func notCaptures(compression: Compression) throws {
        #expect(try Outcome(of: Self.compress(Array("hello, world".utf8), compression)).error?.kind == .notACapture)
        #expect(try Outcome(of: Self.compress([], compression)).error?.kind == .empty)
    }
}
