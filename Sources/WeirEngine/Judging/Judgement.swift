public import WeirPackets

/// Collects what a rule says of one subject, or of several in one step.
public struct Judgement {
    /// One answer that says more than that the clause is kept, or does not apply.
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
    }

    /// The answers that may become findings.
    private(set) var answers: [Answer] = []
    /// How often the clause is kept: most answers say just that.
    private(set) var passes = 0
    /// How often the rule had nothing to say.
    private(set) var unconcerned = 0
    /// Whether the rule never looks at subjects of this kind: it need not be shown another.
    private(set) var isIndifferent = false

    /// Values that replace limits of rules, by `RULE.limit`.
    private let limits: [String: Double]

    init(limits: [String: Double] = [:]) {
        self.limits = limits
    }

    /// The value of a limit: the profile's, or else the rule's own.
    public func limit(_ limit: RuleLimit) -> Double {
        limits.isEmpty ? limit.value : limits[limit.id] ?? limit.value
    }

    /// The rule looks at no subject of this kind, whatever it holds: what the defaults of ``Rule`` answer.
    mutating func ignore() {
        isIndifferent = true
    }

    /// Forgets what was said.
    mutating func clear() {
        passes = 0
        unconcerned = 0
        isIndifferent = false
        if !answers.isEmpty { answers = [] }
    }

    /// Whether nothing was said.
    var isEmpty: Bool { passes == 0 && unconcerned == 0 && !isIndifferent && answers.isEmpty }

    /// The clause is kept.
    public mutating func pass() {
        passes &+= 1
    }

    /// The clause is broken.
    ///
    /// - Parameters:
    ///   - message: what is wrong, in one sentence.
    ///   - expected: what the clause asks for.
    ///   - actual: what was found.
    ///   - quirk: the known habit of real peers that excuses it; it lowers the severity by one step.
    ///   - severity: another severity than the rule's own, when this form of breaking it is lighter.
    ///   - reference: a closer clause than the rule's own.
    ///   - subject: what the finding is about, for the fingerprint: a method, a medium's index; never a time, frame
    ///     number or random id.
    ///   - range: the octets in question, counted from the start of the message.
    ///   - frame: the frame it is about, when that is not the one of the step being judged.
    ///   - time: when that frame was captured.
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

    /// The capture does not hold what it would take to say; `frame` is the one in question, when that is not the one of
    /// the step being judged, and `time` when that was captured.
    public mutating func inconclusive(
        _ message: Text, subject: String = "", frame: Int? = nil, time: Timestamp? = nil
    ) {
        answers.append(Answer(verdict: .inconclusive, message: message, subject: subject, frame: frame, time: time))
    }

    /// What seems to be missing may have been dropped before it could be captured: that proves nothing.
    mutating func doubt() {
        for index in answers.indices where answers[index].verdict == .fail { answers[index].verdict = .inconclusive }
    }

    /// The rule has nothing to say of this subject.
    public mutating func notApplicable() {
        unconcerned &+= 1
    }
}
