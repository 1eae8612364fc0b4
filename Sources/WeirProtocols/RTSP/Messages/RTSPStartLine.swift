import WeirPackets

/// The request line or status line of an RTSP message (RFC 2326 §6.1, §7.1), parsed leniently.
struct RTSPStartLine: Sendable {
    /// The method of a request, as sent.
    var method: String?
    /// The method of a request, if it is specified.
    var knownMethod: RTSPMethod?
    /// The URI of a request, as sent.
    var uri: String?
    /// The status code of a response.
    var status: Int?
    /// The reason phrase of a response.
    var reason: String?
    /// The version.
    var version: RTSPVersion
    /// The deviations from the grammar.
    var oddities: RTSPOddities = []

    /// Parses a line; returns nil if it is not RTSP.
    static func parse(_ line: String) -> RTSPStartLine? {
        line.withOctets { plainStatusLine($0) ?? plainRequestLine($0) } ?? RTSPStartLine(unusual: line)
    }

    private init?(unusual line: String) {
        let sent = Array(line.utf8)
        var words = TextSyntax.words(sent)
        guard let first = words.first else { return nil }
        // Exactly one space between words and no other white space.
        let octets = words.reduce(words.count &- 1) { $0 &+ $1.utf8.count }
        if octets != sent.count || sent.contains(ASCII.tab) { oddities.insert(.startLineBlanks) }
        if let version = RTSPVersion(first) {
            guard words.count > 1, let status = TextSyntax.decimal(words[1]), status < 1000 else { return nil }
            if words.count == 2 { oddities.insert(.noReason) }
            if !version.text.hasPrefix("RTSP/") { oddities.insert(.startLineCase) }
            (self.status, reason) = (status, Self.joined(words[2...]))
            self.version = version
            return
        }
        guard words.count >= 3, let last = words.popLast(), let version = RTSPVersion(last),
            first.hasOnly(TextSyntax.isToken)
        else { return nil }
        let uri = Self.joined(words[1...])
        if words.count > 2 { oddities.insert(.blankInURI) }
        if uri != "*", TextSyntax.endOfScheme(uri) == nil { oddities.insert(.relativeURI) }
        if !version.text.hasPrefix("RTSP/") || TextSyntax.uppercased(first) != first { oddities.insert(.startLineCase) }
        (method, knownMethod) = (first, RTSPMethod(first))
        self.uri = uri
        self.version = version
    }

    private static func joined(_ words: ArraySlice<String>) -> String {
        if words.count == 1, let word = words.first { return word }
        return words.joined(separator: " ")
    }
}

// Lines without any deviation, as nearly all.

extension RTSPStartLine {
    private static let versionOctets = 8

    private init(version1 method: String?, _ knownMethod: RTSPMethod?, uri: String?, status: Int?, reason: String?) {
        (self.method, self.knownMethod, self.uri) = (method, knownMethod, uri)
        (self.status, self.reason, version) = (status, reason, .version1)
    }

    /// Whether there is `RTSP/1.0` at a place of a line.
    private static func hasVersion1(_ line: Span<UInt8>, at place: Int) -> Bool {
        line.rawSpan.uint64(at: place) == RTSPVersion.octets1
    }

    /// Parses a status line without any deviation; returns nil for all others.
    private static func plainStatusLine(_ line: Span<UInt8>) -> RTSPStartLine? {
        let start = versionOctets + 5
        guard line.count > start, hasVersion1(line, at: 0), line[versionOctets] == ASCII.space,
            line[start - 1] == ASCII.space
        else { return nil }
        var status = 0
        for index in start - 4..<start - 1 {
            guard ASCII.isDigit(line[index]) else { return nil }
            status = status * 10 + Int(line[index] & 15)
        }
        var before = ASCII.space
        for index in start..<line.count {
            let octet = line[index]
            if octet == ASCII.tab || octet == ASCII.space && before == ASCII.space { return nil }
            before = octet
        }
        guard before != ASCII.space else { return nil }
        // The usual one needs no string of its own.
        let isOK = line.count == start + 2 && line[start] == UInt8(ascii: "O") && line[start + 1] == UInt8(ascii: "K")
        return RTSPStartLine(
            version1: nil, nil, uri: nil, status: status,
            reason: isOK ? "OK" : line.rawSpan.clamped(start).text())
    }

    /// Parses a request line without any deviation; returns nil for all others.
    private static func plainRequestLine(_ line: Span<UInt8>) -> RTSPStartLine? {
        let end = line.count - versionOctets - 1
        guard end > 0, line[end] == ASCII.space, hasVersion1(line, at: end + 1) else { return nil }
        var blank = 0
        while line[blank] &- 0x41 < 26 || line[blank] == 0x5F { blank += 1 }
        guard line[blank] == ASCII.space, blank > 0, blank + 1 < end else { return nil }
        var isAbsolute = end == blank + 2 && line[blank + 1] == 0x2A
        for index in blank + 1..<end {
            let octet = line[index]
            if octet == ASCII.space || octet == ASCII.tab { return nil }
            // A scheme ends with `://`.
            if octet == ASCII.slash, line[index - 1] == ASCII.slash, line[index - 2] == ASCII.colon {
                isAbsolute = true
            }
        }
        guard isAbsolute else { return nil }
        let known = RTSPMethod(line.extracting(0..<blank))
        return RTSPStartLine(
            version1: known?.name ?? line.rawSpan.clamped(0, blank).text(), known,
            uri: line.rawSpan.clamped(blank + 1, end).text(), status: nil, reason: nil)
    }
}
