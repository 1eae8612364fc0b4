import Crypto

/// The SHA-256 of a file's content, computed piece by piece: the key of a capture in tables.
package struct ContentDigest {
    private var hash = SHA256()

    /// Creates the digest of nothing.
    package init() {}

    /// Adds octets.
    package mutating func add(_ octets: [UInt8]) { hash.update(data: octets) }

    /// The digest in hexadecimal.
    package var hexadecimal: String {
        hash.finalize().map { octet in
            let digits = String(octet, radix: 16)
            return digits.count < 2 ? "0" + digits : digits
        }.joined()
    }
}
