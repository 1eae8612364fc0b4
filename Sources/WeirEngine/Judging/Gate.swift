import WeirPackets

/// Stands between the judge and the reports of a check: applies the profile's requirements and waivers and the baseline,
/// and knows in the end whether the check failed.
package final class Gate: ReportSink {
    private let profile: Profile
    private let rules: [RuleInfo]
    private let baseline: Baseline?
    /// Today, as `2026-11-22`: what says whether a waiver still holds.
    private let day: String
    private let sink: any ReportSink

    /// What came of it so far.
    package private(set) var run = RunVerdict()
    /// The findings that a baseline written now would accept.
    package private(set) var found = Baseline()
    /// Places of the waivers that covered something.
    private var used: Set<Int> = []
    private var capture = ""
    private var requirements = RequirementJudge([])
    private var quality = CaptureQuality()
    /// Findings of requirements in the capture at hand.
    private var ownCounts = FindingCounts()

    /// Creates a gate that hands everything on to `sink`.
    ///
    /// - Parameters:
    ///   - rules: the rules that judge.
    ///   - baseline: the findings that are accepted; nil when there is no baseline.
    ///   - day: today, as `2026-11-22`.
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

    /// Requirements are about the members of sessions.
    package var factPolicies: Set<SecretPolicy> {
        profile.requirements.isEmpty ? sink.factPolicies : sink.factPolicies.union([.masked])
    }

    /// A capture begins.
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

    /// A step, and what was found at it.
    package func event(_ event: Event, session: SessionReference?, findings: [Finding]) {
        sink.event(event, session: session, findings: findings.isEmpty ? [] : findings.map(settle))
    }

    /// Something that was found.
    package func finding(_ finding: Finding, session: SessionReference?) {
        sink.finding(settle(finding), session: session)
    }

    /// A flow ended.
    package func flow(_ flow: FlowRecord) { sink.flow(flow) }

    /// A stream ended: what the profile requires of it is judged.
    package func stream(_ stream: StreamRecord, session: SessionReference?) {
        for answer in requirements.judge(stream, session) {
            var finding = finding(answer)
            finding.stream = stream.id
            finding.flow = stream.flow
            finding.session = session?.id
            finding.time = stream.endTime
            finding.frame = stream.lastFrame
            tell(finding, session)
        }
        sink.stream(stream, session: session)
    }

    /// A session ended: what the profile requires of it is judged.
    package func session(_ record: SessionRecord) {
        quality.note(record)
        for answer in requirements.judge(record) {
            var finding = finding(answer)
            finding.session = record.id
            finding.flow = record.flows.first
            finding.time = record.phases.last?.endTime
            tell(finding, record.reference)
        }
        sink.session(record)
    }

    /// The capture ended.
    package func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) {
        for answer in requirements.finish() { tell(finding(answer), nil) }
        var verdict = CaptureVerdict()
        verdict.rules = rules + requirements.infos
        verdict.tallies = tallies + requirements.tallies
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

    /// A capture could not be opened.
    package func noteUnread(_ file: String, reason: String) {
        run.unread.append((file, reason))
    }

    /// All captures have ended. Only where all of them could be read something that was not found is gone.
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
    private func tell(_ finding: Finding, _ session: SessionReference?) {
        ownCounts.count(finding)
        sink.finding(settle(finding), session: session)
    }

    /// A requirement's answer as a finding.
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

    /// Marks what a waiver or the baseline covers, and counts the rest.
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
    /// Adds the counts of another.
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
