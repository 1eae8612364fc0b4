import WeirPackets

/// The parsed start line and headers of an RTSP message, with its framing: immutable, shared by copies of the message.
final class RTSPHead: Sendable, Equatable {
    let headers: HeaderBlock
    /// The specified headers that it has.
    let names: RTSPHeaderSet
    let start: RTSPStartLine
    let framing: RTSPFraming
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
        guard let start = RTSPStartLine.parse(headers.startLine) else { return nil }
        let headers = headers
        let (names, deviations) = Self.survey(headers)
        self.names = names
        framing = RTSPFraming(oddities: start.oddities.union(deviations))
        self.start = start
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
    init(_ other: RTSPHead, _ framing: RTSPFraming) {
        headers = other.headers
        names = other.names
        start = other.start
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

// MARK: - Header oddities

extension RTSPHead {
    /// Returns which specified headers there are, and the deviations of all headers.
    private static func survey(_ headers: HeaderBlock) -> (names: RTSPHeaderSet, oddities: RTSPOddities) {
        var names: RTSPHeaderSet = []
        var found: RTSPOddities = []
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
