import WeirPackets

/// Finds what grants access in any text: passwords of URIs, values of secret names (`name=value`, `name: value`, members
/// of JSON), keys of SDP. Encoded text is looked into, and URIs within URIs.
///
/// Where it is not certain what a password ends with, more is masked rather than less.
struct SecretScan {
    let decoded: DecodedOctets
    let octets: [UInt8]
    /// Whether the text is a URI, in which blanks and quotation marks are part of it.
    let isURI: Bool
    /// What is to be masked, in the order found.
    private var found: [Range<Int>] = []
    /// How many of them are names of users, which may be keys.
    var names = 0
    /// Schemes with too few slashes that were believed: what follows each is looked through, maybe to the end.
    var brokenSchemes = 0

    /// The text with its secrets masked.
    static func mask(_ text: String, isURI: Bool) -> String {
        let plain = Array(text.utf8)
        return masked(plain[...], isURI: isURI).map { String(decoding: $0, as: UTF8.self) } ?? text
    }

    /// The same of octets; nil when nothing in them is secret.
    static func masked(_ text: ArraySlice<UInt8>, isURI: Bool) -> [UInt8]? {
        // Most of what is written holds none: it is not copied for that.
        guard mayHold(text, isURI: isURI) else { return nil }
        let plain = Array(text)
        var scan = SecretScan(plain, isURI: isURI)
        scan.run()
        guard !scan.found.isEmpty else { return nil }
        var shown: [UInt8] = []
        var done = 0
        let places = scan.found.map { scan.decoded.place($0) }.sorted { $0.lowerBound < $1.lowerBound }
        for place in places where place.upperBound > done {
            // What overlaps is one secret; what touches the one before it, too.
            if place.lowerBound > done || done == 0 {
                shown += plain[done..<max(done, place.lowerBound)]
                shown += Array(SecretPolicy.mask.utf8)
            }
            done = place.upperBound
        }
        return shown + plain[done...]
    }

    /// Whether the URI shows a password or a token for certain; a user's name alone is none.
    static func holdsSecret(uri: String) -> Bool {
        let plain = Array(uri.utf8)
        guard mayHold(plain[...], isURI: true) else { return false }
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
            case Self.jay:
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

    /// `name=value`: the end of the value when it was secret.
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

    /// `url=user:password@host/path`, whose scheme is missing.
    private mutating func hideStrayPassword(_ start: Int) {
        let rest = octets[start...].prefix(Self.longestUser)
        let end = rest.firstIndex { Self.isBlank($0) || "/?#,;\"'<>&".utf8.contains($0) } ?? rest.endIndex
        guard let at = octets[start..<end].lastIndex(of: Self.at),
            let colon = octets[start..<at].firstIndex(of: ASCII.colon), !Self.isOpaqueScheme(octets[start..<colon]),
            !Self.isAddressScheme(octets[start..<colon])
        else { return }
        hide(colon + 1, at)
    }

    /// `k=clear:…` and `k=base64:…` (RFC 4566 §5.12).
    private func isKeyLine(_ name: ArraySlice<UInt8>, _ start: Int) -> Bool {
        guard name.elementsEqual([UInt8(ascii: "k")]) else { return false }
        return ["clear:", "base64:", "uri:"].contains { octets[start...].starts(with: $0.utf8) }
    }

    /// `name: value`, `"name": "value"`, `inline:key`, `sip:user:password@host`, `turn:user:password@host`: the end of the value when it was secret.
    private mutating func named(_ colon: Int) -> Int? {
        var nameEnd = colon
        // JSON in a string of JSON has its quotation marks escaped.
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
        // A host may be called so; a port follows.
        if nameStart > 0, "/@.".utf8.contains(octets[nameStart - 1]) { return nil }
        guard SecretNames.isSecret(name, short: octets[nameEnd..<colon].contains(where: Self.isQuote)) else {
            return nil
        }
        while start < octets.count, Self.isSpace(octets[start]) { start += 1 }
        guard let (from, to) = quoted(start) ?? unquoted(start, isJSON: nameEnd < colon) else { return nil }
        hide(from, to)
        return to
    }

    /// What stands behind `Bearer` or `Basic`, though no name of a header stands before it: lists of names and values hold
    /// them apart. A word of prose has small letters only. Behind `token` and its like stands a secret where it looks like one.
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

    /// A JSON Web Token, wherever it stands: its parts are parted by points, and the first is an object in base64.
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

    /// A query that is one word and no parameter (`?sk_live_4f9a`), masked where the word looks like a key.
    private mutating func bareKey(_ query: Int) -> Int? {
        guard let count = Self.keyLength(octets[(query + 1)...]) else { return nil }
        hide(query + 1, query + 1 + count)
        return query + 1 + count
    }

    private func unquoted(_ start: Int, isJSON: Bool) -> (Int, Int)? {
        guard isJSON else { return (start, endOfLine(start)) }
        // A document may be one line, with very many of them: none is looked through to its end.
        let end = octets[start...].firstIndex {
            ",}]".utf8.contains($0) || $0 == ASCII.lineFeed || $0 == ASCII.carriageReturn
        }
        return (start, end ?? octets.count)
    }

    /// How much of a SIP URI is looked through for its user: many may stand in a row.
    private static let longestUser = 512

    /// RFC 3261 §19.1.1: the password stands behind the user's name, and `;` or `?` only after the host.
    private mutating func hideUserOfSIP(_ start: Int) {
        let end = octets[start...].prefix(Self.longestUser).firstIndex { Self.isBlank($0) || "<>\"".utf8.contains($0) }
        let longest = min(octets.count, start + Self.longestUser)
        guard let at = octets[start..<(end ?? longest)].firstIndex(of: Self.at),
            let colon = octets[start..<at].firstIndex(of: ASCII.colon)
        else { return }
        hide(colon + 1, at)
    }

    /// `token...KEY`: servers of the SRS family take parameters in the name of an application, parted by three points.
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

    /// `<password>…</password>`: what the element of XML that opens here holds.
    private mutating func element(_ greater: Int) -> Int? {
        guard let name = Self.element(octets[...], endsAt: greater), SecretNames.isSecret(name, short: true) else {
            return nil
        }
        let end = octets[greater...].firstIndex(of: UInt8(ascii: "<")) ?? octets.count
        // What another begins behind is no element, but a word in brackets.
        guard end + 1 >= octets.count || octets[end + 1] == ASCII.slash else { return nil }
        hide(greater + 1, end)
        return end
    }

    /// What stands in the quotation marks that open at `start`; to the end of the text when they are not closed.
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

    /// The same in quotation marks that are escaped: JSON in a string of JSON. Those that are escaped once more are part of it.
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

    /// In a path a slash ends a value; in a query only one behind which a track is named. A comma or a semicolon ends it
    /// when another name or a blank follows.
    private func endOfValue(_ start: Int, _ depth: UInt8, _ isInQuery: Bool) -> Int {
        var index = start
        while index < octets.count {
            guard decoded.depth(index) <= depth else {
                index += 1
                continue
            }
            switch octets[index] {
            // A `#` may be part of a password that was not encoded.
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
