import WeirPackets

/// Applies the rules to every event of the timeline, and forwards the events with their findings.
public final class RuleEngine: TimelineSink {
    /// The options for judging.
    public typealias Options = JudgingOptions

    // In an array, since the value is large: taking it out and putting it back moves a reference.
    private var storedJudges: Lent<[RuleJudges]>
    private var judges: RuleJudges {
        @inline(__always) _read {
            let list = storedJudges.current
            yield list.span[0]
        }
        @inline(__always) _modify {
            var taken = storedJudges.take()
            defer { storedJudges.put(taken) }
            yield &taken[0]
        }
    }
    private let sink: any ReportSink
    /// Whether the report copies the records of routine messages.
    package let copiesRecords: Bool
    /// Whether the report lists flows.
    package let listsFlows: Bool
    private var unlistedFlows = 0
    /// Whether there was anything outside sessions, of which rules may keep a state.
    private var mayObserveFlows = false

    /// The number of sessions and flows with rule instances.
    package var openInstances: Int { judges.openInstances }

    /// Creates an engine that applies `rules` and forwards everything to `sink`.
    ///
    /// - Parameter plugins: The plugins that define the rules. A rule of none of them belongs to the protocol in its
    ///   id.
    package init(
        rules: [any Rule.Type], of plugins: [any Plugin.Type] = [], options: Options = Options(), sink: any ReportSink
    ) {
        storedJudges = Lent([RuleJudges(rules, of: plugins, options)])
        self.sink = sink
        listsFlows = sink.listsFlows
        copiesRecords = sink.copiesRecords
    }

    /// Resets all state for a new capture.
    package func begin(_ capture: CaptureRecord) {
        judges.begin()
        unlistedFlows = 0
        sink.begin(capture)
    }

    /// Judges an event.
    package func event(_ event: consuming Event, session: Session?) {
        if session == nil { mayObserveFlows = true }
        judges.judge(event, in: session) { [sink] event, findings in
            if findings.isEmpty, let session, sink.countsSteps, let step = CountedStep(event),
                sink.count(step, session: session.reference)
            {
                return
            }
            sink.event(event, session: session?.reference, findings: findings)
        }
    }

    /// Whether the report counts steps at the moment.
    package var countsSteps: Bool { sink.countsSteps }

    /// Judges a step without its event, and counts it, or passes on its event; returns false if nothing was done, and the
    /// event is needed.
    package func brief(
        _ step: BriefStep, _ origin: BriefOrigin, _ answers: inout RepeatedAnswers?, _ event: () -> Event
    ) -> Bool {
        guard let session = step.session, let findings = judges.findings(of: step, origin, &answers) else {
            return false
        }
        let reference = session.reference
        let counted = CountedStep(step, origin.name, offset: origin.offset)
        if findings.isEmpty, sink.count(counted, session: reference) { return true }
        sink.event(event(), session: reference, findings: findings)
        return true
    }

    /// Counts steps that are equal to earlier ones; returns false if nothing was done, since an event is needed or the answers of
    /// rules may be others now.
    package func repeats(
        _ step: BriefStep, countedAs names: (String, others: [String]), offset: Int64, _ answers: RepeatedAnswers
    ) -> Bool {
        guard let session = step.session, judges.areCurrent(answers, in: session),
            sink.count(
                CountedStep(step, names.0, others: names.others, offset: offset), session: session.reference)
        else { return false }
        return judges.repeats(step, answers)
    }

    /// Forwards a routine message, which no rule observes.
    package func routine(_ event: RoutineEvent, _ outline: borrowing RecordOutline, session: Session?) -> Bool {
        guard sink.routine(event, outline) else { return false }
        if mayObserveFlows, let session { judges.noteFlow(event.flow, in: session) }
        return true
    }

    /// Judges an ended stream.
    package func stream(_ stream: StreamRecord, session: Session?) {
        if session == nil { mayObserveFlows = true }
        for finding in judges.findings(of: stream, in: session) { sink.finding(finding, session: session?.reference) }
        sink.stream(stream, session: session?.reference)
    }

    /// Judges an ended session and discards its rule instances.
    package func session(_ record: SessionRecord, session: Session) {
        var record = record
        record.repeatedFindings = judges.repeatedFindings(session)
        for finding in judges.findings(of: record, session) { sink.finding(finding, session: session.reference) }
        record.addFacts(of: session, sink.factPolicies)
        sink.session(record)
    }

    /// Whether the report lists flows, or rules have observed this one outside sessions; otherwise counts it.
    package func needsRecord(ofFlow id: Int) -> Bool {
        if listsFlows || judges.observes(flow: id) { return true }
        unlistedFlows += 1
        return false
    }

    /// Judges an ended flow outside sessions and discards its rule instances.
    package func flow(_ flow: FlowRecord) {
        var flow = flow
        flow.repeatedFindings = judges.repeatedFindings(flow: flow.id)
        for finding in judges.findings(of: flow) { sink.finding(finding, session: nil) }
        sink.flow(flow)
    }

    /// Ends the capture.
    package func end(_ summary: SummaryRecord) {
        var summary = summary
        summary.unlistedFlows = unlistedFlows
        if let limit = judges.limitReached { summary.limitsReached.append(limit) }
        sink.end(summary, tallies: judges.tallies, findings: judges.counts)
    }
}
