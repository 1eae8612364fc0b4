import WeirEngine
import WeirPackets

/// The state of one direction of an HTTP connection.
struct HTTPSide {
    /// A complete message.
    struct Ended {
        var message: HTTPMessage
        /// The range in the current bytes; may start before them.
        var range: Range<Int>
        /// The body without chunk framing; empty if not kept.
        var content: [UInt8]
        /// The range of the body in the current bytes, or nil if it is not contiguous there.
        var contentRange: Range<Int>?
        /// The reading position of the last byte, if in earlier data.
        var place: ReadingPlace?
    }

    var reader: HTTPReader
    /// Whether the next message start must be searched for.
    var isLost = false
    /// Whether the current body is kept.
    private(set) var keeps = false
    /// Length of the current body so far, in bytes.
    private(set) var contentOctets = 0

    private let budget: SharedOctetBudget
    private let limit: Int
    private var message: HTTPMessage?
    /// The start of the message in the current bytes; negative if in earlier ones.
    private var start = 0
    private var content: [UInt8] = []
    private var contentRange: Range<Int>?
    /// The reading position of the latest byte of a body delimited by the end of the connection.
    private var lastPlace: ReadingPlace?
    /// The current body, if it is a transport stream that is passed on.
    private var transportStream: TransportStreamBody?
    /// Number of bytes consumed by the latest call.
    private var lastUsed = 0

    init(_ flow: FlowContext) {
        reader = HTTPReader(flow.limitsReference)
        budget = flow.messageBudget
        limit = flow.limits.messageOctets
    }

    /// Starts a message whose head is at `start`.
    mutating func begin(_ message: HTTPMessage, _ start: Int, _ outlet: Outlet, keeps: Bool) {
        drop()
        isLost = false
        self.message = message
        self.message?.firstFrame = outlet.frame(at: start)
        self.start = start
        self.keeps = keeps
    }

    /// Adds bytes of the body.
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

    /// Passes on a part of the body if the body is a transport stream: by its type, or by its first packets.
    mutating func passTransportStream(_ bytes: RawSpan, _ range: Range<Int>, _ outlet: Outlet) {
        guard let message, !range.isEmpty else { return }
        if contentOctets == range.count, transportStream == nil {
            let start = bytes.clamped(range.lowerBound, range.upperBound)
            guard HTTPInterest.isTransportStream(message, start) else { return }
            transportStream = TransportStreamBody()
            spoil()
            // Its counters need not continue those of an earlier body.
            outlet.packet("mpegts", channel: nil, 0..<0)
        }
        guard let passed = transportStream?.pass(range) else { return }
        outlet.packet("mpegts", channel: nil, passed)
    }

    /// Handles missing octets of a transport stream, which an empty packet marks.
    mutating func loseTransportStream(octets: Int, _ outlet: Outlet) {
        guard transportStream != nil else { return }
        transportStream?.lose(octets)
        outlet.packet("mpegts", channel: nil, 0..<0)
    }

    /// Discards the incomplete body.
    mutating func spoil() {
        keeps = false
        budget.returnBorrowed(content.count)
        content = []
        contentRange = nil
    }

    /// Discards the current message.
    mutating func drop() {
        spoil()
        message = nil
        contentOctets = 0
        transportStream = nil
    }

    /// Ends the message at `end`.
    mutating func end(_ end: Int) -> Ended? {
        defer { drop() }
        guard var message else { return nil }
        message.bodyLength = contentOctets
        return Ended(message: message, range: min(start, end)..<end, content: content, contentRange: contentRange)
    }

    /// Ends the connection, and with it a body without another delimiter.
    mutating func close() -> Ended? {
        guard reader.isOpenEnded else { return nil }
        start &+= lastUsed
        var ended = end(lastUsed)
        ended?.place = lastPlace
        return ended
    }

    /// Adjusts offsets after `octets` bytes were consumed.
    mutating func used(_ octets: Int) {
        start &-= octets
        if octets > 0 { lastUsed = octets }
        contentRange = nil
        if message == nil { start = 0 }
    }
}

/// The position in a body that is a transport stream.
private struct TransportStreamBody {
    /// Octets of the body so far, with those missing.
    private var position = 0
    /// Whether the next octet continues a packet that was passed on, or starts one.
    private var isAligned = true

    /// Returns the part of `range` to pass on: after missing octets, from the next start of a packet.
    mutating func pass(_ range: Range<Int>) -> Range<Int>? {
        let behind = position % TransportStream.packetLength
        let ignored = isAligned || behind == 0 ? 0 : TransportStream.packetLength - behind
        position &+= range.count
        guard ignored < range.count else { return nil }
        isAligned = true
        return range.lowerBound &+ ignored..<range.upperBound
    }

    /// Records that octets are missing.
    mutating func lose(_ octets: Int) {
        position &+= octets
        isAligned = false
    }
}
