import WeirPackets

/// Detects where an RTSP message or an interleaved frame may start.
enum RTSPStart {
    /// The result of a test at an offset.
    enum Answer {
        /// A message or frame.
        case yes
        /// Neither message nor frame.
        case no
        /// Undecided until more bytes arrive.
        case needMore
    }

    /// Maximum length of a start line, in bytes.
    static let longestLine = 4096
    /// Maximum length of a version, in bytes, allowing for leading zeros.
    private static let longestVersion = 64

    /// Tests for a request line or status line at `start`.
    ///
    /// `strict` requires a known method, for offsets that may not start a line.
    static func message(_ bytes: RawSpan, at start: Int, strict: Bool) -> Answer {
        var line = Line()
        return message(bytes, at: start, strict: strict, &line)
    }

    private static func message(_ bytes: RawSpan, at start: Int, strict: Bool, _ line: inout Line) -> Answer {
        guard let first = bytes.byte(at: start) else { return .needMore }
        guard ASCII.isLetter(first) else { return .no }
        if first | 0x20 == 0x72 {
            switch prefix(bytes, at: start, rtspSlash) {
            case .yes: return statusLine(bytes, at: start, &line)
            case .needMore: return .needMore
            case .no: break
            }
        }
        return requestLine(bytes, at: start, strict: strict, &line)
    }

    /// The end of the current line, located once even if several words in it resemble the start of a message.
    private struct Line {
        private var end = 0

        /// Returns the offset of the next byte from `start` that no line contains: a line end or binary data.
        mutating func end(_ bytes: RawSpan, from start: Int) -> Int {
            if end < start { end = start }
            end = bytes.nextOctet(below: ASCII.space, from: end)
            while bytes.byte(at: end) == ASCII.tab { end = bytes.nextOctet(below: ASCII.space, from: end &+ 1) }
            return end
        }
    }

    /// Tests for the start of a status line.
    static func isStatusLine(_ bytes: RawSpan, at start: Int) -> Bool { prefix(bytes, at: start, rtspSlash) == .yes }

    /// Tests for a status line, such as `RTSP/1.0 200`.
    private static func statusLine(_ bytes: RawSpan, at start: Int, _ line: inout Line) -> Answer {
        var offset = start &+ rtspSlash.count
        for separator in [UInt8(0x2E), ASCII.space] {
            let digits = offset
            while let octet = bytes.byte(at: offset), ASCII.isDigit(octet), offset &- digits < 3 { offset &+= 1 }
            guard let octet = bytes.byte(at: offset) else { return .needMore }
            guard offset > digits, octet == separator else { return .no }
            offset &+= 1
        }
        while let octet = bytes.byte(at: offset), octet == ASCII.space { offset &+= 1 }
        guard let octet = bytes.byte(at: offset) else { return .needMore }
        guard ASCII.isDigit(octet) else { return .no }
        let end = line.end(bytes, from: offset)
        return end &- start <= longestLine && bytes.byte(at: end).map(isLineEnd) ?? true ? .yes : .no
    }

    static func isLineEnd(_ octet: UInt8) -> Bool { octet == ASCII.lineFeed || octet == ASCII.carriageReturn }

    /// Tests for a complete request line, `METHOD uri RTSP/1.0`.
    private static func requestLine(_ bytes: RawSpan, at start: Int, strict: Bool, _ line: inout Line) -> Answer {
        var offset = start
        while let octet = bytes.byte(at: offset), TextSyntax.isToken(octet), offset &- start <= 32 { offset &+= 1 }
        guard let blank = bytes.byte(at: offset) else { return offset &- start <= 32 ? .needMore : .no }
        guard blank == ASCII.space, offset &- start <= 32 else { return .no }
        if strict,
            !knownMethods.contains(where: { prefix(bytes, at: start, $0) == .yes && $0.count == offset &- start })
        {
            return .no
        }
        // Methods and URIs contain no control characters, so binary data ends the line at once.
        var end = line.end(bytes, from: offset)
        guard end &- start < longestLine else { return .no }
        guard let last = bytes.byte(at: end) else { return .needMore }
        guard isLineEnd(last) else { return .no }
        let mostBlanks = max(start, end &- longestVersion)
        while end > mostBlanks, bytes.byte(at: end &- 1).map(TextSyntax.isBlank) ?? false { end &-= 1 }
        var version = end
        while version > max(start, end &- longestVersion), let octet = bytes.byte(at: version &- 1),
            !TextSyntax.isBlank(octet)
        {
            version &-= 1
        }
        guard prefix(bytes, at: version, rtspSlash) == .yes, version > start else { return .no }
        // The usual version needs no string.
        if end &- version == 8, bytes.uint64(at: version) == RTSPVersion.octets1 { return .yes }
        return RTSPVersion(bytes.clamped(version, end).text()) != nil ? .yes : .no
    }

    /// Tests whether an interleaved frame at `start` is followed by another frame or by a message.
    ///
    /// A `$` in the middle of a stream proves nothing; a frame whose payload has version 2 (RFC 3550 §5.1, §6.1), or
    /// consists of transport stream packets, and whose length leads to the next start does, or to the end of the data
    /// if nothing follows (`isLast`).
    static func frame(_ bytes: RawSpan, at start: Int, isLast: Bool = false) -> Answer {
        switch frameHeader(bytes, at: start) {
        case .no: return .no
        case .needMore: return .needMore
        case .yes: break
        }
        guard let length = bytes.uint16(at: start &+ 2) else { return .needMore }
        let next = start &+ 4 &+ Int(length)
        if isLast, next == bytes.byteCount { return .yes }
        guard let octet = bytes.byte(at: next) else { return .needMore }
        return octet == ASCII.dollar ? frameHeader(bytes, at: next) : message(bytes, at: next, strict: true)
    }

    /// Tests for a chain of `frames` interleaved frames, or of fewer followed by a message.
    static func chain(_ bytes: RawSpan, at start: Int, frames: Int) -> Answer {
        var offset = start
        for _ in 0..<frames {
            guard bytes.byte(at: offset) == ASCII.dollar else { return message(bytes, at: offset, strict: true) }
            let answer = frameHeader(bytes, at: offset)
            guard answer == .yes, let length = bytes.uint16(at: offset &+ 2) else { return answer }
            offset &+= 4 &+ Int(length)
        }
        return .yes
    }

    private static func frameHeader(_ bytes: RawSpan, at start: Int) -> Answer {
        guard let dollar = bytes.byte(at: start) else { return .needMore }
        guard dollar == ASCII.dollar else { return .no }
        guard let length = bytes.uint16(at: start &+ 2), let first = bytes.byte(at: start &+ 4) else {
            return .needMore
        }
        if length >= 8, first >> 6 == 2 { return .yes }
        let end = min(bytes.byteCount, start &+ 4 &+ Int(length))
        return holdsTransportStream(bytes.clamped(start &+ 4, end), length: Int(length)) ? .yes : .no
    }

    /// Returns whether the payload of a frame consists of whole transport stream packets (ISO/IEC 13818-1 §2.4.3.2), as
    /// far as it is available.
    static func holdsTransportStream(_ payload: RawSpan, length: Int) -> Bool {
        let packet = TransportStream.packetLength
        guard payload.byte(at: 0) == TransportStream.syncByte, length >= packet, length % packet == 0 else {
            return false
        }
        for offset in stride(from: packet, to: payload.byteCount, by: packet)
        where payload.byte(at: offset) != TransportStream.syncByte {
            return false
        }
        return true
    }

    /// Returns the first certain start of a message or frame from `start` on, or `.needMore` at the first offset that
    /// only more bytes can decide.
    ///
    /// The search continues past undecided offsets: a chance `$` announces 32 kB on average, which may contain real
    /// messages. A partial real frame contains a chance chain of two with a probability of about one millionth per
    /// byte.
    static func search(_ bytes: RawSpan, from start: Int, isLast: Bool = false) -> (offset: Int, answer: Answer) {
        var offset = start
        var undecided: Int?
        var line = Line()
        while let octet = bytes.byte(at: offset) {
            var answer = Answer.no
            if octet == ASCII.dollar {
                answer = frame(bytes, at: offset, isLast: isLast)
            } else if ASCII.isLetter(octet) {
                answer = message(bytes, at: offset, strict: true, &line)
            }
            switch answer {
            case .yes: return (offset, .yes)
            case .needMore: undecided = undecided ?? offset
            case .no: break
            }
            offset &+= 1
        }
        return undecided.map { ($0, .needMore) } ?? (bytes.byteCount, .no)
    }

    /// Tests for `word` at `start`, ignoring case.
    private static func prefix(_ bytes: RawSpan, at start: Int, _ word: [UInt8]) -> Answer {
        for index in word.indices {
            guard let octet = bytes.byte(at: start &+ index) else { return .needMore }
            if ASCII.lowercased(octet) != ASCII.lowercased(word[index]) { return .no }
        }
        return .yes
    }

    private static let rtspSlash = Array("RTSP/".utf8)
    /// Methods of RFC 2326 §10 and RFC 7826 §13, and of AirPlay and RTSP over HTTP.
    private static let knownMethods = [
        "OPTIONS", "DESCRIBE", "ANNOUNCE", "SETUP", "PLAY", "PAUSE", "TEARDOWN", "GET_PARAMETER", "SET_PARAMETER",
        "REDIRECT", "RECORD", "PLAY_NOTIFY", "FLUSH", "GET", "POST",
    ].map { Array($0.utf8) }
}
