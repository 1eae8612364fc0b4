import Crypto

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The hashes of the page's own style and script in its content security policy.
enum Digest256 {
    /// Returns the SHA-256 hash of `octets` in Base64 (CSP Level 3 §2.3.1).
    static func base64(_ octets: [UInt8]) -> String { Data(SHA256.hash(data: octets)).base64EncodedString() }
}
