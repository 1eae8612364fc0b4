import WeirPackets

/// The packets protected by an FEC packet; if all but one were received, the missing one can be recovered.
package struct ProtectedNumbers: Sendable, Hashable {
    /// Their sequence numbers.
    package var numbers: [UInt16]
}

/// Parses what FEC packets protect. The parity itself is not computed: the sequence numbers show what is recoverable.
package enum ErrorCorrection {
    /// Returns what a generic FEC packet protects (RFC 5109), from its base and a mask of 16 or 48 bits, or nil if it
    /// is invalid.
    ///
    /// Further levels protect the ends of the same packets; the first level decides whether the start of a packet is
    /// recovered.
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

    /// Returns what a FlexFEC packet protects (RFC 8627): per contributing source a base, and a mask of 15, 46 or 110
    /// bits or rows and columns. Empty for retransmissions and unparsable packets.
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

    /// The longest row or column of SMPTE 2022-1.
    private static let longestLine = 20

    /// Returns what a packet of RFC 2733 or SMPTE 2022-1 protects: the packets of a mask of 24 bits, or a row or column
    /// of a matrix, by distance and number.
    package static func matrix(_ payload: RawSpan) -> ProtectedNumbers? {
        guard let base = payload.uint16(at: 0), let word = payload.uint32(at: 4), payload.byteCount > 12 else {
            return nil
        }
        let mask = word & 0xFF_FFFF
        guard word >> 31 == 1 else {
            // The lowest bit is the first packet (RFC 2733).
            let numbers = (UInt16(0)..<24).filter { mask >> UInt32($0) & 1 == 1 }.map { base &+ $0 }
            return numbers.isEmpty ? nil : ProtectedNumbers(numbers: numbers)
        }
        guard mask == 0, let flags = payload.byte(at: 12), flags & 0x80 == 0, let distance = payload.byte(at: 13),
            let count = payload.byte(at: 14), distance > 0, 1...longestLine ~= Int(count), payload.byteCount > 16
        else { return nil }
        return ProtectedNumbers(numbers: (0..<UInt16(count)).map { base &+ $0 &* UInt16(distance) })
    }

    /// Returns the sequence numbers of a row or a column.
    private static func block(columns: Int, rows: Int, from base: UInt16) -> [UInt16] {
        guard columns > 0 else { return [] }
        let isRow = rows <= 1
        return (0..<(isRow ? columns : rows)).map { base &+ UInt16(truncatingIfNeeded: isRow ? $0 : $0 &* columns) }
    }

    /// Returns the sequence numbers whose mask bits are set, from the highest bit down.
    private static func numbers(_ mask: UInt64, bits: Int, from base: UInt16) -> [UInt16] {
        (0..<bits).compactMap { place in
            mask >> UInt64(bits &- 1 &- place) & 1 == 1 ? base &+ UInt16(truncatingIfNeeded: place) : nil
        }
    }
}
