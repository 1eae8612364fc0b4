import WeirPackets

/// The SRTP keys signaled in a media section (RFC 4568 §9.1).
struct SignaledKeys {
    /// The keys usable to verify and decrypt packets.
    fileprivate(set) var keys: [SRTPKey] = []
    /// Whether packets may also use keys that are unusable.
    fileprivate(set) var hasOthers = false
    /// Whether the section contains more keys than were read.
    fileprivate(set) var hasMore = false
    /// Whether all keys leave the payload unencrypted (RFC 4568 §6.3.2).
    fileprivate(set) var leavesClear = false
}

extension MediaDescription {
    /// Returns the usable keys of the section. Session parameters that omit tags (§6.3.3) leave none: nothing would show
    /// that a key fits.
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
            for key in crypto.keys {
                read += 1
                guard read <= most else {
                    reported.hasMore = true
                    return reported
                }
                guard let key else {
                    reported.hasOthers = true
                    continue
                }
                if !reported.keys.contains(key) { reported.keys.append(key) }
            }
        }
        return reported
    }
}

extension CryptoAttribute {
    /// The keys of the attribute; nil for each that is unusable.
    package var keys: [SRTPKey?] {
        let session = sessionParameters.map { TextSyntax.uppercased($0) }
        guard !session.contains("UNAUTHENTICATED_SRTP"), let rate = Self.derivationRate(session) else { return [nil] }
        let profile = SRTPProfile(named: suite).map {
            session.contains("UNENCRYPTED_SRTP") ? $0.withoutEncryption : $0
        }
        return TextSyntax.split(keyParameters, at: ASCII.semicolon).map { parameter in
            profile.flatMap { Self.key(parameter, $0, rate: rate) }
        }
    }

    /// Parses one key parameter: `inline:`, the secret, a lifetime, and an MKI with its length (RFC 4568 §6.1).
    private static func key(_ parameter: String, _ profile: SRTPProfile, rate: UInt64) -> SRTPKey? {
        let (method, info) = TextSyntax.pair(parameter, at: ASCII.colon)
        guard ASCII.equalIgnoringCase(method, "inline"), let info else { return nil }
        let parts = TextSyntax.split(info, at: UInt8(ascii: "|"))
        // The MKI follows the optional lifetime; only the MKI contains a colon.
        let identifier = parts.dropFirst().last { $0.utf8.contains(ASCII.colon) }
        let octets = identifier.flatMap { TextSyntax.pair($0, at: ASCII.colon).1 }.flatMap { Int($0) } ?? 0
        var base64 = Base64()
        var secret: [UInt8] = []
        for octet in parts.first?.utf8 ?? "".utf8 { base64.decode(octet, into: &secret) }
        return SRTPKey(profile, secret: secret, identifierOctets: octets, rate: rate)
    }
    /// Returns the key derivation rate of session parameters in uppercase (RFC 4568 §6.3.1): a power of two by its
    /// exponent, from 1 to 24, or 0; nil if it is none of these.
    private static func derivationRate(_ parameters: [String]) -> UInt64? {
        guard let parameter = parameters.first(where: { $0.hasPrefix("KDR=") }) else { return 0 }
        guard let exponent = UInt64(parameter.dropFirst(4)), exponent <= 24 else { return nil }
        return exponent == 0 ? 0 : 1 << exponent
    }
}
