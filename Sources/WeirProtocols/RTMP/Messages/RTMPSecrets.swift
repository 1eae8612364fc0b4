import WeirEngine
import WeirPackets

/// Masks values that grant access: stream names, and keys in paths and queries of URLs and applications.
package enum RTMPSecrets {
    /// The length from which a name is also masked within words; short names are masked only as whole words.
    private static let certain = 8
    /// Members that contain an application name.
    static let applications: Set = ["app", "tcUrl", "redirect"]

    /// Returns the text with secrets masked: every one of `keys`, passwords in URLs, and queries. If the names are no
    /// longer known, `keys` is nil and the whole text is masked.
    package static func hide(_ text: String, _ keys: [String]?, _ policy: SecretPolicy) -> String {
        guard policy == .masked, !text.isEmpty else { return text }
        guard let keys else { return SecretPolicy.mask }
        // A mere word is neither a URL nor a query.
        if keys.isEmpty, !text.hasOctet(isMark) { return text }
        // Names are masked first, since they may contain what would be masked as a parameter.
        var octets = Array(text.utf8)
        for key in keys where mayOccur(key, in: octets) {
            octets = hide(Array(key.utf8), in: octets, as: octets)?.octets ?? octets
        }
        octets = hideEncoded(keys, in: octets)
        octets = StreamAddresses.hidePaths(in: policy.apply(uri: octets))
        let lastEquals = octets.lastIndex(of: ASCII.equals) ?? -1
        let query = octets.indices.first {
            beginsQuery(octets[$0]) && isQuery(octets[($0 + 1)...], hasEquals: lastEquals > $0)
        }
        if let query { octets = octets[...query] + Array(SecretPolicy.mask.utf8) }
        return String(decoding: octets, as: UTF8.self)
    }

    /// Whether a text with a password or a query contains octets like this.
    private static func isMark(_ octet: UInt8) -> Bool {
        switch octet {
        case ASCII.space, ASCII.colon, ASCII.slash, ASCII.equals, ASCII.semicolon: true
        case UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "@"), UInt8(ascii: "%"), UInt8(ascii: "&"): true
        default: false
        }
    }

    /// Whether a query or a fragment begins with this octet.
    private static func beginsQuery(_ octet: UInt8) -> Bool { octet == UInt8(ascii: "?") || octet == UInt8(ascii: "#") }

    /// Masks the URL or the name of an application: the path after the application is an instance or the key (RTMP
    /// §7.2.1.1 defines `tcUrl` only as `protocol://servername:port/appName/appInstance`).
    package static func hide(application text: String, _ keys: [String]?, _ policy: SecretPolicy) -> String {
        let shown = hide(text, keys, policy)
        guard policy == .masked, keys != nil else { return shown }
        let octets = Array(shown.utf8)
        let authority = ASCII.range(of: Array("://".utf8), in: octets[...])?.upperBound
        let path = authority.map { octets[$0...].firstIndex(of: ASCII.slash).map { $0 + 1 } ?? octets.count } ?? 0
        let start = octets[path...].firstIndex { $0 != ASCII.slash } ?? octets.count
        guard let end = octets[start...].firstIndex(of: ASCII.slash), end + 1 < octets.count else { return shown }
        let query = octets[end...].firstIndex(where: beginsQuery) ?? octets.count
        if query == end + 1 { return shown }
        return String(decoding: octets[...end] + Array(SecretPolicy.mask.utf8) + octets[query...], as: UTF8.self)
    }

    /// Returns all forms in which a server may repeat a stream name: decoded, without its query, without the file type
    /// before it (`mp4:NAME`) or after it, and the last component of its path.
    static func forms(of name: String) -> [String] {
        if isOneWord(name) { return [name] }
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
            // Without stray characters at its ends.
            let core = name.utf8.drop { !isWord($0) }.reversed().drop { !isWord($0) }.reversed()
            if core.count >= certain { add(core) }
        }
        // As escaped in HTML and in strings.
        for form in forms {
            for (mark, written) in [("&", "&amp;"), ("\"", "\\\"")] where ASCII.contains(form, mark) {
                add(form.replacing(mark, with: written).utf8)
            }
        }
        for form in forms {
            let parts = form.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            guard parts.count > 1, let ending = parts.last, endings.contains(String(decoding: ending, as: UTF8.self))
            else { continue }
            add(form.utf8.dropLast(ending.count + 1))
        }
        return forms
    }

    /// Whether a name has no other form: a word of ASCII with at most hyphens in it.
    private static func isOneWord(_ name: String) -> Bool {
        name.withOctets { octets in
            guard !octets.isEmpty, isWord(octets[0]), isWord(octets[octets.count - 1]) else { return false }
            for index in octets.indices {
                let octet = octets[index]
                if octet >= 0x80 || !isWord(octet) && octet != UInt8(ascii: "-") { return false }
            }
            return true
        }
    }

    /// File types that servers remove from the end of a name.
    private static let endings: Set = ["mp4", "flv", "f4v", "mov", "mp3", "m4v", "m4a", "aac", "stream", "smil", "sdp"]

    /// Returns the words of a text that the masked text `shown` no longer contains, except parameter names.
    static func words(of text: String, without shown: String) -> [String] {
        guard shown != text else { return [] }
        let kept = Set(words(shown).map(\.word))
        return words(text).filter { !$0.isName && !kept.contains($0.word) }.map(\.word)
    }

    private static func words(_ text: String) -> [(word: String, isName: Bool)] {
        let octets = Array(text.utf8)
        let parts = octets.split { $0 <= ASCII.space || separators.contains($0) }
        return parts.map { part in
            let isName = part.endIndex < octets.count && octets[part.endIndex] == ASCII.equals
            return (String(decoding: part, as: UTF8.self), isName && part.count < certain * 2)
        }
    }

    /// Octets between the words of a text.
    private static let separators = OctetSet("/?#&=:;@,\"'")

    /// Returns whether a status code refers to a stream, which then has a name.
    static func isAboutStream(code: String?) -> Bool { code?.hasPrefix("NetStream.") == true }

    private static func isQuery(_ rest: ArraySlice<UInt8>, hasEquals: Bool) -> Bool {
        // A question mark in a server's text ends a sentence.
        guard let first = rest.first else { return false }
        return first > ASCII.space && first != ASCII.quote || hasEquals
    }

    private static func isWord(_ octet: UInt8) -> Bool {
        ASCII.isLetter(octet) || ASCII.isDigit(octet) || octet == UInt8(ascii: "_") || octet >= 0x80
    }

    /// Masks the keys where they are percent-encoded; the octets are decoded once for all keys.
    private static func hideEncoded(_ keys: [String], in octets: [UInt8]) -> [UInt8] {
        guard let decoded = SecretPolicy.decodedWithPlaces(octets) else { return octets }
        let read = decoded.octets.map { $0 == plus ? ASCII.space : $0 }
        let ranges = keys.filter { mayOccur($0, in: read) }.flatMap {
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

    /// Whether a key that is not empty may occur in octets, by its first octets, ignoring case: most do not, and nothing is
    /// copied to find that.
    private static func mayOccur(_ key: String, in octets: [UInt8]) -> Bool {
        key.withOctets { key in
            let count = min(key.count, 16)
            guard count > 0, key.count <= octets.count else { return false }
            for start in 0...octets.count - key.count {
                var length = 0
                while length < count,
                    ASCII.lowercased(octets[start &+ length]) == ASCII.lowercased(key[length])
                {
                    length &+= 1
                }
                if length == count { return true }
            }
            return false
        }
    }

    /// Masks each whole word that equals the key, or every occurrence of a long key; returns the octets and ranges, or
    /// nil if it does not occur.
    ///
    /// - Parameter read: The octets in the form used for comparison.
    private static func hide(_ key: [UInt8], in octets: [UInt8], as read: [UInt8]) -> (
        octets: [UInt8], ranges: [Range<Int>]
    )? {
        // Servers may change names to lowercase.
        let (key, plain) = (key.map(ASCII.lowercased), read.map(ASCII.lowercased))
        let starts = OctetPattern(key).starts(in: plain)
        guard !starts.isEmpty else { return nil }
        func isInWord(_ index: Int) -> Bool {
            key.count < certain && octets.indices.contains(index) && octets[index] < 0x80 && isWord(octets[index])
        }
        var result: [UInt8] = []
        var ranges: [Range<Int>] = []
        var done = 0
        for start in starts where start >= done {
            let end = start + key.count
            guard !isInWord(start - 1), !isInWord(end) else { continue }
            result += octets[done..<start] + Array(SecretPolicy.mask.utf8)
            ranges.append(start..<end)
            done = end
        }
        result += octets[done...]
        return (result, ranges)
    }
}
