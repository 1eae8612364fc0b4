extension PacketDecoder {
    /// Adds a fragment, and decodes the datagram if it is complete.
    mutating func fragment(
        _ number: UInt8,
        position: Int,
        moreFollow: Bool,
        _ bytes: RawSpan,
        _ at: inout Descent
    ) -> Outcome {
        counters.fragments &+= 1
        let length = at.wireEnd &- at.offset
        guard length > 0 else { return answer(at.malformed("fragment without octets", layer: "IP fragment")) }
        guard !moreFollow || length & 7 == 0 else {
            return answer(at.malformed("fragment of \(length) octets, not a multiple of 8", layer: "IP fragment"))
        }
        guard position &+ length <= 0xFFFF else {
            return answer(at.malformed("fragment that ends at octet \(position &+ length)", layer: "IP fragment"))
        }
        let key = FragmentTable.Key(
            source: at.source,
            destination: at.destination,
            identification: at.identification,
            // IPv6 datagrams are identified without the next header value, which only the first fragment has right
            // (RFC 8200 §4.5).
            number: at.source.isIPv4 ? number : 0,
            context: at.context
        )
        let piece = FragmentTable.Piece(
            position: position,
            length: length,
            number: number,
            octets: bytes.clamped(at.offset, at.end).array()
        )
        guard let datagram = fragments.add(piece, isLast: !moreFollow, to: key, at: now, &counters) else {
            return answer(.fragment)
        }
        counters.reassembledDatagrams &+= 1
        reassembled = datagram.octets
        at.offset = 0
        at.end = datagram.octets.count
        at.wireEnd = datagram.length
        at.isCut = datagram.octets.count < datagram.length
        at.fragments = UInt16(clamping: datagram.fragments)
        let span = datagram.octets.rawSpan
        return at.source.isIPv4
            ? transport(datagram.number, span, &at) : ipv6Payload(datagram.number, span, &at)
    }
}
