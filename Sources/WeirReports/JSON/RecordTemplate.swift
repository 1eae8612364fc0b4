import WeirEngine
import WeirPackets

/// The record of a message from `protocol` on, with places for the numbers of others of its kind.
struct RecordTemplate {
    /// What messages have in common whose records differ in nothing but numbers.
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

        /// Opened like this, the message need not be copied.
        @inline(__always)
        private static func type<M: Message>(of message: borrowing M) -> ObjectIdentifier { ObjectIdentifier(M.self) }

        /// The same for equal kinds, and mostly another one for others.
        @inline(__always)
        var mixed: UInt64 {
            var mixed = UInt64(UInt(bitPattern: type)) ^ places << 2 ^ (hasSession ? 1 : 0) ^ (hasStream ? 2 : 0)
            for index in 0..<4 { mixed = (mixed ^ mixed >> 32 ^ rest[index]) &* 0x9E37_79B9_7F4A_7C15 }
            return mixed ^ mixed >> 32
        }
    }

    /// Whether records are put together.
    enum State {
        /// Not yet: that of the next message is written member by member, and compared.
        case onTrial
        /// Those of two messages came out as they were written.
        case proven
        /// They cannot be.
        case useless
    }

    /// Nil for the template of nothing.
    let kind: Kind?
    private(set) var state = State.useless
    private var text = NumberedOctets()

    /// The record, as far as the message determines it.
    var octets: [UInt8] { text.octets }

    /// The template of nothing.
    init() {
        kind = nil
    }

    /// Cuts at its numbers what was `written` of the record of a message.
    init(_ kind: Kind, _ written: [UInt8], _ event: Event, _ outline: RecordOutline) {
        self.kind = kind
        var cutter = RecordCutter(written)
        let isCut = cutter.cut(event, outline)
        text = cutter.text
        state = isCut && written == text.octets ? .onTrial : .useless
    }

    /// Puts the numbers of another message into their places.
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

    /// Decides whether to trust the template, which should say what was written.
    mutating func prove(_ written: [UInt8]) {
        state = written == text.octets ? .proven : .useless
    }
}
