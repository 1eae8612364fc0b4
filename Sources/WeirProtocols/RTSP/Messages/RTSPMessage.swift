public import WeirEngine
import WeirPackets

/// The RTSP version of a message.
public struct RTSPVersion: Sendable, Hashable {
    /// The number before the dot.
    public var major: Int
    /// The number after the dot.
    public var minor: Int
    /// The version as sent, such as `RTSP/1.0`.
    public var text: String

    /// Parses `RTSP/` major `.` minor (RFC 2326 §3.1, RFC 2068 §3.1); returns nil for anything else.
    public init?(_ text: String) {
        if text == "RTSP/1.0" {
            (major, minor, self.text) = (1, 0, text)
            return
        }
        guard TextSyntax.hasPrefix(text, "RTSP/") else { return nil }
        let parts = text.utf8.dropFirst(5).split(separator: 0x2E, omittingEmptySubsequences: false)
        guard parts.count == 2,
            let major = TextSyntax.decimal(String(decoding: parts[0], as: UTF8.self)),
            let minor = TextSyntax.decimal(String(decoding: parts[1], as: UTF8.self))
        else { return nil }
        self.major = major
        self.minor = minor
        self.text = text
    }
}

/// An RTSP request or response (RFC 2326 §4 to §7, RFC 7826 §5 to §8).
///
/// Parsing is lenient: deviations are kept in `oddities` and in the text of the headers. Everything is in one object that
/// all copies of the message share, since sessions and rules copy it often.
public struct RTSPMessage: Message, Equatable {
    /// The start line of a message.
    public enum StartLine: Sendable, Hashable {
        /// A request line.
        case request(method: String, uri: String, version: RTSPVersion)
        /// A status line.
        case response(version: RTSPVersion, status: Int, reason: String)
    }

    /// Syntax deviations that do not prevent parsing.
    public struct Oddities: OptionSet, Sendable, Hashable {
        /// The raw bits.
        public let rawValue: UInt32
        /// Creates a set from its bits.
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        /// A line ends in LF alone.
        public static let bareLineFeed = Self(rawValue: 1)
        /// A line ends in CR alone, or has more than one CR before its LF.
        public static let bareCarriageReturn = Self(rawValue: 1 << 1)
        /// Line ends precede the start line.
        public static let leadingLineEnds = Self(rawValue: 1 << 2)
        /// `CSeq` ends with white space.
        public static let cseqTrailingBlank = Self(rawValue: 1 << 3)
        /// `CSeq` is not a 32-bit number.
        public static let cseqNotNumber = Self(rawValue: 1 << 4)
        /// A name differs in case from its specification, such as `Cseq`: allowed (RFC 2068 §4.2).
        public static let headerCase = Self(rawValue: 1 << 5)
        /// A line is not a header field.
        public static let strayLine = Self(rawValue: 1 << 6)
        /// The message is not valid UTF-8.
        public static let notUTF8 = Self(rawValue: 1 << 7)
        /// White space precedes a colon.
        public static let blankBeforeColon = Self(rawValue: 1 << 8)
        /// The parts of the start line are not separated by exactly one space.
        public static let startLineBlanks = Self(rawValue: 1 << 9)
        /// The request URI is neither absolute nor `*`.
        public static let relativeURI = Self(rawValue: 1 << 10)
        /// The request URI contains a space.
        public static let blankInURI = Self(rawValue: 1 << 11)
        /// The method or `RTSP` is not in upper case.
        public static let startLineCase = Self(rawValue: 1 << 12)
        /// `Content-Length` is present but not a number.
        public static let contentLengthNotNumber = Self(rawValue: 1 << 13)
        /// There is a body without `Content-Length`.
        public static let bodyWithoutLength = Self(rawValue: 1 << 14)
        /// `CSeq` or `Content-Length` occurs more than once; the first is used.
        public static let repeatedHeader = Self(rawValue: 1 << 15)
        /// The response has no reason phrase.
        public static let noReason = Self(rawValue: 1 << 16)
    }

    /// How long the message is, and what deviates in it.
    struct Framing: Sendable, Equatable {
        /// The actual length of the body, in bytes.
        var bodyLength = 0
        /// Bytes of the body beyond `Content-Length`, or the excess of `Content-Length` if negative.
        var bodyDelta = 0
        /// Whether only the beginning of the message is captured.
        var isCut = false
        /// Bytes skipped before the message.
        var skippedBefore = 0
        /// The syntax deviations.
        var oddities: Oddities = []
    }

    /// The parsed start line and headers, with the framing.
    private(set) var head: RTSPHead
    /// The object with start line, headers and framing.
    public var object: AnyObject? { head }
    /// The start line.
    public var startLine: StartLine {
        if let method = head.method { return .request(method: method, uri: head.uri ?? "", version: head.version) }
        return .response(version: head.version, status: head.status ?? 0, reason: head.reason ?? "")
    }
    /// The start line as sent, and the fields with their offsets.
    public var headers: HeaderBlock { head.headers }
    private var framing: Framing {
        get { head.framing }
        // Most messages have no body and no deviation: nothing changes.
        set { if newValue != head.framing { head = RTSPHead(head, newValue) } }
    }

    /// The actual length of the body, in bytes.
    public var bodyLength: Int {
        get { framing.bodyLength }
        set { framing.bodyLength = newValue }
    }
    /// The syntax deviations.
    public var oddities: Oddities {
        get { framing.oddities }
        set { framing.oddities = newValue }
    }
    /// Bytes of the body beyond `Content-Length` (positive), or the excess of `Content-Length` (negative): the next
    /// message starts that much later or earlier than announced. 0 if they agree or without `Content-Length`.
    public var bodyDelta: Int {
        get { framing.bodyDelta }
        set { framing.bodyDelta = newValue }
    }
    /// Whether only the beginning of the message is captured.
    public internal(set) var isCut: Bool {
        get { framing.isCut }
        set { framing.isCut = newValue }
    }
    /// Bytes skipped between the previous message in this direction and this one.
    public var skippedBefore: Int {
        get { framing.skippedBefore }
        set { framing.skippedBefore = newValue }
    }

    /// Creates a message from its header block.
    ///
    /// - Returns: nil if the start line is not RTSP.
    public init?(_ headers: HeaderBlock, bodyLength: Int = 0) {
        self.init(headers, bodyLength: bodyLength, known: RTSPHeaderValues())
    }

    /// Returns a message of any protocol if it is one of RTSP.
    init?(_ message: any Message) {
        guard let head = message.object as? RTSPHead else { return nil }
        self.head = head
    }

    init?(_ headers: HeaderBlock, bodyLength: Int = 0, known: RTSPHeaderValues) {
        guard let head = RTSPHead(headers, known: known) else { return nil }
        self.head = head
        self.bodyLength = bodyLength
    }
}

// MARK: - Start line

extension RTSPMessage {
    /// Whether the message is a request.
    public var isRequest: Bool { head.status == nil }
    /// The method of a request, as sent.
    public var method: String? { head.method }
    /// The method of a request, if RFC 2326 or RFC 7826 specifies it. Comparing names would take longer.
    public var knownMethod: RTSPMethod? { head.knownMethod }
    /// Whether clients use the method of a request as keep-alive.
    var isKeepAlive: Bool { knownMethod?.isKeepAlive ?? false }
    /// The URI of a request, as sent; it may contain credentials.
    public var uri: String? { head.uri }
    /// The status code of a response.
    public var status: Int? { head.status }
    /// The reason phrase of a response.
    public var reason: String? { head.reason }
    /// The version in the start line.
    public var version: RTSPVersion { head.version }
    /// The range of the body, in bytes from the start of the message.
    public var bodyRange: Range<Int> { head.headers.octets..<head.headers.octets + bodyLength }
}
