import WeirPackets

/// A short finding identifier that is stable across runs.
package enum Fingerprint {
    /// Returns the hash of the parts as 16 hexadecimal digits: enough to distinguish a capture's findings, and identical
    /// on every platform.
    package static func make(_ parts: [String]) -> String {
        let hash = hash(parts)
        var digits: [UInt8] = []
        digits.reserveCapacity(16)
        digits.appendHexadecimal(UInt32(truncatingIfNeeded: hash >> 32))
        digits.appendHexadecimal(UInt32(truncatingIfNeeded: hash))
        return String(decoding: digits, as: UTF8.self)
    }

    /// Returns the 64-bit FNV-1a hash of the parts.
    package static func hash(_ parts: [String]) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for part in parts {
            part.withOctets { octets in
                for index in octets.indices { hash = (hash ^ UInt64(octets[index])) &* 0x100_0000_01b3 }
            }
            hash = (hash ^ 0xFF) &* 0x100_0000_01b3
        }
        return hash
    }
}
