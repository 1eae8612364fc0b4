import WeirPackets

/// The SRTP keys signaled in a media section (RFC 4568 §9.1).
struct SignaledKeys {
    /// The keys usable to verify authentication tags.
    fileprivate(set) var keys: [SRTPKey] = []
    /// Whether packets may also use keys that cannot verify tags.
    fileprivate(set) var hasOthers = false
    /// Whether the section contains more keys than were read.
    fileprivate(set) var hasMore = false
    /// Whether all keys leave the payload unencrypted (RFC 4568 §6.3.2).
    fileprivate(set) var leavesClear = false
}

extension MediaDescription {
    /// Returns the keys of the section usable to verify authentication tags. Session parameters that omit tags (§6.3.3)
    /// or derive further keys (§6.3.1) leave none.
    ///
    /// - Parameter most: maximum number of keys; each needs a key derivation.
    func srtpKeys(most: Int) -> SignaledKeys {
        var reported = SignaledKeys()
        var read = 0
        let lines = attributes.all("crypto").compactMap { CryptoAttribute($0) }
        reported.leavesClear =
            !lines.isEmpty
            && lines.allSatisfy { $0.sessionParameters.contains { ASCII.equalIgnoringCase($0, "UNENCRYPTED_SRTP") } }
        for crypto in lines {
            let parameters = crypto.sessionParameters.map { TextSyntax.uppercased($0) }
            guard !parameters.contains("UNAUTHENTICATED_SRTP"),
                !parameters.contains(where: { $0.hasPrefix("KDR=") && $0 != "KDR=0" })
            else {
                reported.hasOthers = true
                continue
            }
            for parameter in TextSyntax.split(crypto.keyParameters, at: ASCII.semicolon) {
                read += 1
                guard read <= most else {
                    reported.hasMore = true
                    return reported
                }
                guard let key = Self.key(parameter, suite: crypto.suite) else {
                    reported.hasOthers = true
                    continue
                }
                if !reported.keys.contains(key) { reported.keys.append(key) }
            }
        }
        return reported
    }

    /// Parses one key parameter: `inline:`, the secret, a lifetime, and an MKI with its length (RFC 4568 §6.1).
    private static func key(_ parameter: String, suite: String) -> SRTPKey? {
        let (method, info) = TextSyntax.pair(parameter, at: ASCII.colon)
        guard ASCII.equalIgnoringCase(method, "inline"), let info else { return nil }
        let parts = TextSyntax.split(info, at: UInt8(ascii: "|"))
        // The MKI follows the optional lifetime; only the MKI contains a colon.
        let identifier = parts.dropFirst().last { $0.utf8.contains(ASCII.colon) }
        let octets = identifier.flatMap { TextSyntax.pair($0, at: ASCII.colon).1 }.flatMap { Int($0) } ?? 0
        var base64 = Base64()
        var secret: [UInt8] = []
        for octet in parts.first?.utf8 ?? "".utf8 { base64.decode(octet, into: &secret) }
        return SRTPKey(suite: suite, secret: secret, identifierOctets: octets)
    }
}
