import WeirEngine
package import WeirPackets

/// Reads one direction of an HTTP/1.1 connection (RFC 9112): heads, and bodies by their framing.
///
/// Used for everything carried over HTTP. Buffers nothing: results are ranges of the current bytes.
package struct HTTPReader: Sendable {
    /// The next item.
    package enum Item {
        /// Start line and header fields.
        case head(HTTPMessage)
        /// Bytes of the body, without chunk framing.
        case content(Range<Int>)
        /// The message is complete.
        case end
        /// Not HTTP, or a body without a detectable end; reading stops.
        case malformed(String)
    }

    /// The framing of a body (RFC 2068 §4.4).
    package enum Framing: Sendable, Hashable {
        /// No body.
        case none
        /// Delimited by its length.
        case counted
        /// Chunked (RFC 2068 §3.6).
        case chunked
        /// Delimited by the end of the connection.
        case untilClose
    }

    private enum State: Sendable {
        case head
        /// The remaining length of the body, in bytes.
        case counted(Int)
        case chunkSize
        case chunk(Int)
        case chunkEnd
        case trailer
        case open
        case lost
    }

    /// Maximum length of a chunk size line with extensions, in bytes.
    private static let longestSizeLine = 4_096

    private let limits: LimitsReference
    private var state = State.head
    /// The framing of the current message.
    package private(set) var framing = Framing.none

    /// Creates a reader that expects a head.
    package init(_ limits: LimitsReference) {
        self.limits = limits
    }

    /// Remaining bytes of the body or chunk.
    package var left: Int {
        switch state {
        case .counted(let left), .chunk(let left): left
        default: 0
        }
    }

    /// Whether the next byte starts a message.
    package var isAtHead: Bool { if case .head = state { true } else { false } }
    /// Whether the current body is delimited by the end of the connection.
    package var isOpenEnded: Bool { if case .open = state { true } else { false } }
    /// Whether the reader is synchronized with the message framing.
    package var isInStep: Bool { if case .lost = state { false } else { true } }

    /// Reads the head at the start of `bytes`; returns nil if more bytes are needed.
    package static func head(_ bytes: RawSpan, limits: Limits) -> Item? {
        switch HeaderBlock.parse(bytes, limits: limits) {
        case .needMore: nil
        case .malformed(let reason): .malformed(reason)
        case .complete(let headers): HTTPMessage(headers).map { .head($0) } ?? .malformed("no HTTP start line")
        }
    }

    /// Returns the item at `start` and its length, or nil if more bytes are needed.
    ///
    /// - Parameter method: the method of the request that a response answers, if known.
    package mutating func next(
        _ bytes: RawSpan, at start: Int, answering method: String? = nil
    ) -> (item: Item, used: Int)? {
        let waiting = bytes.byteCount &- start
        switch state {
        case .head:
            guard waiting > 0, let item = Self.head(bytes.clamped(start), limits: limits.values) else { return nil }
            guard case .head(let message) = item else { return (item, 0) }
            return begin(message, method)
        case .counted(let left):
            if left == 0 { return end(0) }
            let some = min(left, waiting)
            state = .counted(left &- some)
            return some == 0 ? nil : (.content(start..<start &+ some), some)
        case .chunk(let left):
            let some = min(left, waiting)
            state = left == some ? .chunkEnd : .chunk(left &- some)
            return some == 0 ? nil : (.content(start..<start &+ some), some)
        case .open: return waiting == 0 ? nil : (.content(start..<bytes.byteCount), waiting)
        case .chunkEnd, .chunkSize, .trailer: return chunkLine(bytes, from: start)
        case .lost: return nil
        }
    }

    private mutating func begin(_ message: HTTPMessage, _ method: String?) -> (item: Item, used: Int) {
        guard let framing = HTTPFraming.of(message, answering: method) else {
            state = .lost
            return (.malformed("the end of the body cannot be determined"), 0)
        }
        self.framing = framing.kind
        switch framing.kind {
        case .none, .counted: state = .counted(framing.length)
        case .chunked: state = .chunkSize
        case .untilClose: state = .open
        }
        return (.head(message), message.headers.octets)
    }

    private mutating func end(_ used: Int) -> (item: Item, used: Int) {
        state = .head
        return (.end, used)
    }

    /// Reads lines between chunks up to the next item (RFC 2068 §3.6).
    private mutating func chunkLine(_ bytes: RawSpan, from start: Int) -> (item: Item, used: Int)? {
        var offset = start
        let before = state
        while let line = Self.line(bytes, from: offset) {
            offset = line.next
            switch state {
            case .chunkEnd:
                guard line.content.isEmpty else { return lose("no line end after a chunk") }
                state = .chunkSize
            case .chunkSize:
                guard let size = Self.size(bytes, line.content) else { return lose("no chunk size") }
                guard size > 0 else {
                    state = .trailer
                    continue
                }
                state = .chunk(size)
                let some = min(size, bytes.byteCount &- offset)
                guard some > 0 else { return (.content(offset..<offset), offset &- start) }
                state = some == size ? .chunkEnd : .chunk(size &- some)
                return (.content(offset..<offset &+ some), offset &- start &+ some)
            default:
                if line.content.isEmpty { return end(offset &- start) }
            }
        }
        // The lines are short and reread once more bytes arrive.
        state = before
        guard bytes.byteCount &- start <= limits.values.headerOctets else { return lose(HeaderBlock.tooLong) }
        return nil
    }

    private mutating func lose(_ reason: String) -> (item: Item, used: Int) {
        state = .lost
        return (.malformed(reason), 0)
    }

    private static func line(_ bytes: RawSpan, from start: Int) -> (content: Range<Int>, next: Int)? {
        var offset = start
        while let octet = bytes.byte(at: offset) {
            if octet == ASCII.lineFeed {
                let isPair = offset > start && bytes.byte(at: offset &- 1) == ASCII.carriageReturn
                return (start..<(isPair ? offset &- 1 : offset), offset &+ 1)
            }
            offset &+= 1
        }
        return nil
    }

    /// Parses the chunk size, in hexadecimal, before any extensions.
    private static func size(_ bytes: RawSpan, _ line: Range<Int>) -> Int? {
        guard line.count <= longestSizeLine else { return nil }
        let text = TextSyntax.pair(bytes.clamped(line.lowerBound, line.upperBound).text(), at: ASCII.semicolon).0
        return TextSyntax.hexadecimal(TextSyntax.trim(text), as: Int32.self).map { Int($0) }
    }

    // MARK: - Gaps

    /// Skips missing bytes; returns whether the reader is still synchronized.
    package mutating func skip(_ octets: Int) -> Bool {
        switch state {
        case .counted(let left) where octets <= left: state = .counted(left &- octets)
        case .chunk(let left) where octets <= left: state = left == octets ? .chunkEnd : .chunk(left &- octets)
        case .open: break
        default: state = .lost
        }
        return isInStep
    }

    /// Resynchronizes: the next byte starts a message.
    package mutating func restart() {
        state = .head
    }
}

/// Determines the framing of bodies.
enum HTTPFraming {
    /// Returns the framing of a message body, with its length if counted, or nil if the head is contradictory or the
    /// framing is unknown.
    static func of(_ message: HTTPMessage, answering method: String?) -> (kind: HTTPReader.Framing, length: Int)? {
        if let status = message.status, lacksBody(status, method) { return (.none, 0) }
        let codings = message.headers.all("transfer-encoding").joined(separator: ",")
        if !codings.isEmpty {
            let last = TextSyntax.split(codings, at: ASCII.comma).last.map { TextSyntax.trim($0) } ?? ""
            if ASCII.equalIgnoringCase(last, "chunked") { return (.chunked, 0) }
            return message.isRequest ? nil : (.untilClose, 0)
        }
        let lengths = Set(
            message.headers.all("content-length").flatMap { TextSyntax.split($0, at: ASCII.comma) }
                .map { TextSyntax.trim($0) })
        if let length = lengths.first {
            guard lengths.count == 1, let octets = TextSyntax.decimal(length) else { return nil }
            return octets > 0 ? (.counted, octets) : (.none, 0)
        }
        return message.isRequest ? (.none, 0) : (.untilClose, 0)
    }

    /// Whether the response never has a body, regardless of its fields (RFC 2068 §4.4).
    private static func lacksBody(_ status: Int, _ method: String?) -> Bool {
        status < 200 || status == 204 || status == 304 || method == "HEAD"
            || (method == "CONNECT" && (200..<300).contains(status))
    }
}
