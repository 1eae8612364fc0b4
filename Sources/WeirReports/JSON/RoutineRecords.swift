import WeirEngine

/// Routine messages on the way to the thread that copies their records.
struct RoutineRecords: Sendable {
    /// A message.
    struct Record: Sendable {
        let event: RoutineEvent
        /// The index of the template.
        let template: Int
        /// The index of its first number in `numbers`.
        let firstNumber: Int
    }

    private(set) var records: [Record] = []
    /// The numbers of all messages, in the order of their outlines.
    private(set) var numbers: [Int] = []

    /// Creates an empty list with room for a number of messages.
    init(capacity: Int = 0) {
        records.reserveCapacity(capacity)
        numbers.reserveCapacity(8 * capacity)
    }

    /// Adds a message.
    mutating func append(_ event: RoutineEvent, _ outline: borrowing RecordOutline, template: Int) {
        records.append(Record(event: event, template: template, firstNumber: numbers.count))
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
