import WeirEngine
import WeirPackets

/// Writes the records of messages of which there are a hundred or a thousand for each other event, such as those of single
/// packets of media.
///
/// What they say differs in a few numbers. So a record that was written once, member by member, becomes the template of all
/// that are like it.
struct RecordTemplates {
    /// Templates that are kept at once.
    private static let most = 256
    /// Each has so many places that it may stand at.
    private static let choice = 4

    private let ways: JSONWays
    private var templates = [RecordTemplate](repeating: RecordTemplate(), count: most)
    /// How many were made.
    private var made = 0
    private var outline = RecordOutline()
    /// Of events in one frame, and of those that begin in an earlier one.
    private var heads = (RecordHead(), RecordHead())

    init(_ ways: JSONWays) {
        self.ways = ways
    }

    /// Appends the record of an event to `json`, which `write` does member by member; false when it may be like no other.
    @inline(__always)
    mutating func record(_ event: Event, _ json: inout JSONWriter, _ write: (inout JSONWriter) -> Void) -> Bool {
        outline.clear()
        guard event.message.outline(&outline), Self.isRegular(event) else { return false }
        let kind = RecordTemplate.Kind(event, outline)
        guard let place = place(of: kind), templates[place].state == .proven else {
            writeAnew(event, kind, &json, write)
            return true
        }
        templates[place].put(event, outline)
        json.append(head(of: event))
        json.append(ways.members(of: event))
        json.append(templates[place].octets)
        return true
    }

    /// Whether the record has nothing but what the message determines, and the members that all have.
    @inline(__always)
    private static func isRegular(_ event: Event) -> Bool {
        guard case .none = event.note else { return false }
        return event.offset >= 0 && event.time.nanoseconds >= 0 && event.remarks.isEmpty && !event.isAnswer
    }

    @inline(__always)
    private mutating func head(of event: Event) -> [UInt8] {
        event.firstFrame == nil ? heads.0.octets(of: event) : heads.1.octets(of: event)
    }

    /// Where the template of a kind is, if there is one.
    @inline(__always)
    private func place(of kind: RecordTemplate.Kind) -> Int? {
        let first = kind.mixed
        for step in 0..<Self.choice {
            let place = Self.place(first, step)
            if templates[place].kind == kind { return place }
        }
        return nil
    }

    /// One of the places at which a kind may be.
    @inline(__always)
    private static func place(_ mixed: UInt64, _ step: Int) -> Int {
        Int(truncatingIfNeeded: mixed &+ UInt64(step)) & (most - 1)
    }

    /// Writes a record member by member, and makes a template of it, or proves the one there is.
    @inline(never)
    private mutating func writeAnew(
        _ event: Event, _ kind: RecordTemplate.Kind, _ json: inout JSONWriter, _ write: (inout JSONWriter) -> Void
    ) {
        let start = json.octets.count
        write(&json)
        let opening = head(of: event) + ways.members(of: event)
        let line = json.octets[start...]
        let body = line.starts(with: opening) ? Array(line.dropFirst(opening.count)) : []
        if let place = place(of: kind) {
            guard templates[place].state == .onTrial else { return }
            templates[place].put(event, outline)
            templates[place].prove(body)
        } else {
            made &+= 1
            let places = (0..<Self.choice).map { Self.place(kind.mixed, $0) }
            let place = places.first { templates[$0].kind == nil } ?? places[made % Self.choice]
            templates[place] = RecordTemplate(kind, body, event, outline)
        }
    }
}
