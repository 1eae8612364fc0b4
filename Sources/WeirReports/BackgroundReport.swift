import Dispatch
import Synchronization
import WeirEngine

/// Writes a report on a separate thread, concurrently with the analysis, once a capture turns out to be long.
///
/// Contents and order are unchanged. Live captures, which are flushed often, are written synchronously.
package final class BackgroundReport: Report, VerdictSink {
    /// The report, which one thread uses at a time.
    private final class Writer: Sendable {
        private let report: Mutex<any Report>

        init(_ report: consuming sending any Report) {
            self.report = Mutex(report)
        }

        var factPolicies: Set<SecretPolicy> { report.withLock { $0.factPolicies } }
        var listsFlows: Bool { report.withLock { $0.listsFlows } }
        var copiesRecords: Bool { report.withLock { $0.copiesRecords } }

        func make(_ steps: [ReportStep]) {
            report.withLock { report in
                for index in steps.indices { Self.make(steps[index], report) }
            }
        }

        func make(_ step: ReportStep) { report.withLock { Self.make(step, $0) } }

        private static func make(_ step: ReportStep, _ report: any Report) { step.make(report) }

        func event(_ event: Event, _ session: SessionReference?, _ findings: [Finding]) {
            report.withLock { $0.event(event, session: session, findings: findings) }
        }

        func routine(_ event: RoutineEvent, _ outline: borrowing RecordOutline) -> Bool {
            report.withLock { $0.routine(event, outline) }
        }

        func flush() { report.withLock { $0.flush() } }

        func showOverview() { report.withLock { $0.showOverview() } }

        func finish() { report.withLock { $0.finish() } }
    }

    /// Steps per batch.
    private static let batch = 512
    /// Octets of message text per batch, after which a batch is submitted early.
    private static let batchOctets = 256 * 1024
    /// The maximum number of queued batches; if the writer is slower, the analysis waits.
    private static let mostBatches = 4
    /// Steps without a flush after which a capture counts as long: in a short one, a thread costs more than it saves.
    package static let long = 2_000

    private let writer: Writer
    /// The policies of the report.
    package let factPolicies: Set<SecretPolicy>
    /// Whether the report lists flows.
    package let listsFlows: Bool
    private let isCopying: Bool
    /// Whether the report copies the records of routine messages; not once another thread writes them.
    package var copiesRecords: Bool { isCopying && reported < first }
    /// Runs batches in order.
    private let queue = DispatchQueue(label: "weir.report")
    private let free = DispatchSemaphore(value: mostBatches)
    private var waiting: [ReportStep] = []
    private var waitingOctets = 0
    private var reported = 0
    private let first: Int

    /// Wraps a report.
    ///
    /// - Parameters:
    ///   - processors: The number of processors; with one, a second thread has no benefit.
    ///   - first: The number of steps without a flush that are written synchronously before the thread starts.
    package init(_ report: sending any Report, processors: Int, first: Int = long) {
        writer = Writer(report)
        factPolicies = writer.factPolicies
        listsFlows = writer.listsFlows
        isCopying = writer.copiesRecords
        self.first = processors < 2 ? .max : first
    }

    private func take(_ step: consuming ReportStep) {
        guard reported >= first else {
            reported &+= 1
            writer.make(step)
            return
        }
        waiting.append(step)
        if waiting.count >= Self.batch || waitingOctets >= Self.batchOctets { handOver() }
    }

    private func handOver() {
        guard !waiting.isEmpty else { return }
        free.wait()
        queue.async { [writer, free, waiting] in
            writer.make(waiting)
            free.signal()
        }
        waiting = []
        waitingOctets = 0
        waiting.reserveCapacity(Self.batch)
    }

    /// Waits until all steps are written.
    private func drain() {
        handOver()
        queue.sync {}
        reported = 0
    }

    /// Writes out everything so far.
    package func flush() {
        drain()
        writer.flush()
    }

    /// Writes an overview of everything so far.
    package func showOverview() {
        drain()
        writer.showOverview()
    }

    /// Writes the remainder after the last capture.
    package func finish() {
        drain()
        writer.finish()
    }

    /// Starts a capture.
    package func begin(_ capture: CaptureRecord) { take(.begin(capture)) }

    /// Adds a step.
    package func event(_ event: Event, session: SessionReference?, findings: [Finding]) {
        guard reported >= first else {
            reported &+= 1
            writer.event(event, session, findings)
            return
        }
        waitingOctets &+= event.message.keptOctets
        take(.event(event, session, findings))
    }

    /// Writes the record of a routine message. Once the thread has started, events are handed over to it: it writes
    /// them while the analysis goes on.
    package func routine(_ event: RoutineEvent, _ outline: borrowing RecordOutline) -> Bool {
        guard reported < first, writer.routine(event, outline) else { return false }
        reported &+= 1
        return true
    }

    /// Adds a finding without a step.
    package func finding(_ finding: Finding, session: SessionReference?) { take(.finding(finding, session)) }

    /// Adds a flow that ended.
    package func flow(_ flow: FlowRecord) { take(.flow(flow)) }

    /// Adds a stream that ended.
    package func stream(_ stream: StreamRecord, session: SessionReference?) { take(.stream(stream, session)) }

    /// Adds a session that ended.
    package func session(_ record: SessionRecord) { take(.session(record)) }

    /// Adds the verdict of a check on the capture.
    package func verdict(_ verdict: CaptureVerdict) { take(.verdict(verdict)) }

    /// Ends the capture.
    package func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) {
        take(.end(summary, tallies, findings))
    }

    /// Ends the check after its last capture.
    package func conclude(_ run: RunVerdict) { take(.conclude(run)) }
}
