extension PacketDecoder {
    /// Decodes an Ethernet II or IEEE 802.3 frame.
    @inline(__always)
    mutating func ethernet(_ bytes: RawSpan, _ at: inout Descent) -> Outcome {
        let start = at.offset
        guard at.available >= 14, let addresses = bytes.uint64(at: start), let rest = bytes.uint64(at: start &+ 6)
        else {
            return answer(at.shortage(of: 14, layer: "Ethernet"))
        }
        guard at.enter(.ethernet) else { return answer(.other(.tooManyLayers)) }
        // Bits 16 to 63 of `rest` are the source address, the lowest 16 the type.
        at.addOrigin(addresses ^ rest >> 16)
        at.offset = start &+ 14
        let type = UInt16(truncatingIfNeeded: rest)
        if type == EtherType.ipv4 { return takeIPv4(bytes, &at) }
        return etherType(type, bytes, &at)
    }

    /// Decodes what follows an EtherType, or the length of an IEEE 802.3 frame.
    mutating func etherType(_ type: UInt16, _ bytes: RawSpan, _ at: inout Descent) -> Outcome {
        switch type {
        case EtherType.ipv4: ipv4(bytes, &at)
        case EtherType.ipv6: ipv6(bytes, &at)
        case EtherType.vlan, EtherType.serviceVLAN, EtherType.oldServiceVLAN: vlan(bytes, &at)
        case EtherType.pppoeSession: pppoe(bytes, &at)
        case EtherType.mpls, EtherType.mplsUpstream: mpls(bytes, &at)
        case EtherType.ppp: ppp(bytes, &at)
        case EtherType.bridging: ethernet(bytes, &at)
        case ..<EtherType.lowest: logicalLinkControl(length: Int(type), bytes, &at)
        default: answer(.other(.etherType(type)))
        }
    }

    /// Decodes an IEEE 802.1Q or 802.1ad tag: priority and VLAN id (16 bits), then the next EtherType.
    private mutating func vlan(_ bytes: RawSpan, _ at: inout Descent) -> Outcome {
        guard at.available >= 4, let tag = bytes.uint16(at: at.offset), let type = bytes.uint16(at: at.offset &+ 2)
        else {
            return answer(at.shortage(of: 4, layer: "VLAN"))
        }
        guard at.enter(.vlan) else { return answer(.other(.tooManyLayers)) }
        let identifier = UInt64(tag & 0xFFF)
        at.addOrigin(identifier)
        if separateVLANs { at.addContext(.vlan, identifier) }
        at.offset &+= 4
        return etherType(type, bytes, &at)
    }

    /// Decodes IEEE 802.2 LLC and SNAP. `length` is the length of the IEEE 802.3 frame, or 0 if it has none.
    mutating func logicalLinkControl(length: Int, _ bytes: RawSpan, _ at: inout Descent) -> Outcome {
        if length > 0 { at.limit(to: min(at.wireEnd, at.offset &+ length)) }
        guard at.available >= 3, let service = bytes.uint16(at: at.offset) else {
            return answer(at.shortage(of: 3, layer: "LLC"))
        }
        guard at.enter(.llc) else { return answer(.other(.tooManyLayers)) }
        guard service == 0xAAAA else {
            return answer(.other(.serviceAccessPoint(UInt8(truncatingIfNeeded: service >> 8))))
        }
        // SNAP: control, then the organization code (24 bits, 0 for EtherTypes) and its protocol.
        guard at.available >= 8, let organization = bytes.uint32(at: at.offset &+ 2),
            let type = bytes.uint16(at: at.offset &+ 6)
        else { return answer(at.shortage(of: 8, layer: "SNAP")) }
        guard organization & 0xFF_FFFF == 0, type >= EtherType.lowest else {
            return answer(.other(.serviceAccessPoint(0xAA)))
        }
        at.offset &+= 8
        return etherType(type, bytes, &at)
    }
}
