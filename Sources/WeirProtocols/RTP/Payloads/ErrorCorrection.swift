import WeirPackets

/// The numbers of packets that a packet of error correction protects: of those all but one have to come to make good the one.
package struct ProtectedNumbers: Sendable, Hashable {
    /// Their sequence numbers.
    package var numbers: [UInt16]
}

/// Reads what packets of error correction protect. The parity itself is not computed: that a packet can be made good shows by
/// the numbers.
package enum ErrorCorrection {
    /// What a packet of generic error correction protects (RFC 5109): a base, and a mask of 16 or 48 bits. Nil when it is none.
    ///
    /// Further levels protect the ends of the same packets; the first one tells whether a packet's beginning comes back.
    package static func generic(_ payload: RawSpan) -> ProtectedNumbers? {
        guard let flags = payload.byte(at: 0), flags & 0x80 == 0, let base = payload.uint16(at: 2),
            let octets = payload.uint16(at: 10), octets > 0, let mask = payload.uint16(at: 12)
        else { return nil }
        var numbers = Self.numbers(UInt64(mask), bits: 16, from: base)
        if flags & 0x40 != 0 {
            guard let rest = payload.uint32(at: 14) else { return nil }
            numbers += Self.numbers(UInt64(rest), bits: 32, from: base &+ 16)
        }
        return numbers.isEmpty ? nil : ProtectedNumbers(numbers: numbers)
    }

    /// What a packet of flexible error correction protects (RFC 8627): for each of so many contributing sources a base, and a mask
    /// of 15, 46 or 110 bits, or rows and columns. Empty for a retransmission, and for what cannot be read.
    package static func flexible(_ payload: RawSpan, sources: Int) -> [ProtectedNumbers] {
        guard let flags = payload.byte(at: 0), flags & 0x80 == 0 else { return [] }
        var protected: [ProtectedNumbers] = []
        var place = 8
        for _ in 0..<min(max(sources, 1), 15) {
            guard let base = payload.uint16(at: place), let field = payload.uint16(at: place &+ 2) else { return [] }
            place &+= 4
            var numbers: [UInt16] = []
            if flags & 0x40 != 0 {
                numbers = block(columns: Int(field >> 8), rows: Int(field & 0xFF), from: base)
            } else {
                numbers = Self.numbers(UInt64(field & 0x7FFF), bits: 15, from: base)
                if field & 0x8000 == 0 {
                    guard let more = payload.uint32(at: place) else { return [] }
                    place &+= 4
                    numbers += Self.numbers(UInt64(more & 0x7FFF_FFFF), bits: 31, from: base &+ 15)
                    if more & 0x8000_0000 == 0 {
                        guard let high = payload.uint32(at: place), let low = payload.uint32(at: place &+ 4) else {
                            return []
                        }
                        place &+= 8
                        numbers += Self.numbers(UInt64(high) << 32 | UInt64(low), bits: 64, from: base &+ 46)
                    }
                }
            }
            if !numbers.isEmpty { protected.append(ProtectedNumbers(numbers: numbers)) }
        }
        return protected
    }

    /// A row of so many columns, or a column of so many rows.
    private static func block(columns: Int, rows: Int, from base: UInt16) -> [UInt16] {
        guard columns > 0 else { return [] }
        let isRow = rows <= 1
        return (0..<(isRow ? columns : rows)).map { base &+ UInt16(truncatingIfNeeded: isRow ? $0 : $0 &* columns) }
    }

    /// The numbers whose bits are set, the highest first.
    private static func numbers(_ mask: UInt64, bits: Int, from base: UInt16) -> [UInt16] {
        (0..<bits).compactMap { place in
            mask >> UInt64(bits &- 1 &- place) & 1 == 1 ? base &+ UInt16(truncatingIfNeeded: place) : nil
        }
    }
}
