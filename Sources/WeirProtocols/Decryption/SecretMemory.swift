import Crypto

/// Access to the octets of keys.
package enum SecretMemory {
    /// Overwrites octets with zeros. Not inlined, so that the writes are not removed as unused; copies that the
    /// compiler or the standard library made elsewhere are not reached.
    @inline(never)
    package static func overwrite(_ octets: inout [UInt8]) {
        for index in octets.indices { octets[index] = 0 }
    }

    /// Returns a copy of a key's octets. `SymmetricKey` has no other access; the pointer is valid in the closure only,
    /// which copies what it points to.
    static func octets(of key: SymmetricKey) -> [UInt8] {
        unsafe key.withUnsafeBytes { unsafe Array($0) }
    }
}
