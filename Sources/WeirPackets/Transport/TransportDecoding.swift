extension PacketDecoder {
    /// Decodes a TCP segment (RFC 9293 §3.1).
    mutating func tcp(_ bytes: RawSpan, _ at: inout Descent) -> Outcome {
        let start = at.offset
        guard at.available >= 20, let ports = bytes.uint32(at: start), let control = bytes.uint32(at: start &+ 12)
        else { return answer(at.shortage(of: 20, layer: "TCP")) }
        let headerLength = Int(control >> 28) &* 4
        guard headerLength >= 20 else {
            return answer(at.malformed("header length \(headerLength), but the least is 20", layer: "TCP"))
        }
        // A segment with truncated options is still usable; one whose options do not fit is not.
        guard start &+ headerLength <= at.wireEnd else { return answer(at.shortage(of: headerLength, layer: "TCP")) }
        describeTCP(bytes, at, ports: ports, headerLength: headerLength)
        return .unit
    }

    /// Fills the unit from a TCP header whose length fits.
    @inline(__always)
    mutating func describeTCP(_ bytes: RawSpan, _ outer: Descent, ports: UInt32, headerLength: Int) {
        var at = outer
        let start = at.offset
        let sequence = bytes.loadUInt32(at: start &+ 4)
        let acknowledgment = bytes.loadUInt32(at: start &+ 8)
        let control = bytes.loadUInt32(at: start &+ 12)
        at.protocols.push(.tcp)
        var segment = TCPSegment()
        segment.sequence = Sequence32(sequence)
        segment.acknowledgment = Sequence32(acknowledgment)
        segment.flags = TCPFlags(rawValue: UInt8(truncatingIfNeeded: control >> 16))
        segment.window = UInt16(truncatingIfNeeded: control)
        segment.headerLength = UInt8(truncatingIfNeeded: headerLength)
        if headerLength > 20 {
            segment.readOptions(bytes, from: start &+ 20, to: min(start &+ headerLength, at.end))
        }
        describe(
            .tcp,
            bytes,
            at,
            ports: ports,
            payload: start &+ headerLength,
            // Without the checksum: with checksum offload, the sending host captures a different one.
            identity: mix(
                UInt64(sequence) << 32 | UInt64(acknowledgment),
                UInt64(control) << 32 ^ UInt64(segment.timestampValue) << 32 | UInt64(segment.timestampEcho))
        )
        unit.tcp = segment
        unit.checksum = checksum(IPProtocol.tcp, bytes, at)
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
        describeUDP(bytes, at, ports: ports, checksum: UInt16(truncatingIfNeeded: rest))
        return .unit
    }

    /// Fills the unit from the header of a UDP datagram.
    @inline(__always)
    mutating func describeUDP(_ bytes: RawSpan, _ outer: Descent, ports: UInt32, checksum: UInt16) {
        var at = outer
        at.protocols.push(.udp)
        let identity = at.identification == 0 ? samples(bytes, from: at.offset &+ 24, to: at.end) : 0
        describe(.udp, bytes, at, ports: ports, payload: at.offset &+ 8, identity: identity)
        unit.tcp = TCPSegment()
        guard checksum != 0 else {
            unit.checksum = .absent
            return
        }
        unit.checksum = self.checksum(IPProtocol.udp, bytes, at)
        if unit.checksum == .invalid { counters.udpChecksumErrors &+= 1 }
    }

    /// Verifies the checksum of the segment or datagram at `at`.
    @inline(__always)
    private func checksum(_ number: UInt8, _ bytes: RawSpan, _ at: Descent) -> ChecksumState {
        guard verifyChecksums, at.wireEnd <= at.end, !at.hasForeignPseudoHeader else { return .unverified }
        var sum = InternetChecksum()
        sum.add(at.source)
        sum.add(at.destination)
        sum.add(UInt32(number))
        sum.add(UInt32(truncatingIfNeeded: at.available))
        sum.add(bytes.clamped(at.offset, at.end))
        return sum.isValid ? .valid : .invalid
    }

    /// Fills the unit from the outer layers: everything but the TCP header and the checksum.
    @inline(__always)
    private mutating func describe(
        _ transport: TransportProtocol,
        _ bytes: RawSpan,
        _ at: Descent,
        ports: UInt32,
        payload start: Int,
        identity: UInt64
    ) {
        let payloadStart = min(start, at.end)
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
        unit.fingerprint = fingerprint(bytes, at, ports: ports, payload: payloadStart, identity: identity)
        unit.payload = payloadStart..<at.end
        unit.missingOctets = max(0, at.wireEnd &- max(at.end, start))
        unit.protocols = at.protocols
    }

    /// Hashes eight octets of every 64: without an identification, datagrams may differ only in the middle.
    private func samples(_ bytes: RawSpan, from start: Int, to end: Int) -> UInt64 {
        var hash: UInt64 = 0
        var offset = start
        while offset &+ 8 <= end {
            hash = mix(hash, bytes.uint64(at: offset) ?? 0)
            offset &+= 64
        }
        return hash
    }

    /// Hashes everything that no device on the path changes: addresses, ports, IP identification, length, the transport
    /// header (`identity`; without its checksum), and the payload's first 16 and last 8 octets. A retransmission has a
    /// new identification or timestamp; the next RTP packet has another sequence number.
    @inline(__always)
    private func fingerprint(
        _ bytes: RawSpan,
        _ at: Descent,
        ports: UInt32,
        payload start: Int,
        identity: UInt64
    ) -> UInt64 {
        let length = UInt64(truncatingIfNeeded: at.wireEnd &- at.offset)
        var hash = mix(at.source.low ^ at.source.high, at.destination.low &+ at.destination.high)
        hash ^= mix(identity, UInt64(ports) << 32 | UInt64(at.identification))
        if start &+ 16 <= at.end {
            hash = mix(hash ^ bytes.loadUInt64(at: start), bytes.loadUInt64(at: start &+ 8))
            return mix(hash ^ bytes.loadUInt64(at: at.end &- 8), length << 32 | UInt64(at.context))
        }
        return mix(shortPayload(bytes, from: start, to: at.end, hash), length << 32 | UInt64(at.context))
    }

    /// Hashes each octet of a payload of less than 16.
    @inline(never)
    private func shortPayload(_ bytes: RawSpan, from start: Int, to end: Int, _ hash: UInt64) -> UInt64 {
        var (hash, offset) = (hash, start)
        while offset < end, let octet = bytes.byte(at: offset) {
            hash = mix(hash, UInt64(octet))
            offset &+= 1
        }
        return hash
    }
}
