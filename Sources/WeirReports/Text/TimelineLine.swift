import WeirEngine
import WeirPackets

/// A line of the timeline that the next step may extend.
struct TimelineLine {
    /// Position and kind of a step, which are needed after its text is written.
    struct Place {
        let time: Timestamp
        let offset: Int64
        let frame: Int
        let flow: Int
        let direction: Direction
        let phase: Phase?
        let protocolName: String
        let kind: String

        init(_ event: borrowing Event, _ phase: Phase?) {
            (time, offset, frame, flow) = (event.time, event.offset, event.frame, event.flow)
            (direction, self.phase) = (event.direction, phase)
            (protocolName, kind) = (event.message.protocolName, event.message.kind)
        }
    }

    /// The first step.
    let first: Place
    let isForward: Bool
    /// The text so far, as UTF-8.
    var text: [UInt8]
    /// The text at the right edge.
    var aside: String
    /// The explanation, if not given before: the key of the sentence, and the sentence.
    var explanation: (key: String, sentence: String)?
    /// The short text of a step that may share a line with its neighbors, or nil.
    var brief: [UInt8]?
    /// The number of steps.
    var steps = 1
    /// The last step.
    var last: Place
    /// Whether steps of both directions are included.
    var isBothWays = false

    /// The length in octets after which a line is not extended.
    private static let mostOctets = 320

    init(
        _ event: borrowing Event, in phase: Phase?, isForward: Bool, text: [UInt8], aside: String,
        explanation: (key: String, sentence: String)?, brief: [UInt8]?
    ) {
        let place = Place(event, phase)
        (first, last, self.isForward) = (place, place, isForward)
        (self.text, self.aside, self.explanation, self.brief) = (text, aside, explanation, brief)
    }

    /// Appends a step of the same frame, or a neighbor with short text; returns false if it needs a line of its own.
    mutating func append(_ next: TimelineLine, comma: String, protocolLabel: (String) -> String) -> Bool {
        let isShort = text.count + next.text.count <= Self.mostOctets
        if let brief, let words = next.brief {
            guard isShort, first.protocolName == next.first.protocolName,
                first.phase == next.first.phase
            else { return false }
            if steps == 1 { text = brief }
            text += Array(comma.utf8) + words
            explanation = nil
            isBothWays = isBothWays || isForward != next.isForward
        } else {
            guard isShort, last.frame == next.first.frame, first.flow == next.first.flow,
                first.direction == next.first.direction, first.phase == next.first.phase,
                aside.isEmpty || next.aside.isEmpty || aside == next.aside
            else { return false }
            brief = nil
            text += Array(" · ".utf8)
            let name = next.first.protocolName
            if last.protocolName != name { text += Array((protocolLabel(name) + " ").utf8) }
            text += next.text
            if aside.isEmpty { aside = next.aside }
            if explanation == nil { explanation = next.explanation }
        }
        steps += 1
        last = next.first
        return true
    }
}
