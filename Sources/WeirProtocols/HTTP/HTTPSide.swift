import WeirEngine
import WeirPackets

/// What is known of one direction of an HTTP connection: the message at hand.
struct HTTPSide {
    /// A message that is there to its end.
    struct Ended {
        var message: HTTPMessage
        /// In the bytes at hand; it may begin before them.
        var range: Range<Int>
        /// The body, without the framing of chunks; empty when it was not worth keeping.
        var content: [UInt8]
        /// Where the body stands in the bytes at hand, as it is; nil when it does not.
        var contentRange: Range<Int>?
        /// Where its last octet was read, when that is over.
        var place: ReadingPlace?
    }

    var reader: HTTPReader
    /// Whether a message start has to be found first.
    var isLost = false
    /// Whether the body at hand is kept.
    private(set) var keeps = false
    /// Octets of the body at hand.
    private(set) var contentOctets = 0

    private let budget: SharedOctetBudget
    private let limit: Int
    private var message: HTTPMessage?
    /// Where the message begins, in the bytes at hand; negative when that was in earlier ones.
    private var start = 0
    private var content: [UInt8] = []
    private var contentRange: Range<Int>?
    /// Where the last octet of a body was read that ends with the connection.
    private var lastPlace: ReadingPlace?
    /// Octets that were used when something was used last.
    private var lastUsed = 0

    init(_ flow: FlowContext) {
        reader = HTTPReader(flow.limitsReference)
        budget = flow.messageBudget
        limit = flow.limits.messageOctets
    }

    /// A head begins at `start`.
    mutating func begin(_ message: HTTPMessage, _ start: Int, _ outlet: Outlet, keeps: Bool) {
        drop()
        isLost = false
        self.message = message
        self.message?.firstFrame = outlet.frame(at: start)
        self.start = start
        self.keeps = keeps
    }

    /// Octets of the body.
    mutating func keep(_ bytes: RawSpan, _ range: Range<Int>, _ outlet: Outlet) {
        contentOctets &+= range.count
        if reader.isOpenEnded { lastPlace = outlet.place }
        guard keeps else { return }
        guard content.count &+ range.count <= limit, budget.take(range.count) == range.count else {
            outlet.remark(Remark(Text("limit.body")))
            return spoil()
        }
        contentRange = content.isEmpty ? range : nil
        bytes.clamped(range.lowerBound, range.upperBound).append(to: &content)
    }

    /// The body is not complete: it says nothing.
    mutating func spoil() {
        keeps = false
        budget.giveBack(content.count)
        content = []
        contentRange = nil
    }

    /// Forgets the message at hand.
    mutating func drop() {
        spoil()
        message = nil
        contentOctets = 0
    }

    /// The message ends at `end`.
    mutating func end(_ end: Int) -> Ended? {
        defer { drop() }
        guard var message else { return nil }
        message.bodyLength = contentOctets
        return Ended(message: message, range: min(start, end)..<end, content: content, contentRange: contentRange)
    }

    /// The connection has ended, and with it a body without another end.
    mutating func close() -> Ended? {
        guard reader.isOpenEnded else { return nil }
        start &+= lastUsed
        var ended = end(lastUsed)
        ended?.place = lastPlace
        return ended
    }

    /// So many octets were used: what was found lies that much further back now.
    mutating func used(_ octets: Int) {
        start &-= octets
        if octets > 0 { lastUsed = octets }
        contentRange = nil
        if message == nil { start = 0 }
    }
}
