import WeirDissectors
import WeirPackets
public import WeirSessions

/// Shows every step of the timeline to the rules, and hands the steps on with what was found.
public final class Judge: TimelineSink {
    /// How to judge.
    public struct Options: Sendable {
        /// Known habits of peers do not lower a severity.
        public var strict = false
        /// Findings kept of one rule in one session; further ones are only counted.
        public var findingsPerRule = Limits().findingsPerRule

        /// The defaults.
        public init() {}
    }

    /// The rules that watch one session, or one flow outside of sessions.
    private final class Bench {
        var rules: [any Rule]
        /// How many findings each rule made here.
        var counts: [Int]

        init(_ types: [any Rule.Type]) {
            rules = types.map { $0.init() }
            counts = Array(repeating: 0, count: types.count)
        }
    }

    private enum Scope: Hashable {
        case session(Int)
        case flow(Int)
    }

    private let types: [any Rule.Type]
    private let options: Options
    private let sink: any ReportSink
    private var benches: [Scope: Bench] = [:]
    private var tallies: [RuleTally]
    private var counts = FindingCounts()
    /// Positions in `types` of the rules that look at a protocol.
    private var observers: [String: [Int]] = [:]

    /// Creates a judge that applies `rules` and hands everything on to `sink`.
    public init(rules: [any Rule.Type], options: Options = Options(), sink: any ReportSink) {
        types = rules
        self.options = options
        self.sink = sink
        tallies = rules.map { RuleTally(rule: $0.info.id) }
        for (index, rule) in rules.enumerated() {
            for name in rule.observes { observers[name, default: []].append(index) }
        }
    }

    /// Reading a capture begins: nothing was judged yet.
    public func begin(_ capture: CaptureRecord) {
        benches = [:]
        counts = FindingCounts()
        tallies = types.map { RuleTally(rule: $0.info.id) }
        sink.begin(capture)
    }

    /// Judges a step.
    public func event(_ event: Event, session: Session?) {
        guard !(event.message is RTPPacket || event.message is RTSPInterleavedFrame),
            let watching = observers[event.message.protocolName]
        else {
            sink.event(event, session: session, findings: [])
            return
        }
        let bench = bench(session, flow: event.flow)
        let step = Step(event: event, session: session)
        var findings: [Finding] = []
        for index in watching {
            var judgement = Judgement()
            bench.rules[index].observe(step, &judgement)
            if !judgement.answers.isEmpty {
                findings += conclude(judgement.answers, index, bench, event: event, session: session)
            }
        }
        sink.event(event, session: session, findings: findings)
    }

    /// Judges a stream that ended.
    public func stream(_ stream: StreamRecord, session: Session?) {
        let bench = bench(session, flow: stream.flow)
        for index in types.indices {
            var judgement = Judgement()
            bench.rules[index].observe(stream, session: session, &judgement)
            if stream.sawDrops { judgement.doubt() }
            for var finding in conclude(judgement.answers, index, bench, event: nil, session: session) {
                finding.stream = stream.id
                finding.flow = stream.flow
                finding.time = stream.endTime
                finding.frame = finding.frame ?? stream.lastFrame
                sink.finding(finding, session: session)
            }
        }
        sink.stream(stream, session: session)
    }

    /// Judges what a session left undone, and forgets it.
    public func session(_ record: SessionRecord, session: Session) {
        let bench = bench(session, flow: 0)
        for index in types.indices {
            var judgement = Judgement()
            bench.rules[index].finish(session, &judgement)
            for var finding in conclude(judgement.answers, index, bench, event: nil, session: session) {
                finding.flow = record.flows.first
                sink.finding(finding, session: session)
            }
        }
        benches[.session(session.id)] = nil
        sink.session(record, session: session)
    }

    /// A flow ended: what was judged outside of sessions on it is forgotten.
    public func flow(_ flow: FlowRecord) {
        benches[.flow(flow.id)] = nil
        sink.flow(flow)
    }

    /// The capture ended.
    public func end(_ summary: SummaryRecord) {
        sink.end(summary, tallies: tallies, findings: counts)
    }
}

extension Judge {
    private func bench(_ session: Session?, flow: Int) -> Bench {
        let scope = session.map { Scope.session($0.id) } ?? .flow(flow)
        if let bench = benches[scope] { return bench }
        let bench = Bench(types)
        benches[scope] = bench
        return bench
    }

    /// Counts the answers and makes findings of those that are not a pass.
    private func conclude(
        _ answers: [Judgement.Answer], _ index: Int, _ bench: Bench, event: Event?, session: Session?
    ) -> [Finding] {
        var findings: [Finding] = []
        for answer in answers {
            let verdict = settle(answer, types[index].info, session, event)
            switch verdict {
            case .pass: tallies[index].pass += 1
            case .fail: tallies[index].fail += 1
            case .inconclusive: tallies[index].inconclusive += 1
            case .notApplicable: tallies[index].notApplicable += 1
            }
            guard verdict == .fail || verdict == .inconclusive else { continue }
            // That the message is cut was said with it; what that hides need not be said for each rule.
            if event?.isCut == true, answer.verdict == .fail { continue }
            let finding = finding(answer, verdict, types[index].info, event, session)
            counts.count(finding)
            bench.counts[index] += 1
            if bench.counts[index] <= options.findingsPerRule { findings.append(finding) }
        }
        return findings
    }

    /// Missing evidence is never a fail.
    private func settle(
        _ answer: Judgement.Answer, _ info: RuleInfo, _ session: Session?, _ event: Event?
    ) -> Verdict {
        if answer.verdict == .fail, event?.isCut == true { return .inconclusive }
        guard answer.verdict == .fail, info.needsFullCapture, let evidence = session?.evidence else {
            return answer.verdict
        }
        return evidence.isComplete ? .fail : .inconclusive
    }

    private func finding(
        _ answer: Judgement.Answer, _ verdict: Verdict, _ info: RuleInfo, _ event: Event?, _ session: Session?
    ) -> Finding {
        var severity = answer.severity ?? info.severity
        if answer.quirk != nil, !options.strict { severity = severity.lowered }
        return Finding(
            rule: info.id, verdict: verdict, severity: severity, protocolName: info.protocolName,
            message: answer.message, expected: answer.expected, actual: answer.actual,
            reference: answer.reference ?? info.reference, quirk: answer.quirk, event: event?.id,
            frame: answer.frame ?? event?.frame,
            byteRange: place(answer.range, event), time: event?.time, flow: event?.flow, session: session?.id,
            stream: event?.stream,
            fingerprint: Fingerprint.make([info.id, answer.message.key, answer.subject, session?.kind ?? ""]),
            waivedBy: nil)
    }

    /// Octets of the message as octets of the frame.
    private func place(_ range: Range<Int>?, _ event: Event?) -> Range<Int>? {
        guard let whole = event?.byteRange, let range, range.upperBound <= whole.count else { return event?.byteRange }
        return whole.lowerBound + range.lowerBound..<whole.lowerBound + range.upperBound
    }
}

extension Severity {
    /// One step lighter.
    var lowered: Severity { self == .error ? .warning : .note }
}
