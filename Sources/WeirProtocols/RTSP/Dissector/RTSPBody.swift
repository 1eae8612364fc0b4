import WeirPackets

extension RTSPMessage {
    /// Whether its body is a session description: by its type, or, when nothing is said, that of an answer which has
    /// a base for control URLs.
    var describesSession: Bool {
        switch contentType {
        case "application/sdp"?: true
        case nil: contentBase != nil || method == "ANNOUNCE"
        default: false
        }
    }
}

/// Finds out where a message's body ends, also when `Content-Length` is missing or wrong.
enum RTSPBody {
    /// Whether a line from `start` on may be empty, which is what ends a header.
    static func mayEndHeader(_ bytes: RawSpan, from start: Int) -> Bool {
        var offset = start
        while let octet = bytes.byte(at: offset) {
            if octet == ASCII.lineFeed || octet == ASCII.carriageReturn, let next = bytes.byte(at: offset &+ 1) {
                let isEnd = next == ASCII.lineFeed || next == ASCII.carriageReturn
                if isEnd, !(octet == ASCII.carriageReturn && next == ASCII.lineFeed) { return true }
            }
            offset &+= 1
        }
        return false
    }

    /// Sets the message's body length, and by how much `Content-Length` is wrong; `bytes` begin with the message.
    ///
    /// - Returns: false when more bytes are needed.
    static func measure(_ message: inout RTSPMessage, _ bytes: RawSpan, limits: Limits) -> Bool {
        let start = message.headers.octets
        guard let declared = message.contentLength else { return unannounced(&message, bytes, from: start) }
        guard declared > 0 else { return true }
        let available = bytes.byteCount &- start
        // A start line inside the body: Content-Length counts too much, and this is the next message.
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

    /// A start line at the beginning of a line of the body.
    private static func startLine(in body: RawSpan) -> Int? {
        var offset = 0
        while let octet = body.byte(at: offset) {
            let isLineStart = offset == 0 || body.byte(at: offset &- 1) == ASCII.lineFeed
            if isLineStart, ASCII.isLetter(octet), body.byte(at: offset &+ 1) != ASCII.equals,
                RTSPStart.message(body, at: offset, strict: true) == .yes
            {
                return offset
            }
            offset &+= 1
        }
        return nil
    }

    /// Without `Content-Length` there is no body (RFC 2326 §4.4); but a description that follows all the same is taken:
    /// the lines of one letter and `=`, as far as they have come.
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

    /// More lines of the description behind what `Content-Length` counts belong to it.
    private static func extendDescription(_ message: inout RTSPMessage, _ bytes: RawSpan, from end: Int) {
        guard let next = bytes.byte(at: end), next != ASCII.dollar,
            next != ASCII.carriageReturn || bytes.byte(at: end &- 1) != ASCII.lineFeed,
            RTSPStart.message(bytes, at: end, strict: false) == .no
        else { return }
        // The cut is in the middle of a line: look on from that line's beginning.
        var lineStart = end
        while lineStart > message.headers.octets, bytes.byte(at: lineStart &- 1) != ASCII.lineFeed { lineStart &-= 1 }
        let last = endOfLines(bytes, from: lineStart)
        guard last > end else { return }
        message.bodyDelta = last &- end
        message.bodyLength &+= message.bodyDelta
    }

    /// The end of the lines of the form `x=…` that begin at `start`.
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
