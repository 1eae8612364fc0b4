import WeirPackets

// What secrets look like in octets, and the glance that tells which texts are worth a closer look.

extension SecretScan {
    /// Whether there is anything that a secret could follow: most texts have no more than a scheme, a port, and names that
    /// are of no secret, and need no closer look.
    static func mayHold(_ octets: ArraySlice<UInt8>, isURI: Bool) -> Bool {
        // A name alone, such as a canonical name of RTCP, has no scheme and no password before its `@`.
        var mayHoldUser = false
        for index in octets.indices {
            let octet = octets[index]
            // Of letters and digits, which most text is, only one letter begins anything.
            if octet != jay, ASCII.isLetter(octet) || ASCII.isDigit(octet) { continue }
            if octet == ASCII.colon || octet == ASCII.slash { mayHoldUser = true }
            if octet == ASCII.space, !isURI { mayHoldUser = false }
            switch octet {
            case at where mayHoldUser: return true
            case query where (isURI || mayHoldUser) && isBareKey(octets[(index + 1)...]): return true
            // What is not encoded hides nothing: `0.5 % lost`.
            case percent where DecodedOctets.isEncoded(octets, index): return true
            case ASCII.colon where !octets[(index + 1)...].starts(with: slashes), ASCII.equals:
                var end = index
                while end > octets.startIndex, isSpace(octets[end - 1]) || isQuote(octets[end - 1]) { end -= 1 }
                var start = end
                while start > octets.startIndex, isName(octets[start - 1]) { start -= 1 }
                if octet == ASCII.equals { start = startOfParameter(octets, before: end) }
                if mayHaveValue(octets[start..<end]) { return true }
            case ASCII.space where endsScheme(octets[..<index]): return true
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

    /// Whether octets end with this very word, in any case.
    static func ends(_ octets: ArraySlice<UInt8>, with word: String) -> Bool {
        let letters = word.utf8
        guard octets.count >= letters.count, isWord(octets.suffix(letters.count), word) else { return false }
        return octets.dropLast(letters.count).last.map(isName) != true
    }

    /// Whether what stands before a `J` begins a JSON Web Token with it: `eyJ` is what an object's `{"` is in base64.
    static func beginsToken(_ octets: ArraySlice<UInt8>) -> Bool { octets.suffix(2).elementsEqual("ey".utf8) }

    static let slashes = [ASCII.slash, ASCII.slash]
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
        return digits >= 2 || body.count >= longestWord ? body.count + fill.count : nil
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

    static func isQuote(_ octet: UInt8) -> Bool { octet == ASCII.quote || octet == UInt8(ascii: "'") }
    static func isSpace(_ octet: UInt8) -> Bool { octet == ASCII.space || octet == ASCII.tab }
    static func isBlank(_ octet: UInt8) -> Bool { octet <= ASCII.space }
}
