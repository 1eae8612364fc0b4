import WeirEngine

/// Routine messages on the way to the thread that copies their records.
struct RoutineRecords: Sendable {
    /// What is needed to copy the record of a message.
    struct Copy: Sendable {
        /// The index of the template.
        let template: Int
        /// The index of its first number in `numbers`.
        let firstNumber: Int
    }

    /// The messages, apart from `copies`: an event is not moved once more to be next to its copy.
    private(set) var events: [RoutineEvent] = []
    private(set) var copies: [Copy] = []
    /// The numbers of all messages, in the order of their outlines.
    private(set) var numbers: [Int] = []

    /// Creates an empty list with room for a number of messages.
    init(capacity: Int = 0) {
        events.reserveCapacity(capacity)
        copies.reserveCapacity(capacity)
        numbers.reserveCapacity(8 * capacity)
    }

    /// Adds a message.
    mutating func append(_ event: RoutineEvent, _ outline: borrowing RecordOutline, template: Int) {
        events.append(event)
        copies.append(Copy(template: template, firstNumber: numbers.count))
        numbers.append(contentsOf: outline.numbers)
    }
}

/// A report that copies the records of routine messages from templates, also for messages of another thread.
protocol CopyingReport: Report {
    /// The kinds of which it copies the records.
    var provenKinds: ProvenKinds { get }
    /// Writes the records of the messages in a range.
    func copy(_ messages: borrowing RoutineRecords, _ range: Range<Int>)
}
