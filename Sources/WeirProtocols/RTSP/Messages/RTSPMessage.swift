public import WeirEngine
import WeirPackets

/// A version of RTSP, as a message names it.
public struct RTSPVersion: Sendable, Hashable {
    /// The part before the dot.
    public var major: Int
    /// The part after the dot.
    public var minor: Int
    /// As sent, such as `RTSP/1.0`.
    public var text: String

    /// Reads `RTSP/` major `.` minor (RFC 2326 §3.1, RFC 2068 §3.1); nil when it is something else.
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
/// It is read leniently: whatever is unusual is kept in `oddities` and in the text of the headers. The headers that many
/// ask for are read once, and shared by all copies of the message: sessions and rules hand it about a great deal.
public struct RTSPMessage: Message, Equatable {
    /// The first line.
    public enum StartLine: Sendable, Hashable {
        /// What is asked, of which resource.
        case request(method: String, uri: String, version: RTSPVersion)
        /// How it went.
        case response(version: RTSPVersion, status: Int, reason: String)
    }

    /// What departs from the syntax; the message was used all the same.
    public struct Oddities: OptionSet, Sendable, Hashable {
        /// The bits.
        public let rawValue: UInt32
        /// Creates a set from its bits.
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        /// A line ends in LF alone.
        public static let bareLineFeed = Self(rawValue: 1)
        /// A line ends in CR alone, or has more than one CR before its LF.
        public static let bareCarriageReturn = Self(rawValue: 1 << 1)
        /// Line ends stand before the start line.
        public static let leadingLineEnds = Self(rawValue: 1 << 2)
        /// `CSeq` ends in a blank.
        public static let cseqTrailingBlank = Self(rawValue: 1 << 3)
        /// `CSeq` is there, but is not just a number of 32 bits.
        public static let cseqNotNumber = Self(rawValue: 1 << 4)
        /// A name is spelt in another case than the specification's, such as `Cseq`: allowed (RFC 2068 §4.2).
        public static let headerCase = Self(rawValue: 1 << 5)
        /// A line is no header field.
        public static let strayLine = Self(rawValue: 1 << 6)
        /// Octets are not UTF-8.
        public static let notUTF8 = Self(rawValue: 1 << 7)
        /// A blank stands between a name and its colon.
        public static let blankBeforeColon = Self(rawValue: 1 << 8)
        /// The parts of the start line are not separated by exactly one blank.
        public static let startLineBlanks = Self(rawValue: 1 << 9)
        /// The request's URI is neither absolute nor `*`.
        public static let relativeURI = Self(rawValue: 1 << 10)
        /// The request's URI contains a blank.
        public static let blankInURI = Self(rawValue: 1 << 11)
        /// The method or `RTSP` is not in upper case.
        public static let startLineCase = Self(rawValue: 1 << 12)
        /// `Content-Length` is there, but is not just a number.
        public static let contentLengthNotNumber = Self(rawValue: 1 << 13)
        /// A body came without `Content-Length`.
        public static let bodyWithoutLength = Self(rawValue: 1 << 14)
        /// `CSeq` or `Content-Length` is given more than once; the first counts.
        public static let repeatedHeader = Self(rawValue: 1 << 15)
        /// The response has no reason phrase.
        public static let noReason = Self(rawValue: 1 << 16)
    }

    /// What was read of the start line and the headers.
    let head: RTSPHead
    /// The first line.
    public var startLine: StartLine { head.startLine }
    /// The first line as sent, and the fields with their places.
    public var headers: HeaderBlock { head.headers }
    /// Octets of the body that were found.
    public var bodyLength: Int
    /// What departs from the syntax.
    public var oddities: Oddities
    /// Octets found in the body beyond `Content-Length` (positive), or that `Content-Length` counts too many
    /// (negative): the next message begins that much later or earlier than announced. 0 when they agree or when there
    /// is no `Content-Length`.
    public var bodyDelta = 0
    /// Whether the capture holds only the beginning of the message.
    public internal(set) var isCut = false
    /// Octets passed over between the message before this, in the same direction, and this one.
    public var skippedBefore = 0

    /// Reads a message from its header block.
    ///
    /// - Returns: nil when the start line is not one of RTSP.
    public init?(_ headers: HeaderBlock, bodyLength: Int = 0) {
        guard let head = RTSPHead(headers) else { return nil }
        self.head = head
        self.bodyLength = bodyLength
        oddities = head.oddities
    }
}

// MARK: - The start line

extension RTSPMessage {
    /// Whether it is a request.
    public var isRequest: Bool { head.method != nil }
    /// The method of a request, as sent.
    public var method: String? { head.method }
    /// The URI of a request, as sent: it may hold credentials.
    public var uri: String? {
        if case .request(_, let uri, _) = startLine { uri } else { nil }
    }
    /// The status code of a response.
    public var status: Int? { head.status }
    /// The reason phrase of a response.
    public var reason: String? {
        if case .response(_, _, let reason) = startLine { reason } else { nil }
    }
    /// The version that the message names.
    public var version: RTSPVersion { head.version }
    /// Where the body stands, in octets from the start of the message.
    public var bodyRange: Range<Int> { head.headers.octets..<head.headers.octets + bodyLength }
}
