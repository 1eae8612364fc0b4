import WeirPackets

/// Names of parameters, headers and members whose values are credentials.
///
/// No specification defines which are secret; these are the names used by servers, cameras and services. Other
/// parameters, such as a channel or profile, stay visible for debugging. Case and separators are ignored: `api_key`,
/// `X-API-Key` and `apiKey` are the same name.
package enum SecretNames {
    /// Substrings that make a name secret.
    private static let parts = [
        "pass", "pwd", "token", "secret", "auth", "credential", "signature", "apikey", "accesskey", "streamkey",
        "privatekey", "privateid", "adminkey", "licensekey", "sessionkey", "encryptionkey", "subscriptionkey",
        "srtpkey", "masterkey", "jwt", "hmac", "mikey", "keymgmt", "sessionid", "sessid",
        "hdnts", "hdnea", "pswd", "srtpcrypto", "usersig",
    ].map { Array($0.utf8) }
    /// The substrings by first letter, since every header of every message is checked.
    private static let partsByLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).map { letter in
        parts.filter { $0.first == letter }
    }
    /// Secret names that are too short to be matched as substrings.
    private static let wholes = [
        "key", "sig", "sign", "pw", "psw", "sid", "pin", "otp", "cookie", "setcookie", "hash", "md5",
        "psd", "cred", "creds", "ticket", "ak", "sk", "xsign", "smscode", "sasl", "csrf",
    ].map { Array($0.utf8) }
    /// Suffixes of further secret names: `loginpas`, `roomKey`, `keyBase64`.
    private static let endings = ["pas", "key", "keybase64", "keyhex"].map { Array($0.utf8) }
    /// Exceptions to the suffixes: public keys, and ordinary words.
    private static let harmless = [
        "publickey", "pubkey", "websocketkey", "primarykey", "foreignkey", "hotkey", "monkey", "turkey", "hockey",
        "jockey", "donkey",
    ].map { Array($0.utf8) }
    /// An ordinary word that starts with `auth`.
    private static let author = Array("author".utf8)
    /// Headers that request credentials but contain none.
    private static let challenges = ["wwwauthenticate", "proxyauthenticate", "authenticationinfo"].map {
        Array($0.utf8)
    }

    /// Whether values of this name are secret.
    package static func isSecret(_ name: some StringProtocol) -> Bool {
        isSecret(String(name))
    }

    /// Whether values of this name are secret.
    package static func isSecret(_ name: String) -> Bool {
        let known = name.withOctets { octets in
            var bits: UInt32 = 0
            for index in octets.indices { bits |= letter(octets[index]) }
            return bits
        }
        return mayBeSecret(known) && isSecret(Array(name.utf8), short: true)
    }

    private static func hasEnding(_ letters: [UInt8]) -> Bool {
        func ends(with end: [UInt8]) -> Bool { letters.suffix(end.count).elementsEqual(end) }
        return endings.contains(where: ends) && !harmless.contains(where: ends)
    }

    /// The letters of each substring and suffix, as bits: a name without one of them cannot match.
    private static let letters = (parts + endings).map { Self.letters(of: $0) }
    /// The same for whole names, which must have exactly these letters.
    private static let letterSets = wholes.map { Self.letters(of: $0) }

    /// Whether a name has all letters of a secret one. Most have not, so that this check is a cheap filter.
    private static func mayBeSecret(_ known: UInt32) -> Bool {
        letters.contains { $0 & known == $0 } || letterSets.contains(known)
    }

    private static func letters(of name: some Sequence<UInt8>) -> UInt32 { name.reduce(0) { $0 | letter($1) } }

    /// The bit of a letter, or none.
    @inline(__always)
    private static func letter(_ octet: UInt8) -> UInt32 {
        ASCII.isLetter(octet) ? 1 << UInt32((octet | 0x20) &- 0x61) : 0
    }

    /// Whether values of this name are secret; `short` also matches whole names and suffixes, for certain names only.
    static func isSecret(_ name: some Collection<UInt8>, short: Bool) -> Bool {
        guard mayBeSecret(Self.letters(of: name)) else { return false }
        var letters: [UInt8] = []
        for octet in name where ASCII.isLetter(octet) || ASCII.isDigit(octet) {
            letters.append(ASCII.lowercased(octet))
        }
        if short, wholes.contains(letters) || hasEnding(letters) { return true }
        if challenges.contains(letters) { return false }
        for start in letters.indices {
            let letter = Int(letters[start]) - 0x61
            guard partsByLetter.indices.contains(letter) else { continue }
            let rest = letters[start...]
            for part in partsByLetter[letter] where rest.starts(with: part) {
                let isAuthor = rest.starts(with: author) && !rest.dropFirst(author.count).starts(with: [0x69])
                if !isAuthor { return true }
            }
        }
        return false
    }
}
