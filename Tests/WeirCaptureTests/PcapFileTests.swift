import Testing
import WeirCapture

@Suite("pcap files")
struct PcapFileTests {
    static let first: [UInt8] = Array(0..<60)
    static let second: [UInt8] = Array(100..<137)

    static func file(_ magic: UInt32, bigEndian: Bool, extra: Int = 0) -> CaptureBytes {
        var file = CaptureBytes.pcap(magic: magic, bigEndian: bigEndian)
        file.record(first, fraction: 123_456, extra: extra)
        file.record(second, fraction: 999_999, originalLength: 1500, extra: extra)
        return file
    }

    @Test(
        "every variant supported by libpcap",
        arguments: [
            (UInt32(0xA1B2_C3D4), 0, Int64(1000)),
            (0xA1B2_3C4D, 0, 1),
            (0xA1B2_CD34, 8, 1000),
        ],
        [false, true]
    )
    func variants(_ variant: (magic: UInt32, extra: Int, scale: Int64), bigEndian: Bool) throws {
        let octets = Self.file(variant.magic, bigEndian: bigEndian, extra: variant.extra).octets
        let outcome = try Outcome(of: octets)
        #expect(outcome.error == nil)
        #expect(outcome.format == .pcap)
        #expect(outcome.linkTypes == [1])
        #expect(outcome.octetsRead == octets.count)
        #expect(outcome.size == octets.count)
        #expect(outcome.frames.map(\.octets) == [Self.first, Self.second])
        #expect(outcome.frames.map(\.number) == [1, 2])
        #expect(outcome.frames.map(\.originalLength) == [60, 1500])
        let second = Int64(1_700_000_000_000_000_000)
        #expect(outcome.frames.map(\.time) == [second + 123_456 * variant.scale, second + 999_999 * variant.scale])
    }

    @Test(
        "truncated anywhere: complete packets are delivered, then the offset is reported",
        arguments: [(UInt32(0xA1B2_C3D4), 0), (0xA1B2_CD34, 8)]
    )
    func cuts(magic: UInt32, extra: Int) throws {
        let octets = Self.file(magic, bigEndian: false, extra: extra).octets
        let begins = [24, 24 + 16 + extra + 60, octets.count]
        for length in 1..<octets.count {
            let outcome = try Outcome(of: Array(octets.prefix(length)))
            let whole = begins.lastIndex { $0 <= length } ?? 0
            #expect(outcome.frames.count == whole, "cut at \(length)")
            if begins.contains(length) {
                #expect(outcome.error == nil, "cut at \(length)")
            } else {
                #expect(outcome.error?.kind == .cutShort, "cut at \(length)")
                #expect(outcome.error?.offset == (length < 24 ? 0 : begins[whole]), "cut at \(length)")
                #expect(outcome.error?.frame == (length < 24 ? nil : whole + 1), "cut at \(length)")
            }
        }
    }
}
