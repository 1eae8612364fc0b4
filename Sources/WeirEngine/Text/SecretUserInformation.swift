import WeirPackets

/// User information of URIs (RFC 3986 §3.2.1): what stands before an `@`.
extension SecretScan {
    /// Whether `://` stands here.
    func isScheme(_ index: Int) -> Bool {
        index + 2 < octets.count && octets[index] == ASCII.colon && octets[index + 1] == ASCII.slash
            && octets[index + 2] == ASCII.slash
    }

    /// As many are believed in one text: each may be followed by all of the rest.
    static var mostBrokenSchemes: Int { 16 }

    /// Behind the scheme whose colon stands at `index`: where the authority begins. Users write one slash for two, or three.
    mutating func endOfScheme(_ index: Int) -> Int? {
        if isScheme(index), index + 3 == octets.count || octets[index + 3] != ASCII.slash { return index + 3 }
        let slashes = octets[(index + 1)...].prefix { $0 == ASCII.slash }.count
        guard slashes > 0, brokenSchemes < Self.mostBrokenSchemes,
            Self.isScheme(octets[startOfName(before: index)..<index])
        else { return slashes > 1 ? index + 3 : nil }
        brokenSchemes += 1
        return index + 1 + slashes
    }

    /// The user name stays: it tells which account was used. A name without a password may be a key, and does not.
    ///
    /// Users write passwords with `/`, `?` and `@` in them as they are, so that the `@` which ends them need not be in
    /// what the grammar calls the authority.
    mutating func userInformation(from start: Int, depth: UInt8) {
        let end = endOfURI(from: start, depth)
        let authorityEnd =
            (start..<end).first { "/?#".utf8.contains(octets[$0]) && decoded.depth($0) <= depth } ?? end
        let last = (start..<end).last { octets[$0] == Self.at }
        guard let last else { return hideCutPassword(start, authorityEnd, end) }
        let colon = (start..<last).first { octets[$0] == ASCII.colon && decoded.depth($0) <= depth }
        if let first = (start..<authorityEnd).last(where: { octets[$0] == Self.at }) {
            let isHost = looksLikeHost(first + 1..<authorityEnd)
            hideUser(start, colon.flatMap { $0 < first ? $0 : nil }, isHost ? first : last)
        } else if let colon, colon < authorityEnd {
            // `host:554/name@place` is a path; `user:1/2@host` is a password.
            let isPort = octets[colon + 1..<authorityEnd].allSatisfy(ASCII.isDigit) && authorityEnd - colon > 1
            if !isPort || !looksLikeHost(start..<colon) { hide(colon + 1, last) }
        }
    }

    /// What stands where a port should, and is none: the beginning of a password whose `@` the capture lacks.
    mutating func hideCutPassword(_ start: Int, _ authorityEnd: Int, _ end: Int) {
        let colons = (start..<authorityEnd).filter { octets[$0] == ASCII.colon }
        // Addresses of IPv6 have several.
        guard colons.count == 1, let colon = colons.first, colon > start, start >= 2, octets[start - 2] == ASCII.slash,
            !Self.mayBePort(octets[(colon + 1)..<authorityEnd])
        else { return }
        hide(colon + 1, end)
    }

    /// A user's name and password at the beginning of what should be a URI, whose writer forgot the scheme, its colon, or the
    /// slashes behind it.
    mutating func strayUserInformation() {
        let word = octets.prefix(while: ASCII.isLetter)
        var start = Self.isScheme(word) && octets[word.endIndex...].starts(with: Self.slashes) ? word.endIndex : 0
        while start < octets.count, octets[start] == ASCII.slash { start += 1 }
        let end = octets[start...].firstIndex { "/?#".utf8.contains($0) } ?? octets.count
        guard start < end, !isScheme(max(0, end - 1)),
            let at = octets[start..<end].lastIndex(of: Self.at),
            let colon = octets[start..<at].firstIndex(of: ASCII.colon),
            !Self.isOpaqueScheme(octets[start..<colon]), !Self.isAddressScheme(octets[start..<colon])
        else { return }
        hide(colon + 1, at)
    }

    /// Whether it is a scheme of addresses with an `@` in them, and no password.
    static func isAddressScheme(_ name: ArraySlice<UInt8>) -> Bool {
        ["mailto", "cid", "mid", "im", "xmpp"].contains { isWord(name, $0) }
    }

    mutating func hideUser(_ start: Int, _ colon: Int?, _ at: Int) {
        if let colon, colon + 1 < at { return hide(colon + 1, at) }
        if start < colon ?? at { names += 1 }
        hide(start, colon ?? at)
    }

    /// Where the URI ends whose authority begins at `start`: before the next one, or at what no URI holds.
    func endOfURI(from start: Int, _ depth: UInt8) -> Int {
        var index = start
        while index < octets.count {
            let octet = octets[index]
            let level = decoded.depth(index)
            if isScheme(index) {
                var scheme = index
                while scheme > start, Self.isName(octets[scheme - 1]) { scheme -= 1 }
                return scheme
            }
            if octet == UInt8(ascii: "&"), level < depth { return index }
            if !isURI || depth > 0, level <= depth, Self.isBlank(octet) || "\"<>".utf8.contains(octet) { return index }
            index += 1
        }
        return index
    }

    func looksLikeHost(_ range: Range<Int>) -> Bool {
        let host = octets[range]
        return host.contains(UInt8(ascii: ".")) || host.first == UInt8(ascii: "[") || host.contains(ASCII.colon)
            || String(decoding: host, as: UTF8.self) == "localhost"
    }
}
