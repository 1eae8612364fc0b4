/// What the rules have answered to a step in which they found nothing, and which may be repeated.
package final class RepeatedAnswers {
    /// How often each rule passed or did not apply, by rule position: of those that observe only distinct steps.
    let counts: [(position: Int, passes: Int, unconcerned: Int)]
    /// The positions of the rules that observe all steps.
    let onEach: [Int]
    /// The number of the latest distinct step of the session by then.
    let change: Int

    init(_ counts: [(position: Int, passes: Int, unconcerned: Int)], onEach: [Int], change: Int) {
        self.counts = counts
        self.onEach = onEach
        self.change = change
    }

    /// Returns the answers to this step and another one of the same frame, or nil if another step was judged in between.
    package func joined(with other: RepeatedAnswers) -> RepeatedAnswers? {
        guard change == other.change, onEach == other.onEach else { return nil }
        return RepeatedAnswers(counts + other.counts, onEach: onEach, change: change)
    }
}
