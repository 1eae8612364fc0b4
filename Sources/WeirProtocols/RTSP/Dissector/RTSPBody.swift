import WeirPackets

extension RTSPMessage {
    /// Whether the body is a session description: by its type, or, without a type, if the response has a base for
    /// control URLs.
    var describesSession: Bool {
        switch contentType {
        case "application/sdp"?: true
        case nil: contentBase != nil || knownMethod == .announce
        default: false
        }
    }
}

/// Determines where a message body ends, even when `Content-Length` is missing or wrong.
enum RTSPBody {
    /// Whether some line from `start` on may be empty, which ends a header.
    static func mayEndHeader(_ bytes: RawSpan, from start: Int) -> Bool {
        // Mostly the octets are one message without a body: CR LF CR LF.
        if start &+ 4 <= bytes.byteCount, bytes.uint32(at: bytes.byteCount &- 4) == 0x0D0A_0D0A { return true }
        var offset = bytes.nextControl(from: start)
        while let octet = bytes.byte(at: offset) {
            if octet == ASCII.lineFeed || octet == ASCII.carriageReturn, let next = bytes.byte(at: offset &+ 1) {
                let isEnd = next == ASCII.lineFeed || next == ASCII.carriageReturn
                if isEnd, !(octet == ASCII.carriageReturn && next == ASCII.lineFeed) { return true }
            }
            offset = bytes.nextControl(from: offset &+ 1)
        }
        return false
    }

    /// Sets the body length and the error of `Content-Length`; `bytes` starts with the message.
    ///
    /// - Returns: false if more bytes are needed.
    static func measure(_ message: inout RTSPMessage, _ bytes: RawSpan, limits: Limits) -> Bool {
        let start = message.head.headers.octets
        guard let declared = message.contentLength else { return unannounced(&message, bytes, from: start) }
        guard declared > 0 else { return true }
        let available = bytes.byteCount &- start
        // A start line inside the body: Content-Length is too large, and the next message starts here.
        let body = bytes.clamped(start, start &+ min(declared, available))
        if let embedded = startLine(in: body) {
            message.bodyLength = embedded
            message.bodyDelta = embedded &- declared
            return true
        }
        guard declared <= limits.messageOctets else {
            message.bodyLength = 0
            return true
        }
        guard available >= declared else { return false }
        message.bodyLength = declared
        if message.describesSession { extendDescription(&message, bytes, from: start &+ declared) }
        return true
    }

    /// Returns the offset of the first body line that is a start line.
    private static func startLine(in body: RawSpan) -> Int? {
        var start = 0
        while let octet = body.byte(at: start) {
            if ASCII.isLetter(octet), body.byte(at: start &+ 1) != ASCII.equals,
                RTSPStart.message(body, at: start, strict: true) == .yes
            {
                return start
            }
            var end = body.nextControl(from: start)
            while let octet = body.byte(at: end), octet != ASCII.lineFeed { end = body.nextControl(from: end &+ 1) }
            start = end &+ 1
        }
        return nil
    }

    /// Measures a description without `Content-Length`. There should be no body then (RFC 2326 §4.4), but lines of one
    /// letter and `=` that follow are accepted.
    private static func unannounced(_ message: inout RTSPMessage, _ bytes: RawSpan, from start: Int) -> Bool {
        guard message.describesSession, message.isRequest || message.status == 200 else { return true }
        guard message.contentType != nil || bytes.byteCount > start else { return true }
        guard let first = bytes.byte(at: start) else { return false }
        guard first == UInt8(ascii: "v") else { return true }
        guard let second = bytes.byte(at: start &+ 1) else { return false }
        guard second == ASCII.equals else { return true }
        let end = endOfLines(bytes, from: start)
        guard bytes.byte(at: end &- 1) == ASCII.lineFeed else { return false }
        message.bodyLength = end &- start
        message.oddities.insert(.bodyWithoutLength)
        return true
    }

    /// Extends the body by description lines beyond `Content-Length`.
    private static func extendDescription(_ message: inout RTSPMessage, _ bytes: RawSpan, from end: Int) {
        guard let next = bytes.byte(at: end), next != ASCII.dollar,
            next != ASCII.carriageReturn || bytes.byte(at: end &- 1) != ASCII.lineFeed,
            RTSPStart.message(bytes, at: end, strict: false) == .no
        else { return }
        // Content-Length ends within a line: continue from the start of that line.
        var lineStart = end
        while lineStart > message.head.headers.octets, bytes.byte(at: lineStart &- 1) != ASCII.lineFeed {
            lineStart &-= 1
        }
        let last = endOfLines(bytes, from: lineStart)
        guard last > end else { return }
        message.bodyDelta = last &- end
        message.bodyLength &+= message.bodyDelta
    }

    /// Returns the end of the `x=…` lines that start at `start`.
    private static func endOfLines(_ bytes: RawSpan, from start: Int) -> Int {
        var offset = start
        while let letter = bytes.byte(at: offset), ASCII.isLetter(letter), bytes.byte(at: offset &+ 1) == ASCII.equals {
            while let octet = bytes.byte(at: offset), octet != ASCII.lineFeed { offset &+= 1 }
            guard offset < bytes.byteCount else { return offset }
            offset &+= 1
        }
        return offset
    }
}
