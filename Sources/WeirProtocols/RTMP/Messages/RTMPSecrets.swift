import WeirEngine
import WeirPackets

/// Hides what grants access: stream names, and queries of URLs and applications, where tokens travel.
package enum RTMPSecrets {
    /// The text without secrets: every one of `keys` in it, passwords of URLs, and what follows a `?`.
    package static func hide(_ text: String, _ keys: [String], _ policy: SecretPolicy) -> String {
        guard policy == .masked else { return text }
        // Names first: they may hold what would be masked as a parameter, and then not be found.
        var octets = Array(text.utf8)
        for key in keys where !key.isEmpty { octets = hide(Array(key.utf8), in: octets) }
        octets = Array(policy.apply(uri: String(decoding: octets, as: UTF8.self)).utf8)
        if let query = octets.firstIndex(of: UInt8(ascii: "?")), octets[query...].contains(ASCII.equals) {
            octets = octets[...query] + Array(SecretPolicy.mask.utf8)
        }
        return String(decoding: octets, as: UTF8.self)
    }

    /// The octets with each whole word that is `key` masked: a stream called `a` does not hide every letter a.
    private static func hide(_ key: [UInt8], in octets: [UInt8]) -> [UInt8] {
        guard octets.count >= key.count, octets.firstRange(of: key) != nil else { return octets }
        func isWord(_ index: Int) -> Bool {
            guard octets.indices.contains(index) else { return false }
            return ASCII.isLetter(octets[index]) || ASCII.isDigit(octets[index]) || octets[index] == UInt8(ascii: "_")
        }
        var result: [UInt8] = []
        var index = 0
        while index < octets.count {
            let end = index + key.count
            if end <= octets.count, octets[index..<end].elementsEqual(key), !isWord(index - 1), !isWord(end) {
                result += Array(SecretPolicy.mask.utf8)
                index = end
            } else {
                result.append(octets[index])
                index += 1
            }
        }
        return result
    }
}
