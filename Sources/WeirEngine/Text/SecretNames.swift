import WeirPackets

/// Names of parameters, headers and members whose values grant access.
///
/// No specification says which are secret; the names are those that servers, cameras and services use. Other parameters
/// stay: a channel or a profile is what somebody looks for. Letters' case and what stands between words count for
/// nothing: `api_key`, `X-API-Key` and `apiKey` are one name.
package enum SecretNames {
    /// A name that holds one of these is of a secret.
    private static let parts = [
        "pass", "pwd", "token", "secret", "auth", "credential", "signature", "apikey", "accesskey", "streamkey",
        "privatekey", "privateid", "adminkey", "licensekey", "sessionkey", "encryptionkey", "subscriptionkey",
        "srtpkey", "masterkey", "jwt", "hmac", "mikey", "keymgmt", "sessionid", "sessid",
        "hdnts", "hdnea", "pswd", "srtpcrypto", "usersig",
    ].map { Array($0.utf8) }
    /// The same by their first letters: every header of every message is asked.
    private static let partsByLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).map { letter in
        parts.filter { $0.first == letter }
    }
    /// A name that is one of these, too; they are too short to be looked for in others.
    private static let wholes = [
        "key", "sig", "sign", "pw", "psw", "sid", "pin", "otp", "cookie", "setcookie", "hash", "md5",
        "psd", "cred", "creds", "ticket", "ak", "sk", "xsign", "smscode", "sasl", "csrf",
    ].map { Array($0.utf8) }
    /// Names that end so are of secrets, too: `loginpas`, `roomKey`, `keyBase64`.
    private static let endings = ["pas", "key", "keybase64", "keyhex"].map { Array($0.utf8) }
    /// Names that end like a secret's, and are of none: what everybody may know, and words.
    private static let harmless = [
        "publickey", "pubkey", "websocketkey", "primarykey", "foreignkey", "hotkey", "monkey", "turkey", "hockey",
        "jockey", "donkey",
    ].map { Array($0.utf8) }
    /// Who wrote something, which begins as `auth` does.
    private static let author = Array("author".utf8)
    /// Headers that ask for credentials, and hold none.
    private static let challenges = ["wwwauthenticate", "proxyauthenticate", "authenticationinfo"].map {
        Array($0.utf8)
    }

    /// Whether values of this name are secret.
    package static func isSecret(_ name: some StringProtocol) -> Bool {
        isSecret(name.utf8, short: true)
    }

    private static func hasEnding(_ letters: [UInt8]) -> Bool {
        func ends(with end: [UInt8]) -> Bool { letters.suffix(end.count).elementsEqual(end) }
        return endings.contains(where: ends) && !harmless.contains(where: ends)
    }

    /// The letters of each of these, as bits: a name that lacks one of them is not it.
    private static let letters = (parts + endings).map { Self.letters(of: $0) }
    /// The same of whole names: one that has others beside them is not it either.
    private static let letterSets = wholes.map { Self.letters(of: $0) }

    /// Whether a name has all letters of one that is secret: most have not, which takes no more than a look at each.
    private static func mayBeSecret(_ name: some Collection<UInt8>) -> Bool {
        let known = letters(of: name)
        return letters.contains { $0 & known == $0 } || letterSets.contains(known)
    }

    private static func letters(of name: some Sequence<UInt8>) -> UInt32 {
        var bits: UInt32 = 0
        for octet in name where ASCII.isLetter(octet) { bits |= 1 << UInt32((octet | 0x20) &- 0x61) }
        return bits
    }

    /// The same of octets; `short` names count only where a name is certain to be one.
    static func isSecret(_ name: some Collection<UInt8>, short: Bool) -> Bool {
        guard mayBeSecret(name) else { return false }
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
