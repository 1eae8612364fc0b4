import WeirPackets

/// The parsed start line and headers of an RTSP message, with its framing: immutable, shared by copies of the message.
final class RTSPHead: Sendable, Equatable {
    let headers: HeaderBlock
    /// The specified headers that it has.
    let names: RTSPHeaderSet
    let method: String?
    /// The method, if it is specified.
    let knownMethod: RTSPMethod?
    let uri: String?
    let status: Int?
    let reason: String?
    let version: RTSPVersion
    let framing: RTSPMessage.Framing
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
    init?(_ headers: consuming HeaderBlock, known: RTSPHeaderValues) {
        guard let (startLine, oddities) = Self.startLine(headers.startLine) else { return nil }
        let headers = headers
        switch startLine {
        case .request(let method, let uri, let version):
            self.method = method
            knownMethod = RTSPMethod(method)
            self.uri = uri
            (status, reason) = (nil, nil)
            self.version = version
        case .response(let version, let status, let reason):
            (method, knownMethod, uri) = (nil, nil, nil)
            self.status = status
            self.reason = reason
            self.version = version
        }
        let (names, deviations) = Self.survey(headers)
        self.names = names
        framing = RTSPMessage.Framing(oddities: oddities.union(deviations))
        func first(_ name: HeaderName) -> String? { names.contains(name) ? headers.first(name) : nil }
        cseqText = first(.cseq)
        cseq = cseqText.flatMap { Self.leadingNumber($0, as: UInt32.self) }
        contentLength = first(.contentLength).flatMap { Self.leadingNumber($0, as: Int.self) }
        contentType = first(.contentType).map { text in
            TextSyntax.lowercased(TextSyntax.trim(TextSyntax.pair(text, at: ASCII.semicolon).0))
        }
        session = first(.session).map { SessionHeader($0) }
        transports = names.contains(.transport) ? headers.all(.transport).flatMap(TransportSpec.list) : []
        range = first(.range).flatMap { known.range($0) }
        rtpInfo = names.contains(.rtpInfo) ? headers.all(.rtpInfo).flatMap(RTPInfoEntry.list) : []
        publicMethods = names.contains(.publicMethods) ? known.methods(in: headers) : []
        self.headers = headers
    }

    /// Creates a copy of another head with its own framing.
    init(_ other: RTSPHead, _ framing: RTSPMessage.Framing) {
        headers = other.headers
        names = other.names
        method = other.method
        knownMethod = other.knownMethod
        uri = other.uri
        status = other.status
        reason = other.reason
        version = other.version
        self.framing = framing
        cseqText = other.cseqText
        cseq = other.cseq
        contentLength = other.contentLength
        contentType = other.contentType
        session = other.session
        transports = other.transports
        range = other.range
        rtpInfo = other.rtpInfo
        publicMethods = other.publicMethods
    }

    /// Returns the value of the first field with a name.
    func first(_ name: HeaderName) -> String? { names.contains(name) ? headers.first(name) : nil }

    /// Returns the values of all fields with a name, in order.
    func all(_ name: HeaderName) -> [String] { names.contains(name) ? headers.all(name) : [] }

    /// Returns the comma-separated elements of all fields with a name.
    func list(_ name: HeaderName) -> [String] { names.contains(name) ? headers.list(name) : [] }

    /// Compares framing and headers, from which everything else is derived.
    static func == (one: RTSPHead, other: RTSPHead) -> Bool {
        one === other || one.framing == other.framing && one.headers == other.headers
    }

    private static func leadingNumber<Number: FixedWidthInteger>(_ text: String, as: Number.Type) -> Number? {
        TextSyntax.decimal(text, as: Number.self)
            ?? TextSyntax.decimal(
                String(decoding: text.utf8.prefix(while: ASCII.isDigit), as: UTF8.self), as: Number.self)
    }
}

// MARK: - Start line

extension RTSPHead {
    private static func startLine(_ line: String) -> (RTSPMessage.StartLine, RTSPMessage.Oddities)? {
        if let plain = line.withOctets({ plainStatusLine($0) ?? plainRequestLine($0) }) { return (plain, []) }
        let sent = Array(line.utf8)
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
    private static let version1 = RTSPVersion("RTSP/1.0")
    private static let versionOctets = 8

    /// Whether there is `RTSP/1.0` at a place of a line that has as many octets after it.
    private static func hasVersion1(_ line: Span<UInt8>, at place: Int) -> Bool {
        line.rawSpan.uint64(at: place) == 0x5254_5350_2F31_2E30
    }

    /// Parses a status line without any deviation; returns nil for all others.
    private static func plainStatusLine(_ line: Span<UInt8>) -> RTSPMessage.StartLine? {
        let reason = versionOctets + 5
        guard line.count > reason, hasVersion1(line, at: 0), line[versionOctets] == ASCII.space,
            line[reason - 1] == ASCII.space, let version = version1
        else { return nil }
        var status = 0
        for index in reason - 4..<reason - 1 {
            guard ASCII.isDigit(line[index]) else { return nil }
            status = status * 10 + Int(line[index] & 15)
        }
        var before = ASCII.space
        for index in reason..<line.count {
            let octet = line[index]
            if octet == ASCII.tab || octet == ASCII.space && before == ASCII.space { return nil }
            before = octet
        }
        guard before != ASCII.space else { return nil }
        return .response(version: version, status: status, reason: line.rawSpan.clamped(reason).text())
    }

    /// Parses a request line without any deviation; returns nil for all others.
    private static func plainRequestLine(_ line: Span<UInt8>) -> RTSPMessage.StartLine? {
        let end = line.count - versionOctets - 1
        guard end > 0, line[end] == ASCII.space, hasVersion1(line, at: end + 1), let version = version1
        else { return nil }
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
        let method = RTSPMethod(line.extracting(0..<blank))?.name ?? line.rawSpan.clamped(0, blank).text()
        return .request(method: method, uri: line.rawSpan.clamped(blank + 1, end).text(), version: version)
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
            guard let name = headers.fields[index].header else { continue }
            if !headers.fields[index].isSpelled { found.insert(.headerCase) }
            let isRepeated = names.contains(name)
            names.insert(RTSPHeaderSet(name))
            switch name {
            case .cseq where isRepeated, .contentLength where isRepeated: found.insert(.repeatedHeader)
            case .cseq:
                if headers.fields[index].hasTrailingBlank { found.insert(.cseqTrailingBlank) }
                if TextSyntax.decimal(headers.fields[index].value, as: UInt32.self) == nil {
                    found.insert(.cseqNotNumber)
                }
            case .contentLength:
                if TextSyntax.decimal(headers.fields[index].value) == nil { found.insert(.contentLengthNotNumber) }
            default: break
            }
        }
        return (names, found)
    }
}
