extension PacketDecoder {
    /// Decodes the most frequent frames without going from layer to layer: a whole TCP segment or UDP datagram directly
    /// in IPv4 without options or in IPv6 without extension headers, in Ethernet with at most one VLAN tag.
    ///
    /// Returns false for all other frames, and for those with an error; `decodeLayers` decodes them. For a frame that
    /// this function decodes, both store the same unit.
    @inline(__always)
    mutating func decodeStraight(_ info: FrameInfo, _ bytes: RawSpan) -> Bool {
        let count = bytes.byteCount
        guard info.linkType == .ethernet, hasUsualLimits, count >= Self.shortest else { return false }
        let rest = bytes.loadUInt64(at: 6)
        var at = Descent(straight: info)
        at.addOrigin(bytes.loadUInt64(at: 0) ^ rest >> 16)
        at.protocols.push(.ethernet)
        var type = UInt16(truncatingIfNeeded: rest)
        at.offset = 14
        if type == EtherType.vlan, !separateVLANs {
            let tag = bytes.loadUInt32(at: 14)
            at.addOrigin(UInt64(tag >> 16 & 0xFFF))
            at.protocols.push(.vlan)
            type = UInt16(truncatingIfNeeded: tag)
            at.offset = 18
        }
        if type == EtherType.ipv4 {
            let number = straightIPv4(bytes, &at)
            if number == IPProtocol.udp { return straightUDP(bytes, at) }
            return number == IPProtocol.tcp && straightTCP(bytes, at)
        }
        return type == EtherType.ipv6 && straightIPv6(bytes, at)
    }

    /// The length of an Ethernet header with a tag, an IPv4 header and a UDP header.
    static let shortest = 46

    /// Decodes an IPv4 header of 20 octets (RFC 791 §3.1) and returns the protocol number; 0 if something is unusual.
    @inline(__always)
    func straightIPv4(_ bytes: RawSpan, _ at: inout Descent) -> UInt8 {
        let start = at.offset
        let head = bytes.loadUInt64(at: start)
        let third = bytes.loadUInt32(at: start &+ 8)
        let addresses = bytes.loadUInt64(at: start &+ 12)
        let end = start &+ Int(head >> 32 & 0xFFFF)
        // Version 4, five words, and neither "more fragments" nor an offset.
        guard head >> 56 == 0x45, head & 0x3FFF == 0, end <= bytes.byteCount else { return 0 }
        var sum = (head >> 32) &+ (head & 0xFFFF_FFFF) &+ UInt64(third)
        sum &+= (addresses >> 32) &+ (addresses & 0xFFFF_FFFF)
        guard !verifyChecksums || InternetChecksum(sum).isValid else { return 0 }
        at.protocols.push(.ipv4)
        at.source = IPAddress(ipv4: UInt32(truncatingIfNeeded: addresses >> 32))
        at.destination = IPAddress(ipv4: UInt32(truncatingIfNeeded: addresses))
        at.identification = UInt32(truncatingIfNeeded: head >> 16 & 0xFFFF)
        at.hopLimit = UInt8(truncatingIfNeeded: third >> 24)
        at.trafficClass = UInt8(truncatingIfNeeded: head >> 48)
        at.offset = start &+ 20
        (at.end, at.wireEnd) = (end, end)
        return UInt8(truncatingIfNeeded: third >> 16)
    }

    /// Decodes an IPv6 header (RFC 8200 §3) and goes on behind it.
    @inline(never)
    private mutating func straightIPv6(_ bytes: RawSpan, _ outer: Descent) -> Bool {
        var at = outer
        let start = at.offset
        guard bytes.byteCount >= start &+ 40 else { return false }
        let first = bytes.loadUInt64(at: start)
        let length = Int(first >> 16 & 0xFFFF)
        let end = start &+ 40 &+ length
        guard first >> 60 == 6, length > 0, end <= bytes.byteCount else { return false }
        at.protocols.push(.ipv6)
        at.source = IPAddress(
            ipv6High: bytes.loadUInt64(at: start &+ 8), low: bytes.loadUInt64(at: start &+ 16))
        at.destination = IPAddress(
            ipv6High: bytes.loadUInt64(at: start &+ 24), low: bytes.loadUInt64(at: start &+ 32))
        at.identification = 0
        at.hopLimit = UInt8(truncatingIfNeeded: first)
        at.trafficClass = UInt8(truncatingIfNeeded: first >> 52)
        at.offset = start &+ 40
        (at.end, at.wireEnd) = (end, end)
        let number = UInt8(truncatingIfNeeded: first >> 8)
        if number == IPProtocol.udp { return straightUDP(bytes, at) }
        return number == IPProtocol.tcp && straightTCP(bytes, at)
    }

    /// Decodes a UDP datagram that is no tunnel.
    @inline(__always)
    private mutating func straightUDP(_ bytes: RawSpan, _ outer: Descent) -> Bool {
        var at = outer
        let start = at.offset
        guard at.available >= 8 else { return false }
        let header = bytes.loadUInt64(at: start)
        let end = start &+ Int(header >> 16 & 0xFFFF)
        let ports = UInt32(truncatingIfNeeded: header >> 32)
        guard end >= start &+ 8, end <= at.end,
            UDPTunnel(source: ports >> 16, destination: ports & 0xFFFF) == nil
        else { return false }
        (at.end, at.wireEnd) = (end, end)
        at.protocols.push(.udp)
        describeUDP(bytes.extracting(start..<end), at)
        return true
    }

    /// Decodes a TCP segment.
    @inline(__always)
    private mutating func straightTCP(_ bytes: RawSpan, _ outer: Descent) -> Bool {
        var at = outer
        guard at.available >= 20 else { return false }
        let octets = bytes.extracting(at.offset..<at.end)
        let headerLength = Int(octets.loadUInt32(at: 12) >> 28) &* 4
        guard headerLength >= 20, headerLength <= octets.byteCount else { return false }
        at.protocols.push(.tcp)
        describeTCP(octets, at, headerLength: headerLength)
        return true
    }
}
