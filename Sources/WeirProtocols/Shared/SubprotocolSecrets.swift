import WeirEngine
import WeirPackets

/// Subprotocols of WebSocket as they may be shown (RFC 6455 §11.3.4).
///
/// A script in a browser can set no other header of the handshake, so that many programs put a token among the names of
/// subprotocols: behind a name that says so (`access_token, …`), or within one (`bearer.…`). Names of protocols are made of
/// short words; a long one with digits in it is taken for a token, and a shorter one when letters follow digits in it.
enum SubprotocolSecrets {
    /// Letters and digits in a row from which on a word with a digit is no name.
    private static let longestWord = 20
    /// The same where digits stand between letters, and of digits alone.
    private static let longestMixedWord = 6
    private static let longestNumber = 4

    /// The value of a header with a list of them.
    static func shown(value: String) -> String {
        let parts = TextSyntax.split(value, at: ASCII.comma)
        return zip(parts, shown(parts.map { TextSyntax.trim($0) })).enumerated().map { index, pair in
            let (part, shown) = pair
            // What stands around it stays as it was sent.
            return shown == TextSyntax.trim(part) ? part : (index > 0 ? " " : "") + shown
        }.joined(separator: ",")
    }

    /// Names in the order of the list.
    static func shown(_ names: [String]) -> [String] {
        var announces = false
        return names.map { name in
            defer { announces = SecretNames.isSecret(name) || isScheme(name) }
            return announces ? SecretPolicy.mask : shown(name)
        }
    }

    /// The name that a server chose, which may be the token that stood behind another name in the client's offer.
    static func shown(_ chosen: String, among offered: [String]) -> String {
        let name = TextSyntax.trim(chosen)
        return offered.firstIndex(of: name).map { shown(offered)[$0] } ?? shown(value: chosen)
    }

    /// One name alone.
    static func shown(_ name: String) -> String {
        let plain = SecretPolicy.masked.apply(text: name)
        guard plain == name else { return plain }
        // `bearer.TOKEN`, `auth-TOKEN`: the word stays, what it announces does not.
        for separator in [UInt8(ascii: "."), UInt8(ascii: "-"), ASCII.colon, ASCII.equals] {
            let (word, rest) = TextSyntax.pair(name, at: separator)
            if let rest, !rest.isEmpty, isScheme(word) || SecretNames.isSecret(word) {
                return name.prefix(word.count + 1) + SecretPolicy.mask
            }
        }
        return isToken(name) ? SecretPolicy.mask : name
    }

    private static func isScheme(_ word: String) -> Bool {
        ["bearer", "basic"].contains(TextSyntax.lowercased(word))
    }

    private static func isToken(_ name: String) -> Bool {
        if name.utf8.count >= longestNumber, name.utf8.allSatisfy(ASCII.isDigit) { return true }
        return name.utf8.split { !ASCII.isLetter($0) && !ASCII.isDigit($0) }.contains { word in
            guard let digit = word.firstIndex(where: ASCII.isDigit) else { return false }
            let isMixed =
                word[word.startIndex..<digit].contains(where: ASCII.isLetter)
                && word[digit...].contains(where: ASCII.isLetter)
            return word.count >= (isMixed ? longestMixedWord : longestWord)
        }
    }
}
