import WeirPackets

/// A conversation whose messages are carried whole inside those of a flow: its reader, or its messages so far if the
/// protocol is undecided.
final class CarriedConversation {
    /// A message that arrived before the protocol was recognized.
    struct Kept {
        /// The accounted size of each enclosing message.
        private static let enclosingOctets = 1_024

        var message: CarriedMessage
        let moment: EventContext
        let place: BytePosition
        /// The start of the bytes from which the enclosing message was read.
        let around: BytePosition?

        /// The accounted size.
        var octets: Int { message.octets.count &+ message.enclosing.count &* Self.enclosingOctets }
    }

    enum Reading {
        /// Every message is probed.
        case undecided
        /// A dissector reads one message at a time.
        case messages(MessageReader)
        /// A dissector reads the messages as one continuous stream.
        case stream(StreamReader)
    }

    /// A dissector that reads one message at a time.
    final class MessageReader {
        var dissector: any Dissector
        let outlet = Outlet()

        init(_ dissector: any Dissector) {
            self.dissector = dissector
        }
    }

    /// The name of the protocol whose messages carry the conversation.
    let carrier: String
    var reading = Reading.undecided
    /// Buffered messages that may belong to a dissector that needs more data, oldest first.
    private(set) var kept: [Kept] = []
    private(set) var keptOctets = 0
    /// The number of messages probed.
    var looks = 0
    /// Whether buffered messages were discarded.
    private(set) var hasForgotten = false

    /// Creates an undecided conversation.
    init(carrier: String) {
        self.carrier = carrier
    }

    /// Buffers a message, and discards the oldest messages beyond the limits.
    func keep(_ message: Kept, octets: Int, messages: Int) {
        kept.append(message)
        keptOctets &+= message.octets
        var surplus = 0
        while surplus < kept.count, keptOctets > octets || kept.count &- surplus > messages {
            keptOctets &-= kept[surplus].octets
            surplus &+= 1
        }
        guard surplus > 0 else { return }
        kept.removeFirst(surplus)
        hasForgotten = true
    }

    /// Removes the enclosing messages of the last buffered message after they were emitted.
    func removeEnclosingOfLast() {
        guard var last = kept.popLast() else { return }
        keptOctets &-= last.octets
        last.message.enclosing = []
        kept.append(last)
        keptOctets &+= last.octets
    }

    /// Removes the last buffered message.
    func forgetLast() {
        guard let last = kept.popLast() else { return }
        keptOctets &-= last.octets
    }

    /// Returns and removes the buffered messages.
    func takeKept() -> [Kept] {
        defer { forgetKept() }
        return kept
    }

    /// Records that buffered messages are discarded because the shared budget is exceeded.
    func giveWay() { hasForgotten = hasForgotten || !kept.isEmpty }

    /// Removes the buffered messages.
    func forgetKept() {
        kept = []
        keptOctets = 0
    }

    /// Returns the buffered bytes of one direction.
    func said(_ direction: Direction) -> [UInt8] {
        kept.filter { $0.message.direction == direction }.flatMap(\.message.octets)
    }
}
