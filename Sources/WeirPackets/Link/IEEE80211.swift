extension PacketDecoder {
    /// Decodes the radiotap header of monitor mode captures (radiotap.org): version, padding, length (16 bits,
    /// little-endian), then a bit mask of the fields that follow.
    mutating func radiotap(_ bytes: RawSpan, _ at: inout Descent) -> Outcome {
        guard at.available >= 8, let length = bytes.uint16(at: at.offset &+ 2)?.byteSwapped else {
            return answer(at.shortage(of: 8, layer: "radiotap"))
        }
        guard length >= 8 else { return answer(at.malformed("length \(length)", layer: "radiotap")) }
        guard at.available >= Int(length) else { return answer(at.shortage(of: Int(length), layer: "radiotap")) }
        guard at.enter(.radiotap) else { return answer(.other(.tooManyLayers)) }
        let isPadded = radiotapFlags(bytes, at.offset) & 0x20 != 0
        at.offset &+= Int(length)
        return ieee80211(bytes, &at, isPadded: isPadded)
    }

    /// Returns the radiotap Flags field. It is the second field, after all masks and the optional TSFT (8 octets,
    /// aligned).
    private func radiotapFlags(_ bytes: RawSpan, _ start: Int) -> UInt8 {
        guard let first = bytes.uint32(at: start &+ 4)?.byteSwapped, first & 2 != 0 else { return 0 }
        var offset = start &+ 4
        while let mask = bytes.uint32(at: offset)?.byteSwapped {
            offset &+= 4
            if mask & 0x8000_0000 == 0 { break }
        }
        if first & 1 != 0 { offset = start &+ (offset &- start &+ 7) / 8 &* 8 &+ 8 }
        return bytes.byte(at: offset) ?? 0
    }

    /// Decodes an IEEE 802.11 data frame: frame control, duration (16 bits each, little-endian), three addresses,
    /// sequence control; a fourth address between access points, QoS control and HT control if the frame control field
    /// indicates them. Encrypted frames and frames without data are not dissected.
    ///
    /// - Parameter isPadded: Whether the header is padded to a multiple of four octets.
    mutating func ieee80211(_ bytes: RawSpan, _ at: inout Descent, isPadded: Bool = false) -> Outcome {
        guard at.available >= 2, let control = bytes.uint16(at: at.offset) else {
            return answer(at.shortage(of: 2, layer: "IEEE 802.11"))
        }
        guard at.enter(.ieee80211) else { return answer(.other(.tooManyLayers)) }
        // First octet: version, type and subtype from the lowest bit. Second octet: flags.
        let kind = UInt8(truncatingIfNeeded: control >> 8)
        let flags = UInt8(truncatingIfNeeded: control)
        let isData = kind & 0x0C == 0x08 && kind & 0x40 == 0
        guard kind & 3 == 0, isData, flags & 0x44 == 0 else { return answer(.other(.wireless(kind, flags))) }
        var length = flags & 3 == 3 ? 30 : 24
        var isAggregate = false
        if kind & 0x80 != 0 {
            guard at.available >= length &+ 2 else { return answer(at.shortage(of: length &+ 2, layer: "IEEE 802.11")) }
            isAggregate = (bytes.byte(at: at.offset &+ length) ?? 0) & 0x80 != 0
            length &+= flags & 0x80 != 0 ? 6 : 2
        }
        guard !isAggregate else { return answer(.other(.wireless(kind, flags))) }
        if isPadded { length = (length &+ 3) / 4 &* 4 }
        guard at.available >= length, let first = bytes.uint64(at: at.offset &+ 4),
            let second = bytes.uint64(at: at.offset &+ 12)
        else { return answer(at.shortage(of: length, layer: "IEEE 802.11")) }
        at.addOrigin(first)
        at.addOrigin(second)
        at.offset &+= length
        return logicalLinkControl(length: 0, bytes, &at)
    }
}
