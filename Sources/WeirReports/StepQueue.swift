import Dispatch
import Synchronization
package import WeirEngine

/// The steps of one analysis on the way from its thread to that of the report: in order, and bounded. An analysis that
/// is too far ahead waits.
package final class StepQueue<Result: Sendable>: Sendable {
    /// A part of the queue.
    package enum Part: Sendable {
        /// Steps, and whether the report is to be flushed after them.
        case steps([ReportStep], flush: Bool)
        /// The end of the analysis.
        case end(Result)
    }

    /// The maximum number of batches.
    private static var mostBatches: Int { 64 }

    private let parts = Mutex<[Part]>([])
    private let filled = DispatchSemaphore(value: 0)
    private let free = DispatchSemaphore(value: mostBatches)

    /// Creates an empty queue.
    package init() {}

    /// Appends a part; waits while the queue is full.
    func append(_ part: Part) {
        free.wait()
        parts.withLock { $0.append(part) }
        filled.signal()
    }

    /// Makes all calls up to the end of the analysis, and returns its result.
    package func deliver(to sink: any ReportSink, flush: () -> Void) -> Result {
        while true {
            filled.wait()
            let part = parts.withLock { $0.removeFirst() }
            free.signal()
            switch part {
            case .steps(let steps, let isFlush):
                for step in steps { step.make(sink) }
                if isFlush { flush() }
            case .end(let result): return result
            }
        }
    }
}

/// Collects the steps of an analysis in batches for a queue.
package final class StepCollector<Result: Sendable>: ReportSink {
    /// Steps per batch.
    private static var batch: Int { 512 }
    /// Octets of message text per batch.
    private static var batchOctets: Int { 256 * 1024 }

    private let queue: StepQueue<Result>
    /// The policies of the report.
    package let factPolicies: Set<SecretPolicy>
    private var waiting: [ReportStep] = []
    private var waitingOctets = 0

    /// Creates a collector for a queue that leads to a report with these policies.
    package init(_ queue: StepQueue<Result>, factPolicies: Set<SecretPolicy>) {
        self.queue = queue
        self.factPolicies = factPolicies
    }

    private func take(_ step: ReportStep) {
        waiting.append(step)
        if waiting.count >= Self.batch || waitingOctets >= Self.batchOctets { handOver(flush: false) }
    }

    private func handOver(flush: Bool) {
        guard !waiting.isEmpty || flush else { return }
        queue.append(.steps(waiting, flush: flush))
        waiting = []
        waitingOctets = 0
    }

    /// Hands over all steps so far, for a report that is read while the analysis goes on.
    package func flush() { handOver(flush: true) }

    /// Ends the analysis.
    package func end(_ result: Result) {
        handOver(flush: false)
        queue.append(.end(result))
    }

    package func begin(_ capture: CaptureRecord) { take(.begin(capture)) }

    package func event(_ event: Event, session: SessionReference?, findings: [Finding]) {
        waitingOctets &+= event.message.keptOctets
        take(.event(event, session, findings))
    }

    package func finding(_ finding: Finding, session: SessionReference?) { take(.finding(finding, session)) }

    package func flow(_ flow: FlowRecord) { take(.flow(flow)) }

    package func stream(_ stream: StreamRecord, session: SessionReference?) { take(.stream(stream, session)) }

    package func session(_ record: SessionRecord) { take(.session(record)) }

    package func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) {
        take(.end(summary, tallies, findings))
    }
}
