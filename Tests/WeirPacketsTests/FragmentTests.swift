import Testing
import WeirPackets
import WeirTesting

/// Fragmented datagrams.
@Suite struct FragmentTests {
    private typealias Build = PacketBuilder

    private static let payload = (0..<100).map { UInt8($0) }
    private static let packets: [[UInt8]] = [
        PacketBuilder.udp(payload), PacketBuilder.udp(payload, from: PacketBuilder.client6, to: PacketBuilder.server6),
    ]

    /// Returns the payload of the unit that the last frame completes.
    private func payload(_ decoder: inout PacketDecoder, _ frames: [[UInt8]]) -> [UInt8]? {
        var result: [UInt8]?
        for frame in frames {
            guard let unit = decoder.unit(frame, link: .raw) else { continue }
            result = Array(decoder.reassembled[unit.payload])
        }
        return result
    }

    @Test(arguments: Self.packets, [8, 24, 64])
    func putsTogether(_ packet: [UInt8], _ size: Int) throws {
        for order in [false, true] {
            var decoder = PacketDecoder()
            var frames = Build.fragments(of: packet, size: size)
            if order { frames.reverse() }
            for frame in frames.dropLast() {
                #expect(decoder.decode(frame, link: .raw).name == "fragment")
            }
            let unit = try decoder.found(try #require(frames.last), link: .raw)
            #expect(unit.isReassembled)
            #expect(Int(unit.fragments) == frames.count)
            #expect(Array(decoder.reassembled[unit.payload]) == Self.payload)
            #expect(unit.checksum == .valid)
            #expect(unit.source.port == 51_812)
        }
    }

    @Test func firstCopyOfAnOctetStays() {
        var decoder = PacketDecoder()
        let frames = Build.fragments(of: Self.packets[0], size: 24)
        var other = frames[1]
        other[30] ^= 0xFF
        #expect(payload(&decoder, [frames[0], frames[1], other] + frames[2...]) == Self.payload)
        #expect(decoder.counters.overlappingFragments == 1)
    }

    @Test func copiesOfAFinishedDatagramAreNoNewOne() {
        var decoder = PacketDecoder()
        let frames = Build.fragments(of: Self.packets[0], size: 64)
        #expect(payload(&decoder, frames) == Self.payload)
        let copies = frames.map { decoder.decode($0, link: .raw, seconds: 0.1).name }
        #expect(copies == ["fragment", "fragment"])
        // Later, the identification may belong to another datagram.
        let later = frames.map { decoder.decode($0, link: .raw, seconds: 1).name }
        #expect(later == ["fragment", "transport"])
    }

    @Test func unfinishedDatagramsExpire() {
        var decoder = PacketDecoder()
        let frames = Build.fragments(of: Self.packets[0], size: 64)
        #expect(decoder.decode(frames[0], link: .raw, seconds: 0).name == "fragment")
        #expect(decoder.decode(frames[1], link: .raw, seconds: 61).name == "fragment")
        #expect(decoder.counters.expiredDatagrams == 1)
    }

    @Test func boundsHold() {
        var limits = Limits()
        limits.fragmentedDatagrams = 10
        var decoder = PacketDecoder(limits: limits)
        for identification in 0..<1_000 {
            let packet = Build.udp(Self.payload, identification: identification)
            _ = decoder.decode(Build.fragments(of: packet, size: 64)[0], link: .raw)
        }
        #expect(decoder.counters.evictedDatagrams == 990)
        limits = Limits()
        limits.fragmentTotalOctets = 10_000
        var byOctets = PacketDecoder(limits: limits)
        for identification in 0..<1_000 {
            let packet = Build.udp(Self.payload, identification: identification)
            _ = byOctets.decode(Build.fragments(of: packet, size: 64)[0], link: .raw)
        }
        #expect(byOctets.counters.evictedDatagrams > 970)
    }

    @Test func refusesImpossibleFragments() {
        var decoder = PacketDecoder()
        let udp = [UInt8](repeating: 0, count: 24)
        // Beyond the longest datagram; not a multiple of eight; empty.
        #expect(decoder.decode(Build.ip(17, udp, flagsAndOffset: 0x1FFF), link: .raw).name == "failed")
        #expect(
            decoder.decode(Build.ip(17, Array(udp.dropLast()), flagsAndOffset: 0x2000), link: .raw).name == "failed")
        #expect(decoder.decode(Build.ip(17, [], flagsAndOffset: 0x2000), link: .raw).name == "failed")
    }

    @Test func tellsWhatACutFragmentLacks() throws {
        var decoder = PacketDecoder()
        let frames = Build.fragments(of: Self.packets[0], size: 64)
        let part = Array(frames[0][..<40])
        #expect(decoder.decode(part, link: .raw, original: frames[0].count).name == "fragment")
        let unit = try decoder.found(frames[1], link: .raw)
        #expect(Array(decoder.reassembled[unit.payload]) == Array(Self.payload[..<12]))
        #expect(unit.missingOctets == 88)
        #expect(unit.checksum == .unverified)
    }
}
