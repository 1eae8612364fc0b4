import WeirPackets

/// A conversation whose messages travel whole inside those of a flow: what reads it, or what was said while nobody did.
final class CarriedConversation {
    /// A message that came before it was known whose it is.
    struct Kept {
        /// What the messages around it count for, each.
        private static let enclosingOctets = 1_024

        var message: CarriedMessage
        let moment: EventContext
        let place: BytePosition
        /// Where the bytes begin that the message around it was read from.
        let around: BytePosition?

        /// Octets that it takes.
        var octets: Int { message.octets.count &+ message.enclosing.count &* Self.enclosingOctets }
    }

    enum Reading {
        /// Each message is looked at.
        case undecided
        /// One message at a time.
        case messages(MessageReader)
        /// As a stream, which goes on from one message to the next.
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

    /// The protocol whose messages carry it.
    let carrier: String
    var reading = Reading.undecided
    /// What may belong to a dissector that needs more, the oldest first.
    private(set) var kept: [Kept] = []
    private(set) var keptOctets = 0
    /// How many messages were looked at.
    var looks = 0
    /// Whether some of it had to give way.
    private(set) var hasForgotten = false

    /// Begins undecided.
    init(carrier: String) {
        self.carrier = carrier
    }

    /// Keeps a message; the oldest ones give way.
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

    /// The messages around the one that was kept last have been told.
    func toldEnclosing() {
        guard var last = kept.popLast() else { return }
        keptOctets &-= last.octets
        last.message.enclosing = []
        kept.append(last)
        keptOctets &+= last.octets
    }

    /// Forgets the message that was kept last.
    func forgetLast() {
        guard let last = kept.popLast() else { return }
        keptOctets &-= last.octets
    }

    /// Hands over what was kept.
    func takeKept() -> [Kept] {
        defer { forgetKept() }
        return kept
    }

    /// What is kept has to give way, as all conversations together keep too much.
    func giveWay() { hasForgotten = hasForgotten || !kept.isEmpty }

    /// Forgets what was kept.
    func forgetKept() {
        kept = []
        keptOctets = 0
    }

    /// What one side said, as far as it was kept, in one piece.
    func said(_ direction: Direction) -> [UInt8] {
        kept.filter { $0.message.direction == direction }.flatMap(\.message.octets)
    }
}
