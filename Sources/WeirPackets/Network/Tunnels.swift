/// UDP tunnels, recognized by port and header format.
enum UDPTunnel {
    /// VXLAN, to port 4789 (RFC 7348 §5).
    case vxlan
    /// GTP-U, version 1, from or to port 2152 (3GPP TS 29.281).
    case gtp

    /// Returns the tunnel that uses the ports, or nil for most datagrams.
    @inline(__always)
    init?(source: UInt32, destination: UInt32) {
        if destination == 4_789 {
            self = .vxlan
        } else if destination == 2_152 || source == 2_152 {
            self = .gtp
        } else {
            return nil
        }
    }
}

extension PacketDecoder {
    /// Decodes IPv4 or IPv6 directly inside an IP packet.
    mutating func ipInIP(_ number: UInt8, _ bytes: RawSpan, _ at: inout Descent) -> Outcome {
        at.addContext(at.source.isIPv4 ? .ipv4 : .ipv6, outerAddresses(at))
        return number == IPProtocol.ipv4 ? ipv4(bytes, &at) : ipv6(bytes, &at)
    }

    /// Returns a hash of the tunnel endpoints that is the same for both directions.
    private func outerAddresses(_ at: Descent) -> UInt64 {
        mix(at.source.high, at.source.low) &+ mix(at.destination.high, at.destination.low)
    }

    /// Skips an authentication header (RFC 4302 §2) in IPv4; in IPv6 it is an extension header.
    mutating func authentication(_ bytes: RawSpan, _ at: inout Descent) -> Outcome {
        var header = IPv6Extensions(first: IPProtocol.authentication, offset: at.offset)
        let stop = header.skip(bytes, end: at.end)
        at.offset = header.offset
        switch stop {
        case .upperLayer: return transport(header.nextHeader, bytes, &at)
        case .fragment: return answer(.other(.ipProtocol(IPProtocol.fragment)))
        case .tooShort(let needed): return answer(at.shortage(of: needed, layer: "authentication header"))
        }
    }

    /// Decodes a GRE header (RFC 2784 §2, RFC 2890 §2; version 1 for PPTP, RFC 2637 §4.1).
    ///
    /// Checksum, key and sequence number are present if their flag is set. The key is part of the tunnel context,
    /// except for PPTP, where it contains the receiver's call ID and differs by direction.
    mutating func gre(_ bytes: RawSpan, _ at: inout Descent) -> Outcome {
        guard at.available >= 4, let first = bytes.uint32(at: at.offset) else {
            return answer(at.shortage(of: 4, layer: "GRE"))
        }
        let (hasChecksum, hasRouting) = (first & 0x8000_0000 != 0, first & 0x4000_0000 != 0)
        let (hasKey, hasSequence) = (first & 0x2000_0000 != 0, first & 0x1000_0000 != 0)
        let version = first >> 16 & 7
        let type = UInt16(truncatingIfNeeded: first)
        guard version <= 1, !hasRouting else { return answer(.other(.gre)) }
        let hasAcknowledgment = version == 1 && first & 0x80_0000 != 0
        let keyOffset = hasChecksum ? 8 : 4
        let length = keyOffset &+ (hasKey ? 4 : 0) &+ (hasSequence ? 4 : 0) &+ (hasAcknowledgment ? 4 : 0)
        guard at.available >= length else { return answer(at.shortage(of: length, layer: "GRE")) }
        guard at.enter(.gre) else { return answer(.other(.tooManyLayers)) }
        let key = hasKey && version == 0 ? bytes.uint32(at: at.offset &+ keyOffset) : nil
        let isMirror = type == EtherType.erspan || type == EtherType.erspan3
        // A mirror session sends both directions of a conversation from whichever switch observed them.
        at.addContext(.gre, key.map(UInt64.init) ?? (isMirror ? 0 : outerAddresses(at)))
        at.offset &+= length
        if version == 1 {
            guard type == EtherType.ppp, hasSequence else { return answer(.other(.gre)) }
            return ppp(bytes, &at)
        }
        if isMirror { return erspan(type, hasHeader: hasSequence, bytes, &at) }
        return etherType(type, bytes, &at)
    }

    /// Skips the ERSPAN header: none in type I, 8 octets in type II, 12 or 20 in type III.
    private mutating func erspan(
        _ type: UInt16,
        hasHeader: Bool,
        _ bytes: RawSpan,
        _ at: inout Descent
    ) -> Outcome {
        var length = hasHeader ? 8 : 0
        if type == EtherType.erspan3 {
            guard let last = bytes.byte(at: at.offset &+ 11), at.available >= 12 else {
                return answer(at.shortage(of: 12, layer: "ERSPAN"))
            }
            length = last & 1 == 0 ? 12 : 20
        }
        guard at.available >= length else { return answer(at.shortage(of: length, layer: "ERSPAN")) }
        guard at.enter(.erspan) else { return answer(.other(.tooManyLayers)) }
        at.offset &+= length
        return ethernet(bytes, &at)
    }

    /// Skips MPLS labels (RFC 3032 §2.1: label, traffic class, bottom of stack, time to live) and determines the
    /// payload, which the labels do not identify: IP by its version, else an Ethernet pseudowire (RFC 4448).
    mutating func mpls(_ bytes: RawSpan, _ at: inout Descent) -> Outcome {
        guard at.enter(.mpls) else { return answer(.other(.tooManyLayers)) }
        var isBottom = false
        while !isBottom {
            guard at.available >= 4, let entry = bytes.uint32(at: at.offset) else {
                return answer(at.shortage(of: 4, layer: "MPLS"))
            }
            isBottom = entry & 0x100 != 0
            at.addOrigin(UInt64(entry >> 12))
            at.offset &+= 4
        }
        guard at.available >= 1, let first = bytes.byte(at: at.offset) else {
            return answer(at.shortage(of: 1, layer: "MPLS"))
        }
        if looksLikeEthernet(bytes, at.offset, at.end) { return ethernet(bytes, &at) }
        switch first >> 4 {
        case 4: return ipv4(bytes, &at)
        case 6: return ipv6(bytes, &at)
        case 0 where looksLikeEthernet(bytes, at.offset &+ 4, at.end):
            guard at.enter(.pseudowire) else { return answer(.other(.tooManyLayers)) }
            at.offset &+= 4
            return ethernet(bytes, &at)
        // A control word and an Ethernet header may be in the part that was not captured.
        case _ where at.isCut && at.available < 19: return answer(at.shortage(of: 19, layer: "MPLS"))
        default: return answer(.other(.mpls))
        }
    }

    /// Whether two MAC addresses are followed by a decodable EtherType and a matching first payload octet.
    private func looksLikeEthernet(_ bytes: RawSpan, _ offset: Int, _ end: Int) -> Bool {
        guard end &- offset >= 15, let type = bytes.uint16(at: offset &+ 12), let next = bytes.byte(at: offset &+ 14)
        else { return false }
        switch type {
        case EtherType.ipv4: return next >> 4 == 4
        case EtherType.ipv6: return next >> 4 == 6
        case EtherType.vlan, EtherType.serviceVLAN, EtherType.pppoeSession, EtherType.arp: return true
        default: return false
        }
    }

    /// Decodes the payload of a VXLAN or GTP-U datagram, with `at` at its UDP header. Returns nil if it is neither.
    mutating func udpTunnel(_ tunnel: UDPTunnel, _ bytes: RawSpan, _ at: inout Descent) -> Outcome? {
        switch tunnel {
        case .vxlan: vxlan(bytes, &at)
        case .gtp: gtp(bytes, &at)
        }
    }

    /// Decodes VXLAN (RFC 7348 §5): flags (8 bits, 0x08 set), reserved (24), network identifier (24), reserved (8).
    private mutating func vxlan(_ bytes: RawSpan, _ at: inout Descent) -> Outcome? {
        let start = at.offset &+ 8
        guard at.end &- start >= 8, let flags = bytes.byte(at: start), let identifier = bytes.uint32(at: start &+ 4),
            flags & 0x7F == 0x08, identifier & 0xFF == 0
        else { return nil }
        guard at.enter(.vxlan) else { return answer(.other(.tooManyLayers)) }
        at.addContext(.vxlan, UInt64(identifier >> 8))
        at.offset = start &+ 8
        return ethernet(bytes, &at)
    }

    /// Decodes a GTP-U packet with user data (3GPP TS 29.281 §5.1): flags, type 255 (8 bits each), length (16), tunnel
    /// endpoint identifier (32). If any of three flags is set, four octets follow, the last of which is the type of an
    /// extension header.
    ///
    /// The tunnel endpoint identifier differs by direction, so it is not part of the context.
    private mutating func gtp(_ bytes: RawSpan, _ at: inout Descent) -> Outcome? {
        let start = at.offset &+ 8
        // Version 1, protocol type GTP, message type "G-PDU".
        guard at.end &- start >= 8, let first = bytes.uint32(at: start), first >> 28 == 3, first >> 16 & 0xFF == 0xFF
        else { return nil }
        var offset = start &+ 8
        if first & 0x0700_0000 != 0 {
            guard offset &+ 4 <= at.end, var next = bytes.byte(at: offset &+ 3) else { return nil }
            offset &+= 4
            while next != 0 {
                // The length of an extension header is in units of four octets; its last octet is the type of the next
                // one.
                guard let units = bytes.byte(at: offset), units > 0 else { return nil }
                offset &+= Int(units) &* 4
                guard offset < at.end, let following = bytes.byte(at: offset &- 1) else { return nil }
                next = following
            }
        }
        guard offset < at.end, let version = bytes.byte(at: offset), version >> 4 == 4 || version >> 4 == 6 else {
            return nil
        }
        guard at.enter(.gtp) else { return answer(.other(.tooManyLayers)) }
        at.addContext(.gtp, 0)
        at.offset = offset
        return ip(bytes, &at)
    }
}
