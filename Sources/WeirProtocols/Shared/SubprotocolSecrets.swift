import WeirEngine
import WeirPackets

/// Masking of WebSocket subprotocols (RFC 6455 §11.3.4).
///
/// A browser script can set no other handshake header, so many programs put a token among the subprotocols: after a
/// name that announces it (`access_token, …`), or within one (`bearer.…`). Protocol names consist of short words; a
/// long word with digits is treated as a token, and a shorter one if letters follow digits.
enum SubprotocolSecrets {
    /// Minimum length of a word with a digit that is treated as a token.
    private static let longestWord = 20
    /// The same for words with digits between letters, and for names of digits only.
    private static let longestMixedWord = 6
    private static let longestNumber = 4

    /// Masks a header value with a list of subprotocols.
    static func shown(value: String) -> String {
        let parts = TextSyntax.split(value, at: ASCII.comma)
        return zip(parts, shown(parts.map { TextSyntax.trim($0) })).enumerated().map { index, pair in
            let (part, shown) = pair
            // Surrounding white space is kept as sent.
            return shown == TextSyntax.trim(part) ? part : (index > 0 ? " " : "") + shown
        }.joined(separator: ",")
    }

    /// Masks names, in list order.
    static func shown(_ names: [String]) -> [String] {
        var announces = false
        return names.map { name in
            defer { announces = SecretNames.isSecret(name) || isScheme(name) }
            return announces ? SecretPolicy.mask : shown(name)
        }
    }

    /// Masks the name chosen by the server, which may be the token that followed another name in the client's offer.
    static func shown(_ chosen: String, among offered: [String]) -> String {
        let name = TextSyntax.trim(chosen)
        return offered.firstIndex(of: name).map { shown(offered)[$0] } ?? shown(value: chosen)
    }

    /// Masks a single name.
    static func shown(_ name: String) -> String {
        let plain = SecretPolicy.masked.apply(text: name)
        guard plain == name else { return plain }
        // `bearer.TOKEN`, `auth-TOKEN`: the word is kept, the token masked.
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
