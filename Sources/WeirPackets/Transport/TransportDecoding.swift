extension PacketDecoder {
    /// Decodes a TCP segment (RFC 9293 §3.1).
    mutating func tcp(_ bytes: RawSpan, _ at: inout Descent) -> Outcome {
        let start = at.offset
        let octets = bytes.clamped(start, at.end)
        guard octets.byteCount >= 20 else { return answer(at.shortage(of: 20, layer: "TCP")) }
        let headerLength = Int(octets.loadUInt32(at: 12) >> 28) &* 4
        guard headerLength >= 20 else {
            return answer(at.malformed("header length \(headerLength), but the least is 20", layer: "TCP"))
        }
        // A segment with truncated options is still usable; one whose options do not fit is not.
        guard start &+ headerLength <= at.wireEnd else { return answer(at.shortage(of: headerLength, layer: "TCP")) }
        at.protocols.push(.tcp)
        describeTCP(octets, at, headerLength: headerLength)
        return .unit
    }

    /// Fills the unit from the octets of a segment, at least 20, whose header length fits.
    @inline(__always)
    mutating func describeTCP(_ octets: RawSpan, _ at: Descent, headerLength: Int) {
        let segment = TCPSegment(octets, headerLength: headerLength)
        describe(.tcp, octets, at, header: headerLength)
        unit.fingerprint = fingerprint(of: segment, octets, at)
        unit.tcp = segment
        unit.checksum = checksum(IPProtocol.tcp, octets, at)
        if unit.checksum == .invalid { counters.tcpChecksumErrors &+= 1 }
    }

    /// Decodes a UDP datagram (RFC 768), and its payload if it is a tunnel.
    mutating func udp(_ bytes: RawSpan, _ at: inout Descent) -> Outcome {
        let start = at.offset
        guard at.available >= 8, let ports = bytes.uint32(at: start), let rest = bytes.uint32(at: start &+ 4) else {
            return answer(at.shortage(of: 8, layer: "UDP"))
        }
        let length = Int(rest >> 16)
        if length >= 8 {
            at.limit(to: start &+ length)
        } else if length != 0 {
            // 0 stands for a length that does not fit: jumbograms (RFC 2675 §4), and segmentation offload.
            return answer(at.malformed("length \(length), but the least is 8", layer: "UDP"))
        }
        if let tunnel = UDPTunnel(source: ports >> 16, destination: ports & 0xFFFF) {
            at.protocols.push(.udp)
            if let inner = udpTunnel(tunnel, bytes, &at) { return inner }
            at.protocols.pop()
        }
        let octets = bytes.clamped(start, at.end)
        guard octets.byteCount >= 8 else { return answer(at.shortage(of: 8, layer: "UDP")) }
        at.protocols.push(.udp)
        describeUDP(octets, at)
        return .unit
    }

    /// Fills the unit from the octets of a datagram, at least 8.
    @inline(__always)
    mutating func describeUDP(_ octets: RawSpan, _ at: Descent) {
        describe(.udp, octets, at, header: 8)
        unit.fingerprint = fingerprint(ofDatagram: octets, at)
        unit.tcp = TCPSegment()
        guard octets.loadUInt16(at: 6) != 0 else {
            unit.checksum = .absent
            return
        }
        unit.checksum = checksum(IPProtocol.udp, octets, at)
        if unit.checksum == .invalid { counters.udpChecksumErrors &+= 1 }
    }

    /// Verifies the checksum of a segment or datagram.
    ///
    /// - Parameter known: The sum of its octets and of an IPv4 header, which adds nothing if its checksum is valid.
    @inline(__always)
    func checksum(
        _ number: UInt8, _ octets: RawSpan, _ at: Descent, _ known: OctetSum = .unknown
    ) -> ChecksumState {
        guard verifyChecksums, at.wireEnd <= at.end, !at.hasForeignPseudoHeader else { return .unverified }
        var sum = InternetChecksum()
        sum.add(at.source)
        sum.add(at.destination)
        sum.add(UInt32(number))
        sum.add(UInt32(truncatingIfNeeded: octets.byteCount))
        if known.isKnown { sum.add(sum: known.sum) } else { sum.add(octets) }
        return sum.isValid ? .valid : .invalid
    }

    /// Fills the unit from the outer layers, the ports and the payload: everything but the TCP header, the checksum and
    /// the fingerprint.
    @inline(__always)
    private mutating func describe(
        _ transport: TransportProtocol, _ octets: RawSpan, _ at: Descent, header: Int
    ) {
        let ports = octets.loadUInt32(at: 0)
        let start = min(at.offset &+ header, at.end)
        let origin = mix(at.origin, UInt64(at.hopLimit))
        unit.source = Endpoint(address: at.source, port: UInt16(truncatingIfNeeded: ports >> 16))
        unit.destination = Endpoint(address: at.destination, port: UInt16(truncatingIfNeeded: ports))
        unit.transport = transport
        unit.hopLimit = at.hopLimit
        unit.trafficClass = at.trafficClass
        unit.identification = UInt16(truncatingIfNeeded: at.identification)
        unit.fragments = at.fragments
        unit.context = at.context
        unit.linkOrigin = UInt32(truncatingIfNeeded: origin ^ origin >> 32)
        unit.payload = start..<at.end
        unit.missingOctets = max(0, at.wireEnd &- max(at.end, at.offset &+ header))
        unit.protocols = at.protocols
    }

    /// Returns the fingerprint of a segment of at least 20 octets. Without the checksum: with checksum offload, the
    /// sending host captures a different one.
    @inline(__always)
    func fingerprint(
        of segment: TCPSegment, _ octets: RawSpan, _ at: Descent, _ known: OctetSum = .unknown
    ) -> UInt64 {
        let control = UInt64(octets.loadHost(UInt32.self, at: 12)) << 32
        let identity = mix(
            octets.loadHost(UInt64.self, at: 4),
            control ^ UInt64(segment.timestampValue) << 32 | UInt64(segment.timestampEcho))
        return fingerprint(octets, at, known, header: Int(segment.headerLength), identity: identity)
    }

    /// Returns the fingerprint of a datagram of at least 8 octets.
    @inline(__always)
    func fingerprint(ofDatagram octets: RawSpan, _ at: Descent, _ known: OctetSum = .unknown) -> UInt64 {
        let identity = at.identification == 0 ? samples(octets, from: 24) : 0
        return fingerprint(octets, at, known, header: 8, identity: identity)
    }

    /// Hashes eight octets of every 64: without an identification, datagrams may differ only in the middle.
    private func samples(_ octets: RawSpan, from start: Int) -> UInt64 {
        var hash: UInt64 = 0
        var offset = start
        while let next = octets.uint64(at: offset) {
            hash = mix(hash, next)
            offset &+= 64
        }
        return hash
    }

    /// Hashes everything that no device on the path changes: addresses, ports, IP identification, length, the transport
    /// header (`identity`; without its checksum), and the payload's first 16 and last 8 octets. A retransmission has a
    /// new identification or timestamp; the next RTP packet has another sequence number.
    ///
    /// It distinguishes the packets of a flow, and `CaptureDuplicates` adds the flow: what only distinguishes flows is not
    /// mixed as well.
    @inline(__always)
    private func fingerprint(
        _ octets: RawSpan, _ at: Descent, _ known: OctetSum, header: Int, identity: UInt64
    ) -> UInt64 {
        let ports = UInt64(octets.loadHost(UInt32.self, at: 0)) << 32
        let length = UInt64(truncatingIfNeeded: at.wireEnd &- at.offset) << 16
        var hash = mix(
            identity ^ at.source.low ^ at.source.high,
            at.destination.low ^ at.destination.high ^ ports ^ length ^ UInt64(at.identification))
        guard octets.byteCount >= header &+ 16 else { return shortPayload(octets, from: header, hash) }
        hash = mix(hash ^ octets.loadHost(UInt64.self, at: header), octets.loadHost(UInt64.self, at: header &+ 8))
        return hash ^ (known.isKnown ? known.last : octets.loadHost(UInt64.self, at: octets.byteCount &- 8))
    }

    /// Hashes each octet of a payload of less than 16.
    @inline(never)
    private func shortPayload(_ octets: RawSpan, from start: Int, _ hash: UInt64) -> UInt64 {
        var (hash, offset) = (hash, start)
        while let octet = octets.byte(at: offset) {
            hash = mix(hash, UInt64(octet))
            offset &+= 1
        }
        return hash
    }
}
