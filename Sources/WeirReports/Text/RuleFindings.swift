import WeirEngine

/// Findings by rule: violations, known quirks of implementations, and undecided rules.
struct RuleFindings {
    /// A rule at one of its severities.
    private struct Key: Hashable {
        var rule: String
        var severity: Severity
    }

    /// The findings of a rule.
    struct Rule {
        var first: Finding
        var count: Int
        /// The frame of the last occurrence, if all are of one finding.
        var lastFrame: Int?
    }

    private var rules = KeyedList<Key, Rule>()
    private var habitCounts = KeyedList<String, Int>()
    private var undecidedCounts = KeyedList<String, Int>()

    /// Whether there are none.
    var isEmpty: Bool { rules.isEmpty && habitCounts.isEmpty && undecidedCounts.isEmpty }

    /// Counts findings.
    mutating func add(_ findings: [Finding]) {
        // Member by member: a finding is large, and one of an array would be copied.
        for index in findings.indices {
            let (rule, severity, count) = (findings[index].rule, findings[index].severity, findings[index].count)
            if findings[index].verdict == .inconclusive {
                undecidedCounts.count(rule, count)
            } else if severity == .note, findings[index].quirk != nil {
                habitCounts.count(rule, count)
            } else {
                let key = Key(rule: rule, severity: severity)
                let isKnown = rules.change(key) {
                    $0.count += count
                    $0.lastFrame = nil
                }
                if isKnown { continue }
                rules.append(key, Rule(first: findings[index], count: count, lastFrame: findings[index].lastFrame))
            }
        }
    }

    /// Adds the later occurrences of a finding.
    mutating func add(_ repeated: RepeatedFinding) {
        let more = repeated.count - 1
        guard repeated.verdict != .inconclusive else { return undecidedCounts.count(repeated.rule, more) }
        let isViolation = rules.change(Key(rule: repeated.rule, severity: repeated.severity)) {
            $0.lastFrame = $0.count == 1 ? repeated.lastFrame : nil
            $0.count += more
        }
        if !isViolation { habitCounts.count(repeated.rule, more) }
    }

    /// Violated rules, worst first, then by frame.
    var violations: [Rule] {
        rules.entries.map { $0.value }.sorted { one, other in
            let (first, second) = (one.first, other.first)
            guard first.severity == second.severity else { return first.severity > second.severity }
            return (first.frame ?? .max, first.rule) < (second.frame ?? .max, second.rule)
        }
    }

    /// Known quirks of implementations by rule, with their counts.
    var habits: [(rule: String, count: Int)] { habitCounts.sorted }

    /// Undecided rules, with their counts.
    var undecided: [(rule: String, count: Int)] { undecidedCounts.sorted }
}

extension FindingCounts {
    /// Counts findings.
    mutating func count(_ findings: [Finding]) {
        // Member by member: a finding is large, and one of an array would be copied.
        for index in findings.indices { count(findings[index].verdict, findings[index].severity) }
    }
}
