import WeirPackets

/// Finds credentials in any text: passwords in URIs, values of secret names (`name=value`, `name: value`, JSON
/// members), and SDP keys. Percent-encoded text and nested URIs are scanned, too.
///
/// If the end of a password is ambiguous, the longer range is masked.
struct SecretScan {
    let decoded: DecodedOctets
    let octets: [UInt8]
    /// Whether the text is a URI, in which spaces and quotation marks are part of the value.
    let isURI: Bool
    /// The ranges to mask, in the order found.
    private var found: [Range<Int>] = []
    /// How many of these are user names, which may be keys.
    var names = 0
    /// The number of schemes accepted with too few slashes; the text after each is scanned, possibly to the end.
    var brokenSchemes = 0

    /// Returns the text with its secrets masked.
    static func mask(_ text: String, isURI: Bool) -> String {
        let plain = Array(text.utf8)
        return masked(plain[...], isURI: isURI).map { String(decoding: $0, as: UTF8.self) } ?? text
    }

    /// Returns the masked bytes, or nil if they contain no secrets.
    static func masked(_ text: ArraySlice<UInt8>, isURI: Bool) -> [UInt8]? {
        // Most text contains none and is not copied.
        guard mayContainSecret(text, isURI: isURI) else { return nil }
        let plain = Array(text)
        var scan = SecretScan(plain, isURI: isURI)
        scan.run()
        guard !scan.found.isEmpty else { return nil }
        var shown: [UInt8] = []
        var done = 0
        let places = scan.found.map { scan.decoded.place($0) }.sorted { $0.lowerBound < $1.lowerBound }
        for place in places where place.upperBound > done {
            // Overlapping and adjacent ranges are masked as one.
            if place.lowerBound > done || done == 0 {
                shown += plain[done..<max(done, place.lowerBound)]
                shown += Array(SecretPolicy.mask.utf8)
            }
            done = place.upperBound
        }
        return shown + plain[done...]
    }

    /// Whether the URI contains a password or token; a user name alone does not count.
    static func containsSecret(uri: String) -> Bool {
        let plain = Array(uri.utf8)
        guard mayContainSecret(plain[...], isURI: true) else { return false }
        var scan = SecretScan(plain, isURI: true)
        scan.run()
        return scan.found.count > scan.names
    }

    private init(_ text: [UInt8], isURI: Bool) {
        decoded = DecodedOctets(text)
        octets = decoded.octets
        self.isURI = isURI
    }

    private mutating func run() {
        if octets.starts(with: [ASCII.slash, ASCII.slash]) { userInformation(from: 2, depth: 0) }
        if isURI { strayUserInformation() }
        var isInQuery = false
        var isInURI = false
        var index = 0
        while index < octets.count {
            switch octets[index] {
            case Self.query:
                isInQuery = true
                if isURI || isInURI, let end = bareKey(index) {
                    index = end
                    continue
                }
            case ASCII.equals:
                if let end = parameter(index, isInQuery) {
                    index = end
                    continue
                }
            case ASCII.colon:
                if let authority = endOfScheme(index) {
                    isInURI = true
                    userInformation(from: authority, depth: decoded.depth(index))
                } else if let end = named(index) {
                    index = end
                    continue
                }
            case ASCII.slash where index == 0 || octets[index - 1] >= 0x80 || !Self.isName(octets[index - 1]):
                isInURI = true
            case ASCII.space:
                if let end = credentials(index) {
                    index = end
                    continue
                }
            case Self.letterJ:
                if let end = token(index) {
                    index = end
                    continue
                }
            case Self.point where Self.parts(octets[...], at: index):
                if let end = parted(index) {
                    index = end
                    continue
                }
            case Self.greater:
                if let end = element(index) {
                    index = end
                    continue
                }
            default: break
            }
            if !isURI, Self.isBlank(octets[index]) { (isInQuery, isInURI) = (false, false) }
            index += 1
        }
    }

    mutating func hide(_ start: Int, _ end: Int) {
        if start < end { found.append(start..<end) }
    }

    // MARK: - Values of names

    /// Masks the value in `name=value` if it is secret, and returns its end.
    private mutating func parameter(_ equals: Int, _ isInQuery: Bool) -> Int? {
        var nameEnd = equals
        while nameEnd > 0, Self.isSpace(octets[nameEnd - 1]) { nameEnd -= 1 }
        let name = octets[Self.startOfParameter(octets[...], before: nameEnd)..<nameEnd]
        var start = equals + 1
        if isKeyLine(name, start) {
            let end = endOfLine(start)
            start = octets[start..<end].firstIndex(of: ASCII.colon).map { $0 + 1 } ?? start
            hide(start, end)
            return end
        }
        guard SecretNames.isSecret(name, short: true) else {
            if Self.isWord(name, "url") || Self.isWord(name, "uri") { hideStrayPassword(start) }
            return nil
        }
        while start < octets.count, Self.isSpace(octets[start]) { start += 1 }
        let (from, to) = quoted(start) ?? (start, endOfValue(start, decoded.depth(equals), isInQuery))
        hide(from, to)
        return max(to, equals + 1)
    }

    /// Masks the password in `url=user:password@host/path`, whose scheme is missing.
    private mutating func hideStrayPassword(_ start: Int) {
        let rest = octets[start...].prefix(Self.longestUser)
        let end = rest.firstIndex { Self.isBlank($0) || "/?#,;\"'<>&".utf8.contains($0) } ?? rest.endIndex
        guard let at = octets[start..<end].lastIndex(of: Self.at),
            let colon = octets[start..<at].firstIndex(of: ASCII.colon), !Self.isOpaqueScheme(octets[start..<colon]),
            !Self.isAddressScheme(octets[start..<colon])
        else { return }
        hide(colon + 1, at)
    }

    /// Whether the line is `k=clear:…` or `k=base64:…` (RFC 4566 §5.12).
    private func isKeyLine(_ name: ArraySlice<UInt8>, _ start: Int) -> Bool {
        guard name.elementsEqual([UInt8(ascii: "k")]) else { return false }
        return ["clear:", "base64:", "uri:"].contains { octets[start...].starts(with: $0.utf8) }
    }

    /// Masks the value in `name: value`, `"name": "value"`, `inline:key`, `sip:user:password@host` or
    /// `turn:user:password@host` if it is secret, and returns its end.
    private mutating func named(_ colon: Int) -> Int? {
        var nameEnd = colon
        // JSON within a JSON string has escaped quotation marks.
        while nameEnd > 0, Self.endsName(octets[nameEnd - 1]) { nameEnd -= 1 }
        let nameStart = startOfName(before: nameEnd)
        let name = octets[nameStart..<nameEnd]
        guard !name.isEmpty, colon + 1 < octets.count else { return nil }
        var start = colon + 1
        if Self.isWord(name, "inline") {
            while start < octets.count, Self.isSpace(octets[start]) { start += 1 }
            let end = octets[start...].firstIndex { Self.isBlank($0) || ";\"'<>".utf8.contains($0) } ?? octets.count
            hide(start, end)
            return end
        }
        if name.count <= 5, Self.isOpaqueScheme(name) {
            hideUserOfSIP(start)
            return nil
        }
        // A host may have this name, followed by a port.
        if nameStart > 0, "/@.".utf8.contains(octets[nameStart - 1]) { return nil }
        guard SecretNames.isSecret(name, short: octets[nameEnd..<colon].contains(where: Self.isQuote)) else {
            return nil
        }
        while start < octets.count, Self.isSpace(octets[start]) { start += 1 }
        guard let (from, to) = quoted(start) ?? unquoted(start, isJSON: nameEnd < colon) else { return nil }
        hide(from, to)
        return to
    }

    /// Masks the credentials after `Bearer` or `Basic` without a header name, as in lists that separate names and
    /// values; a word in lowercase letters is prose. After `token` and similar words, a secret is masked if it looks
    /// like a key.
    private mutating func credentials(_ blank: Int) -> Int? {
        guard Self.endsScheme(octets[..<blank]) else {
            guard Self.endsSecretWord(octets[..<blank]), let key = Self.key(behind: blank, octets[...]) else {
                return nil
            }
            hide(key.lowerBound, key.upperBound)
            return key.upperBound
        }
        let start = octets[blank...].firstIndex { !Self.isSpace($0) } ?? octets.count
        let end = octets[start...].firstIndex { !Self.isName($0) && !"~+/=".utf8.contains($0) } ?? octets.count
        guard end - start >= Self.shortestCredentials, !octets[start..<end].allSatisfy({ 0x61...0x7A ~= $0 }) else {
            return nil
        }
        hide(start, end)
        return end
    }

    /// Masks a JSON Web Token anywhere: its parts are separated by periods, and the first is a Base64-encoded object.
    private mutating func token(_ place: Int) -> Int? {
        guard Self.beginsToken(octets[..<place]) else { return nil }
        let end = octets[place...].firstIndex { !Self.isName($0) } ?? octets.count
        guard let point = octets[place..<end].firstIndex(of: UInt8(ascii: ".")),
            min(point - place, end - point - 1) >= Self.shortestCredentials
        else { return nil }
        hide(place - 2, end)
        return end
    }

    // MARK: - Queries

    /// Masks a query that is a single word (`?sk_live_4f9a`) if it looks like a key.
    private mutating func bareKey(_ query: Int) -> Int? {
        guard let count = Self.keyLength(octets[(query + 1)...]) else { return nil }
        hide(query + 1, query + 1 + count)
        return query + 1 + count
    }

    private func unquoted(_ start: Int, isJSON: Bool) -> (Int, Int)? {
        guard isJSON else { return (start, endOfLine(start)) }
        // A document may be a single line with many values; none is searched to the end of the line.
        let end = octets[start...].firstIndex {
            ",}]".utf8.contains($0) || $0 == ASCII.lineFeed || $0 == ASCII.carriageReturn
        }
        return (start, end ?? octets.count)
    }

    /// The maximum number of bytes of a SIP URI searched for user information, since many URIs may follow each other.
    private static let longestUser = 512

    /// Masks the password of a SIP URI: it follows the user name, and `;` or `?` only occur after the host (RFC 3261
    /// §19.1.1).
    private mutating func hideUserOfSIP(_ start: Int) {
        let end = octets[start...].prefix(Self.longestUser).firstIndex { Self.isBlank($0) || "<>\"".utf8.contains($0) }
        let longest = min(octets.count, start + Self.longestUser)
        guard let at = octets[start..<(end ?? longest)].firstIndex(of: Self.at),
            let colon = octets[start..<at].firstIndex(of: ASCII.colon)
        else { return }
        hide(colon + 1, at)
    }

    /// Masks the value in `token...KEY`: SRS and related servers accept parameters in application names, separated by
    /// three periods.
    private mutating func parted(_ points: Int) -> Int? {
        var start = points
        while start > 0, Self.isName(octets[start - 1]), octets[start - 1] != Self.point { start -= 1 }
        guard SecretNames.isSecret(octets[start..<points], short: true) else { return nil }
        let end =
            octets.indices[(points + 3)...].first {
                Self.parts(octets[...], at: $0) || Self.isBlank(octets[$0]) || "/?&\"'".utf8.contains(octets[$0])
            } ?? octets.count
        hide(points + 3, end)
        return end
    }

    /// Masks the content of an XML element with a secret name, as in `<password>…</password>`.
    private mutating func element(_ greater: Int) -> Int? {
        guard let name = Self.element(octets[...], endsAt: greater), SecretNames.isSecret(name, short: true) else {
            return nil
        }
        let end = octets[greater...].firstIndex(of: UInt8(ascii: "<")) ?? octets.count
        // If another element starts before an end tag, it is not an element but a word in angle brackets.
        guard end + 1 >= octets.count || octets[end + 1] == ASCII.slash else { return nil }
        hide(greater + 1, end)
        return end
    }

    /// Returns the range within the quotation marks that open at `start`; to the end of the text if they are not
    /// closed.
    private func quoted(_ start: Int) -> (Int, Int)? {
        guard start < octets.count else { return nil }
        if octets[start] == Self.backslash { return quotedTwice(start) }
        guard Self.isQuote(octets[start]) else { return nil }
        var index = start + 1
        while index < octets.count, octets[index] != octets[start] {
            index += octets[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return (start + 1, min(index, octets.count))
    }

    /// Returns the range within escaped quotation marks, as in JSON within a JSON string. Quotation marks with more
    /// escapes are part of it.
    private func quotedTwice(_ start: Int) -> (Int, Int)? {
        let escapes = octets[start...].prefix { $0 == Self.backslash }.count
        let open = start + escapes
        guard open < octets.count, Self.isQuote(octets[open]) else { return nil }
        var before = 0
        for index in octets.indices[(open + 1)...] {
            if octets[index] == octets[open], before <= escapes { return (open + 1, index - before) }
            before = octets[index] == Self.backslash ? before + 1 : 0
        }
        return (open + 1, octets.count)
    }

    /// Returns the end of a value. A slash ends it in a path; in a query only before a track name. A comma or semicolon
    /// ends it before another name or a space.
    private func endOfValue(_ start: Int, _ depth: UInt8, _ isInQuery: Bool) -> Int {
        var index = start
        while index < octets.count {
            guard decoded.depth(index) <= depth else {
                index += 1
                continue
            }
            switch octets[index] {
            // `#` may be part of an unencoded password.
            case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), ASCII.quote: return index
            case let octet where Self.isBlank(octet): return index
            case Self.query where !isInQuery: return index
            case ASCII.comma, ASCII.semicolon:
                if isFollowedByName(index + 1) { return index }
            case ASCII.slash:
                let rest = octets[(index + 1)...]
                guard isInQuery, !rest.isEmpty, !Self.beginsTrack(rest) else { return index }
            default: break
            }
            index += 1
        }
        return index
    }

    private func isFollowedByName(_ start: Int) -> Bool {
        let rest = octets[start...]
        guard let first = rest.first, !Self.isBlank(first) else { return true }
        return rest.drop(while: Self.isName).first == ASCII.equals
    }

    private func endOfLine(_ start: Int) -> Int {
        octets[start...].firstIndex { $0 == ASCII.lineFeed || $0 == ASCII.carriageReturn } ?? octets.count
    }

    func startOfName(before end: Int) -> Int {
        var start = end
        while start > 0, Self.isName(octets[start - 1]) { start -= 1 }
        return start
    }
}
