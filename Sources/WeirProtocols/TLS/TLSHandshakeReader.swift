import WeirPackets

/// Joins the handshake messages in the records of one direction (RFC 8446 §5.1): a message may span records, and a
/// record may have several messages.
struct TLSHandshakeReader: Sendable {
    /// A message, with the type octet and its body without the header.
    struct Message {
        let type: UInt8
        /// The body; empty if it is longer than the limit.
        let body: [UInt8]
    }

    private static let headerOctets = 4

    private let mostOctets: Int
    private var waiting: [UInt8] = []
    /// Octets of a message that is too long to be stored.
    private var skipped = 0

    /// Whether a message was too long to be stored.
    private(set) var hasSkipped = false

    init(mostOctets: Int) {
        self.mostOctets = mostOctets
    }

    /// Whether a message is incomplete.
    var isWithinMessage: Bool { !waiting.isEmpty || skipped > 0 }

    /// Adds the content of a record, and returns the messages that it completes.
    mutating func add(_ bytes: RawSpan) -> [Message] {
        var offset = min(skipped, bytes.byteCount)
        skipped &-= offset
        var messages: [Message] = []
        if offset < bytes.byteCount { waiting += bytes.clamped(offset).array() }
        offset = 0
        let joined = waiting
        let all = joined.rawSpan
        while let type = all.byte(at: offset), let high = all.byte(at: offset &+ 1),
            let low = all.uint16(at: offset &+ 2)
        {
            let end = offset &+ Self.headerOctets &+ (Int(high) << 16) &+ Int(low)
            if end &- offset > mostOctets {
                hasSkipped = true
                messages.append(Message(type: type, body: []))
                skipped = max(0, end &- all.byteCount)
                offset = min(end, all.byteCount)
                continue
            }
            guard end <= all.byteCount else { break }
            messages.append(Message(type: type, body: all.clamped(offset &+ Self.headerOctets, end).array()))
            offset = end
        }
        if offset > 0 { waiting = all.clamped(offset).array() }
        return messages
    }

    /// Discards an incomplete message, whose rest is missing.
    mutating func discard() {
        waiting = []
        skipped = 0
    }
}
