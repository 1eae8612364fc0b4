import CaptureTesting
import Testing
import WeirEngine
import WeirPackets
import WeirTesting

@testable import WeirProtocols

/// Repaired loss is not loss, and a stream that moves to another path has no loss on the previous one.
@Suite("Repaired loss")
struct RepairTests {
    private static let ssrc: UInt32 = 0x1234_5678
    private static let sender = Endpoint(address: IPAddress(ipv4: 0xC633_6402), port: 7_000)
    private static let receiver = Endpoint(address: IPAddress(ipv4: 0xC000_0201), port: 5_000)

    /// A packet of a stream on a path.
    private struct Packet {
        var number: Int
        var ssrc = RepairTests.ssrc
        var source = RepairTests.sender
        var destination = RepairTests.receiver
        var type: UInt8 = 33
        var payload: [UInt8] = [UInt8](repeating: 0x47, count: 188)
        /// Added to the timestamp that belongs to the sequence number.
        var ahead: UInt32 = 0
    }

    private static func emit(_ packets: [Packet], decodeAs: [AnalyzerOptions.DecodeAs] = []) -> [MediaStream] {
        var options = AnalyzerOptions()
        options.decodeAs = decodeAs
        let frames = packets.enumerated().map { index, packet in
            var octets: [UInt8] = [0x80, packet.type, UInt8(packet.number >> 8), UInt8(packet.number & 0xFF)]
            for word in [UInt32(packet.number * 90) &+ packet.ahead, packet.ssrc] {
                octets += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) }
            }
            return KeptFrame(
                packet: PacketBuilder.udp(
                    octets + packet.payload, from: packet.source, to: packet.destination,
                    identification: index % 60_000 + 1), number: index + 1,
                time: Timestamp(nanoseconds: Int64(index) * 2_000_000))
        }
        return AnalyzedTimeline.emit(frames, options: options).streams.compactMap {
            ($0.details as? RTPStreamDetails)?.stream
        }
    }

    /// Numbers 100 to 499 without `lost`; each replacement follows `behind` packets later.
    private static func lossy(_ lost: Set<Int>, behind: Int = 10, _ again: (Int) -> Packet) -> [Packet] {
        (100..<500).flatMap { number -> [Packet] in
            var packets = lost.contains(number) ? [] : [Packet(number: number)]
            if lost.contains(number - behind) { packets.append(again(number - behind)) }
            return packets
        }
    }

    @Test("RIST retransmits with the next SSRC", arguments: [3, 10, 100])
    func rist(behind: Int) throws {
        let lost: Set<Int> = [150, 151, 200, 310, 311, 312]
        let streams = Self.emit(Self.lossy(lost, behind: behind) { Packet(number: $0, ssrc: Self.ssrc + 1) })
        let original = try #require(streams.first { $0.ssrc == Self.ssrc })
        #expect(original.lost == 6)
        #expect(original.recovered == 6)
        #expect(original.unrecovered == 0)
        let again = try #require(streams.first { $0.ssrc == Self.ssrc + 1 })
        #expect(again.lost == 0 && again.isRepair)
    }

    /// A packet of SMPTE 2022-1: a row, or a column if the distance is more than 1.
    private static func matrix(_ number: Int, base: Int, distance: UInt8, count: UInt8) -> Packet {
        let port = Self.receiver.port + (distance == 1 ? 4 : 2)
        let payload: [UInt8] =
            [
                UInt8(base >> 8), UInt8(base & 0xFF), 0, 188, 0xA1, 0, 0, 0, 0, 0, 0, 0, distance == 1 ? 0x40 : 0,
                distance,
            ]
            + [count, 0] + [UInt8](repeating: 9, count: 188)
        return Packet(
            number: number, ssrc: 0, destination: Endpoint(address: Self.receiver.address, port: port), type: 96,
            payload: payload)
    }

    @Test("FEC on other ports recovers one packet of each row, and one of each column (SMPTE 2022-1)")
    func matrix() throws {
        // Rows of 5, columns of 4: 107 alone in its row; 121 and 122 in one row, but alone in their columns; 143, 144, 148
        // and 149 in two rows and two columns.
        let lost: Set<Int> = [107, 121, 122, 143, 144, 148, 149]
        var packets: [Packet] = []
        var (rows, columns) = (0, 0)
        for number in 100..<200 {
            if !lost.contains(number) { packets.append(Packet(number: number)) }
            if number % 5 == 4 {
                packets.append(Self.matrix(1_000 + rows, base: number - 4, distance: 1, count: 5))
                rows += 1
            }
            if number % 20 == 19 {
                for column in 0..<5 {
                    packets.append(Self.matrix(5_000 + columns, base: number - 19 + column, distance: 5, count: 4))
                    columns += 1
                }
            }
        }
        let streams = Self.emit(packets)
        let media = try #require(streams.first { $0.ssrc == Self.ssrc })
        #expect(media.lost == 7 && media.recovered == 3 && media.unrecovered == 4)
        #expect(streams.filter { $0.ssrc == 0 }.count == 2)
        #expect(streams.filter { $0.ssrc == 0 }.allSatisfy { $0.isRepair && $0.mainFormat?.encoding == "parityfec" })
    }

    @Test("FEC of RFC 2733 and SMPTE 2022-1 names the packets that it protects")
    func matrixHeader() {
        func numbers(_ octets: [UInt8]) -> [UInt16]? { ErrorCorrection.matrix((octets + [1, 2]).rawSpan)?.numbers }
        #expect(numbers([0xFF, 0xFE, 0, 9, 0x21, 0, 0, 0x05, 0, 0, 0, 0]) == [0xFFFE, 0])
        #expect(numbers([0, 10, 0, 9, 0xA1, 0, 0, 0, 0, 0, 0, 0, 0, 5, 3, 0]) == [10, 15, 20])
        // A mask beside the matrix; a matrix without rows; too many rows.
        #expect(numbers([0, 10, 0, 9, 0xA1, 0, 0, 1, 0, 0, 0, 0, 0, 5, 3, 0]) == nil)
        #expect(numbers([0, 10, 0, 9, 0xA1, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0]) == nil)
        #expect(numbers([0, 10, 0, 9, 0xA1, 0, 0, 0, 0, 0, 0, 0, 0, 5, 21, 0]) == nil)
    }

    @Test("RIST's first retransmissions may be of packets before the capture", arguments: [true, false])
    func ristFirst(beginsWithThem: Bool) throws {
        let again = [97, 98, 99].map { Packet(number: $0, ssrc: Self.ssrc + 1) }
        let original = (100..<300).map { Packet(number: $0) }
        let packets = beginsWithThem ? again + original : original.prefix(20) + again + original.dropFirst(20)
        let streams = Self.emit(Array(packets))
        #expect(streams.map(\.ssrc).sorted() == [Self.ssrc, Self.ssrc + 1])
        #expect(try #require(streams.first { $0.ssrc == Self.ssrc + 1 }).isRepair)
        let first = try #require(streams.first { $0.ssrc == Self.ssrc })
        #expect(!first.isRepair && first.lost == 0 && first.packets == 200)
    }

    @Test("senders with consecutive SSRCs and the same numbers do not repeat each other", arguments: [0, 3])
    func consecutiveSources(offset: Int) throws {
        let other = Endpoint(address: IPAddress(ipv4: 0xC633_6403), port: 7_000)
        let packets = (100..<300).flatMap { number in
            [Packet(number: number), Packet(number: number + offset, ssrc: Self.ssrc + 1, source: other)]
        }
        let streams = Self.emit(packets)
        #expect(streams.count == 2 && streams.allSatisfy { !$0.isRepair && $0.packets == 200 })
    }

    /// Payload types without a description: either stream may repair the other.
    @Test(
        "a parallel stream may be a retransmission if the payload types are unknown",
        arguments: [(96, 97, true), (96, 96, false), (33, 97, false), (96, 8, false)] as [(UInt8, UInt8, Bool)])
    func neighbor(type: UInt8, other: UInt8, mayRepair: Bool) {
        let packets = (100..<300).flatMap { number -> [Packet] in
            let one = Packet(number: number, type: type)
            return number < 120 ? [one] : [one, Packet(number: number + 1_000, ssrc: 9, type: other)]
        }
        let streams = Self.emit(packets)
        #expect(streams.count == 2 && streams.allSatisfy { $0.hasNeighbour == mayRepair })
    }

    /// Where the sender seeks, skipped sequence numbers are recognized by the timestamps, whose clock rate is unknown.
    @Test("an unsignaled seek is recognized by a timestamp jump", arguments: [0, 900_000] as [UInt32])
    func leap(ahead: UInt32) {
        let packets = (100..<600).filter { $0 != 500 && $0 != 501 }.map { number in
            Packet(number: number, type: 96, ahead: number > 500 ? ahead : 0)
        }
        let streams = Self.emit(packets)
        #expect(streams.map(\.skips.count) == [ahead > 0 ? 2 : 0])
        #expect(streams.map(\.lost) == [ahead > 0 ? 0 : 2])
    }

    @Test("retransmissions name the original number (RFC 4588 §4)")
    func retransmissions() throws {
        let formats = [
            AnalyzerOptions.DecodeAs.Meaning(number: 96, text: "H264/90000"),
            AnalyzerOptions.DecodeAs.Meaning(number: 97, text: "rtx/90000 apt=96"),
        ]
        let rule = AnalyzerOptions.DecodeAs(transport: .udp, port: 5_000, protocolName: "rtp", meanings: formats)
        var sent = 0
        let packets = Self.lossy([150, 151, 300]) { number in
            sent += 1
            let original = [UInt8(number >> 8), UInt8(number & 0xFF)]
            return Packet(number: sent, ssrc: 9, type: 97, payload: original + [1, 2, 3])
        }.map { packet in
            var packet = packet
            if packet.type == 33 { packet.type = 96 }
            return packet
        }
        let streams = Self.emit(packets, decodeAs: [rule])
        let original = try #require(streams.first { $0.ssrc == Self.ssrc })
        #expect(original.lost == 3)
        #expect(original.recovered == 3)
        #expect(streams.first { $0.ssrc == 9 }?.isRepair == true)
    }

    @Test("a duplicate stream repairs the other (SMPTE ST 2022-7)")
    func twins() {
        let other = Endpoint(address: IPAddress(ipv4: 0xC000_0301), port: 5_000)
        let second = Endpoint(address: IPAddress(ipv4: 0xC633_6502), port: 7_000)
        let packets = (100..<500).flatMap { number -> [Packet] in
            let one = Packet(number: number)
            let two = Packet(number: number, source: second, destination: other)
            return (number % 50 == 7 ? [] : [one]) + (number % 60 == 9 ? [] : [two])
        }
        let streams = Self.emit(packets)
        #expect(streams.map(\.lost) == [8, 7])
        #expect(streams.map(\.recovered) == [8, 7])
        #expect(streams.map(\.unrecovered) == [0, 0])
    }

    @Test("packets received on another path were not lost")
    func paths() {
        let other = Endpoint(address: PacketBuilder.client.address, port: 5_002)
        let packets = (100..<500).map { number in
            (number / 40).isMultiple(of: 2)
                ? Packet(number: number) : Packet(number: number, destination: other)
        }
        let streams = Self.emit(packets)
        #expect(streams.map(\.lost) == [0, 0])
        #expect(streams.map(\.packets).reduce(0, +) == 400)
    }

    @Test("loss without retransmission is not repaired")
    func lost() {
        let streams = Self.emit((100..<500).filter { $0 % 100 != 50 }.map { Packet(number: $0) })
        #expect(streams.map(\.lost) == [4])
        #expect(streams.map(\.unrecovered) == [4])
    }
}
