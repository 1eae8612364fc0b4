import WeirEngine
import WeirPackets

/// Writes the records of frequent messages, such as those of single media packets, of which there are a hundred or a
/// thousand for each other event.
///
/// Their records differ in a few numbers. So a record that was serialized once becomes the template of all similar
/// ones.
struct RecordTemplates {
    private let ways: JSONWays
    /// The kinds of which records are copied.
    let proven = ProvenKinds()
    private var kinds = KindTable()
    private var templates = [RecordTemplate](repeating: RecordTemplate(), count: KindTable.most)
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
        guard event.message.outline(&outline), let routine = event.routine, RecordHead.suits(routine) else {
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
        guard RecordHead.suits(event) else { return false }
        return copy(event, outline, RecordTemplate.Kind(event, outline), &json)
    }

    @inline(__always)
    private mutating func copy(
        _ event: RoutineEvent, _ outline: borrowing RecordOutline, _ kind: RecordTemplate.Kind,
        _ json: inout JSONWriter
    ) -> Bool {
        guard let place = kinds.place(of: kind), templates[place].state == .proven else { return false }
        copy(event, outline.numbers.span, at: place, &json)
        return true
    }

    /// Appends the record of a routine event of a proven kind, given the index of its template; its numbers begin at an
    /// index of `numbers`.
    @inline(__always)
    mutating func copy(
        _ event: borrowing RoutineEvent, _ numbers: Span<Int>, from first: Int = 0, at place: Int,
        _ json: inout JSONWriter
    ) {
        templates[place].put(session: event.session, stream: event.stream, numbers, from: first)
        open(event, &json)
        json.append { templates.span[place].write(to: &$0) }
    }

    /// Appends the members before those of the template.
    @inline(__always)
    private mutating func open(_ event: borrowing RoutineEvent, _ json: inout JSONWriter) {
        if event.firstFrame == nil {
            heads.0.put(event)
            json.append { heads.0.write(to: &$0) }
        } else {
            heads.1.put(event)
            json.append { heads.1.write(to: &$0) }
        }
        let (flow, direction, source, destination) = (event.flow, event.direction, event.source, event.destination)
        json.append { ways.write(flow, direction, source, destination, to: &$0) }
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
        if let place = kinds.place(of: kind) {
            guard templates[place].state == .onTrial else { return }
            templates[place].put(session: event.session, stream: event.stream, outline.numbers.span)
            templates[place].prove(body)
            if templates[place].state == .proven { proven.append(kind, at: place) }
        } else {
            made &+= 1
            let places = kinds.places(for: kind).filter { templates[$0].state != .proven }
            guard !places.isEmpty else { return }
            let place = places.first { kinds[$0] == nil } ?? places[made % places.count]
            kinds[place] = kind
            templates[place] = RecordTemplate(body, event, outline)
        }
    }
}
