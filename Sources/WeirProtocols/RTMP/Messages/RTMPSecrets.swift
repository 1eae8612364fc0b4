import WeirEngine
import WeirPackets

/// Hides what grants access: stream names, and the paths and queries of URLs and applications, where keys travel.
package enum RTMPSecrets {
    /// A name this long is masked inside words, too; a stream called `a` does not hide every letter a.
    private static let certain = 8
    /// Members that name an application.
    static let applications: Set = ["app", "tcUrl", "redirect"]

    /// The text without secrets: every one of `keys` in it, passwords of URLs, and what follows a `?`. When it is not
    /// known any more which names were said, `keys` is nil, and the text is masked as a whole.
    package static func hide(_ text: String, _ keys: [String]?, _ policy: SecretPolicy) -> String {
        guard policy == .masked, !text.isEmpty else { return text }
        guard let keys else { return SecretPolicy.mask }
        // Names first: they may hold what would be masked as a parameter, and then not be found.
        var octets = Array(text.utf8)
        for key in keys where !key.isEmpty { octets = hide(Array(key.utf8), in: octets, as: octets)?.octets ?? octets }
        octets = hideEncoded(keys, in: octets)
        octets = StreamAddresses.hidePaths(in: Array(policy.apply(uri: String(decoding: octets, as: UTF8.self)).utf8))
        let lastEquals = octets.lastIndex(of: ASCII.equals) ?? -1
        let query = octets.indices.first {
            "?#".utf8.contains(octets[$0]) && isQuery(octets[($0 + 1)...], hasEquals: lastEquals > $0)
        }
        if let query { octets = octets[...query] + Array(SecretPolicy.mask.utf8) }
        return String(decoding: octets, as: UTF8.self)
    }

    /// The URL of an application, or its name alone: what follows the application in the path is an instance, or the
    /// key (RTMP §7.2.1.1 says of `tcUrl` no more than `protocol://servername:port/appName/appInstance`).
    package static func hide(application text: String, _ keys: [String]?, _ policy: SecretPolicy) -> String {
        let shown = hide(text, keys, policy)
        guard policy == .masked, keys != nil else { return shown }
        let octets = Array(shown.utf8)
        let authority = ASCII.range(of: Array("://".utf8), in: octets[...])?.upperBound
        let path = authority.map { octets[$0...].firstIndex(of: ASCII.slash).map { $0 + 1 } ?? octets.count } ?? 0
        let start = octets[path...].firstIndex { $0 != ASCII.slash } ?? octets.count
        guard let end = octets[start...].firstIndex(of: ASCII.slash), end + 1 < octets.count else { return shown }
        let query = octets[end...].firstIndex { "?#".utf8.contains($0) } ?? octets.count
        if query == end + 1 { return shown }
        return String(decoding: octets[...end] + Array(SecretPolicy.mask.utf8) + octets[query...], as: UTF8.self)
    }

    /// All forms in which a server may repeat a stream's name: decoded, without its query, without the kind of file that stands
    /// before it (`mp4:NAME`) or behind it, and the last part of its path.
    static func forms(of name: String) -> [String] {
        var forms: [String] = []
        func add(_ part: some Sequence<UInt8>) {
            let form = String(decoding: Array(part), as: UTF8.self)
            if !form.isEmpty, !forms.contains(form) { forms.append(form) }
        }
        for name in [name, SecretPolicy.decoded(name)] {
            add(name.utf8)
            let plain = name.utf8.prefix { $0 != UInt8(ascii: "?") }
            add(plain)
            let bare = plain.split(separator: ASCII.colon, maxSplits: 1).last ?? plain
            add(bare)
            if let last = bare.split(separator: ASCII.slash).last, last.count >= certain { add(last) }
            // Without what a program left at its ends by mistake.
            let core = name.utf8.drop { !isWord($0) }.reversed().drop { !isWord($0) }.reversed()
            if core.count >= certain { add(core) }
        }
        // As pages and strings have them.
        for form in forms {
            for (mark, written) in [("&", "&amp;"), ("\"", "\\\"")] { add(form.replacing(mark, with: written).utf8) }
        }
        for form in forms {
            let parts = form.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            guard parts.count > 1, let ending = parts.last, endings.contains(String(decoding: ending, as: UTF8.self))
            else { continue }
            add(form.utf8.dropLast(ending.count + 1))
        }
        return forms
    }

    /// Kinds of files, which servers leave away at the end of a name.
    private static let endings: Set = ["mp4", "flv", "f4v", "mov", "mp3", "m4v", "m4a", "aac", "stream", "smil", "sdp"]

    /// The words of a text that are no more among those of the text with its secrets masked, but names of parameters.
    static func words(of text: String, without shown: String) -> [String] {
        let kept = Set(words(shown).map(\.word))
        return words(text).filter { !$0.isName && !kept.contains($0.word) }.map(\.word)
    }

    private static func words(_ text: String) -> [(word: String, isName: Bool)] {
        let octets = Array(text.utf8)
        let parts = octets.split { $0 <= ASCII.space || "/?#&=:;@,\"'".utf8.contains($0) }
        return parts.map { part in
            let isName = part.endIndex < octets.count && octets[part.endIndex] == ASCII.equals
            return (String(decoding: part, as: UTF8.self), isName && part.count < certain * 2)
        }
    }

    /// Whether a status is about a stream, which has a name then.
    static func isAboutStream(code: String?) -> Bool { code?.hasPrefix("NetStream.") == true }

    private static func isQuery(_ rest: ArraySlice<UInt8>, hasEquals: Bool) -> Bool {
        // A question in a server's words ends a sentence.
        guard let first = rest.first else { return false }
        return first > ASCII.space && first != ASCII.quote || hasEquals
    }

    private static func isWord(_ octet: UInt8) -> Bool {
        ASCII.isLetter(octet) || ASCII.isDigit(octet) || octet == UInt8(ascii: "_") || octet >= 0x80
    }

    /// The octets with the keys masked where they are encoded for a URL; they are decoded once, however many are known.
    private static func hideEncoded(_ keys: [String], in octets: [UInt8]) -> [UInt8] {
        guard let decoded = SecretPolicy.decodedWithPlaces(octets) else { return octets }
        let read = decoded.octets.map { $0 == plus ? ASCII.space : $0 }
        let ranges = keys.filter { !$0.isEmpty }.flatMap {
            hide(Array($0.utf8), in: decoded.octets, as: read)?.ranges ?? []
        }
        var result: [UInt8] = []
        var done = 0
        for place in ranges.map(decoded.place).sorted(by: { $0.lowerBound < $1.lowerBound })
        where place.upperBound > done {
            if place.lowerBound >= done { result += octets[done..<place.lowerBound] + Array(SecretPolicy.mask.utf8) }
            done = place.upperBound
        }
        return result + octets[done...]
    }

    private static let plus = UInt8(ascii: "+")

    /// The octets with the key masked, each whole word that is it, and of a long one every occurrence; and where it stood. Nil
    /// where it does not.
    ///
    /// - Parameter read: the octets as they are compared.
    private static func hide(_ key: [UInt8], in octets: [UInt8], as read: [UInt8]) -> (
        octets: [UInt8], ranges: [Range<Int>]
    )? {
        // Servers write names in small letters, too.
        let (key, plain) = (key.map(ASCII.lowercased), read.map(ASCII.lowercased))
        guard ASCII.range(of: key, in: plain[...]) != nil else { return nil }
        func isInWord(_ index: Int) -> Bool {
            key.count < certain && octets.indices.contains(index) && octets[index] < 0x80 && isWord(octets[index])
        }
        var result: [UInt8] = []
        var ranges: [Range<Int>] = []
        var index = 0
        while index < octets.count {
            let end = index + key.count
            if end <= octets.count, plain[index] == key[0], plain[index..<end].elementsEqual(key), !isInWord(index - 1),
                !isInWord(end)
            {
                result += Array(SecretPolicy.mask.utf8)
                ranges.append(index..<end)
                index = end
            } else {
                result.append(octets[index])
                index += 1
            }
        }
        return (result, ranges)
    }
}
