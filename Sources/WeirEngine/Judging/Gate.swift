import WeirPackets

/// Applies the profile's requirements, its waivers and the baseline between the rule engine and the reports of a check,
/// and determines whether the check fails.
package final class Gate: ReportSink {
    private let profile: Profile
    private let rules: [RuleInfo]
    private let baseline: Baseline?
    /// The current date, as `2026-11-22`, to which waiver expiry is compared.
    private let day: String
    private let sink: any ReportSink

    /// The result so far.
    package private(set) var run = RunVerdict()
    /// The findings that a baseline written now would accept.
    package private(set) var found = Baseline()
    /// The indices of waivers that covered a finding.
    private var used: Set<Int> = []
    private var capture = ""
    private var requirements = RequirementJudge([])
    private var quality = CaptureQuality()
    /// Requirement findings in the current capture.
    private var ownCounts = FindingCounts()

    /// Creates a gate that forwards everything to `sink`.
    ///
    /// - Parameters:
    ///   - rules: The enabled rules.
    ///   - baseline: The accepted findings, or nil without a baseline.
    ///   - day: The current date, as `2026-11-22`.
    package init(_ profile: Profile, rules: [RuleInfo], baseline: Baseline?, day: String, sink: any ReportSink) {
        self.profile = profile
        self.rules = rules
        self.baseline = baseline
        self.day = day
        self.sink = sink
        run.profile = profile.name
        run.threshold = profile.threshold
        run.expired = profile.waivers.filter { $0.isExpired(on: day) }
    }

    /// Whether the report lists flows.
    package var listsFlows: Bool { sink.listsFlows }
    /// The policies of the report, and `masked` if requirements need the session facts.
    package var factPolicies: Set<SecretPolicy> {
        profile.requirements.isEmpty ? sink.factPolicies : sink.factPolicies.union([.masked])
    }

    /// Starts a capture with fresh requirements and counts.
    package func begin(_ capture: CaptureRecord) {
        self.capture = capture.file
        requirements = RequirementJudge(
            profile.requirements.filter { profile.includes($0.id) }.map { requirement in
                var requirement = requirement
                requirement.severity = profile.severity(of: requirement.id) ?? requirement.severity
                return requirement
            })
        quality = CaptureQuality()
        ownCounts = FindingCounts()
        sink.begin(capture)
    }

    /// Forwards an event with its findings after waivers and baseline.
    package func event(_ event: Event, session: SessionReference?, findings: [Finding]) {
        sink.event(event, session: session, findings: findings.isEmpty ? [] : findings.map(settle))
    }

    /// Forwards a finding after waivers and baseline.
    package func finding(_ finding: Finding, session: SessionReference?) {
        sink.finding(settle(finding), session: session)
    }

    /// Forwards the end of a flow.
    package func flow(_ flow: FlowRecord) { sink.flow(flow) }

    /// Judges the profile's requirements for an ended stream.
    package func stream(_ stream: StreamRecord, session: SessionReference?) {
        for answer in requirements.judge(stream, session) {
            var finding = finding(answer)
            finding.stream = stream.id
            finding.flow = stream.flow
            finding.session = session?.id
            finding.time = stream.endTime
            finding.frame = stream.lastFrame
            emit(finding, session)
        }
        sink.stream(stream, session: session)
    }

    /// Judges the profile's requirements for an ended session.
    package func session(_ record: SessionRecord) {
        quality.note(record)
        for answer in requirements.judge(record) {
            var finding = finding(answer)
            finding.session = record.id
            finding.flow = record.flows.first
            finding.time = record.phases.last?.endTime
            emit(finding, record.reference)
        }
        sink.session(record)
    }

    /// Completes the verdict of a capture.
    package func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) {
        for answer in requirements.finish() { emit(finding(answer), nil) }
        var verdict = CaptureVerdict()
        verdict.rules = rules + requirements.infos
        verdict.tallies = tallies + requirements.tallies
        verdict.requirements = requirements.all
        let judged = verdict.tallies.reduce(0) { $0 + $1.pass + $1.fail + $1.inconclusive }
        run.judged += judged
        verdict.advice = quality.advice(
            summary, idle: judged > 0 ? nil : verdict.rules.isEmpty ? .rules : .subjects)
        sink.pass(verdict)
        if summary.damage != nil { run.damaged += 1 }
        run.counts.add(findings)
        run.counts.add(ownCounts)
        sink.end(summary, tallies: verdict.tallies, findings: findings + ownCounts)
    }

    /// Records a capture that could not be opened.
    package func noteUnread(_ file: String, reason: String) {
        run.unread.append((file, reason))
    }

    /// Completes the run. Waivers count as stale and baseline findings as gone only if every capture was read
    /// completely.
    package func finish() {
        if run.isWhole {
            run.stale = profile.waivers.indices.filter {
                !used.contains($0) && !profile.waivers[$0].isExpired(on: day)
            }.map { profile.waivers[$0] }
            let judged = Set(rules.map(\.id) + profile.requirements.map(\.id))
            run.gone = (baseline?.sorted ?? []).filter { !found.contains($0.fingerprint) && judged.contains($0.rule) }
        }
        run.fresh = baseline.map { baseline in found.sorted.filter { !baseline.accepts($0) } }
        sink.pass(run)
    }
}

extension Gate {
    private func emit(_ finding: Finding, _ session: SessionReference?) {
        ownCounts.count(finding)
        sink.finding(settle(finding), session: session)
    }

    /// Returns the finding for the answer to a requirement.
    private func finding(_ answer: RequirementJudge.Answer) -> Finding {
        let requirement = answer.requirement
        var finding = Finding(
            rule: requirement.id, verdict: answer.verdict, severity: requirement.severity, protocolName: "profile",
            plugin: "profile", message: answer.message, expected: Text("{0}", .string(requirement.words)),
            actual: answer.actual, reference: requirement.place,
            fingerprint: Fingerprint.make([requirement.id, answer.message.key, answer.subject]))
        finding.excess = answer.excess
        return finding
    }

    /// Marks a finding that a waiver or the baseline covers; otherwise counts it.
    private func settle(_ finding: Finding) -> Finding {
        quality.note(finding)
        guard finding.verdict == .fail else { return finding }
        var finding = finding
        if let place = profile.waivers.firstIndex(where: {
            !$0.isExpired(on: day) && $0.covers(finding, in: capture)
        }) {
            used.insert(place)
            finding.waivedBy = profile.waivers[place].reason
            run.waived += 1
            return finding
        }
        let entry = Baseline.Entry(
            fingerprint: finding.fingerprint, rule: finding.rule, message: finding.message.key,
            severity: finding.severity, excess: finding.excess)
        found.add(entry)
        if baseline?.accepts(entry) == true {
            finding.waivedBy = Baseline.name
            run.known += 1
            return finding
        }
        run.worst = max(run.worst ?? finding.severity, finding.severity)
        return finding
    }
}

extension FindingCounts {
    /// Adds the counts of `other`.
    mutating func add(_ other: Self) {
        errors += other.errors
        warnings += other.warnings
        notes += other.notes
        inconclusive += other.inconclusive
    }

    static func + (one: Self, other: Self) -> Self {
        var sum = one
        sum.add(other)
        return sum
    }
}
