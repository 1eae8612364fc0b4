import WeirPackets

/// The Internet checksum (RFC 1071) of changed packets. It is updated by the difference (RFC 1624), so that a right checksum stays
/// right, also of a packet that is captured only in part, and a wrong one stays wrong.
enum Checksums {
    /// Returns the ones' complement sum of octets as if they began at an even place.
    static func sum(_ octets: [UInt8], _ range: Range<Int>? = nil) -> UInt32 {
        let bytes = octets.rawSpan.clamped(range?.lowerBound ?? 0, range?.upperBound ?? .max)
        var sum: UInt64 = 0
        var place = 0
        while let word = bytes.uint64(at: place) {
            sum += (word >> 32) + (word & 0xFFFF_FFFF)
            place += 8
        }
        while let word = bytes.uint16(at: place) {
            sum += UInt64(word)
            place += 2
        }
        if let last = bytes.byte(at: place) { sum += UInt64(last) << 8 }
        return fold(sum)
    }

    /// Returns a checksum after octets with the sum `old` were replaced by octets with the sum `new`.
    static func updated(_ checksum: UInt16, _ old: UInt32, _ new: UInt32) -> UInt16 {
        let sum = UInt64(~checksum) + UInt64(0xFFFF - old) + UInt64(new)
        return ~UInt16(truncatingIfNeeded: fold(sum))
    }

    private static func fold(_ sum: UInt64) -> UInt32 {
        var sum = sum
        while sum > 0xFFFF { sum = (sum & 0xFFFF) + (sum >> 16) }
        return UInt32(sum)
    }

    /// Updates the checksums of a packet after a change.
    ///
    /// - Parameter whole: The datagram before and after, if the packet is a fragment that contains its header.
    static func update(
        _ octets: inout [UInt8], original: [UInt8], _ layout: PacketLayout, whole: (old: [UInt8], new: [UInt8])? = nil
    ) {
        for network in layout.networks where network.isIPv4 {
            let range = network.start..<network.start + network.headerLength
            update(&octets, at: network.start + 10, sum(original, range), sum(octets, range))
        }
        if let network = layout.networks.last { updateContent(&octets, original, layout, network, whole) }
        // From the inside: each covers the checksums in it.
        for tunnel in layout.tunnels.reversed() {
            updateTransport(&octets, original, layout, 6, from: tunnel, to: layout.end)
        }
    }

    private static func updateContent(
        _ octets: inout [UInt8], _ original: [UInt8], _ layout: PacketLayout, _ network: PacketLayout.Network,
        _ whole: (old: [UInt8], new: [UInt8])?
    ) {
        switch layout.content {
        case .tcp: updateTransport(&octets, original, layout, 16, from: layout.transport, to: layout.end)
        case .udp: updateTransport(&octets, original, layout, 6, from: layout.transport, to: layout.end)
        case .icmp:
            guard layout.transport + 4 <= layout.end else { return }
            let range = layout.transport..<layout.end
            // ICMPv6 covers the addresses, too.
            let isIPv4 = network.isIPv4
            let old = sum(original, range) + (isIPv4 ? 0 : addresses(original, network))
            let new = sum(octets, range) + (isIPv4 ? 0 : addresses(octets, network))
            update(&octets, at: layout.transport + 2, fold(UInt64(old)), fold(UInt64(new)))
        case .fragment(let number, _, 0):
            guard let whole, number == 6 || number == 17 else { return }
            let field = layout.transport + (number == 6 ? 16 : 6)
            if number == 17, original.uint16(field) == 0 { return }
            let old = sum(whole.old) + addresses(original, network)
            let new = sum(whole.new) + addresses(octets, network)
            update(&octets, at: field, fold(UInt64(old)), fold(UInt64(new)))
        default: break
        }
    }

    /// Updates the checksum of a TCP segment or UDP datagram, which covers the innermost addresses.
    private static func updateTransport(
        _ octets: inout [UInt8], _ original: [UInt8], _ layout: PacketLayout, _ field: Int, from start: Int, to end: Int
    ) {
        let network = layout.networks.last { $0.start < start }
        guard let network, start < end, end <= octets.count, let checksum = original.uint16(start + field) else {
            return
        }
        // UDP without a checksum (RFC 768).
        if field == 6, checksum == 0 { return }
        let pseudo = pseudoHeader(original, network, isTCP: field == 16, count: end - start)
        let before = sum(original, start..<end)
        let isValid = fold(UInt64(before) + UInt64(pseudo)) == 0xFFFF
        guard checksum != pseudo || isValid else {
            // With offload, the sender's checksum is that of the pseudo-header.
            octets.put(pseudoHeader(octets, network, isTCP: field == 16, count: end - start), at: start + field)
            return
        }
        let old = before + addresses(original, network)
        let new = sum(octets, start..<end) + addresses(octets, network)
        update(&octets, at: start + field, fold(UInt64(old)), fold(UInt64(new)))
        // 0 stands for none.
        if field == 6, octets.uint16(start + field) == 0 { octets.put(0xFFFF, at: start + field) }
    }

    private static func addresses(_ octets: [UInt8], _ network: PacketLayout.Network) -> UInt32 {
        let start = network.addresses.0
        return sum(octets, start..<start + (network.isIPv4 ? 8 : 32))
    }

    private static func pseudoHeader(_ octets: [UInt8], _ network: PacketLayout.Network, isTCP: Bool, count: Int)
        -> UInt16
    {
        UInt16(truncatingIfNeeded: fold(UInt64(addresses(octets, network)) + (isTCP ? 6 : 17) + UInt64(count)))
    }

    /// Updates a checksum whose field is among the octets summed, unchanged so far.
    private static func update(
        _ octets: inout [UInt8], at place: Int, _ old: UInt32, _ new: UInt32
    ) {
        guard old != new, let checksum = octets.uint16(place) else { return }
        octets.put(updated(checksum, old, new), at: place)
    }
}
