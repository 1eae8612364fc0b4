import Crypto
import WeirPackets

// Verification of message integrity, with captured passwords.

extension STUNMessage {
    /// Verifies the message integrity with short-term credentials, whose key is the password (RFC 8489 §9.1.1); returns
    /// nil if there is none, or its octets are no longer available.
    package func verify(password: String) -> Bool? { verify(key: Array(password.utf8)) }

    /// Verifies the message integrity with long-term credentials (RFC 8489 §9.2.2).
    package func verify(username: String, realm: String, password: String) -> Bool? {
        verify(key: Array(Insecure.MD5.hash(data: Array("\(username):\(realm):\(password)".utf8))))
    }

    private func verify(key: [UInt8]) -> Bool? {
        guard !signedOctets.isEmpty else { return nil }
        var answer: Bool?
        for attribute in attributes where attribute.isIntegrity {
            guard let isRight = verify(attribute, key) else { continue }
            answer = (answer ?? true) && isRight
        }
        return answer
    }

    /// The HMAC covers the message up to its own attribute, with a length that includes it (RFC 8489 §14.5).
    private func verify(_ attribute: STUNAttribute, _ key: [UInt8]) -> Bool? {
        let start = attribute.offset &+ 4
        guard start &+ attribute.length <= signedOctets.count, attribute.offset >= Self.headerOctets else { return nil }
        let length = start &+ attribute.length &- Self.headerOctets
        var covered = Array(signedOctets[..<attribute.offset])
        covered[2] = UInt8(truncatingIfNeeded: length >> 8)
        covered[3] = UInt8(truncatingIfNeeded: length)
        let code = signedOctets[start..<start &+ attribute.length]
        let key = SymmetricKey(data: key)
        if attribute.type == STUNAttribute.messageIntegrity {
            return HMAC<Insecure.SHA1>.authenticationCode(for: covered, using: key).elementsEqual(code)
        }
        // The HMAC of SHA-256 may be truncated to 16 octets or more (RFC 8489 §14.6).
        guard attribute.length >= 16 else { return false }
        return HMAC<SHA256>.authenticationCode(for: covered, using: key).prefix(attribute.length).elementsEqual(code)
    }
}
