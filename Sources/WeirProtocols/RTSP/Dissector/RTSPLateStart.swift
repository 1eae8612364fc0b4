import WeirPackets

/// Distinguishes a conversation joined midway from text that contains RTSP messages: logs, documentation, recorded
/// dialogs.
struct RTSPLateStart {
    /// The sender of the data, as far as the ports indicate.
    enum Side {
        case client, server, unknown
    }

    let side: Side
    /// Whether the other side sent nothing.
    let isAlone: Bool

    /// Maximum number of messages examined.
    private static let most = 16
    private static let mostFields = 64
    private static let contentLength = Array("Content-Length".utf8)
    /// Methods that only clients send (RFC 2326 §10).
    private static let clientMethods = ["DESCRIBE", "SETUP", "PLAY", "PAUSE", "RECORD"].map { Array("\($0) ".utf8) }

    /// Whether the message at `start` and those after it are plausible as one side of a conversation: nothing between
    /// them, no client-only methods from a server, no responses to own requests.
    ///
    /// - Parameter isStart: whether a segment starts with the message. Otherwise its lines must end in CRLF; text files
    ///   mostly use LF.
    func believes(_ bytes: RawSpan, at start: Int, isStart: Bool) -> Bool {
        var offset = start
        var (requests, answers) = (0, 0)
        for _ in 0..<Self.most {
            if bytes.byte(at: offset) == ASCII.dollar { break }
            if RTSPStart.isStatusLine(bytes, at: offset) { answers += 1 } else { requests += 1 }
            if side == .server, Self.clientMethods.contains(where: { Self.begins(bytes, at: offset, $0) }) {
                return false
            }
            guard let next = Self.next(bytes, after: offset, needsCR: !isStart) else { return false }
            guard next < bytes.byteCount else { break }
            guard bytes.byte(at: next) == ASCII.dollar || RTSPStart.message(bytes, at: next, strict: true) != .no else {
                return false
            }
            offset = next
        }
        return !isAlone || requests == 0 || answers == 0
    }

    /// Returns the start of the next message: after the fields, an empty line and the body, or after all available
    /// bytes. Nil if there are no fields.
    private static func next(_ bytes: RawSpan, after start: Int, needsCR: Bool) -> Int? {
        var offset = start
        var body = 0
        for index in 0..<mostFields {
            var end = offset
            while let octet = bytes.byte(at: end), !RTSPStart.isLineEnd(octet) { end &+= 1 }
            guard let octet = bytes.byte(at: end) else { return bytes.byteCount }
            if needsCR, octet != ASCII.carriageReturn { return nil }
            let rest = octet == ASCII.carriageReturn && bytes.byte(at: end &+ 1) == ASCII.lineFeed ? end &+ 2 : end &+ 1
            if end == offset { return skipLines(bytes, from: rest &+ body) }
            if index > 0 {
                let line = bytes.clamped(offset, end)
                guard let name = nameLength(line) else { return nil }
                if name == contentLength.count, begins(line, at: 0, contentLength) {
                    body = max(
                        0, min(TextSyntax.decimal(TextSyntax.trim(line.clamped(name &+ 1).text())) ?? 0, 1 << 30))
                }
            }
            offset = rest
        }
        return bytes.byteCount
    }

    private static func skipLines(_ bytes: RawSpan, from start: Int) -> Int {
        var offset = start
        while let octet = bytes.byte(at: offset), RTSPStart.isLineEnd(octet) { offset &+= 1 }
        return offset
    }

    /// Returns the length of the field name; 0 for a continuation line.
    private static func nameLength(_ line: RawSpan) -> Int? {
        guard let first = line.byte(at: 0) else { return nil }
        if TextSyntax.isBlank(first) { return 0 }
        var end = 0
        while let octet = line.byte(at: end), TextSyntax.isToken(octet) { end &+= 1 }
        while let octet = line.byte(at: end), TextSyntax.isBlank(octet) { end &+= 1 }
        return end > 0 && line.byte(at: end) == ASCII.colon ? end : nil
    }

    private static func begins(_ bytes: RawSpan, at start: Int, _ word: [UInt8]) -> Bool {
        word.indices.allSatisfy {
            bytes.byte(at: start &+ $0).map(ASCII.lowercased) == ASCII.lowercased(word[$0])
        }
    }
}
