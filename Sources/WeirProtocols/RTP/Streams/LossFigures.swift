/// The lost packets of an ended stream.
struct LossFigures: Sendable {
    /// Packets lost. Recovered and skipped numbers are not.
    let lost: Int
    let expected: Int
    let isRepair: Bool
    let perhapsSkipped: Int
    let skipped: Int
    let undecided: Int
    /// The share of the expected packets that was lost.
    var ratio: Double { expected > 0 ? Double(lost) / Double(expected) : 0 }

    init(_ stream: borrowing MediaStream) {
        lost = stream.unrecovered
        expected = stream.sequence.expected
        isRepair = stream.isRepair
        perhapsSkipped = stream.skips.inferred
        skipped = stream.skips.count
        undecided = stream.undecided
    }
}
