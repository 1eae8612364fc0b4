import Testing
import WeirPackets

/// A segment of a conversation.
struct TestSegment {
    var direction = Direction.clientToServer
    var sequence: UInt32
    var acknowledgment: UInt32?
    var flags: TCPFlags = []
    var window: UInt16 = 65_535
    var payload: [UInt8] = []
    var missing = 0
    var milliseconds = 0

    var header: TCPSegment {
        var header = TCPSegment()
        header.sequence = Sequence32(sequence)
        header.flags = flags
        if let acknowledgment {
            header.acknowledgment = Sequence32(acknowledgment)
            header.flags.insert(.ack)
        }
        header.window = window
        return header
    }
}

/// The output of a connection: octets, and gaps with their positions in the stream.
struct TestStream: Equatable {
    struct Gap: Equatable {
        var position: Int
        var octets: Int
    }

    var octets: [UInt8] = []
    var gaps: [Gap] = []
    var length = 0

    mutating func take(_ more: [UInt8]) {
        octets += more
        length += more.count
    }

    mutating func skip(_ count: Int) {
        gaps.append(Gap(position: length, octets: count))
        length += count
    }
}

/// Feeds segments to a connection and records its output; also to a second one, by the call for most segments, whose
/// results have to be the same.
struct TCPHarness {
    var connection = TCPConnection()
    private var other = TCPConnection()
    private var otherBudget: OctetBudget
    var budget: OctetBudget
    var client = TestStream()
    var server = TestStream()
    var seen: Acceptance = []
    var frame = 0
    var mostUsed = 0

    init(perOwner: Int = 256 * 1024, total: Int = 64 * 1024 * 1024) {
        budget = OctetBudget(perOwner: perOwner, total: total)
        otherBudget = budget
    }

    /// Whether the connection's segments are out of order in the file.
    var isOutOfOrderInCapture: Bool {
        var copy = connection
        return copy.isOutOfOrderInCapture
    }

    @discardableResult
    mutating func feed(_ segment: TestSegment) -> Acceptance {
        frame += 1
        let time = Timestamp(nanoseconds: Int64(segment.milliseconds) * 1_000_000)
        let acceptance = connection.accept(
            segment.header, payload: segment.payload.rawSpan, missingOctets: segment.missing,
            direction: segment.direction, time: time, frame: frame, budget: &budget)
        seen.formUnion(acceptance)
        let deliveries = pull(segment.payload)
        mostUsed = max(mostUsed, budget.used)
        let reception = other.receive(
            segment.header, payload: segment.payload.rawSpan, missingOctets: segment.missing,
            direction: segment.direction, time: time, frame: frame, budget: &otherBudget)
        #expect(reception.accepted == acceptance)
        var others = reception.fresh.map { [Delivery(direction: segment.direction, content: .fresh($0))] } ?? []
        if others.isEmpty, !reception.isQuiet {
            while let delivery = other.next(budget: &otherBudget) { others.append(delivery) }
        }
        #expect(others.map { "\($0)" } == deliveries.map { "\($0)" })
        return acceptance
    }

    mutating func feed(_ segments: [TestSegment]) {
        for segment in segments { feed(segment) }
    }

    mutating func finish() {
        #expect("\(connection)" == "\(other)")
        connection.finish()
        pull([])
    }

    @discardableResult
    private mutating func pull(_ payload: [UInt8]) -> [Delivery] {
        var deliveries: [Delivery] = []
        while let delivery = connection.next(budget: &budget) {
            deliveries.append(delivery)
            switch delivery.content {
            case .fresh(let range): keep(delivery.direction) { $0.take(Array(payload[range])) }
            case .buffered(let octets, _, _): keep(delivery.direction) { $0.take(octets) }
            case .gap(let octets, _): keep(delivery.direction) { $0.skip(octets) }
            }
        }
        return deliveries
    }

    private mutating func keep(_ direction: Direction, _ change: (inout TestStream) -> Void) {
        if direction == .clientToServer { change(&client) } else { change(&server) }
    }
}
