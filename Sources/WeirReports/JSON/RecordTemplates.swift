import WeirEngine
import WeirPackets

/// Writes the records of frequent messages, such as those of single media packets, of which there are a hundred or a
/// thousand for each other event.
///
/// Their records differ in a few numbers. So a record that was serialized once becomes the template of all similar
/// ones.
struct RecordTemplates {
    /// The number of templates.
    private static let most = 256
    /// The number of candidate indices per kind.
    private static let choice = 4

    private let ways: JSONWays
    private var templates = [RecordTemplate](repeating: RecordTemplate(), count: most)
    /// The number of templates created.
    private var made = 0
    private var outline = RecordOutline()
    /// Heads of events in one frame, and of those that start in an earlier frame.
    private var heads = (RecordHead(), RecordHead())

    init(_ ways: JSONWays) {
        self.ways = ways
    }

    /// Appends the record of an event to `json`, where `write` serializes it in full; returns false if no template is
    /// possible.
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

    /// Whether the record consists of members determined by the message, and of those that all records have.
    @inline(__always)
    private static func isRegular(_ event: Event) -> Bool {
        guard case .none = event.note else { return false }
        return event.offset >= 0 && event.time.nanoseconds >= 0 && event.remarks.isEmpty && !event.isAnswer
            && event.decryption == nil
    }

    @inline(__always)
    private mutating func head(of event: Event) -> [UInt8] {
        event.firstFrame == nil ? heads.0.octets(of: event) : heads.1.octets(of: event)
    }

    /// Returns the index of the template of a kind, or nil if there is none.
    @inline(__always)
    private func place(of kind: RecordTemplate.Kind) -> Int? {
        let first = kind.mixed
        for step in 0..<Self.choice {
            let place = Self.place(first, step)
            if templates[place].kind == kind { return place }
        }
        return nil
    }

    /// Returns a candidate index for a kind.
    @inline(__always)
    private static func place(_ mixed: UInt64, _ step: Int) -> Int {
        Int(truncatingIfNeeded: mixed &+ UInt64(step)) & (most - 1)
    }

    /// Serializes a record in full, and creates a template of it, or verifies the existing one.
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
