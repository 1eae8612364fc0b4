internal import WeirEngine

/// Two runs of the same kind, such as one that works and one that fails.
package struct RunsComparison: Sendable {
    /// The files.
    package var fileA: String
    package var fileB: String
    /// The sessions, paired.
    package var sessions: [SessionComparison] = []
    /// Packets and events left out because of limits.
    package var unstored = 0

    /// Whether the runs differ.
    package var isDifferent: Bool { sessions.contains { !$0.differences.isEmpty } }
    /// All differences.
    package var differences: [RunDifference] { sessions.flatMap(\.differences) }

    /// The difference that matters: the first of those that weigh most, with the index of its session.
    package var decisive: (session: Int, difference: Int)? {
        let candidates = sessions.enumerated().compactMap { index, session in
            session.decisive.map { (session: index, difference: $0, weight: session.differences[$0].weight) }
        }
        guard let most = candidates.map(\.weight).max() else { return nil }
        return candidates.first { $0.weight == most }.map { ($0.session, $0.difference) }
    }

    /// Compares two runs.
    package init(_ a: ComparedCapture, _ b: ComparedCapture, _ limits: ComparisonLimits = ComparisonLimits()) {
        (fileA, fileB) = (a.file, b.file)
        unstored = a.run.unstored + b.run.unstored
        var (stepsA, stepsB) = (RunSteps(a.run), RunSteps(b.run))
        for case .both(let one, let other) in Self.pairs(stepsA.groups, stepsB.groups)
        where stepsA.groups.indices.contains(one) && stepsB.groups.indices.contains(other)
            && stepsA.groups[one].record != nil
        {
            stepsA.adoptMedia(into: one, like: stepsB.groups[other])
            stepsB.adoptMedia(into: other, like: stepsA.groups[one])
        }
        let (first, second) = (stepsA.groups, stepsB.groups)
        for pair in Self.pairs(first, second) {
            switch pair {
            case .both(let one, let other):
                sessions.append(Self.comparison(first[one], second[other], a.run, b.run, limits))
            case .onlyA(let index): sessions.append(Self.lone(first[index], isInA: true))
            case .onlyB(let index): sessions.append(Self.lone(second[index], isInA: false))
            }
        }
    }

    /// Pairs sessions of one kind in order, preferring equal resources.
    private static func pairs(_ first: [RunSteps.Group], _ second: [RunSteps.Group]) -> [Alignment.Pair] {
        let titlesA = first.map { FieldMask.text($0.title) }
        let titlesB = second.map { FieldMask.text($0.title) }
        return Alignment(min(first.count, mostSessions), min(second.count, mostSessions)) { one, other in
            guard first[one].kind == second[other].kind else { return nil }
            return titlesA[one] == titlesB[other] ? 0 : 0.5
        }.pairs
    }

    /// Sessions that are compared.
    private static let mostSessions = 1_000

    private static func lone(_ group: RunSteps.Group, isInA: Bool) -> SessionComparison {
        var comparison = SessionComparison(
            idA: isInA ? group.record?.id : nil, idB: isInA ? nil : group.record?.id, kind: group.kind,
            titleA: isInA ? group.title : "", titleB: isInA ? "" : group.title)
        var difference = RunDifference(
            kind: isInA ? .sessionMissing : .sessionAdded, weight: .decisive, protocolName: group.kind,
            stepA: isInA ? group.steps.first : nil, stepB: isInA ? nil : group.steps.first, steps: group.steps.count)
        difference.subject = group.title
        comparison.differences = [difference]
        comparison.rows = group.steps.map { (isInA ? $0 : nil, isInA ? nil : $0, 0) }
        return comparison
    }

    private static func comparison(
        _ one: RunSteps.Group, _ other: RunSteps.Group, _ a: RunRecord, _ b: RunRecord, _ limits: ComparisonLimits
    ) -> SessionComparison {
        var comparison = SessionComparison(
            idA: one.record?.id, idB: other.record?.id, kind: one.kind, titleA: one.title, titleB: other.title)
        let steps = StepComparison(one.steps, other.steps, limits)
        comparison.rows = steps.ladder
        comparison.differences = Array(steps.differences.prefix(limits.differences))
        comparison.consequences = consequences(one.record, other.record, a, b)
        guard steps.differences.allSatisfy({ $0.weight < .content }) else { return comparison }
        // Nothing that was said explains them.
        let streams = comparison.consequences.filter { $0.subject != nil }
        for subject in distinct(streams.compactMap(\.subject)) {
            var difference = RunDifference(kind: .stream, weight: .content, protocolName: one.kind)
            difference.subject = subject
            difference.facts = streams.filter { $0.subject == subject }
            comparison.differences.append(difference)
        }
        let rest = comparison.consequences.filter { $0.subject == nil }
        if streams.isEmpty, !rest.isEmpty {
            var difference = RunDifference(kind: .outcome, weight: .content, protocolName: one.kind)
            difference.facts = rest
            comparison.differences.append(difference)
        }
        comparison.consequences = streams.isEmpty ? [] : rest
        return comparison
    }

    private static func distinct(_ names: [String]) -> [String] {
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }
    }

    // MARK: - Consequences

    private static func consequences(
        _ one: SessionRecord?, _ other: SessionRecord?, _ a: RunRecord, _ b: RunRecord
    ) -> [RunConsequence] {
        var found: [RunConsequence] = []
        if let one, let other {
            let (first, second) = (one.outcome.map(\.key), other.outcome.map(\.key))
            if first != second {
                found.append(RunConsequence(name: "outcome", textsA: one.outcome, textsB: other.outcome))
            }
        }
        let (streamsA, streamsB) = (
            a.streams.filter { $0.session == one?.id }, b.streams.filter { $0.session == other?.id }
        )
        found += StreamDifferences.between(streamsA, streamsB)
        found += findings(
            a.findings.filter { $0.session == one?.id }, b.findings.filter { $0.session == other?.id }, streamsA,
            streamsB)
        return found
    }

    /// Returns the rules that only one run breaks.
    private static func findings(
        _ first: [Finding], _ second: [Finding], _ streamsA: [StreamRecord], _ streamsB: [StreamRecord]
    ) -> [RunConsequence] {
        func subjects(_ findings: [Finding], _ streams: [StreamRecord]) -> [(rule: String, subject: String?)] {
            let names = Dictionary(streams.map { ($0.id, StreamDifferences.name($0)) }) { first, _ in first }
            return findings.filter { $0.severity != .note }.map { ($0.rule, $0.stream.flatMap { names[$0] }) }
        }
        let (one, other) = (subjects(first, streamsA), subjects(second, streamsB))
        let (rulesA, rulesB) = (Set(one.map(\.rule)), Set(other.map(\.rule)))
        var found: [RunConsequence] = []
        for (rule, subject) in one where !rulesB.contains(rule) {
            let consequence = RunConsequence(name: "finding", subject: subject, a: rule, b: nil)
            if !found.contains(consequence) { found.append(consequence) }
        }
        for (rule, subject) in other where !rulesA.contains(rule) {
            let consequence = RunConsequence(name: "finding", subject: subject, a: nil, b: rule)
            if !found.contains(consequence) { found.append(consequence) }
        }
        return found
    }
}
