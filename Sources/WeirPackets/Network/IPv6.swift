extension PacketDecoder {
    /// Decodes an IPv6 header (RFC 8200 §3) with its extension headers, and goes on behind them.
    ///
    ///      0                   1                   2                   3
    ///     |Version| Traffic Class |           Flow Label                  |
    ///     |         Payload Length        |  Next Header  |   Hop Limit   |
    ///     |                 Source Address (128 bits)                     |
    ///     |               Destination Address (128 bits)                  |
    mutating func ipv6(_ bytes: RawSpan, _ at: inout Descent) -> Outcome {
        let start = at.offset
        guard at.available >= 40, let first = bytes.uint64(at: start), let sourceHigh = bytes.uint64(at: start &+ 8),
            let sourceLow = bytes.uint64(at: start &+ 16), let destinationHigh = bytes.uint64(at: start &+ 24),
            let destinationLow = bytes.uint64(at: start &+ 32)
        else { return answer(at.shortage(of: 40, layer: "IPv6")) }
        guard first >> 60 == 6 else { return answer(at.malformed("version \(first >> 60), not 6", layer: "IPv6")) }
        guard at.enter(.ipv6) else { return answer(.other(.tooManyLayers)) }
        let payloadLength = Int(first >> 16 & 0xFFFF)
        // 0: a jumbogram (RFC 2675 §3) or segmentation offload. The packet extends to the end of the frame.
        if payloadLength != 0 { at.limit(to: start &+ 40 &+ payloadLength) }
        at.source = IPAddress(ipv6High: sourceHigh, low: sourceLow)
        at.destination = IPAddress(ipv6High: destinationHigh, low: destinationLow)
        at.identification = 0
        at.hopLimit = UInt8(truncatingIfNeeded: first)
        at.trafficClass = UInt8(truncatingIfNeeded: first >> 52)
        at.hasForeignPseudoHeader = false
        at.offset = start &+ 40
        return ipv6Payload(UInt8(truncatingIfNeeded: first >> 8), bytes, &at)
    }

    /// Skips extension headers and decodes the payload.
    mutating func ipv6Payload(_ nextHeader: UInt8, _ bytes: RawSpan, _ at: inout Descent) -> Outcome {
        var extensions = IPv6Extensions(first: nextHeader, offset: at.offset)
        let stop = extensions.skip(bytes, end: at.end)
        at.offset = extensions.offset
        if extensions.changesDestination { at.hasForeignPseudoHeader = true }
        switch stop {
        case .upperLayer: return transport(extensions.nextHeader, bytes, &at)
        case .tooShort(let needed): return answer(at.shortage(of: needed, layer: "IPv6 extension header"))
        case .fragment:
            guard let first = bytes.uint32(at: at.offset), let identification = bytes.uint32(at: at.offset &+ 4) else {
                return answer(at.shortage(of: 8, layer: "IPv6 fragment header"))
            }
            at.identification = identification
            at.offset &+= 8
            let number = UInt8(truncatingIfNeeded: first >> 24)
            // Offset 0 without the M flag: an atomic fragment (RFC 8200 §4.5).
            guard first & 0xFFF9 != 0 else { return ipv6Payload(number, bytes, &at) }
            return fragment(number, position: Int(first & 0xFFF8), moreFollow: first & 1 != 0, bytes, &at)
        }
    }
}

/// Iterates over IPv6 extension headers (RFC 8200 §4) up to a fragment header or the upper-layer header.
struct IPv6Extensions {
    /// The reason why iteration stopped.
    enum Stop: Equatable {
        /// `nextHeader` is not an extension header.
        case upperLayer
        /// A complete fragment header starts at `offset`.
        case fragment
        /// The header at `offset` has this many octets, and not all of them are available.
        case tooShort(Int)
    }

    /// The protocol number of the header at `offset`.
    var nextHeader: UInt8
    /// The offset of the next header.
    var offset: Int
    /// Whether a routing header carries the final destination, or a home address option replaces the source.
    var changesDestination = false

    /// Creates an iterator positioned at a header.
    init(first: UInt8, offset: Int) {
        nextHeader = first
        self.offset = offset
    }

    /// Skips extension headers. Each header has at least eight octets, so the loop ends with the packet.
    mutating func skip(_ bytes: RawSpan, end: Int) -> Stop {
        while true {
            let isExtension =
                switch nextHeader {
                case IPProtocol.hopByHop, IPProtocol.routing, IPProtocol.fragment, IPProtocol.destinationOptions,
                    IPProtocol.authentication, IPProtocol.mobility, IPProtocol.hostIdentity, IPProtocol.shim6:
                    true
                default: false
                }
            guard isExtension else { return .upperLayer }
            guard end &- offset >= 8, let first = bytes.uint32(at: offset) else { return .tooShort(8) }
            if nextHeader == IPProtocol.fragment { return .fragment }
            // The length field does not include the first eight octets. Its unit is eight octets, or four for the
            // authentication header (RFC 4302 §2.2).
            let units = Int(first >> 16 & 0xFF)
            let length = nextHeader == IPProtocol.authentication ? (units &+ 2) &* 4 : (units &+ 1) &* 8
            guard length <= end &- offset else { return .tooShort(length) }
            if nextHeader == IPProtocol.routing, first & 0xFF != 0 { changesDestination = true }
            nextHeader = UInt8(truncatingIfNeeded: first >> 24)
            offset &+= length
        }
    }
}
