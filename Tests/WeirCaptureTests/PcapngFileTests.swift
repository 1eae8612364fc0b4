import Foundation
import Testing
import WeirCapture
import WeirPackets

@Suite("pcapng files")
struct PcapngFileTests {
    static let data: [UInt8] = Array(0..<61)

    /// Two interfaces with different link types and snap lengths, which libpcap rejects.
    static func mixed(bigEndian: Bool) -> CaptureBytes {
        var file = CaptureBytes(bigEndian: bigEndian)
        file.section()
        file.interface(linkType: 1, snapLength: 65535)
        file.interface(linkType: 101, snapLength: 96, options: [(2, Array("eth1".utf8)), (9, [9])])
        file.enhanced(data, interface: 0, units: 1_700_000_000_123_456)
        file.block(0x0BAD_0001) { $0.octets += [1, 2, 3, 4, 5] }
        file.enhanced([0x45, 0, 0], interface: 1, units: 1_700_000_000_123_456_789, originalLength: 1400)
        return file
    }

    @Test("interfaces of two link types and snap lengths", arguments: [false, true])
    func interfacesDiffer(bigEndian: Bool) throws {
        let outcome = try Outcome(of: Self.mixed(bigEndian: bigEndian).octets)
        #expect(outcome.error == nil)
        #expect(outcome.format == .pcapng)
        #expect(outcome.linkTypes == [1, 101])
        #expect(outcome.snapLengths == [65535, 96])
        #expect(outcome.frames.map(\.octets) == [Self.data, [0x45, 0, 0]])
        #expect(outcome.frames.map(\.interface) == [0, 1])
        #expect(outcome.frames.map(\.linkType) == [1, 101])
        #expect(outcome.frames.map(\.originalLength) == [61, 1400])
        #expect(outcome.frames.map(\.time) == [1_700_000_000_123_456_000, 1_700_000_000_123_456_789])
    }

    @Test("link types are known before the first frame is asked for")
    func linkTypesAtOnce() throws {
        let path = try temporaryFile(Self.mixed(bigEndian: false).octets)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = try CaptureFile(path)
        #expect(file.linkTypes == [.ethernet, .raw])
    }

    @Test("interface names are truncated to the length that systems allow")
    func longName() throws {
        var file = CaptureBytes()
        file.section()
        file.interface(options: [(2, [UInt8](repeating: 0x61, count: 60_000))])
        file.interface()
        // Statistics of the first interface, with its end time (isb_endtime).
        file.block(5) { body in
            for value: UInt32 in [0, 0, 0] { body.add(value) }
            body.add(UInt16(3))
            body.add(UInt16(8))
            body.add(UInt64(1))
        }
        file.enhanced(Self.data, interface: 1, units: 9)
        let path = try temporaryFile(file.octets)
        defer { try? FileManager.default.removeItem(atPath: path) }
        var capture = try CaptureFile(path)
        var names: [String] = []
        capture.whenInterfaceLost { names.append($0.name) }
        while try capture.next() != nil {}
        #expect(names == [String(repeating: "a", count: 256)])
    }

    @Test(
        "time resolutions",
        arguments: [
            (UInt8(6), UInt64(1_500_000), Int64(1_500_000_000)),
            (9, 1_500_000_000, 1_500_000_000),
            (0, 3, 3_000_000_000),
            (3, 1_500, 1_500_000_000),
            (12, 1_500_000_000_999, 1_500_000_000),
            (0x80 | 10, 1536, 1_500_000_000),
            (0x80 | 32, 3 << 31, 1_500_000_000),
            (127, .max, 0),
            (0xFF, .max, 0),
            (0, .max, .max),
            (9, .max, .max),
            (0x80, .max, .max),
        ]
    )
    func resolutions(resolution: UInt8, units: UInt64, nanoseconds: Int64) throws {
        var file = CaptureBytes()
        file.section()
        file.interface(options: [(9, [resolution])])
        file.enhanced(Self.data, units: units)
        let outcome = try Outcome(of: file.octets)
        #expect(outcome.error == nil)
        #expect(outcome.frames.map(\.time) == [nanoseconds])
    }

    @Test("a time offset in seconds, of either sign, and out of range", arguments: [false, true])
    func offsets(bigEndian: Bool) throws {
        for (seconds, expected) in [
            (Int64(1_700_000_000), Int64(1_700_000_001_500_000_000)), (-2, -500_000_000), (.min, .min), (.max, .max),
        ] {
            var value = CaptureBytes(bigEndian: bigEndian)
            value.add(seconds)
            var file = CaptureBytes(bigEndian: bigEndian)
            file.section()
            file.interface(options: [(14, value.octets)])
            file.enhanced(Self.data, units: 1_500_000)
            #expect(try Outcome(of: file.octets).frames.map(\.time) == [expected])
        }
    }

    @Test("simple and obsolete packet blocks")
    func otherPackets() throws {
        var file = CaptureBytes()
        file.section()
        file.interface(snapLength: 40)
        file.block(2) {
            $0.add(UInt16(0))
            $0.add(UInt16(7))
            $0.add(UInt32(0))
            $0.add(UInt32(5))
            $0.add(UInt32(3))
            $0.add(UInt32(9))
            $0.octets += [1, 2, 3]
        }
        file.block(3) {
            $0.add(UInt32(100))
            $0.octets += Self.data.prefix(40)
        }
        file.block(3) {
            $0.add(UInt32(5))
            $0.octets += Self.data.prefix(5)
        }
        let outcome = try Outcome(of: file.octets)
        #expect(outcome.error == nil)
        #expect(outcome.frames.map(\.octets) == [[1, 2, 3], Array(Self.data.prefix(40)), Array(Self.data.prefix(5))])
        #expect(outcome.frames.map(\.originalLength) == [9, 100, 5])
        #expect(outcome.frames.map(\.time) == [5000, 5000, 5000])
    }

    @Test("sections: each has its byte order and interfaces; frame numbers continue")
    func sections() throws {
        let octets = Self.mixed(bigEndian: false).octets + Self.mixed(bigEndian: true).octets
        let outcome = try Outcome(of: octets)
        #expect(outcome.error == nil)
        #expect(outcome.frames.map(\.number) == [1, 2, 3, 4])
        #expect(outcome.frames.map(\.interface) == [0, 1, 2, 3])
        #expect(outcome.linkTypes == [1, 101])
    }

    @Test("truncated anywhere: complete packets are delivered, then the offset is reported")
    func cuts() throws {
        let octets = Self.mixed(bigEndian: false).octets
        // Section, two interfaces, packet, unknown block, packet.
        let begins = [0, 28, 48, 88, 184, 204, octets.count]
        for length in 1..<octets.count {
            let outcome = try Outcome(of: Array(octets.prefix(length)))
            #expect(outcome.frames.count == (length >= 184 ? 1 : 0), "cut at \(length)")
            if begins.contains(length) {
                #expect(outcome.error == nil, "cut at \(length)")
            } else {
                #expect(outcome.error?.kind == .cutShort, "cut at \(length)")
                #expect(outcome.error?.offset == begins.last { $0 < length }, "cut at \(length)")
                #expect(outcome.error?.frame == (length >= 184 ? 2 : 1), "cut at \(length)")
            }
        }
    }

    /// A block of type 6 after a valid packet, with one field overwritten.
    @Test(
        "damaged blocks: file, block offset and reason are reported",
        arguments: [
            (4, UInt32(0), "block length 0"), (4, 11, "block length 11"), (4, 98, "block length 98"),
            (4, 0xFFFF_FFF0, "4294967280"), (4, 92, "lengths of a block differ"), (8, 1, "interface 1"),
            (8, 0xFFFF_FFFF, "interface 4294967295"), (20, 65, "65 octets exceeds"),
            (20, 0xFFFF_FFFF, "exceeds"), (92, 100, "lengths of a block differ"),
        ]
    )
    func damage(field: Int, value: UInt32, reason: String) throws {
        var file = CaptureBytes()
        file.section()
        file.interface()
        file.enhanced(Self.data)
        let offset = file.octets.count
        file.enhanced(Self.data)
        file.enhanced(Self.data)
        var damage = CaptureBytes()
        damage.add(value)
        file.octets.replaceSubrange((offset + field)..<(offset + field + 4), with: damage.octets)
        let outcome = try Outcome(of: file.octets)
        #expect(outcome.frames.count == 1)
        #expect(outcome.error?.kind == .damaged)
        #expect(outcome.error?.offset == offset)
        #expect(outcome.error?.frame == 2)
        #expect(outcome.error?.reason.contains(reason) == true, "\(outcome.error?.reason ?? "none")")
    }

    @Test("interface options of wrong length, and invalid times")
    func damagedOptions() throws {
        var beyond = CaptureBytes()
        beyond.section()
        beyond.block(1) {
            $0.add(UInt32(1))
            $0.add(UInt32(0))
            $0.add(UInt16(2))
            $0.add(UInt16(5))
            $0.add(UInt32(0))
        }
        #expect(try Outcome(of: beyond.octets).error?.kind == .damaged)
        var size = CaptureBytes()
        size.section()
        size.interface(options: [(9, [1, 2])])
        #expect(try Outcome(of: size.octets).error?.offset == 28)
    }

    @Test("a simple packet before any interface")
    func noInterface() throws {
        var file = CaptureBytes()
        file.section()
        file.block(3) { $0.add(UInt32(0)) }
        file.block(3) { $0.add(UInt64(0)) }
        let error = try Outcome(of: file.octets).error
        #expect(error?.kind == .damaged)
        #expect(error?.offset == 28)
    }

    @Test("blocks larger than the buffer")
    func largeBlocks() throws {
        let large = [UInt8](repeating: 7, count: 900_001)
        var file = CaptureBytes()
        file.section()
        file.interface()
        file.enhanced(Self.data)
        file.enhanced(large)
        file.enhanced(Self.data)
        let outcome = try Outcome(of: file.octets)
        #expect(outcome.error == nil)
        #expect(outcome.frames.map(\.octets.count) == [61, 900_001, 61])
        #expect(outcome.frames.last?.octets == Self.data)
    }

    @Test("every octet of a file set to 0, 255 and its complement: a result, and no crash")
    func flippedOctets() throws {
        let octets = Self.mixed(bigEndian: false).octets
        for position in octets.indices {
            for value in [0, 0xFF, ~octets[position]] {
                var damaged = octets
                damaged[position] = value
                let outcome = try Outcome(of: damaged)
                #expect(outcome.frames.count <= 2)
                #expect(outcome.frames.allSatisfy { $0.octets.count <= 64 })
            }
        }
    }
}
