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
    /// A name that is one of these, too; they are too short to be looked for in others.
    private static let wholes: Set<String> = ["key", "sig", "sign", "pw", "psw"]
    /// How the part begins that clients append to a URI to name a track, even behind a query.
    private static let tracks = ["track", "stream", "video", "audio"].map { Array($0.utf8) }
    private static let ends = Set("&;,#?\"'<> ".utf8)

    /// Whether values of this name are secret.
    package static func isSecret(_ name: some StringProtocol) -> Bool { isSecret(Array(name.utf8)[...]) }

    private static func isSecret(_ name: ArraySlice<UInt8>) -> Bool {
        let lower = name.map(ASCII.lowercased)
        return parts.contains { lower.firstRange(of: $0) != nil }
            || wholes.contains(String(decoding: lower, as: UTF8.self))
    }

    /// The text with the values of all secret parameters masked.
    package static func hide(in text: String) -> String {
        guard text.utf8.contains(ASCII.equals) else { return text }
        let octets = Array(text.utf8)
        var shown: [UInt8] = []
        var nameStart = 0
        var isInQuery = false
        var index = 0
        while index < octets.count {
            let octet = octets[index]
            shown.append(octet)
            index += 1
            if octet == ASCII.equals, index < octets.count, isSecret(octets[nameStart..<index - 1]) {
                let end = endOfValue(octets, from: index, isInQuery: isInQuery)
                if end > index { shown += Array(SecretPolicy.mask.utf8) }
                index = end
            }
            if octet == UInt8(ascii: "?") { isInQuery = true }
            if !isName(octet) { nameStart = index }
        }
        return String(decoding: shown, as: UTF8.self)
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
        ASCII.isLetter(octet) || ASCII.isDigit(octet) || "-._%".utf8.contains(octet)
    }
}
