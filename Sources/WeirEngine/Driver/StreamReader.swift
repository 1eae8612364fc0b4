package import WeirPackets

/// A dissector and what it reads: both sides of a connection, or of a conversation that travels inside others.
final class StreamReader {
    var dissector: any Dissector
    let fromClient: StreamSide
    let fromServer: StreamSide
    let outlet: Outlet
    /// Whether it reads what other dissectors hand on.
    let isInner: Bool

    init(_ dissector: any Dissector, fromClient: StreamSide, fromServer: StreamSide, outlet: Outlet, isInner: Bool) {
        self.dissector = dissector
        self.fromClient = fromClient
        self.fromServer = fromServer
        self.outlet = outlet
        self.isInner = isInner
    }

    /// Whether the dissector itself finds the next message after a gap.
    var findsStarts: Bool { type(of: dissector).findsStarts }

    func side(_ direction: Direction) -> StreamSide {
        direction == .clientToServer ? fromClient : fromServer
    }
}

/// One direction of a stream, on its way to a dissector.
package final class StreamSide {
    /// Where it is. A fast path changes all of it for each segment: it is one value, whose use is checked once.
    private struct Place {
        var consumed = 0
        var waitingFrame = 0
        var isAhead = false

        /// Goes on for a fast path: says from where to where.
        mutating func advance(by used: Int, frame: Int?) -> (start: Int, end: Int) {
            let start = consumed
            consumed = start &+ used
            isAhead = true
            if let frame { waitingFrame = frame }
            return (start, consumed)
        }
    }

    /// What waits.
    package var buffer = StreamBuffer()
    private var place = Place()
    /// Octets of the stream that were handed to the dissector and used, or passed over.
    package var consumed: Int {
        get { place.consumed }
        set { place.consumed = newValue }
    }
    /// The frame that brought the first octet that waits.
    var waitingFrame: Int {
        get { place.waitingFrame }
        set { place.waitingFrame = newValue }
    }
    /// The segments that brought what waits.
    private(set) var segments: [WaitingSegment] = []
    /// Octets that the snap length cut off segments, and that have not yet shown as a gap.
    var cutOctets = 0
    /// Whether a message start has to be found first: after a gap, a broken message, or a late start.
    var isLost = false
    /// Whether a fast path may take octets where the unused ones begin, without the dissector.
    package var isBetweenMessages = false
    /// Whether some were taken since the dissector read last.
    var isAhead: Bool {
        get { place.isAhead }
        set { place.isAhead = newValue }
    }

    package init() {}

    /// What brought the octets that were handed on last.
    private var latestPlace: Delivery.Place?

    /// Where the octets are told that come next, which `arrival` brought, or behind which it shows a hole: those that waited
    /// for others are complete with the segment that brought these.
    func place(of arrival: Delivery.Place) -> Delivery.Place {
        if let latestPlace, latestPlace.frame > arrival.frame { return latestPlace }
        latestPlace = arrival
        return arrival
    }

    /// Takes note of what brought the octets offered last, from `start` on, if some of them wait.
    func noteWaiting(from start: Int, origin: Int, _ moment: EventContext) {
        let segment = WaitingSegment(start: start, origin: origin, frame: moment.frame, time: moment.time)
        note(segment, waits: !buffer.isEmpty, consumed)
    }

    private func note(_ segment: WaitingSegment, waits: Bool, _ consumed: Int) {
        if waits {
            segment.join(&segments, consumed: consumed)
        } else if !segments.isEmpty {
            segments.removeAll()
        }
    }

    /// Lends what waits to a fast path, which gives it back: what it does with it is checked once then, not at each step.
    package func lend() -> StreamBuffer {
        var lent = StreamBuffer()
        swap(&lent, &buffer)
        return lent
    }

    /// Takes back what was lent.
    ///
    /// - Parameters:
    ///   - waited: octets that waited when it was lent.
    ///   - used: octets that were used, of those that waited and of the segment.
    ///   - isFresh: whether what waits now begins in this frame.
    package func takeBack(
        _ lent: consuming StreamBuffer, waited: Int, used: Int, isFresh: Bool, frame: Int, time: Timestamp
    ) {
        let waits = !lent.isEmpty
        buffer = lent
        let (start, end) = place.advance(by: used, frame: isFresh ? frame : nil)
        note(
            WaitingSegment(start: start &+ waited, origin: frame, frame: frame, time: time), waits: waits, end)
    }

    /// Where the segments begin in what waits.
    var starts: [Int] { segments.map { max(0, $0.start - consumed) } }

    /// Nothing waits any more: hands over what brought it.
    func takeSegments() -> [WaitingSegment] {
        defer { segments = [] }
        return segments
    }
}

/// A conversation that several flows carry together, such as one that is tunnelled over two connections.
final class Conversation {
    var key: String
    let reader: StreamReader
    var session: Session?
    /// The flows that take part, in order.
    var flows: [Int: FlowState] = [:]
    /// The names of its halves that were seen, where each half is a connection.
    private var halves: Set<String> = []

    init(key: String, dissector: any Dissector) {
        self.key = key
        reader = StreamReader(
            dissector, fromClient: StreamSide(), fromServer: StreamSide(), outlet: Outlet(), isInner: true)
    }

    /// Whether each half is a connection of its own.
    var hasHalves: Bool { !halves.isEmpty }

    /// Takes note of one half of two; says whether the other is still to come.
    func lacksHalf(beside half: String) -> Bool {
        halves.insert(half)
        return halves.count < 2
    }
}
