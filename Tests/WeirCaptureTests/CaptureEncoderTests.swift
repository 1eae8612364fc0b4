import Foundation
import Testing
import WeirCapture
import WeirPackets

@Suite("Writing captures")
struct CaptureEncoderTests {
    static let ethernet = LiveCapture.Interface(name: "eth0", linkType: .ethernet, snapLength: 262_144)
    static let cooked = LiveCapture.Interface(name: "any", linkType: .linuxSLL2, snapLength: 96)
    static let base: Int64 = 1_795_247_113_123_456_789

    /// Frames of every length modulo four, alternating between interfaces, one for each member of `drops`.
    static func file(_ encoder: CaptureEncoder, drops: [Int], interfaces: Int = 1) -> [UInt8] {
        var octets = encoder.header
        for (index, count) in drops.enumerated() {
            let data = (0..<60 + index).map { UInt8($0) }
            let interface = index % interfaces
            let info = FrameInfo(
                number: index + 1, time: Timestamp(nanoseconds: base + Int64(index)), capturedLength: data.count,
                originalLength: data.count + 100, interface: interface,
                linkType: interface == 0 ? .ethernet : .linuxSLL2)
            encoder.append(Frame(info: info, bytes: data.rawSpan), drops: count, to: &octets)
        }
        return octets
    }

    @Test("a file is read back as written", arguments: [CaptureFile.Format.pcap, .pcapng])
    func roundTrip(format: CaptureFile.Format) throws {
        let encoder = try #require(
            CaptureEncoder(format, interfaces: [Self.ethernet], filter: "tcp or udp", application: "test"))
        let end = Timestamp(nanoseconds: Self.base + 5_000_000_000)
        let outcome = try Outcome(
            of: Self.file(encoder, drops: [0, 0, 7, 0, 0]) + encoder.end(of: 0, LiveStatistics(), at: end))
        #expect(outcome.error == nil)
        #expect(outcome.format == format)
        #expect(outcome.linkTypes == [1])
        #expect(outcome.snapLengths == [262_144])
        #expect(outcome.frames.map(\.octets) == (0..<5).map { (0..<60 + $0).map { UInt8($0) } })
        #expect(outcome.frames.map(\.originalLength) == [160, 161, 162, 163, 164])
        #expect(outcome.frames.map(\.time) == (0..<5).map { Self.base + $0 }, "nanoseconds are kept")
    }

    @Test("interfaces of several link types require pcapng")
    func severalLinkTypes() throws {
        let both = [Self.ethernet, Self.cooked]
        #expect(CaptureEncoder(.pcap, interfaces: both, filter: nil, application: "test") == nil)
        let encoder = try #require(CaptureEncoder(.pcapng, interfaces: both, filter: nil, application: "test"))
        let outcome = try Outcome(of: Self.file(encoder, drops: [0, 0, 0], interfaces: 2))
        #expect(outcome.error == nil)
        #expect(outcome.linkTypes == [1, 276])
        #expect(outcome.snapLengths == [262_144, 96])
        #expect(outcome.frames.map(\.interface) == [0, 1, 0])
        #expect(outcome.frames.map(\.linkType) == [1, 276, 1])
    }

    @Test("a file records drops with the packet that follows them, and its end time")
    func drops() throws {
        let encoder = try #require(
            CaptureEncoder(.pcapng, interfaces: [Self.ethernet], filter: nil, application: "test"))
        let end = Timestamp(nanoseconds: Self.base + 5_000_000_000)
        var counts = LiveStatistics()
        counts.dropped = 8
        let path = try temporaryFile(
            Self.file(encoder, drops: [3, 0, 5]) + encoder.end(of: 0, counts, at: end))
        defer { try? FileManager.default.removeItem(atPath: path) }
        var file = try CaptureFile(path)
        var seen: [Int] = []
        while true {
            let isLast = try file.next() == nil
            seen.append(file.droppedPackets)
            if isLast { break }
        }
        #expect(seen == [3, 3, 8, 8])
        #expect(file.endTime == end)
    }

    @Test("a file records lost interfaces with the packet that follows")
    func lostInterface() throws {
        let both = [Self.ethernet, Self.cooked]
        let encoder = try #require(CaptureEncoder(.pcapng, interfaces: both, filter: nil, application: "test"))
        func moment(_ seconds: Int64) -> Timestamp { Timestamp(nanoseconds: Self.base + seconds * 1_000_000_000) }
        func packet(_ seconds: Int64) -> [UInt8] {
            let info = FrameInfo(
                number: 1, time: moment(seconds), capturedLength: 4, originalLength: 4, linkType: .ethernet)
            var octets: [UInt8] = []
            encoder.append(Frame(info: info, bytes: [UInt8](repeating: 1, count: 4).rawSpan), drops: 0, to: &octets)
            return octets
        }
        func end(_ interface: Int, _ seconds: Int64) -> [UInt8] {
            encoder.end(of: interface, LiveStatistics(), at: moment(seconds))
        }
        /// The lost interfaces, by the number of frames before each.
        func losses(_ octets: [UInt8]) throws -> [Int: LostInterface] {
            let all = try allLosses(octets)
            return Dictionary(all, uniquingKeysWith: { first, _ in first })
        }
        func allLosses(_ octets: [UInt8]) throws -> [(Int, LostInterface)] {
            let path = try temporaryFile(encoder.header + octets)
            defer { try? FileManager.default.removeItem(atPath: path) }
            var file = try CaptureFile(path)
            var frames = 0
            var losses: [(Int, LostInterface)] = []
            file.whenInterfaceLost { losses.append((frames, $0)) }
            while try file.next() != nil { frames += 1 }
            return losses
        }
        let lost = LostInterface(name: "any", time: moment(2))
        #expect(try losses(packet(1) + end(1, 2) + packet(3) + end(0, 4)) == [1: lost])
        #expect(try losses(packet(1) + end(1, 2) + end(0, 700)) == [1: lost], "nothing came on the other one")
        #expect(try losses(packet(1) + packet(3) + end(0, 4) + end(1, 4)).isEmpty)
        #expect(try losses(end(1, 2) + packet(3) + end(0, 4)) == [0: lost], "before the first packet")
        let repeated = (0..<100).flatMap { end(1, 2) + packet(3 + Int64($0)) }
        #expect(try allLosses(packet(1) + repeated).map(\.1) == [lost], "an interface ends once")
    }

    @Test("drop counts of other writers are read in either byte order", arguments: [false, true])
    func foreignDrops(bigEndian: Bool) throws {
        var writer = CaptureBytes(bigEndian: bigEndian)
        writer.section()
        writer.interface(linkType: 1, snapLength: 65535)
        for _ in 0..<2 {
            writer.block(6) { body in
                for value: UInt32 in [0, 0, 1_000_000, 5, 60] { body.add(value) }
                body.octets += [1, 2, 3, 4, 5, 0, 0, 0]
                // A comment, then the drop-count option, and one with a wrong length.
                body.add(UInt16(1))
                body.add(UInt16(3))
                body.octets += [0x61, 0x62, 0x63, 0]
                body.add(UInt16(4))
                body.add(UInt16(8))
                body.add(UInt64(42))
                body.add(UInt16(4))
                body.add(UInt16(900))
            }
        }
        let path = try temporaryFile(writer.octets)
        defer { try? FileManager.default.removeItem(atPath: path) }
        var file = try CaptureFile(path)
        var frames = 0
        while try file.next() != nil { frames += 1 }
        #expect(frames == 2)
        #expect(file.droppedPackets == 84)
        #expect(file.endTime == nil)
    }
}
