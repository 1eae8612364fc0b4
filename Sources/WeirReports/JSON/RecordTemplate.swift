import WeirEngine
import WeirPackets

/// The record of a message from `protocol` on, with placeholders for the numbers of similar messages.
struct RecordTemplate {
    /// The properties of messages whose records differ in numbers only.
    struct Kind: Equatable, Sendable {
        private let type: ObjectIdentifier
        private let rest: SIMD4<UInt64>
        private let places: UInt64
        private let numbers: Int
        private let hasSession: Bool
        private let hasStream: Bool

        @inline(__always)
        init(_ event: borrowing RoutineEvent, _ outline: borrowing RecordOutline) {
            type = event.type
            rest = outline.rest
            places = outline.places
            numbers = outline.numbers.count
            hasSession = event.session != nil
            hasStream = event.stream != nil
        }

        /// A hash of the kind.
        @inline(__always)
        var mixed: UInt64 {
            var mixed = UInt64(UInt(bitPattern: type)) ^ places << 2 ^ (hasSession ? 1 : 0) ^ (hasStream ? 2 : 0)
            for index in 0..<4 { mixed = (mixed ^ mixed >> 32 ^ rest[index]) &* 0x9E37_79B9_7F4A_7C15 }
            return mixed ^ mixed >> 32
        }
    }

    /// Whether the template is used.
    enum State {
        /// Under verification: the record of the next message is serialized and compared.
        case onTrial
        /// Verified: it reproduced the record of a second message.
        case proven
        /// Rejected.
        case useless
    }

    private(set) var state = State.useless
    /// The record, once it is verified for each number of a stream modulo 8: among messages of few streams, few numbers have
    /// another number of digits than those before.
    private var texts = [NumberedOctets()]
    /// The index of the one with the numbers of the latest message.
    private var latest = 0
    private static let streams = 8
    /// For each number in it, its index in the outline, or that of an identifier of the event.
    private var sources: [Int] = []

    /// The record, with the numbers of the latest message.
    private var octets: [UInt8] { texts[latest].octets }

    /// Appends the record to others.
    @inline(__always)
    borrowing func write(to record: inout [UInt8]) { texts.span[latest].write(to: &record) }

    /// Creates an empty template.
    init() {}

    /// Creates a template by splitting the `written` record of a message at its numbers.
    ///
    /// - Parameter outline: The outline with labels; it has as many numbers as that of the kind.
    init(_ written: [UInt8], _ event: borrowing RoutineEvent, _ outline: borrowing RecordOutline) {
        var cutter = RecordCutter(written)
        let isCut = cutter.cut(event, outline)
        texts = [cutter.text]
        sources = cutter.sources
        state = isCut && written == octets ? .onTrial : .useless
    }

    /// Inserts the numbers of another message, which begin at an index of `numbers`, and the identifiers of its event.
    @inline(__always)
    mutating func put(session: Int?, stream: Int?, _ numbers: Span<Int>, from first: Int = 0) {
        let stream = stream ?? 0
        latest = stream & (texts.count &- 1)
        Self.put(numbers, first, session: session ?? 0, stream: stream, by: sources, in: &texts[latest])
    }

    @inline(__always)
    private static func put(
        _ numbers: Span<Int>, _ first: Int, session: Int, stream: Int, by sources: [Int], in text: inout NumberedOctets
    ) {
        text.put { index in
            switch sources[index] {
            case RecordCutter.session: session
            case RecordCutter.stream: stream
            default: numbers[first &+ sources[index]]
            }
        }
    }

    /// Verifies the template against a serialized record.
    mutating func prove(_ written: [UInt8]) {
        state = written == octets ? .proven : .useless
        if state == .proven { texts = [NumberedOctets](repeating: texts[0], count: Self.streams) }
    }
}
