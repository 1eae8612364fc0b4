import WeirPackets

/// User information of URIs (RFC 3986 §3.2.1): the part before `@`.
extension SecretScan {
    /// Whether `://` starts at the index.
    func isScheme(_ index: Int) -> Bool {
        index + 2 < octets.count && octets[index] == ASCII.colon && octets[index + 1] == ASCII.slash
            && octets[index + 2] == ASCII.slash
    }

    /// The maximum number of malformed schemes per text, since the rest of the text is scanned after each.
    static var mostBrokenSchemes: Int { 16 }

    /// Returns the start of the authority after the scheme whose colon is at `index`. Users mistype two slashes as one
    /// or three.
    mutating func endOfScheme(_ index: Int) -> Int? {
        if isScheme(index), index + 3 == octets.count || octets[index + 3] != ASCII.slash { return index + 3 }
        let slashes = octets[(index + 1)...].prefix { $0 == ASCII.slash }.count
        guard slashes > 0, brokenSchemes < Self.mostBrokenSchemes,
            Self.isScheme(octets[startOfName(before: index)..<index])
        else { return slashes > 1 ? index + 3 : nil }
        brokenSchemes += 1
        return index + 1 + slashes
    }

    /// Masks the password. The user name stays visible, to identify the account, unless it has no password and may be a
    /// key.
    ///
    /// Users write passwords that contain unencoded `/`, `?` and `@`, so that the `@` that ends them may be after the
    /// authority as defined by the grammar.
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
            // `host:554/name@place` is a path; `user:1/2@host` contains a password.
            let isPort = octets[colon + 1..<authorityEnd].allSatisfy(ASCII.isDigit) && authorityEnd - colon > 1
            if !isPort || !looksLikeHost(start..<colon) { hide(colon + 1, last) }
        }
    }

    /// Masks an invalid port, which is the beginning of a password whose `@` was truncated.
    mutating func hideCutPassword(_ start: Int, _ authorityEnd: Int, _ end: Int) {
        let colons = (start..<authorityEnd).filter { octets[$0] == ASCII.colon }
        // IPv6 addresses have several colons.
        guard colons.count == 1, let colon = colons.first, colon > start, start >= 2, octets[start - 2] == ASCII.slash,
            !Self.mayBePort(octets[(colon + 1)..<authorityEnd])
        else { return }
        hide(colon + 1, end)
    }

    /// Masks the password at the start of a URI without scheme, colon or slashes.
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

    /// Whether the name is a URI scheme whose addresses contain `@` but no password.
    static func isAddressScheme(_ name: ArraySlice<UInt8>) -> Bool {
        ["mailto", "cid", "mid", "im", "xmpp"].contains { isWord(name, $0) }
    }

    mutating func hideUser(_ start: Int, _ colon: Int?, _ at: Int) {
        if let colon, colon + 1 < at { return hide(colon + 1, at) }
        if start < colon ?? at { names += 1 }
        hide(start, colon ?? at)
    }

    /// Returns the end of the URI whose authority starts at `start`: the next URI, or a character not allowed in URIs.
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
