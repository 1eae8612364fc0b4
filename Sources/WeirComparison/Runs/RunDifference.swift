package import WeirEngine

/// A difference between two runs.
package struct RunDifference: Sendable {
    /// What differs.
    package enum Kind: String, Sendable {
        /// A step says something else.
        case changed
        /// Another step takes its place.
        case replaced
        /// Only the first run has the step.
        case missing
        /// Only the second run has it.
        case added
        /// The first run ends with these steps, which the second lacks; or the reverse.
        case endsEarly
        case continues
        /// It takes much longer, or shorter.
        case timing
        /// The figures or findings of a media stream differ, without another cause.
        case stream
        /// The findings or the outcome of a session differ, without another cause.
        case outcome
        /// Only one run has the session.
        case sessionMissing
        case sessionAdded
    }

    /// How much it matters: which difference comes first.
    package enum Weight: Int, Sendable, Comparable {
        /// Names and versions of programs.
        case program
        /// Timing.
        case timing
        /// What is said.
        case content
        /// Whether it works: statuses, missing steps, ends.
        case decisive

        package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
    }

    /// What differs, and how much it matters.
    package var kind: Kind
    package var weight: Weight
    /// The protocol.
    package var protocolName: String
    /// The step in each run, or the first of several.
    package var stepA: RunStep?
    package var stepB: RunStep?
    /// The number of steps.
    package var steps = 1
    /// The members that differ.
    package var changes: [FieldChange] = []
    /// The figures, findings and outcomes that differ, for a difference of a stream or an outcome.
    package var facts: [RunConsequence] = []
    /// Milliseconds in each run, for a difference in timing.
    package var milliseconds: (a: Double, b: Double)?
    /// The name of the session or stream concerned.
    package var subject: String?

    /// The order of differences of a session: time in the first run, or where that is in the second.
    var place: (Int, Int) = (0, 0)
}

/// Something that follows from other differences, or that may: not counted.
package struct RunConsequence: Sendable, Equatable {
    /// What differs: `outcome`, `finding` or a figure such as `lost`.
    package var name: String
    /// The stream concerned, if any.
    package var subject: String?
    /// In each run; nil if there is none.
    package var a: String?
    package var b: String?
    /// The sentences of an outcome.
    package var textsA: [Text] = []
    package var textsB: [Text] = []
}

/// Two sessions of one kind, one from each run.
package struct SessionComparison: Sendable {
    /// The ids of the sessions; nil for what is outside of sessions.
    package var idA: Int?
    package var idB: Int?
    /// The kind, and the titles.
    package var kind: String
    package var titleA: String
    package var titleB: String
    /// The differences, in order.
    package var differences: [RunDifference] = []
    /// What follows from them.
    package var consequences: [RunConsequence] = []
    /// Both runs step by step, for ladders.
    package var rows: [(a: RunStep?, b: RunStep?, difference: Int?)] = []

    /// The index of the difference that matters: the first of those that weigh most.
    package var decisive: Int? {
        guard let most = differences.map(\.weight).max() else { return nil }
        return differences.firstIndex { $0.weight == most }
    }
}
