/// A reason why a session failed, or may have failed, and the frames that decide.
public struct Cause: Sendable, Hashable {
    /// Stable identifier for programs, in kebab case, such as `session-timeout`.
    public var id: String
    /// How certain it is.
    public var verdict: Verdict
    /// The cause as part of a sentence; of a cause that is ruled out, what it would have been.
    public var text: Text
    /// The frames that prove it, make it likely or rule it out, in order.
    public var frames: [Int]

    /// How certain a cause is, most certain first.
    public enum Verdict: String, Sendable, Comparable, CaseIterable {
        /// The packets show it.
        case proved
        /// It happened right before the failure, and the capture shows no better cause.
        case likely
        /// The packets show that it was not so.
        case ruledOut

        /// Whether the first is more certain.
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

    /// Whether it explains the outcome.
    public var isHeld: Bool { verdict != .ruledOut }

    /// The cause as a part of the outcome or a line of its own.
    public var sentence: Text {
        switch verdict {
        case .proved: text
        case .likely: Text("cause.likely", .text(text))
        case .ruledOut: Text("cause.ruledOut", .text(text))
        }
    }
}

extension [Cause] {
    /// The most certain first; those that are equally certain stay in their order.
    func bestFirst() -> [Cause] {
        Cause.Verdict.allCases.flatMap { verdict in filter { $0.verdict == verdict } }
    }
}
