import WeirPackets

/// The parsed start line and headers of an RTSP message: immutable, shared by copies of the message.
final class RTSPHead: Sendable, Equatable {
    let headers: HeaderBlock
    /// The specified headers that it has.
    let names: RTSPHeaderSet
    let startLine: RTSPMessage.StartLine
    let method: String?
    let uri: String?
    let status: Int?
    let version: RTSPVersion
    let oddities: RTSPMessage.Oddities
    let cseqText: String?
    let cseq: UInt32?
    let contentLength: Int?
    let contentType: String?
    let session: SessionHeader?
    let transports: [SharedValue<TransportSpec>]
    let range: RangeHeader?
    let rtpInfo: [RTPInfoEntry]
    let publicMethods: [String]

    /// Parses the headers that sessions, rules and reports use; returns nil if the start line is not RTSP.
    ///
    /// - Parameter known: The values that other messages had.
    init?(_ headers: HeaderBlock, known: RTSPHeaderValues) {
        guard let (startLine, oddities) = Self.startLine(headers.startLine) else { return nil }
        self.headers = headers
        self.startLine = startLine
        switch startLine {
        case .request(let method, let uri, let version):
            self.method = method
            self.uri = uri
            status = nil
            self.version = version
        case .response(let version, let status, _):
            method = nil
            uri = nil
            self.status = status
            self.version = version
        }
        let (names, deviations) = Self.survey(headers)
        self.names = names
        self.oddities = oddities.union(deviations)
        func first(_ header: RTSPHeaderSet, _ name: String) -> String? {
            names.contains(header) ? headers.first(name) : nil
        }
        cseqText = first(.cseq, "CSeq")
        cseq = cseqText.flatMap { Self.leadingNumber($0, as: UInt32.self) }
        contentLength = first(.contentLength, "Content-Length").flatMap { Self.leadingNumber($0, as: Int.self) }
        contentType = first(.contentType, "Content-Type").map { text in
            TextSyntax.lowercased(TextSyntax.trim(TextSyntax.pair(text, at: ASCII.semicolon).0))
        }
        session = first(.session, "Session").map { SessionHeader($0) }
        transports = names.contains(.transport) ? headers.all("Transport").flatMap(TransportSpec.list) : []
        range = first(.range, "Range").flatMap { known.range($0) }
        rtpInfo = names.contains(.rtpInfo) ? headers.all("RTP-Info").flatMap(RTPInfoEntry.list) : []
        publicMethods = names.contains(.publicMethods) ? known.methods(in: headers) : []
    }

    /// Compares the headers, from which everything else is derived.
    static func == (one: RTSPHead, other: RTSPHead) -> Bool { one === other || one.headers == other.headers }

    private static func leadingNumber<Number: FixedWidthInteger>(_ text: String, as: Number.Type) -> Number? {
        TextSyntax.decimal(text, as: Number.self)
            ?? TextSyntax.decimal(
                String(decoding: text.utf8.prefix(while: ASCII.isDigit), as: UTF8.self), as: Number.self)
    }
}

// MARK: - Start line

extension RTSPHead {
    private static func startLine(_ line: String) -> (RTSPMessage.StartLine, RTSPMessage.Oddities)? {
        let sent = Array(line.utf8)
        if let plain = plainStatusLine(sent) ?? plainRequestLine(sent) { return (plain, []) }
        var words = TextSyntax.words(sent)
        var oddities: RTSPMessage.Oddities = []
        guard let first = words.first else { return nil }
        // Exactly one space between words and no other white space.
        let octets = words.reduce(words.count &- 1) { $0 &+ $1.utf8.count }
        if octets != sent.count || sent.contains(ASCII.tab) { oddities.insert(.startLineBlanks) }
        if let version = RTSPVersion(first) {
            guard words.count > 1, let status = TextSyntax.decimal(words[1]), status < 1000 else { return nil }
            if words.count == 2 { oddities.insert(.noReason) }
            if !version.text.hasPrefix("RTSP/") { oddities.insert(.startLineCase) }
            return (.response(version: version, status: status, reason: joined(words[2...])), oddities)
        }
        guard words.count >= 3, let last = words.popLast(), let version = RTSPVersion(last),
            first.utf8.allSatisfy(TextSyntax.isToken)
        else { return nil }
        let uri = joined(words[1...])
        if words.count > 2 { oddities.insert(.blankInURI) }
        if uri != "*", TextSyntax.endOfScheme(uri) == nil { oddities.insert(.relativeURI) }
        if !version.text.hasPrefix("RTSP/") || TextSyntax.uppercased(first) != first { oddities.insert(.startLineCase) }
        return (.request(method: first, uri: uri, version: version), oddities)
    }
}

extension RTSPHead {
    private static let version1 = Array("RTSP/1.0".utf8)

    /// Parses a status line without any deviation; returns nil for all others.
    private static func plainStatusLine(_ line: [UInt8]) -> RTSPMessage.StartLine? {
        let reason = version1.count + 5
        guard line.count > reason, line.starts(with: version1), line[version1.count] == ASCII.space,
            line[reason - 1] == ASCII.space, let version = RTSPVersion("RTSP/1.0")
        else { return nil }
        var status = 0
        for digit in line[reason - 4..<reason - 1] {
            guard ASCII.isDigit(digit) else { return nil }
            status = status * 10 + Int(digit & 15)
        }
        var before = ASCII.space
        for octet in line[reason...] {
            if octet == ASCII.tab || octet == ASCII.space && before == ASCII.space { return nil }
            before = octet
        }
        guard before != ASCII.space else { return nil }
        return .response(
            version: version, status: status, reason: TextSyntax.text(line, reason..<line.count))
    }

    /// Parses a request line without any deviation; returns nil for all others.
    private static func plainRequestLine(_ line: [UInt8]) -> RTSPMessage.StartLine? {
        let end = line.count - version1.count - 1
        guard end > 0, line[end] == ASCII.space, line[(end + 1)...].elementsEqual(version1),
            let blank = line.firstIndex(of: ASCII.space), blank > 0, blank + 1 < end,
            line[..<blank].allSatisfy({ $0 &- 0x41 < 26 || $0 == 0x5F }), let version = RTSPVersion("RTSP/1.0")
        else { return nil }
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
        return .request(
            method: TextSyntax.text(line, 0..<blank), uri: TextSyntax.text(line, blank + 1..<end), version: version)
    }

    private static func joined(_ words: ArraySlice<String>) -> String {
        if words.count == 1, let word = words.first { return word }
        return words.joined(separator: " ")
    }
}

// MARK: - Header oddities

extension RTSPHead {
    /// Returns which specified headers there are, and the deviations of all headers.
    private static func survey(_ headers: HeaderBlock) -> (names: RTSPHeaderSet, oddities: RTSPMessage.Oddities) {
        var names: RTSPHeaderSet = []
        var found: RTSPMessage.Oddities = []
        if headers.lineEndings.contains(.lineFeed) { found.insert(.bareLineFeed) }
        if headers.lineEndings.contains(.carriageReturn) { found.insert(.bareCarriageReturn) }
        if headers.leadingOctets > 0 { found.insert(.leadingLineEnds) }
        if !headers.strayLines.isEmpty { found.insert(.strayLine) }
        if !headers.isUTF8 { found.insert(.notUTF8) }
        for index in headers.fields.indices {
            if headers.fields[index].hasBlankBeforeColon { found.insert(.blankBeforeColon) }
            let (name, isSpelled) = RTSPHeaderSet.header(headers.fields[index].name, key: headers.fields[index].key)
            if !isSpelled { found.insert(.headerCase) }
            if names.contains(name), !name.isDisjoint(with: [.cseq, .contentLength]) { found.insert(.repeatedHeader) }
            names.insert(name)
        }
        if names.contains(.cseq), let cseq = headers.field("CSeq") {
            if cseq.hasTrailingBlank { found.insert(.cseqTrailingBlank) }
            if TextSyntax.decimal(cseq.value, as: UInt32.self) == nil { found.insert(.cseqNotNumber) }
        }
        if names.contains(.contentLength), let length = headers.first("Content-Length"),
            TextSyntax.decimal(length) == nil
        {
            found.insert(.contentLengthNotNumber)
        }
        return (names, found)
    }
}
