import Testing
import WeirPackets
import WeirTesting

/// Any input has a result, and ranges are inside the bytes they refer to.
@Suite struct HostileFrameTests {
    private func check(_ decoder: inout PacketDecoder, _ octets: [UInt8], _ link: LinkType, original: Int) {
        guard let unit = decoder.unit(octets, link: link, original: original) else { return }
        let bytes = unit.isReassembled ? decoder.reassembled.count : octets.count
        #expect(unit.payload.lowerBound >= 0 && unit.payload.upperBound <= bytes)
        #expect(unit.missingOctets >= 0)
    }

    @Test(arguments: SampleFrame.all)
    func everyCutHasItsAnswer(_ sample: SampleFrame) throws {
        var decoder = PacketDecoder()
        let whole = try decoder.found(sample.octets, link: sample.link)
        for length in 0..<sample.octets.count {
            let part = Array(sample.octets[..<length])
            let cut = decoder.decode(part, link: sample.link, original: sample.octets.count)
            if length >= whole.payload.lowerBound {
                let unit = try #require(cut.unit, "cut at \(length)")
                #expect(unit.payload.count + unit.missingOctets == whole.payload.count)
            } else if cut.name == "transport" {
                // A truncated tunnel header, after which the rest looks like a plain datagram; or truncated TCP
                // options.
                #expect(cut.unit?.missingOctets ?? 0 > 0)
            } else {
                #expect(cut.name == "cut", "cut at \(length)")
            }
            check(&decoder, part, sample.link, original: length)
        }
    }

    @Test func flippedBitsNeverTrap() {
        var random = SeededGenerator(2_326)
        var decoder = PacketDecoder()
        let samples = SampleFrame.all + fragmentSamples()
        for round in 0..<100_000 {
            let sample = samples[round % samples.count]
            var octets = sample.octets
            for _ in 0...Int(random.next() % 4) {
                let index = Int(random.next() % UInt64(octets.count))
                octets[index] = random.chance(2) ? UInt8(truncatingIfNeeded: random.next()) : octets[index] ^ 1
            }
            if random.chance(4) { octets.removeLast(Int(random.next() % UInt64(octets.count))) }
            let original = octets.count + (random.chance(2) ? 40 : 0)
            check(&decoder, octets, sample.link, original: original)
        }
        #expect(decoder.counters.fragments > 0)
        #expect(decoder.counters.checksumErrors > 0)
    }

    /// Decoding in one go and layer by layer give the same result, also of invalid frames.
    @Test(arguments: [true, false]) func straightDecodingIsEqual(separateVLANs: Bool) {
        var random = SeededGenerator(791)
        var usual = PacketDecoder(separateVLANs: separateVLANs)
        var layers = PacketDecoder(separateVLANs: separateVLANs)
        let payload = random.octets(90)
        let packets = [
            PacketBuilder.udp(payload), PacketBuilder.tcp(payload),
            PacketBuilder.udp(payload, from: PacketBuilder.client6, to: PacketBuilder.server6),
            PacketBuilder.tcp(payload, from: PacketBuilder.client6, to: PacketBuilder.server6),
        ]
        let samples =
            SampleFrame.all.map(\.octets) + packets.map { PacketBuilder.ethernet($0) } + packets.map(Self.tagged)
        for round in 0..<50_000 {
            var octets = samples[round % samples.count]
            // Most changes are in the headers, where they matter.
            for _ in 0..<Int(random.next() % 4) {
                let index = Int(random.next() % UInt64(min(octets.count, random.chance(4) ? 2_000 : 70)))
                octets[index] = random.chance(2) ? UInt8(truncatingIfNeeded: random.next()) : octets[index] ^ 1
            }
            if random.chance(4) { octets.removeLast(Int(random.next() % UInt64(octets.count))) }
            if random.chance(8) { octets += random.octets(20) }
            let info = FrameInfo(
                number: 1, time: Timestamp(nanoseconds: 0), capturedLength: octets.count,
                originalLength: octets.count + (random.chance(4) ? 30 : 0), interface: round % 2, linkType: .ethernet)
            let found = usual.finds(Frame(info: info, bytes: octets.rawSpan))
            #expect(found == layers.decodeLayers(Frame(info: info, bytes: octets.rawSpan)))
            if found {
                #expect("\(usual.unit)" == "\(layers.unit)")
            } else {
                #expect("\(usual.answer)" == "\(layers.answer)")
            }
        }
        #expect(usual.counters == layers.counters)
        #expect(usual.counters.checksumErrors > 0)
    }

    private static func tagged(_ packet: [UInt8]) -> [UInt8] {
        let frame = PacketBuilder.ethernet(packet)
        return Array(frame[..<12]) + [0x81, 0x00, 0x20, 0x07] + Array(frame[12...])
    }

    @Test func noiseNeverTraps() {
        var random = SeededGenerator(3_550)
        var decoder = PacketDecoder()
        let links: [LinkType] = [
            .ethernet, .linuxSLL, .linuxSLL2, .null, .loop, .ppp, .pppHDLC, .pppEthernet, .ciscoHDLC, .raw, .ieee80211,
            .radiotap,
        ]
        for round in 0..<20_000 {
            let octets = random.octets(Int(random.next() % 120))
            check(&decoder, octets, links[round % links.count], original: octets.count)
        }
    }

    private func fragmentSamples() -> [SampleFrame] {
        let payload = [UInt8](repeating: 3, count: 60)
        let packets = [
            PacketBuilder.udp(payload),
            PacketBuilder.udp(payload, from: PacketBuilder.client6, to: PacketBuilder.server6),
        ]
        return packets.flatMap { PacketBuilder.fragments(of: $0, size: 24) }
            .map { SampleFrame("fragment", .ethernet, PacketBuilder.ethernet($0), "") }
    }
}
