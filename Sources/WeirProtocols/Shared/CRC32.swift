import WeirPackets

/// The checksum of FINGERPRINT (RFC 8489 §14.7): that of ITU V.42, polynomial 0x04C11DB7, bits reflected.
package enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { (index: UInt32) in
        var value = index
        for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        return value
    }

    /// The checksum of octets.
    package static func checksum(_ bytes: RawSpan) -> UInt32 {
        var sum: UInt32 = .max
        for offset in 0..<bytes.byteCount {
            guard let octet = bytes.byte(at: offset) else { break }
            sum = table[Int(UInt8(truncatingIfNeeded: sum) ^ octet)] ^ sum >> 8
        }
        return ~sum
    }
}
