public import WeirEngine
import WeirPackets

/// An RTSP request or response (RFC 2326 §4 to §7, RFC 7826 §5 to §8).
///
/// Parsing is lenient: deviations are kept in `oddities` and in the text of the headers. Everything is in one object that
/// all copies of the message share, since sessions and rules copy it often.
public struct RTSPMessage: Message, Equatable {
    /// Syntax deviations that do not prevent parsing.
    public typealias Oddities = RTSPOddities

    /// The parsed start line and headers, with the framing.
    private(set) var head: RTSPHead
    /// The object with start line, headers and framing.
    public var object: AnyObject? { head }
    /// The start line as sent, and the fields with their offsets.
    public var headers: HeaderBlock { head.headers }
    private var framing: RTSPFraming {
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
    public var isRequest: Bool { head.start.status == nil }
    /// The method of a request, as sent.
    public var method: String? { head.start.method }
    /// The method of a request, if RFC 2326 or RFC 7826 specifies it. Comparing names would take longer.
    public var knownMethod: RTSPMethod? { head.start.knownMethod }
    /// Whether clients use the method of a request as keep-alive.
    var isKeepAlive: Bool { knownMethod?.isKeepAlive ?? false }
    /// The URI of a request, as sent; it may contain credentials.
    public var uri: String? { head.start.uri }
    /// The status code of a response.
    public var status: Int? { head.start.status }
    /// The reason phrase of a response.
    public var reason: String? { head.start.reason }
    /// The version in the start line.
    public var version: RTSPVersion { head.start.version }
    /// The range of the body, in bytes from the start of the message.
    public var bodyRange: Range<Int> { head.headers.octets..<head.headers.octets + bodyLength }
}
