import WeirPackets

// Byte patterns of secrets, and a quick check for texts that need a full scan.

extension SecretScan {
    /// Whether the text may contain a secret. Most texts have at most a scheme, a port and harmless names, and need no
    /// full scan.
    static func mayContainSecret(_ octets: ArraySlice<UInt8>, isURI: Bool) -> Bool {
        // A bare name, such as an RTCP CNAME, has no scheme and no password before its `@`.
        var mayHoldUser = false
        // The start of the authority after `://`, until it ends.
        var authority: Int?
        // A span: an octet of a slice takes several times as long.
        let all = octets.span
        for place in all.indices {
            let octet = all[place]
            // Of letters and digits, which most text consists of, only `J` can start a match.
            if octet != letterJ, ASCII.isLetter(octet) || ASCII.isDigit(octet) { continue }
            let index = octets.startIndex + place
            if octet == ASCII.colon || octet == ASCII.slash { mayHoldUser = true }
            if octet == ASCII.space, !isURI { mayHoldUser = false }
            if let start = authority, index >= start {
                if octet == ASCII.colon, !mayBePort(octets[(index + 1)...].prefix(while: isName)) { return true }
                if octet == ASCII.slash || octet == query || octet == ASCII.space { authority = nil }
            }
            switch octet {
            case at where mayHoldUser: return true
            case query where (isURI || mayHoldUser) && isBareKey(octets[(index + 1)...]): return true
            // An unencoded percent sign is harmless: `0.5 % lost`.
            case percent where DecodedOctets.isEncoded(octets, index): return true
            case ASCII.colon where octets[(index + 1)...].starts(with: slashes): authority = index + 3
            case ASCII.colon, ASCII.equals:
                var end = index
                while end > octets.startIndex, endsName(octets[end - 1]) { end -= 1 }
                var start = end
                while start > octets.startIndex, isName(octets[start - 1]) { start -= 1 }
                if octet == ASCII.equals { start = startOfParameter(octets, before: end) }
                if mayHaveValue(octets[start..<end]) { return true }
            case ASCII.space where endsScheme(octets[..<index]): return true
            case ASCII.space where endsSecretWord(octets[..<index]) && key(behind: index, octets) != nil: return true
            case point where parts(octets, at: index): return true
            case greater:
                if let name = element(octets, endsAt: index), SecretNames.isSecret(name, short: true) { return true }
            case letterJ where beginsToken(octets[..<index]): return true
            default: break
            }
        }
        return false
    }

    /// Whether a name is that of a secret, or one of the further names that the scan handles.
    static func mayHaveValue(_ name: ArraySlice<UInt8>) -> Bool {
        SecretNames.isSecret(name, short: true) || isWord(name, "k") || isWord(name, "inline") || isOpaqueScheme(name)
    }

    /// Whether the name is a URI scheme without `//`, which may be followed directly by user information (RFC 3261
    /// §19.1, RFC 7065).
    static func isOpaqueScheme(_ name: ArraySlice<UInt8>) -> Bool {
        ["sip", "sips", "turn", "turns"].contains { isWord(name, $0) }
    }

    /// Whether the bytes end with an authentication scheme that is followed by credentials (RFC 6750 §2.1, RFC 7617
    /// §2).
    static func endsScheme(_ octets: ArraySlice<UInt8>) -> Bool {
        guard let last = octets.last, last | 0x20 == UInt8(ascii: "r") || last | 0x20 == UInt8(ascii: "c") else {
            return false
        }
        return ends(octets, with: "bearer") || ends(octets, with: "basic")
    }

    /// Words that may be followed by a secret without a separator, as in `bad token 4f9a…`.
    private static let secretWords = [
        "token", "password", "passwd", "secret", "key", "credential", "credentials", "pin",
    ]

    /// The last three letters of each word; nearly all other words end differently.
    private static let secretEnds = secretWords.map { ending(Array($0.utf8)[...]) }

    private static func ending(_ word: ArraySlice<UInt8>) -> UInt32 {
        word.suffix(3).reduce(0) { $0 << 8 | UInt32(ASCII.lowercased($1)) }
    }

    /// Whether the bytes end with such a word.
    static func endsSecretWord(_ octets: ArraySlice<UInt8>) -> Bool {
        let end = octets.endIndex
        // Nearly all words end with other letters.
        guard octets.count >= 3 else { return false }
        switch (octets[end - 2] | 0x20, octets[end - 1] | 0x20) {
        case (0x72, 0x64), (0x77, 0x64), (0x65, 0x6E), (0x69, 0x6E), (0x65, 0x74), (0x65, 0x79), (0x61, 0x6C),
            (0x6C, 0x73):
            return secretEnds.contains(ending(octets)) && secretWords.contains { ends(octets, with: $0) }
        default: return false
        }
    }

    /// Returns the range of the next word after the space, if it looks like a key.
    static func key(behind blank: Int, _ octets: ArraySlice<UInt8>) -> Range<Int>? {
        var start = blank
        while start < octets.endIndex, isSpace(octets[start]) || isQuote(octets[start]) { start += 1 }
        return keyLength(octets[start...]).map { start..<start + $0 }
    }

    /// Whether a word may be the scheme of a URI with an authority, which is also searched if it has too few or too
    /// many slashes.
    static func isScheme(_ name: ArraySlice<UInt8>) -> Bool {
        2...6 ~= name.count && name.allSatisfy(ASCII.isLetter)
    }

    /// Whether the bytes may be a port number; an empty one was omitted.
    static func mayBePort(_ octets: ArraySlice<UInt8>) -> Bool {
        octets.count <= 5 && octets.allSatisfy(ASCII.isDigit)
    }

    /// Whether exactly three periods start here.
    static func parts(_ octets: ArraySlice<UInt8>, at index: Int) -> Bool {
        guard index + 3 < octets.endIndex, octets[index + 1] == point, octets[index + 2] == point else { return false }
        return octets[index] == point && octets[index + 3] != point
    }

    /// Returns the local name of the XML element whose start tag ends here.
    static func element(_ octets: ArraySlice<UInt8>, endsAt greater: Int) -> ArraySlice<UInt8>? {
        let tag = octets[..<greater].suffix(longestTag)
        guard let open = tag.lastIndex(of: UInt8(ascii: "<")) else { return nil }
        let name = tag[(open + 1)...].prefix { isName($0) || $0 == ASCII.colon }
        return name.split(separator: ASCII.colon).last
    }

    private static let longestTag = 128

    /// Whether the bytes end with exactly this word, ignoring case.
    static func ends(_ octets: ArraySlice<UInt8>, with word: String) -> Bool {
        let letters = word.utf8
        guard octets.count >= letters.count, isWord(octets.suffix(letters.count), word) else { return false }
        return octets.dropLast(letters.count).last.map(isName) != true
    }

    /// Whether the bytes before a `J` start a JSON Web Token: `eyJ` is the Base64 encoding of `{"`.
    static func beginsToken(_ octets: ArraySlice<UInt8>) -> Bool { octets.suffix(2).elementsEqual("ey".utf8) }

    static let slashes = [ASCII.slash, ASCII.slash]
    static let point = UInt8(ascii: ".")
    static let greater = UInt8(ascii: ">")
    static let backslash = UInt8(ascii: "\\")
    static let letterJ = UInt8(ascii: "J")

    static let at = UInt8(ascii: "@")
    static let percent = UInt8(ascii: "%")
    static let query = UInt8(ascii: "?")
    static let shortestCredentials = 8

    // MARK: - Queries

    static func isBareKey(_ query: ArraySlice<UInt8>) -> Bool { keyLength(query) != nil }

    /// Returns the length of the first word of a query if it has no name and is too long or too mixed for a flag such
    /// as `?tcp`, `?h264` or `?videocodec`.
    static func keyLength(_ query: ArraySlice<UInt8>) -> Int? {
        let end = query.indices.first { index in
            let octet = query[index]
            return octet == ASCII.slash
                ? beginsTrack(query[(index + 1)...]) : !isName(octet) && !"~+".utf8.contains(octet)
        }
        let body = query[..<(end ?? query.endIndex)]
        // `=` is followed by a value, or is Base64 padding.
        let fill = query[body.endIndex...].prefix { $0 == ASCII.equals }
        guard body.count >= shortestCredentials, fill.count < 3, query[fill.endIndex...].first.map(isName) != true,
            body.contains(where: ASCII.isLetter) || body.count >= longestNumber
        else { return nil }
        let digits = body.count { ASCII.isDigit($0) }
        let isMixed =
            digits == 1 && body.count >= longestNumber && body.contains { 0x41...0x5A ~= $0 }
            && body.contains { 0x61...0x7A ~= $0 }
        return digits >= 2 || isMixed || body.count >= longestWord ? body.count + fill.count : nil
    }

    static let longestWord = 20
    static let longestNumber = 12

    /// The start of the suffix that clients append to a URI to select a track, even after a query.
    static let tracks = ["track", "stream", "video", "audio"].map { Array($0.utf8) }

    static func beginsTrack(_ octets: ArraySlice<UInt8>) -> Bool {
        let start = octets.prefix(8).map(ASCII.lowercased)
        return tracks.contains { start.starts(with: $0) }
    }

    // MARK: - Octets

    static func isWord(_ name: ArraySlice<UInt8>, _ word: String) -> Bool {
        name.count == word.utf8.count && name.lazy.map(ASCII.lowercased).elementsEqual(word.utf8)
    }

    static func isName(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "$"): true
        default: ASCII.isLetter(octet) || ASCII.isDigit(octet) || octet >= 0x80
        }
    }

    /// Returns the start of a parameter name; forms use brackets in names: `user[password]`.
    static func startOfParameter(_ octets: ArraySlice<UInt8>, before end: Int) -> Int {
        var start = end
        while start > octets.startIndex, isName(octets[start - 1]) || "[]".utf8.contains(octets[start - 1]) {
            start -= 1
        }
        return start
    }

    /// Whether the byte may stand between a name and its separator.
    static func endsName(_ octet: UInt8) -> Bool { isSpace(octet) || isQuote(octet) || octet == backslash }
    static func isQuote(_ octet: UInt8) -> Bool { octet == ASCII.quote || octet == UInt8(ascii: "'") }
    static func isSpace(_ octet: UInt8) -> Bool { octet == ASCII.space || octet == ASCII.tab }
    static func isBlank(_ octet: UInt8) -> Bool { octet <= ASCII.space }
}
