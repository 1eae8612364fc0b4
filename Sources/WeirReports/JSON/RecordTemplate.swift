import WeirEngine
import WeirPackets

/// The record of a message from `protocol` on, with placeholders for the numbers of similar messages.
struct RecordTemplate {
    /// The properties of messages whose records differ in numbers only.
    struct Kind: Equatable {
        private let type: ObjectIdentifier
        private let rest: SIMD4<UInt64>
        private let places: UInt64
        private let hasSession: Bool
        private let hasStream: Bool

        @inline(__always)
        init(_ event: Event, _ outline: RecordOutline) {
            type = Self.type(of: event.message)
            rest = outline.rest
            places = outline.places
            hasSession = event.session != nil
            hasStream = event.stream != nil
        }

        /// Opening the existential here avoids a copy of the message.
        @inline(__always)
        private static func type<M: Message>(of message: borrowing M) -> ObjectIdentifier { ObjectIdentifier(M.self) }

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

    /// The kind, or nil for an empty template.
    let kind: Kind?
    private(set) var state = State.useless
    private var text = NumberedOctets()

    /// The record, with the numbers of the latest message.
    var octets: [UInt8] { text.octets }

    /// Creates an empty template.
    init() {
        kind = nil
    }

    /// Creates a template by splitting the `written` record of a message at its numbers.
    init(_ kind: Kind, _ written: [UInt8], _ event: Event, _ outline: RecordOutline) {
        self.kind = kind
        var cutter = RecordCutter(written)
        let isCut = cutter.cut(event, outline)
        text = cutter.text
        state = isCut && written == text.octets ? .onTrial : .useless
    }

    /// Inserts the numbers of another message.
    @inline(__always)
    mutating func put(_ event: Event, _ outline: RecordOutline) {
        var place = 0
        for index in outline.numbers.indices where outline.numbers[index].words != nil {
            text.put(outline.numbers[index].value, at: place)
            place &+= 1
        }
        if let session = event.session {
            text.put(session, at: place)
            place &+= 1
        }
        if let stream = event.stream {
            text.put(stream, at: place)
            place &+= 1
        }
        for index in outline.numbers.indices where outline.numbers[index].field != nil {
            text.put(outline.numbers[index].value, at: place)
            place &+= 1
        }
    }

    /// Verifies the template against a serialized record.
    mutating func prove(_ written: [UInt8]) {
        state = written == text.octets ? .proven : .useless
    }
}
