extension PacketDecoder {
    /// Decodes a frame by its link type.
    mutating func link(_ type: LinkType, _ bytes: RawSpan, _ at: inout Descent) -> Outcome {
        switch type {
        case .ethernet: return ethernet(bytes, &at)
        case .linuxSLL: return linuxSLL(bytes, &at)
        case .linuxSLL2: return linuxSLL2(bytes, &at)
        case .null, .loop: return loopback(bytes, &at)
        case .ppp, .pppHDLC: return ppp(bytes, &at)
        case .pppEthernet: return pppoe(bytes, &at)
        case .ciscoHDLC: return hdlc(bytes, &at)
        case .ieee80211: return ieee80211(bytes, &at)
        case .radiotap: return radiotap(bytes, &at)
        case .raw, .rawOld, .rawOpenBSD, .ipv4, .ipv6:
            guard at.enter(.raw) else { return answer(.other(.tooManyLayers)) }
            return ip(bytes, &at)
        default: return answer(.other(.linkType(type)))
        }
    }

    /// Decodes an IP packet; the first four bits are its version.
    mutating func ip(_ bytes: RawSpan, _ at: inout Descent) -> Outcome {
        guard at.available >= 1, let first = bytes.byte(at: at.offset) else {
            return answer(at.shortage(of: 1, layer: "IP"))
        }
        switch first >> 4 {
        case 4: return ipv4(bytes, &at)
        case 6: return ipv6(bytes, &at)
        default: return answer(at.malformed("version \(first >> 4), neither 4 nor 6", layer: "IP"))
        }
    }

    /// Decodes the BSD loopback header: an address family, in host or network byte order.
    private mutating func loopback(_ bytes: RawSpan, _ at: inout Descent) -> Outcome {
        guard at.available >= 4, let read = bytes.uint32(at: at.offset) else {
            return answer(at.shortage(of: 4, layer: "BSD loopback"))
        }
        guard at.enter(.loopback) else { return answer(.other(.tooManyLayers)) }
        at.offset &+= 4
        // Address families are below 256, so the smaller interpretation is the right one.
        switch min(read, read.byteSwapped) {
        case 2: return ipv4(bytes, &at)
        case 10, 24, 28, 30: return ipv6(bytes, &at)
        case let family: return answer(.other(.addressFamily(family)))
        }
    }
}
