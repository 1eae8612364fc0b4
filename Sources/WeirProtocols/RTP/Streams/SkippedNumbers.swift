/// Sequence numbers that the sender skipped when media was stopped, restarted or seeked.
package struct SkippedNumbers: Sendable {
    /// The number of them.
    package private(set) var count = 0
    /// Those of them inferred only from a pause or a timestamp jump.
    package private(set) var inferred = 0
    /// The longest run.
    package private(set) var longest = 0
    /// The position of the first run.
    package private(set) var first: SequenceGaps.Place?

    /// Records a run of numbers skipped, or possibly skipped.
    mutating func note(_ numbers: Int, _ place: SequenceGaps.Place, isInferred: Bool) {
        count &+= numbers
        if isInferred { inferred &+= numbers }
        longest = max(longest, numbers)
        if first == nil { first = place }
    }
}
