public import WeirPackets

/// Collects a rule's answers for one subject, or for several subjects of one step.
public struct Judgement {
    /// An answer other than `pass` and `notApplicable`.
    struct Answer {
        var verdict: Verdict
        var message = Text("")
        var expected: Text?
        var actual: Text?
        var quirk: String?
        var severity: Severity?
        var reference: String?
        var subject = ""
        var range: Range<Int>?
        var frame: Int?
        var time: Timestamp?
        /// The number of occurrences that differ only in their place.
        var count = 1
        /// The frame of the last of several occurrences.
        var lastFrame: Int?

        /// Whether the other answer differs only in its place.
        func isEqual(_ other: Answer) -> Bool {
            verdict == other.verdict && subject == other.subject && message == other.message
                && expected == other.expected && actual == other.actual && quirk == other.quirk
                && severity == other.severity && reference == other.reference
        }
    }

    /// The answers that may become findings.
    private(set) var answers: [Answer] = []
    /// The number of passes; most answers are passes.
    private(set) var passes = 0
    /// The number of `notApplicable` answers.
    private(set) var unconcerned = 0
    /// Whether the rule never evaluates subjects of this kind, so that it can be skipped for them.
    private(set) var isIndifferent = false

    /// Overrides of rule limits, by `RULE.limit`.
    private let limits: [String: Double]

    init(limits: [String: Double] = [:]) {
        self.limits = limits
    }

    /// Returns the value of a limit: the profile's, or else the default.
    public func limit(_ limit: RuleLimit) -> Double {
        limits.isEmpty ? limit.value : limits[limit.id] ?? limit.value
    }

    /// Marks the rule as never evaluating subjects of this kind, such as streams with details of this type; it is not asked
    /// again. Used by the default implementations of ``Rule``, for all subjects.
    package mutating func ignore() {
        isIndifferent = true
    }

    /// Removes all answers.
    mutating func clear() {
        passes = 0
        unconcerned = 0
        isIndifferent = false
        if !answers.isEmpty { answers = [] }
    }

    /// Whether no answer was recorded.
    var isEmpty: Bool { passes == 0 && unconcerned == 0 && !isIndifferent && answers.isEmpty }

    /// Records that the subject conforms.
    public mutating func pass() {
        passes &+= 1
    }

    /// Records a violation.
    ///
    /// - Parameters:
    ///   - message: The problem, in one sentence.
    ///   - expected: What the clause requires.
    ///   - actual: What was observed.
    ///   - quirk: The known peer quirk that excuses the violation; it lowers the severity by one level.
    ///   - severity: The severity of this form of the violation, if it differs from the rule's.
    ///   - reference: A more specific clause than the rule's.
    ///   - subject: What the finding is about, for the fingerprint, such as a method or a media index; never a time,
    ///     frame number or random id.
    ///   - range: The bytes concerned, relative to the start of the message.
    ///   - frame: The frame concerned, if it is not the frame of the current step.
    ///   - time: The capture time of that frame.
    public mutating func fail(
        _ message: Text,
        expected: Text? = nil,
        actual: Text? = nil,
        quirk: String? = nil,
        severity: Severity? = nil,
        reference: String? = nil,
        subject: String = "",
        range: Range<Int>? = nil,
        frame: Int? = nil,
        time: Timestamp? = nil
    ) {
        answers.append(
            Answer(
                verdict: .fail, message: message, expected: expected, actual: actual, quirk: quirk,
                severity: severity, reference: reference, subject: subject, range: range, frame: frame, time: time))
    }

    /// Records that the capture does not contain the evidence needed for a verdict.
    ///
    /// - Parameters:
    ///   - message: The missing evidence, in one sentence.
    ///   - subject: What the finding is about, for the fingerprint.
    ///   - frame: The frame concerned, if it is not the frame of the current step.
    ///   - time: The capture time of that frame.
    public mutating func inconclusive(
        _ message: Text, subject: String = "", frame: Int? = nil, time: Timestamp? = nil
    ) {
        answers.append(Answer(verdict: .inconclusive, message: message, subject: subject, frame: frame, time: time))
    }

    /// Makes failures inconclusive: data that seems to be missing may have been dropped during capture.
    mutating func doubt() {
        for index in answers.indices where answers[index].verdict == .fail { answers[index].verdict = .inconclusive }
    }

    /// Records that the rule does not apply to the subject.
    public mutating func notApplicable() {
        unconcerned &+= 1
    }
}
