extension PacketDecoder {
    /// Decodes an IPv4 header (RFC 791 §3.1) and goes on behind it.
    ///
    ///      0                   1                   2                   3
    ///     |Version|  IHL  |Type of Service|          Total Length         |
    ///     |         Identification        |Flags|     Fragment Offset     |
    ///     |  Time to Live |    Protocol   |        Header Checksum        |
    ///     |                        Source Address                         |
    ///     |                     Destination Address                       |
    mutating func ipv4(_ bytes: RawSpan, _ at: inout Descent) -> Outcome { takeIPv4(bytes, &at) }

    /// Decodes an IPv4 header; inlined for the most frequent frames, IPv4 directly in Ethernet.
    @inline(__always)
    mutating func takeIPv4(_ bytes: RawSpan, _ at: inout Descent) -> Outcome {
        let start = at.offset
        guard at.available >= 20, let first = bytes.uint32(at: start), let second = bytes.uint32(at: start &+ 4),
            let third = bytes.uint32(at: start &+ 8), let source = bytes.uint32(at: start &+ 12),
            let destination = bytes.uint32(at: start &+ 16)
        else { return answer(at.shortage(of: 20, layer: "IPv4")) }
        guard first >> 28 == 4 else { return answer(at.malformed("version \(first >> 28), not 4", layer: "IPv4")) }
        let headerLength = Int(first >> 24 & 0xF) &* 4
        guard headerLength >= 20 else {
            return answer(at.malformed("header length \(headerLength), but the least is 20", layer: "IPv4"))
        }
        let totalLength = Int(first & 0xFFFF)
        if totalLength >= headerLength {
            at.limit(to: start &+ totalLength)
        } else if totalLength != 0 {
            return answer(at.malformed("total length \(totalLength) is less than the header's", layer: "IPv4"))
        }
        // Total length 0: segmentation offload. The packet extends to the end of the frame.
        guard headerLength <= at.available else { return answer(at.shortage(of: headerLength, layer: "IPv4")) }
        guard at.enter(.ipv4) else { return answer(.other(.tooManyLayers)) }
        if verifyChecksums {
            var sum = InternetChecksum()
            sum.add(first)
            sum.add(second)
            sum.add(third)
            sum.add(source)
            sum.add(destination)
            if headerLength > 20 { sum.add(bytes.clamped(start &+ 20, start &+ headerLength)) }
            if !sum.isValid { counters.ipv4HeaderChecksumErrors &+= 1 }
        }
        at.source = IPAddress(ipv4: source)
        at.destination = IPAddress(ipv4: destination)
        at.identification = second >> 16
        at.hopLimit = UInt8(truncatingIfNeeded: third >> 24)
        at.trafficClass = UInt8(truncatingIfNeeded: first >> 16)
        at.hasForeignPseudoHeader = false
        at.offset = start &+ headerLength
        let number = UInt8(truncatingIfNeeded: third >> 16)
        // The "more fragments" flag and the offset: both 0 for an unfragmented datagram.
        if second & 0x3FFF != 0 {
            return fragment(
                number,
                position: Int(second & 0x1FFF) &* 8,
                moreFollow: second & 0x2000 != 0,
                bytes,
                &at
            )
        }
        return transport(number, bytes, &at)
    }
}
