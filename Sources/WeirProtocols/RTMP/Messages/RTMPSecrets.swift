import WeirEngine
import WeirPackets

/// Masks values that grant access: stream names, and keys in paths and queries of URLs and applications.
package enum RTMPSecrets {
    /// The length from which a name is also masked within words; short names are masked only as whole words.
    private static let certain = 8
    /// Whether a member contains an application name.
    static func isApplication(_ member: String) -> Bool {
        member == "app" || member == "tcUrl" || member == "redirect"
    }

    /// Returns the text with secrets masked: every one of `keys`, passwords in URLs, and queries. If the names are no
    /// longer known, `keys` is nil and the whole text is masked.
    package static func hide(_ text: String, _ keys: [String]?, _ policy: SecretPolicy) -> String {
        guard policy == .masked, !text.isEmpty else { return text }
        guard let keys else { return SecretPolicy.mask }
        let marks = text.withOctets(Marks.init)
        // A mere word is neither a URL nor a query.
        if keys.isEmpty, marks.isSubset(of: .plus) { return text }
        // Names are masked first, since they may contain what would be masked as a parameter.
        let plain = Array(text.utf8)
        var octets = plain
        for key in keys where mayOccur(key, in: octets) {
            octets = hide(Array(key.utf8), in: octets, as: octets)?.octets ?? octets
        }
        if !marks.isDisjoint(with: [.percent, .plus]) { octets = hideEncoded(keys, in: octets) }
        octets = policy.apply(uri: octets)
        if marks.contains(.colon) { octets = StreamAddresses.hidePaths(in: octets) }
        if marks.contains(.query), let query = startOfQuery(octets) {
            octets = octets[...query] + Array(SecretPolicy.mask.utf8)
        }
        // Mostly nothing was masked; then the arrays are the same one.
        return octets == plain ? text : String(decoding: octets, as: UTF8.self)
    }

    /// Returns the index of the mark that begins a query, or nil if there is none.
    private static func startOfQuery(_ octets: [UInt8]) -> Int? {
        guard let first = octets.firstIndex(where: beginsQuery) else { return nil }
        let lastEquals = octets.lastIndex(of: ASCII.equals) ?? -1
        return octets.indices[first...].first {
            beginsQuery(octets[$0]) && isQuery(octets[($0 + 1)...], hasEquals: lastEquals > $0)
        }
    }

    /// The octets in a text without which it contains no password, no query, no path and no encoded octets.
    private struct Marks: OptionSet {
        let rawValue: UInt8

        static let colon = Marks(rawValue: 1)
        /// The beginning of a query or a fragment.
        static let query = Marks(rawValue: 2)
        static let percent = Marks(rawValue: 4)
        /// An encoded space.
        static let plus = Marks(rawValue: 8)
        static let other = Marks(rawValue: 16)

        init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Returns the marks in octets.
        init(_ octets: Span<UInt8>) {
            var found: Marks = []
            for index in octets.indices {
                // Letters, the most octets, are compared once.
                guard octets[index] < 0x41 else { continue }
                switch octets[index] {
                case ASCII.colon: found.insert(.colon)
                case UInt8(ascii: "?"), UInt8(ascii: "#"): found.insert(.query)
                case UInt8(ascii: "%"): found.insert(.percent)
                case RTMPSecrets.plus: found.insert(.plus)
                case ASCII.space, ASCII.slash, ASCII.equals, ASCII.semicolon, UInt8(ascii: "@"), UInt8(ascii: "&"):
                    found.insert(.other)
                default: break
                }
            }
            self = found
        }
    }

    /// Whether a query or a fragment begins with this octet.
    private static func beginsQuery(_ octet: UInt8) -> Bool { octet == UInt8(ascii: "?") || octet == UInt8(ascii: "#") }

    /// Masks the URL or the name of an application: the path after the application is an instance or the key (RTMP
    /// §7.2.1.1 defines `tcUrl` only as `protocol://servername:port/appName/appInstance`).
    package static func hide(application text: String, _ keys: [String]?, _ policy: SecretPolicy) -> String {
        let shown = hide(text, keys, policy)
        guard policy == .masked, keys != nil else { return shown }
        guard let instance = shown.withOctets(Self.instance) else { return shown }
        let octets = Array(shown.utf8)
        return String(
            decoding: octets[..<instance.lowerBound] + Array(SecretPolicy.mask.utf8) + octets[instance.upperBound...],
            as: UTF8.self)
    }

    /// Returns the range of the path after the application in its URL or name, or nil if there is none.
    private static func instance(_ octets: Span<UInt8>) -> Range<Int>? {
        func first(from start: Int, where isIt: (UInt8) -> Bool) -> Int {
            var index = start
            while index < octets.count, !isIt(octets[index]) { index &+= 1 }
            return index
        }
        var path = 0
        var colon = first(from: 0) { $0 == ASCII.colon }
        while colon &+ 2 < octets.count, octets[colon &+ 1] != ASCII.slash || octets[colon &+ 2] != ASCII.slash {
            colon = first(from: colon &+ 1) { $0 == ASCII.colon }
        }
        // Behind the authority.
        if colon &+ 2 < octets.count { path = first(from: colon &+ 3) { $0 == ASCII.slash } &+ 1 }
        let start = first(from: path) { $0 != ASCII.slash }
        let end = first(from: start) { $0 == ASCII.slash } &+ 1
        guard end < octets.count else { return nil }
        let query = first(from: end, where: beginsQuery)
        return query > end ? end..<query : nil
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
