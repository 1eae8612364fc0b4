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
    /// Heads of events in one frame, and of those that start in an earlier frame.
    private var heads = (RecordHead(), RecordHead())

    init(_ ways: JSONWays) {
        self.ways = ways
    }

    /// Appends the record of an event to `json`, where `write` serializes it in full; returns false if no template is
    /// possible. `outline` is memory for that of the event.
    @inline(__always)
    mutating func record(
        _ event: Event, _ outline: inout RecordOutline, _ json: inout JSONWriter, _ write: (inout JSONWriter) -> Void
    ) -> Bool {
        outline.clear()
        guard event.message.outline(&outline), let routine = event.routine, Self.isRegular(routine) else {
            return false
        }
        let kind = RecordTemplate.Kind(routine, outline)
        if !copy(routine, outline, kind, &json) {
            var labeled = RecordOutline()
            guard event.message.outline(&labeled), labeled.numbers.count == outline.numbers.count else { return false }
            writeAnew(routine, labeled, kind, &json, write)
        }
        return true
    }

    /// Appends the record of a routine event, given its outline; returns false if there is no template.
    @inline(__always)
    mutating func copy(
        _ event: RoutineEvent, _ outline: borrowing RecordOutline, _ json: inout JSONWriter
    ) -> Bool {
        guard Self.isRegular(event) else { return false }
        return copy(event, outline, RecordTemplate.Kind(event, outline), &json)
    }

    @inline(__always)
    private mutating func copy(
        _ event: RoutineEvent, _ outline: borrowing RecordOutline, _ kind: RecordTemplate.Kind,
        _ json: inout JSONWriter
    ) -> Bool {
        guard let place = place(of: kind), templates[place].state == .proven else { return false }
        templates[place].put(event, outline)
        open(event, &json)
        json.append(templates[place].octets)
        return true
    }

    /// Whether the head of a record has the usual form.
    @inline(__always)
    private static func isRegular(_ event: RoutineEvent) -> Bool {
        event.offset >= 0 && event.time.nanoseconds >= 0
    }

    /// Appends the members before those of the template.
    @inline(__always)
    private mutating func open(_ event: RoutineEvent, _ json: inout JSONWriter) {
        if event.firstFrame == nil {
            heads.0.put(event)
            json.append(heads.0.octets)
        } else {
            heads.1.put(event)
            json.append(heads.1.octets)
        }
        json.append { ways.write(event.flow, event.direction, event.source, event.destination, to: &$0) }
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
        _ event: RoutineEvent, _ outline: borrowing RecordOutline, _ kind: RecordTemplate.Kind,
        _ json: inout JSONWriter, _ write: (inout JSONWriter) -> Void
    ) {
        let start = json.octets.count
        write(&json)
        var opening = JSONWriter()
        open(event, &opening)
        let line = json.octets[start...]
        let body = line.starts(with: opening.octets) ? Array(line.dropFirst(opening.octets.count)) : []
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
