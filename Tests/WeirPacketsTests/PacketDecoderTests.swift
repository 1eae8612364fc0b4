import Testing
import WeirPackets
import WeirTesting

/// Decoding of valid and invalid frames.
@Suite struct PacketDecoderTests {
    private typealias Build = PacketBuilder

    @Test(arguments: SampleFrame.all)
    func findsTheTransport(_ sample: SampleFrame) throws {
        var decoder = PacketDecoder()
        let unit = try decoder.found(sample.octets, link: sample.link)
        #expect(unit.protocols.description == sample.protocols)
        #expect(Array(sample.octets[unit.payload]) == SampleFrame.payload)
        #expect(unit.checksum == .valid)
        #expect(unit.missingOctets == 0)
        #expect([51_812, 554] == [unit.source.port, unit.destination.port])
        #expect(decoder.counters.checksumErrors == 0)
    }

    /// Both directions of a conversation, and only they, have the same context.
    @Test func contextIsThatOfTheTunnel() throws {
        var decoder = PacketDecoder()
        let there = Build.udp([1])
        let back = Build.udp([1], from: Build.server, to: Build.client)
        let wrap = { (outer: (Endpoint, Endpoint), inner: [UInt8]) in
            Build.ethernet(
                Build.udp(
                    inner,
                    from: Endpoint(address: outer.0.address, port: 2_152),
                    to: Endpoint(address: outer.1.address, port: 2_152)
                )
            )
        }
        let up = try decoder.found(wrap((Build.client, Build.server), hex("30FF 0000 00000001") + there))
        let down = try decoder.found(wrap((Build.server, Build.client), hex("30FF 0000 0000BEEF") + back))
        #expect(up.context == down.context)
        let plain = try decoder.found(Build.ethernet(there))
        #expect(plain.context == 0)
        #expect(up.context != 0)
        let keyed = try [1, 2].map { key in
            try decoder.found(Build.ip(47, hex("2000 0800 000000") + [UInt8(key)] + there), link: .raw).context
        }
        #expect(keyed[0] != keyed[1])
        let nested = try decoder.found(Build.ip(4, there), link: .raw).context
        let nestedBack = try decoder.found(Build.ip(4, back, Build.server.address, Build.client.address), link: .raw)
            .context
        #expect(nested == nestedBack)
    }

    @Test func vlansSeparateConversationsOnlyWhenAsked() throws {
        for separate in [false, true] {
            var decoder = PacketDecoder(separateVLANs: separate)
            let one = try decoder.found(Build.ethernet(Build.udp([1]), vlans: [1]))
            let two = try decoder.found(Build.ethernet(Build.udp([1]), vlans: [2]))
            #expect((one.context != two.context) == separate)
        }
    }

    /// A copy captured elsewhere has the same fingerprint and another origin; a different packet has another
    /// fingerprint.
    @Test func fingerprintIsThatOfThePacket() throws {
        var decoder = PacketDecoder()
        let payload = [UInt8](repeating: 7, count: 40)
        let packet = Build.udp(payload)
        let first = try decoder.found(Build.ethernet(packet))
        let tagged = try decoder.found(Build.ethernet(packet, vlans: [5]))
        let cooked = try decoder.found(hex("0000 0001 0006 020000000001 0000 0800") + packet, link: .linuxSLL)
        var hop = packet
        hop[8] = 63
        let routed = try decoder.found(Build.ethernet(hop))
        let elsewhere = try decoder.found(Build.ethernet(packet), interface: 1)
        for copy in [tagged, cooked, routed, elsewhere] {
            #expect(copy.fingerprint == first.fingerprint)
            #expect(copy.linkOrigin != first.linkOrigin)
        }
        #expect(try decoder.found(Build.ethernet(packet)).linkOrigin == first.linkOrigin)
        let others = [
            Build.udp(payload, identification: 2), Build.udp([UInt8](repeating: 7, count: 41)),
            Build.udp([8] + payload.dropFirst()), Build.udp(payload.dropLast() + [8]),
            Build.udp(payload, from: Build.server, to: Build.client),
        ]
        for other in others {
            #expect(try decoder.found(Build.ethernet(other)).fingerprint != first.fingerprint)
        }
    }

    @Test func readsTheTCPHeaderAndItsOptions() throws {
        var decoder = PacketDecoder()
        // MSS 1460, SACK permitted, timestamps 1 and 2, no-operation, window scale 7.
        let options = hex("0204 05B4  0402  080A 00000001 00000002  01  0303 07")
        let packet = Build.tcp(sequence: 0xFFFF_FFFF, acknowledgment: 9, flags: [.syn, .ack], options: options)
        let segment = try decoder.found(Build.ethernet(packet)).tcp
        #expect(segment.sequence.value == 0xFFFF_FFFF)
        #expect(segment.acknowledgment.value == 9)
        #expect(segment.flags == [.syn, .ack])
        #expect(segment.window == 1_024)
        #expect(segment.headerLength == 40)
        #expect(segment.maximumSegmentSize == 1_460)
        #expect(segment.windowScale == 7)
        #expect(segment.permitsSelectiveAcknowledgment)
        #expect(segment.hasTimestamps)
        #expect([segment.timestampValue, segment.timestampEcho] == [1, 2])
        #expect(segment.controlLength == 1)
    }

    @Test func trimsPaddingAndTellsWhatIsMissing() throws {
        var decoder = PacketDecoder()
        let frame = Build.ethernet(Build.udp([1, 2, 3]))
        let padded = try decoder.found(frame + [UInt8](repeating: 0, count: 15))
        #expect(padded.payload.count == 3)
        let cut = try decoder.found(Array(frame.dropLast(2)), original: frame.count)
        #expect(cut.payload.count == 1)
        #expect(cut.missingOctets == 2)
        #expect(cut.checksum == .unverified)
    }

    /// Total length 0 means "up to the end of the frame", with segmentation offload.
    @Test func takesTotalLengthZeroAsSuperFrame() throws {
        var decoder = PacketDecoder()
        var frame = Build.ethernet(Build.tcp([UInt8](repeating: 1, count: 100)))
        frame.put16(0, at: 16)
        #expect(try decoder.found(frame).payload.count == 100)
    }

    @Test func countsChecksumErrorsAndUsesThePacket() throws {
        var decoder = PacketDecoder()
        var frame = Build.ethernet(Build.udp([1, 2, 3]))
        frame[frame.count - 1] ^= 0xFF
        frame[22] ^= 0xFF
        #expect(try decoder.found(frame).checksum == .invalid)
        #expect(decoder.counters.udpChecksumErrors == 1)
        #expect(decoder.counters.ipv4HeaderChecksumErrors == 1)
        frame.put16(0, at: 40)
        #expect(try decoder.found(frame).checksum == .absent)
        var unverifying = PacketDecoder(verifyChecksums: false)
        #expect(try unverifying.found(Build.ethernet(Build.tcp())).checksum == .unverified)
    }

    /// The checksum of a payload of any length, and of one with a wrong octet.
    @Test func verifiesPayloadsOfAnyLength() throws {
        var random = SeededGenerator(1_071)
        for count in 0..<1_100 {
            var decoder = PacketDecoder()
            var frame = Build.ethernet(Build.udp(random.octets(count)))
            #expect(try decoder.found(frame).checksum == .valid, "\(count)")
            guard count > 0 else { continue }
            frame[42 + Int(random.next() % UInt64(count))] ^= 0x10
            #expect(try decoder.found(frame).checksum == .invalid, "\(count)")
        }
    }

    /// The three errors for missing octets and invalid values.
    @Test func tellsCutFromMalformedFromOther() {
        var decoder = PacketDecoder()
        let frame = Build.ethernet(Build.udp([1, 2, 3]))
        #expect(decoder.decode(Array(frame[..<30]), original: frame.count).name == "cut")
        #expect(decoder.decode(Array(frame[..<30])).name == "failed")
        var shortHeader = frame
        shortHeader[14] = 0x44
        #expect(decoder.decode(shortHeader).name == "failed")
        var shortLength = frame
        shortLength.put16(7, at: 38)
        #expect(decoder.decode(shortLength).name == "failed")
        #expect(decoder.decode(Build.ethernet([0, 1], type: 0x0806)).name == "other")
        #expect(decoder.decode(Build.ip(50, [1, 2]), link: .raw).name == "other")
        #expect(decoder.decode([1], link: LinkType(rawValue: 147)).name == "other")
    }

    @Test func givesUpWhenEncapsulationsNest() {
        var decoder = PacketDecoder()
        var packet = Build.udp([1])
        for _ in 0..<40 { packet = Build.ip(4, packet) }
        guard case .other(.tooManyLayers) = decoder.decode(packet, link: .raw) else {
            Issue.record("forty nested headers were followed")
            return
        }
    }

    @Test func tiesAnICMPErrorToTheFlowItQuotes() throws {
        var decoder = PacketDecoder()
        let quoted = Build.udp([UInt8](repeating: 0, count: 30))
        let message = hex("0303 0000 00000000") + quoted[..<28]
        let frame = Build.ethernet(Build.ip(1, message, Build.server.address, Build.client.address))
        guard case .icmp(let icmp) = decoder.decode(frame) else {
            Issue.record("no ICMP message")
            return
        }
        #expect(icmp.isPortUnreachable)
        #expect(icmp.name == "port unreachable")
        let quote = try #require(icmp.quote)
        #expect(quote.source == Build.client)
        #expect(quote.destination == Build.server)
        #expect(quote.transport == .udp)

        let message6 =
            hex("0104 0000 00000000") + Build.tcp(from: Build.client6, to: Build.server6, sequence: 77)
        let frame6 = Build.ethernet(Build.ip(58, message6, Build.server6.address, Build.client6.address))
        guard case .icmp(let icmp6) = decoder.decode(frame6) else {
            Issue.record("no ICMPv6 message")
            return
        }
        #expect(icmp6.isPortUnreachable)
        #expect(icmp6.quote?.destination == Build.server6)
        #expect(icmp6.quote?.sequence == Sequence32(77))
    }
}
