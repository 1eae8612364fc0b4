import WeirPackets

/// The keys of SRTP that a section tells (RFC 4568 §9.1).
struct ToldKeys {
    /// Those that tags can be verified with.
    fileprivate(set) var keys: [SRTPKey] = []
    /// Whether packets may be made with others beside them, which nothing can be verified with.
    fileprivate(set) var hasOthers = false
    /// Whether it tells more than are read.
    fileprivate(set) var hasMore = false
    /// Whether all of them leave the payload in the clear (RFC 4568 §6.3.2).
    fileprivate(set) var leavesClear = false
}

extension MediaDescription {
    /// The keys that the section tells, as far as tags can be verified with them. Session parameters that leave tags out (§6.3.3),
    /// or derive further keys (§6.3.1), leave nothing to verify.
    ///
    /// - Parameter most: keys that are read: each takes a derivation.
    func srtpKeys(most: Int) -> ToldKeys {
        var told = ToldKeys()
        var read = 0
        let lines = attributes.all("crypto").compactMap { CryptoAttribute($0) }
        told.leavesClear =
            !lines.isEmpty
            && lines.allSatisfy { $0.sessionParameters.contains { ASCII.equalIgnoringCase($0, "UNENCRYPTED_SRTP") } }
        for crypto in lines {
            let parameters = crypto.sessionParameters.map { TextSyntax.uppercased($0) }
            guard !parameters.contains("UNAUTHENTICATED_SRTP"),
                !parameters.contains(where: { $0.hasPrefix("KDR=") && $0 != "KDR=0" })
            else {
                told.hasOthers = true
                continue
            }
            for parameter in TextSyntax.split(crypto.keyParameters, at: ASCII.semicolon) {
                read += 1
                guard read <= most else {
                    told.hasMore = true
                    return told
                }
                guard let key = Self.key(parameter, suite: crypto.suite) else {
                    told.hasOthers = true
                    continue
                }
                if !told.keys.contains(key) { told.keys.append(key) }
            }
        }
        return told
    }

    /// The key of one parameter: `inline:`, the secret, a lifetime, and an identifier with its octets (RFC 4568 §6.1).
    private static func key(_ parameter: String, suite: String) -> SRTPKey? {
        let (method, info) = TextSyntax.pair(parameter, at: ASCII.colon)
        guard ASCII.equalIgnoringCase(method, "inline"), let info else { return nil }
        let parts = TextSyntax.split(info, at: UInt8(ascii: "|"))
        // The identifier stands behind the lifetime, which may be missing: only it has a colon.
        let identifier = parts.dropFirst().last { $0.utf8.contains(ASCII.colon) }
        let octets = identifier.flatMap { TextSyntax.pair($0, at: ASCII.colon).1 }.flatMap { Int($0) } ?? 0
        var base64 = Base64()
        var secret: [UInt8] = []
        for octet in parts.first?.utf8 ?? "".utf8 { base64.decode(octet, into: &secret) }
        return SRTPKey(suite: suite, secret: secret, identifierOctets: octets)
    }
}
