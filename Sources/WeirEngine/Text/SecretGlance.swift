import WeirPackets

// What secrets look like in octets, and the glance that tells which texts are worth a closer look.

extension SecretScan {
    /// Whether there is anything that a secret could follow: most texts have no more than a scheme, a port, and names that
    /// are of no secret, and need no closer look.
    static func mayHold(_ octets: ArraySlice<UInt8>, isURI: Bool) -> Bool {
        // A name alone, such as a canonical name of RTCP, has no scheme and no password before its `@`.
        var mayHoldUser = false
        // Behind the slashes of a scheme, until the authority ends.
        var authority: Int?
        for index in octets.indices {
            let octet = octets[index]
            // Of letters and digits, which most text is, only one letter begins anything.
            if octet != jay, ASCII.isLetter(octet) || ASCII.isDigit(octet) { continue }
            if octet == ASCII.colon || octet == ASCII.slash { mayHoldUser = true }
            if octet == ASCII.space, !isURI { mayHoldUser = false }
            if let start = authority, index >= start {
                if octet == ASCII.colon, !mayBePort(octets[(index + 1)...].prefix(while: isName)) { return true }
                if octet == ASCII.slash || octet == query || octet == ASCII.space { authority = nil }
            }
            switch octet {
            case at where mayHoldUser: return true
            case query where (isURI || mayHoldUser) && isBareKey(octets[(index + 1)...]): return true
            // What is not encoded hides nothing: `0.5 % lost`.
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
            case jay where beginsToken(octets[..<index]): return true
            default: break
            }
        }
        return false
    }

    /// Whether a name is that of a secret, or one of those which the scan knows beside them.
    static func mayHaveValue(_ name: ArraySlice<UInt8>) -> Bool {
        SecretNames.isSecret(name, short: true) || isWord(name, "k") || isWord(name, "inline") || isOpaqueScheme(name)
    }

    /// Whether it is a scheme of URIs without `//`, of which a user's name and password may follow at once (RFC 3261 §19.1,
    /// RFC 7065).
    static func isOpaqueScheme(_ name: ArraySlice<UInt8>) -> Bool {
        ["sip", "sips", "turn", "turns"].contains { isWord(name, $0) }
    }

    /// Whether a word stands at the end that says of what follows that it grants access (RFC 6750 §2.1, RFC 7617 §2).
    static func endsScheme(_ octets: ArraySlice<UInt8>) -> Bool {
        guard let last = octets.last, last | 0x20 == UInt8(ascii: "r") || last | 0x20 == UInt8(ascii: "c") else {
            return false
        }
        return ends(octets, with: "bearer") || ends(octets, with: "basic")
    }

    /// Words behind which a secret may stand without a sign between, as in `bad token 4f9a…`.
    private static let secretWords = [
        "token", "password", "passwd", "secret", "key", "credential", "credentials", "pin",
    ]

    /// The last three letters of each: nearly all other words have others.
    private static let secretEnds = secretWords.map { ending(Array($0.utf8)[...]) }

    private static func ending(_ word: ArraySlice<UInt8>) -> UInt32 {
        word.suffix(3).reduce(0) { $0 << 8 | UInt32(ASCII.lowercased($1)) }
    }

    /// Whether such a word stands at the end.
    static func endsSecretWord(_ octets: ArraySlice<UInt8>) -> Bool {
        let end = octets.endIndex
        // Most words end in another letter, or another two.
        guard octets.count >= 3 else { return false }
        switch (octets[end - 2] | 0x20, octets[end - 1] | 0x20) {
        case (0x72, 0x64), (0x77, 0x64), (0x65, 0x6E), (0x69, 0x6E), (0x65, 0x74), (0x65, 0x79), (0x61, 0x6C),
            (0x6C, 0x73):
            return secretEnds.contains(ending(octets)) && secretWords.contains { ends(octets, with: $0) }
        default: return false
        }
    }

    /// The next word behind the blank, where it looks like a key.
    static func key(behind blank: Int, _ octets: ArraySlice<UInt8>) -> Range<Int>? {
        var start = blank
        while start < octets.endIndex, isSpace(octets[start]) || isQuote(octets[start]) { start += 1 }
        return keyLength(octets[start...]).map { start..<start + $0 }
    }

    /// Whether a word may be the scheme of a URI with an authority, which is looked for also where the slashes before it are too
    /// few or too many.
    static func isScheme(_ name: ArraySlice<UInt8>) -> Bool {
        2...6 ~= name.count && name.allSatisfy(ASCII.isLetter)
    }

    /// Whether digits may be those of a port; nothing is one that was left away.
    static func mayBePort(_ octets: ArraySlice<UInt8>) -> Bool {
        octets.count <= 5 && octets.allSatisfy(ASCII.isDigit)
    }

    /// Whether three points stand here, and no more.
    static func parts(_ octets: ArraySlice<UInt8>, at index: Int) -> Bool {
        guard index + 3 < octets.endIndex, octets[index + 1] == point, octets[index + 2] == point else { return false }
        return octets[index] == point && octets[index + 3] != point
    }

    /// The name of the element of XML whose start tag ends here, without the prefix of its namespace.
    static func element(_ octets: ArraySlice<UInt8>, endsAt greater: Int) -> ArraySlice<UInt8>? {
        let tag = octets[..<greater].suffix(longestTag)
        guard let open = tag.lastIndex(of: UInt8(ascii: "<")) else { return nil }
        let name = tag[(open + 1)...].prefix { isName($0) || $0 == ASCII.colon }
        return name.split(separator: ASCII.colon).last
    }

    private static let longestTag = 128

    /// Whether octets end with this very word, in any case.
    static func ends(_ octets: ArraySlice<UInt8>, with word: String) -> Bool {
        let letters = word.utf8
        guard octets.count >= letters.count, isWord(octets.suffix(letters.count), word) else { return false }
        return octets.dropLast(letters.count).last.map(isName) != true
    }

    /// Whether what stands before a `J` begins a JSON Web Token with it: `eyJ` is what an object's `{"` is in base64.
    static func beginsToken(_ octets: ArraySlice<UInt8>) -> Bool { octets.suffix(2).elementsEqual("ey".utf8) }

    static let slashes = [ASCII.slash, ASCII.slash]
    static let point = UInt8(ascii: ".")
    static let greater = UInt8(ascii: ">")
    static let backslash = UInt8(ascii: "\\")
    static let jay = UInt8(ascii: "J")

    static let at = UInt8(ascii: "@")
    static let percent = UInt8(ascii: "%")
    static let query = UInt8(ascii: "?")
    static let shortestCredentials = 8

    // MARK: - Queries

    static func isBareKey(_ query: ArraySlice<UInt8>) -> Bool { keyLength(query) != nil }

    /// Octets of the word at the beginning of a query, when it is no name, and too long or too mixed for a word that somebody
    /// would choose to switch something on: `?tcp`, `?h264`, `?videocodec`.
    static func keyLength(_ query: ArraySlice<UInt8>) -> Int? {
        let end = query.indices.first { index in
            let octet = query[index]
            return octet == ASCII.slash
                ? beginsTrack(query[(index + 1)...]) : !isName(octet) && !"~+".utf8.contains(octet)
        }
        let body = query[..<(end ?? query.endIndex)]
        // Behind `=` stands a value, or no more than what fills base64 up.
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

    /// How the part begins that clients append to a URI to name a track, even behind a query.
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

    /// Where the name of a parameter begins; forms have names in brackets: `user[password]`.
    static func startOfParameter(_ octets: ArraySlice<UInt8>, before end: Int) -> Int {
        var start = end
        while start > octets.startIndex, isName(octets[start - 1]) || "[]".utf8.contains(octets[start - 1]) {
            start -= 1
        }
        return start
    }

    /// Whether it may stand between a name and the sign behind it.
    static func endsName(_ octet: UInt8) -> Bool { isSpace(octet) || isQuote(octet) || octet == backslash }
    static func isQuote(_ octet: UInt8) -> Bool { octet == ASCII.quote || octet == UInt8(ascii: "'") }
    static func isSpace(_ octet: UInt8) -> Bool { octet == ASCII.space || octet == ASCII.tab }
    static func isBlank(_ octet: UInt8) -> Bool { octet <= ASCII.space }
}
