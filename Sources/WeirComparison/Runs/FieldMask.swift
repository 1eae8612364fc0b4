/// Removes from messages what differs in every run: identifiers, keys, times, addresses, ports.
struct FieldMask: Sendable, Equatable {
    /// Members whose values are chosen at random, or depend on time or on the length of others.
    private static let omitted: Set<String> = [
        // Numbers and identifiers
        "cseq", "sessionid", "session", "ssrc", "sequence", "timestamp", "rtptime", "transactionid", "requestevent",
        "httpevent", "replyto", "id", "tag", "branch", "callid", "transaction", "handleid", "sender", "socket", "from",
        "destinationsocket", "initialsequence", "sessionversion", "msid", "cname", "ssrcgroup", "foundation", "to",
        "chunks", "chunktype", "firstframe", "tie-breaker", "xsessioncookie", "etag", "ifmatch", "location", "opaque",
        // Keys and credentials
        "nonce", "cnonce", "response", "authorization", "wwwauthenticate", "key", "ufrag", "pwd", "iceufrag", "icepwd",
        "password", "token", "secwebsocketkey", "secwebsocketaccept", "fingerprint", "crypto", "keymgmt", "username",
        "digest", "random", "cookie", "setcookie", "echoes", "echoestime", "integrity",
        // Times and lengths
        "time", "time2", "date", "lastmodified", "expires", "latencyms", "durationseconds", "secondssinceprevious",
        "sincepreviousms", "bodylength", "length", "wirelength", "contentlength", "ntptimestamp", "ntptimestampraw",
        "packets", "payloadbytes", "messages", "lost", "number", "framing", "fragments", "clock", "asannounced",
        // Addresses and ports, also as attributes of descriptions
        "address", "mappedaddress", "relayedaddress", "clientport", "serverport", "rtcp", "host", "source",
        "destination",
        "sdp", "value", "framessinceprevious",
        "scheme",
    ]

    /// Whether a member is omitted.
    func omits(_ name: String) -> Bool {
        Self.omitted.contains(
            String(
                decoding: name.utf8.lazy.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }, as: UTF8.self
            )
            .lowercased())
    }

    /// Returns a value without what differs in every run.
    func masked(_ value: String, name: String) -> String {
        switch name {
        // Port 0 refuses a medium; any other is as good as the next.
        case "port": return value == "0" ? "0" : "<port>"
        case "candidate", "candidates": return Self.candidate(value)
        case "rtp-info", "RTP-Info": return Self.text(Self.withoutNumbers(value))
        default: return Self.text(value)
        }
    }

    /// Returns RTP-Info without the numbers of the first packets.
    private static func withoutNumbers(_ value: String) -> String {
        value.split(separator: ";", omittingEmptySubsequences: false).map { part in
            guard part.hasPrefix("seq=") || part.hasPrefix("rtptime=") else { return String(part) }
            return String(part.prefix { $0 != "=" } + "=") + part.drop { $0 != "," }
        }.joined(separator: ";")
    }

    /// Returns the component, transport and type of a candidate.
    private static func candidate(_ value: String) -> String {
        let words = value.split(separator: " ")
        guard words.count >= 8 else { return text(value) }
        return "\(words[1]) \(words[2].lowercased()) \(words[7])"
    }

    /// Returns a text with addresses, long numbers and identifiers replaced.
    static func text(_ value: String) -> String {
        guard value.utf8.count >= 6 else { return value }
        var result: [UInt8] = []
        let octets = Array(value.utf8)
        var index = 0
        while index < octets.count {
            if let end = hostEnd(octets, index) {
                result += octets[index..<index + 3]
                result += Array("<host>".utf8)
                index = end
                continue
            }
            guard isWord(octets[index]) else {
                result.append(octets[index])
                index += 1
                continue
            }
            var end = index
            while end < octets.count, isWord(octets[end]) { end += 1 }
            if let address = addressEnd(octets, index) {
                result += Array("<address>".utf8)
                index = address
            } else {
                result += isIdentifier(octets[index..<end]) ? Array("<id>".utf8) : Array(octets[index..<end])
                index = end
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func isWord(_ octet: UInt8) -> Bool { isDigit(octet) || isLetter(octet) }
    private static func isDigit(_ octet: UInt8) -> Bool { 0x30...0x39 ~= octet }
    private static func isLetter(_ octet: UInt8) -> Bool { 0x41...0x5A ~= octet || 0x61...0x7A ~= octet }

    /// Returns the end of the host and port after `://`.
    private static func hostEnd(_ octets: [UInt8], _ index: Int) -> Int? {
        guard octets[index...].starts(with: "://".utf8) else { return nil }
        var end = index + 3
        while end < octets.count, !" /?#;,\">\r\n".utf8.contains(octets[end]) { end += 1 }
        return end > index + 3 ? end : nil
    }

    /// Returns the end of an IPv4 address with optional port, four numbers separated by dots.
    private static func addressEnd(_ octets: [UInt8], _ start: Int) -> Int? {
        var (index, numbers) = (start, 0)
        while numbers < 4 {
            let first = index
            while index < octets.count, isDigit(octets[index]), index - first < 4 { index += 1 }
            guard index > first else { return nil }
            numbers += 1
            guard numbers < 4 else { break }
            guard index < octets.count, octets[index] == UInt8(ascii: ".") else { return nil }
            index += 1
        }
        if index + 1 < octets.count, octets[index] == UInt8(ascii: ":"), isDigit(octets[index + 1]) {
            index += 1
            while index < octets.count, isDigit(octets[index]) { index += 1 }
        }
        return index
    }

    /// Whether a word is a long number, or hexadecimal digits of some length.
    private static func isIdentifier(_ word: ArraySlice<UInt8>) -> Bool {
        guard word.count >= 6 else { return false }
        if word.allSatisfy(isDigit) { return true }
        return word.count >= 8 && word.contains(where: isDigit)
            && word.allSatisfy { isDigit($0) || 0x41...0x46 ~= $0 || 0x61...0x66 ~= $0 }
    }
}
