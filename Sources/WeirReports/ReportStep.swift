package import WeirEngine

/// A call of a report, as a value that another thread can make.
package enum ReportStep: Sendable {
    case begin(CaptureRecord)
    case event(Event, SessionReference?, [Finding])
    case finding(Finding, SessionReference?)
    case flow(FlowRecord)
    case stream(StreamRecord, SessionReference?)
    case session(SessionRecord)
    case verdict(CaptureVerdict)
    case end(SummaryRecord, [RuleTally], FindingCounts)
    case conclude(RunVerdict)

    /// Makes the call.
    package func make(_ sink: any ReportSink) {
        switch self {
        case .begin(let capture): sink.begin(capture)
        case .event(let event, let session, let findings): sink.event(event, session: session, findings: findings)
        case .finding(let finding, let session): sink.finding(finding, session: session)
        case .flow(let flow): sink.flow(flow)
        case .stream(let stream, let session): sink.stream(stream, session: session)
        case .session(let record): sink.session(record)
        case .verdict(let verdict): sink.pass(verdict)
        case .end(let summary, let tallies, let counts): sink.end(summary, tallies: tallies, findings: counts)
        case .conclude(let run): sink.pass(run)
        }
    }
}
