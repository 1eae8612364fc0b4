/// A cause of a session's failure, proved, likely or ruled out, with the frames of the evidence.
public struct Cause: Sendable, Hashable {
    /// The stable identifier in kebab case, such as `session-timeout`.
    public var id: String
    /// How certain the cause is.
    public var verdict: Verdict
    /// The cause as part of a sentence; for a cause that is ruled out, what it would have been.
    public var text: Text
    /// The frames that prove, suggest it or rule it out, in order.
    public var frames: [Int]
    /// Whether it explains a failure; otherwise a session that works less well than it could.
    public var isFailure = true

    /// The certainty of a cause, most certain first.
    public enum Verdict: String, Sendable, Comparable, CaseIterable {
        /// The packets prove it.
        case proved
        /// It occurred immediately before the failure, and the capture shows no better cause.
        case likely
        /// The packets rule it out.
        case ruledOut

        /// Whether `first` is more certain than `second`.
        public static func < (first: Self, second: Self) -> Bool {
            allCases.firstIndex(of: first) ?? 0 < allCases.firstIndex(of: second) ?? 0
        }
    }

    /// Creates a cause.
    public init(_ id: String, _ verdict: Verdict, frames: [Int], _ text: Text) {
        self.id = id
        self.verdict = verdict
        self.frames = frames
        self.text = text
    }

    /// Whether it may explain the outcome.
    public var isHeld: Bool { verdict != .ruledOut }

    /// The cause as part of the outcome or as a line of its own.
    public var sentence: Text {
        switch verdict {
        case .proved: text
        case .likely: Text("cause.likely", .text(text))
        case .ruledOut: Text("cause.ruledOut", .text(text))
        }
    }
}

extension [Cause] {
    /// Returns the causes ordered by certainty, most certain first (stable).
    func bestFirst() -> [Cause] {
        Cause.Verdict.allCases.flatMap { verdict in filter { $0.verdict == verdict } }
    }
}
