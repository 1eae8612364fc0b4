import WeirPackets

/// 32-bit CRCs with the polynomial 0x04C11DB7.
package enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { (index: UInt32) in
        var value = index
        for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        return value
    }

    private static let forwardTable: [UInt32] = (0..<256).map { (index: UInt32) in
        (0..<8).reduce(index << 24) { sum, _ in sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
    }

    /// Returns the CRC with the most significant bit first, as in MPEG transport stream tables (ISO/IEC 13818-1 annex
    /// A; initial value all ones) and in Ogg (RFC 3533 §6; initial value 0).
    package static func forward(_ octets: [UInt8], initial: UInt32) -> UInt32 {
        octets.reduce(initial) { sum, octet in sum << 8 ^ forwardTable[Int(sum >> 24 ^ UInt32(octet))] }
    }

    /// Returns the CRC of ITU V.42, with the least significant bit first, as in FINGERPRINT (RFC 8489 §14.7).
    package static func checksum(_ bytes: RawSpan) -> UInt32 {
        var sum: UInt32 = .max
        for offset in 0..<bytes.byteCount {
            guard let octet = bytes.byte(at: offset) else { break }
            sum = table[Int(UInt8(truncatingIfNeeded: sum) ^ octet)] ^ sum >> 8
        }
        return ~sum
    }
}
