extension PacketDecoder {
    /// Decodes the session header of PPP over Ethernet: version, type, code (16 bits), session, length (16 bits each).
    mutating func pppoe(_ bytes: RawSpan, _ at: inout Descent) -> Outcome {
        guard at.available >= 6, let first = bytes.uint32(at: at.offset), let length = bytes.uint16(at: at.offset &+ 4)
        else { return answer(at.shortage(of: 6, layer: "PPPoE")) }
        guard first >> 24 == 0x11 else { return answer(at.malformed("version and type are not 1", layer: "PPPoE")) }
        guard at.enter(.pppoe) else { return answer(.other(.tooManyLayers)) }
        at.addOrigin(UInt64(first & 0xFFFF))
        at.offset &+= 6
        at.limit(to: min(at.wireEnd, at.offset &+ Int(length)))
        return ppp(bytes, &at)
    }

    /// Decodes PPP, with or without the address and control fields of HDLC-like framing.
    mutating func ppp(_ bytes: RawSpan, _ at: inout Descent) -> Outcome {
        guard at.available >= 2, let first = bytes.uint16(at: at.offset) else {
            return answer(at.shortage(of: 2, layer: "PPP"))
        }
        if first >> 8 == 0x0F || first >> 8 == 0x8F { return hdlc(bytes, &at) }
        if first == 0xFF03 { at.offset &+= 2 }
        guard at.available >= 1, let octet = bytes.byte(at: at.offset) else {
            return answer(at.shortage(of: 2, layer: "PPP"))
        }
        guard at.enter(.ppp) else { return answer(.other(.tooManyLayers)) }
        // The last octet of a protocol number is odd and the first one even, so that the number can be compressed to
        // one octet.
        var number = UInt16(octet)
        if octet & 1 == 0 {
            guard at.available >= 2, let whole = bytes.uint16(at: at.offset) else {
                return answer(at.shortage(of: 2, layer: "PPP"))
            }
            number = whole
        }
        at.offset &+= octet & 1 == 0 ? 2 : 1
        switch number {
        case 0x0021: return ipv4(bytes, &at)
        case 0x0057: return ipv6(bytes, &at)
        case 0x0281, 0x0283: return mpls(bytes, &at)
        default: return answer(.other(.pppProtocol(number)))
        }
    }

    /// Decodes Cisco's HDLC framing: address, control (8 bits each), EtherType.
    mutating func hdlc(_ bytes: RawSpan, _ at: inout Descent) -> Outcome {
        guard at.available >= 4, let type = bytes.uint16(at: at.offset &+ 2) else {
            return answer(at.shortage(of: 4, layer: "HDLC"))
        }
        guard at.enter(.hdlc) else { return answer(.other(.tooManyLayers)) }
        at.offset &+= 4
        guard type >= EtherType.lowest else { return answer(.other(.etherType(type))) }
        return etherType(type, bytes, &at)
    }
}
