import WeirPackets

/// Parameters whose values grant access, wherever one writes `name=value`: queries of URIs, paths of cameras
/// (`/user=admin&password=…`), headers.
///
/// No specification says which parameters are secret; the names are those that servers and cameras use. Other
/// parameters stay: a channel or a profile is what somebody looks for.
package enum SecretParameters {
    /// A name that holds one of these is of a secret.
    private static let parts = [
        "pass", "pwd", "token", "secret", "auth", "credential", "signature", "apikey", "accesskey", "streamkey",
        "jwt", "hmac",
    ].map { Array($0.utf8) }
    /// The same by their first letters: every header of every message is asked.
    private static let partsByLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).map { letter in
        parts.filter { $0.first == letter }
    }
    /// A name that is one of these, too; they are too short to be looked for in others.
    private static let wholes = ["key", "sig", "sign", "pw", "psw"].map { Array($0.utf8) }
    /// How the part begins that clients append to a URI to name a track, even behind a query.
    private static let tracks = ["track", "stream", "video", "audio"].map { Array($0.utf8) }
    private static let ends = Set("&;,#?\"'<> ".utf8)

    /// Whether values of this name are secret.
    package static func isSecret(_ name: some StringProtocol) -> Bool { isSecret(Array(name.utf8)[...]) }

    private static func isSecret(_ name: ArraySlice<UInt8>) -> Bool {
        for start in name.indices {
            let letter = Int(ASCII.lowercased(name[start])) - 0x61
            guard partsByLetter.indices.contains(letter) else { continue }
            for part in partsByLetter[letter] where begins(name[start...], part) { return true }
        }
        return wholes.contains { $0.count == name.count && begins(name, $0) }
    }

    /// Whether `text` begins with `word`, the case of letters ignored.
    private static func begins(_ text: ArraySlice<UInt8>, _ word: [UInt8]) -> Bool {
        guard text.count >= word.count else { return false }
        for index in word.indices where ASCII.lowercased(text[text.startIndex + index]) != word[index] { return false }
        return true
    }

    /// The text with the values of all secret parameters masked.
    package static func hide(in text: String) -> String {
        guard text.utf8.contains(ASCII.equals) else { return text }
        let octets = Array(text.utf8)
        var shown: [UInt8] = []
        // How much of the text that stands for; 0 as long as nothing is secret, as it is nearly always.
        var done = 0
        var nameStart = 0
        var isInQuery = false
        var index = 0
        while index < octets.count {
            let octet = octets[index]
            index += 1
            if octet == ASCII.equals, index < octets.count, isSecret(octets[nameStart..<index - 1]) {
                let isQuoted = octets[index] == ASCII.quote
                let start = isQuoted ? index + 1 : index
                let end =
                    isQuoted
                    ? octets[start...].firstIndex(of: ASCII.quote) ?? octets.count
                    : endOfValue(octets, from: start, isInQuery: isInQuery)
                if end > start {
                    shown += octets[done..<start]
                    shown += Array(SecretPolicy.mask.utf8)
                    done = end
                }
                index = end
            }
            if octet == UInt8(ascii: "?") { isInQuery = true }
            if !isName(octet) { nameStart = index }
        }
        return done == 0 ? text : String(decoding: shown + octets[done...], as: UTF8.self)
    }

    /// In a path a slash ends a value; in a query only one behind which a track is named.
    private static func endOfValue(_ octets: [UInt8], from start: Int, isInQuery: Bool) -> Int {
        var index = start
        while index < octets.count, !ends.contains(octets[index]) {
            if octets[index] == ASCII.slash {
                let rest = octets[(index + 1)...].prefix(8).map(ASCII.lowercased)
                guard isInQuery, !rest.isEmpty, !tracks.contains(where: { rest.starts(with: $0) }) else { break }
            }
            index += 1
        }
        return index
    }

    private static func isName(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "%"): true
        default: ASCII.isLetter(octet) || ASCII.isDigit(octet)
        }
    }
}
