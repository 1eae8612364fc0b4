extension PacketDecoder {
    /// Decodes the Linux cooked header, version 1: packet type, ARPHRD type, address length (16 bits each), eight
    /// octets of address, protocol.
    mutating func linuxSLL(_ bytes: RawSpan, _ at: inout Descent) -> Outcome {
        guard at.available >= 16, let first = bytes.uint64(at: at.offset), let second = bytes.uint64(at: at.offset &+ 8)
        else { return answer(at.shortage(of: 16, layer: "Linux cooked v1")) }
        guard at.enter(.linuxSLL) else { return answer(.other(.tooManyLayers)) }
        at.addOrigin(first)
        at.addOrigin(second)
        at.offset &+= 16
        return cooked(UInt16(truncatingIfNeeded: second), bytes, &at)
    }

    /// Decodes the Linux cooked header, version 2: protocol, reserved (16 bits each), interface index (32 bits), ARPHRD
    /// type (16 bits), packet type, address length (8 bits each), eight octets of address.
    mutating func linuxSLL2(_ bytes: RawSpan, _ at: inout Descent) -> Outcome {
        guard at.available >= 20, let first = bytes.uint64(at: at.offset),
            let second = bytes.uint64(at: at.offset &+ 8), let address = bytes.uint32(at: at.offset &+ 16)
        else { return answer(at.shortage(of: 20, layer: "Linux cooked v2")) }
        guard at.enter(.linuxSLL2) else { return answer(.other(.tooManyLayers)) }
        at.addOrigin(first)
        at.addOrigin(second ^ UInt64(address))
        at.offset &+= 20
        return cooked(UInt16(truncatingIfNeeded: first >> 48), bytes, &at)
    }

    /// Decodes the payload of a cooked header. The protocol is an EtherType, or a smaller Linux-specific number.
    private mutating func cooked(_ type: UInt16, _ bytes: RawSpan, _ at: inout Descent) -> Outcome {
        switch type {
        case 0x0004: logicalLinkControl(length: 0, bytes, &at)
        case ..<EtherType.lowest: answer(.other(.etherType(type)))
        default: etherType(type, bytes, &at)
        }
    }
}
