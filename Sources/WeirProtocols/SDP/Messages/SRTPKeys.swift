import WeirPackets

extension MediaDescription {
    /// The keys of SRTP that the section tells (RFC 4568 §9.1), as far as tags can be verified with them. Session parameters that
    /// leave tags out (§6.3.3), or derive further keys (§6.3.1), leave nothing to verify.
    var srtpKeys: [SRTPKey] {
        attributes.all("crypto").prefix(Self.mostKeyLines).compactMap { CryptoAttribute($0) }.flatMap { crypto in
            let parameters = crypto.sessionParameters.map { TextSyntax.uppercased($0) }
            guard !parameters.contains("UNAUTHENTICATED_SRTP"),
                !parameters.contains(where: { $0.hasPrefix("KDR=") && $0 != "KDR=0" })
            else { return [SRTPKey]() }
            return TextSyntax.split(crypto.keyParameters, at: ASCII.semicolon).compactMap { parameter in
                let (method, info) = TextSyntax.pair(parameter, at: ASCII.colon)
                guard ASCII.equalIgnoringCase(method, "inline"), let info else { return nil }
                let parts = TextSyntax.split(info, at: UInt8(ascii: "|"))
                // The identifier stands behind the lifetime, which may be missing: only it has a colon.
                let identifier = parts.dropFirst().last { $0.utf8.contains(ASCII.colon) }
                let octets = identifier.flatMap { TextSyntax.pair($0, at: ASCII.colon).1 }.flatMap { Int($0) } ?? 0
                var base64 = Base64()
                var secret: [UInt8] = []
                for octet in parts.first?.utf8 ?? "".utf8 { base64.decode(octet, into: &secret) }
                return SRTPKey(suite: crypto.suite, secret: secret, identifierOctets: octets)
            }
        }
    }

    /// Lines of keys in one section that are read.
    private static let mostKeyLines = 8
}
