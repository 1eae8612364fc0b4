import Dispatch
import Synchronization
import WeirEngine

/// Writes a report beside the analysis once a capture turns out to be long: on a thread of its own, while the analysis goes on.
///
/// What is written is the same, in the same order. What comes slowly is flushed often, and is written as it comes.
package final class BackgroundReport: Report, VerdictSink {
    /// Something that a report is told.
    private enum Step: Sendable {
        case begin(CaptureRecord)
        case event(Event, SessionReference?, [Finding])
        case finding(Finding, SessionReference?)
        case flow(FlowRecord)
        case stream(StreamRecord, SessionReference?)
        case session(SessionRecord)
        case verdict(CaptureVerdict)
        case end(SummaryRecord, [RuleTally], FindingCounts)
        case conclude(RunVerdict)
    }

    /// The report, which one thread tells at a time.
    private final class Writer: Sendable {
        private let report: Mutex<any Report>

        init(_ report: consuming sending any Report) {
            self.report = Mutex(report)
        }

        var factPolicies: Set<SecretPolicy> { report.withLock { $0.factPolicies } }

        func tell(_ steps: [Step]) {
            report.withLock { report in
                for step in steps { Self.tell(step, report) }
            }
        }

        func tell(_ step: Step) { report.withLock { Self.tell(step, $0) } }

        func flush() { report.withLock { $0.flush() } }

        func showOverview() { report.withLock { $0.showOverview() } }

        func finish() { report.withLock { $0.finish() } }

        private static func tell(_ step: Step, _ report: any Report) {
            switch step {
            case .begin(let capture): report.begin(capture)
            case .event(let event, let session, let findings): report.event(event, session: session, findings: findings)
            case .finding(let finding, let session): report.finding(finding, session: session)
            case .flow(let flow): report.flow(flow)
            case .stream(let stream, let session): report.stream(stream, session: session)
            case .session(let record): report.session(record)
            case .verdict(let verdict): report.pass(verdict)
            case .end(let summary, let tallies, let counts): report.end(summary, tallies: tallies, findings: counts)
            case .conclude(let run): report.pass(run)
            }
        }
    }

    /// Steps that are told at once on the other thread.
    private static let batch = 512
    /// Octets of text that its messages keep, in all, behind which it is told, though it has fewer steps.
    private static let batchOctets = 256 * 1024
    /// Batches that wait for it at most: when it is slower, the analysis waits.
    private static let mostBatches = 4
    /// Steps without a flush behind which a capture is a long one: a thread costs more than it saves in a short one.
    package static let long = 2_000

    private let writer: Writer
    /// The policies of the report.
    package let factPolicies: Set<SecretPolicy>
    /// Runs one batch behind the other.
    private let queue = DispatchQueue(label: "weir.report")
    private let free = DispatchSemaphore(value: mostBatches)
    private var waiting: [Step] = []
    private var waitingOctets = 0
    private var told = 0
    private let first: Int

    /// Takes a report over.
    ///
    /// - Parameters:
    ///   - processors: how many processors the machine has; with one, nothing is gained by a second thread.
    ///   - first: how many steps without a flush are written at once, before the thread begins.
    package init(_ report: sending any Report, processors: Int, first: Int = long) {
        writer = Writer(report)
        factPolicies = writer.factPolicies
        self.first = processors < 2 ? .max : first
    }

    private func take(_ step: Step) {
        guard told >= first else {
            told &+= 1
            writer.tell(step)
            return
        }
        waiting.append(step)
        if waiting.count >= Self.batch || waitingOctets >= Self.batchOctets { handOver() }
    }

    private func handOver() {
        guard !waiting.isEmpty else { return }
        free.wait()
        queue.async { [writer, free, waiting] in
            writer.tell(waiting)
            free.signal()
        }
        waiting = []
        waitingOctets = 0
        waiting.reserveCapacity(Self.batch)
    }

    /// Waits until all is told.
    private func drain() {
        handOver()
        queue.sync {}
        told = 0
    }

    /// Writes out what was told so far.
    package func flush() {
        drain()
        writer.flush()
    }

    /// Writes an overview of what was told so far.
    package func showOverview() {
        drain()
        writer.showOverview()
    }

    /// All captures are analysed: writes what is left.
    package func finish() {
        drain()
        writer.finish()
    }

    /// A capture begins.
    package func begin(_ capture: CaptureRecord) { take(.begin(capture)) }

    /// A step happened.
    package func event(_ event: Event, session: SessionReference?, findings: [Finding]) {
        if told >= first { waitingOctets &+= event.message.keptOctets }
        take(.event(event, session, findings))
    }

    /// Something was found that is about no single step.
    package func finding(_ finding: Finding, session: SessionReference?) { take(.finding(finding, session)) }

    /// A flow ended.
    package func flow(_ flow: FlowRecord) { take(.flow(flow)) }

    /// A stream ended.
    package func stream(_ stream: StreamRecord, session: SessionReference?) { take(.stream(stream, session)) }

    /// A session ended.
    package func session(_ record: SessionRecord) { take(.session(record)) }

    /// What a check makes of the capture.
    package func verdict(_ verdict: CaptureVerdict) { take(.verdict(verdict)) }

    /// The capture ended.
    package func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) {
        take(.end(summary, tallies, findings))
    }

    /// All captures of a check ended.
    package func conclude(_ run: RunVerdict) { take(.conclude(run)) }
}
