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
        /// The kinds of messages of which the report copies the records, if it does.
        var provenKinds: ProvenKinds? {
            report.withLock { $0.copiesRecords ? ($0 as? any CopyingReport)?.provenKinds : nil }
        }

        func make(_ batch: Batch) { report.withLock { batch.make($0) } }

        func make(_ step: ReportStep) { report.withLock { Self.make(step, $0) } }

        private static func make(_ step: ReportStep, _ report: any Report) { step.make(report) }

        func event(_ event: Event, _ session: SessionReference?, _ findings: [Finding]) {
            report.withLock { $0.event(event, session: session, findings: findings) }
        }

        var countsSteps: Bool { report.withLock { $0.countsSteps } }

        func count(_ step: CountedStep, _ session: SessionReference) -> Bool {
            report.withLock { $0.count(step, session: session) }
        }

        func routine(_ event: RoutineEvent, _ outline: borrowing RecordOutline) -> Bool {
            report.withLock { $0.routine(event, outline) }
        }

        func flush() { report.withLock { $0.flush() } }

        func showOverview() { report.withLock { $0.showOverview() } }

        func finish() { report.withLock { $0.finish() } }
    }

    /// Calls of the report, each in the list of its sort.
    private struct Batch: Sendable {
        enum Sort {
            case step, event, copy, count
        }

        struct EventStep {
            let event: Event
            let session: SessionReference?
            let findings: [Finding]
        }

        private(set) var order: [Sort] = []
        private(set) var steps: [ReportStep] = []
        private(set) var events: [EventStep] = []
        private(set) var copies = RoutineRecords()
        private(set) var counts: [(step: CountedStep, session: SessionReference)] = []

        init() {}

        /// Creates an empty batch with room for as much of each sort as in another one.
        init(like other: borrowing Batch) {
            order.reserveCapacity(other.order.count)
            steps.reserveCapacity(other.steps.count)
            events.reserveCapacity(other.events.count)
            copies = RoutineRecords(capacity: other.copies.events.count)
            counts.reserveCapacity(other.counts.count)
        }

        mutating func append(_ step: ReportStep) {
            order.append(.step)
            steps.append(step)
        }

        mutating func append(_ event: Event, _ session: SessionReference?, _ findings: [Finding]) {
            order.append(.event)
            events.append(EventStep(event: event, session: session, findings: findings))
        }

        mutating func append(_ event: RoutineEvent, _ outline: borrowing RecordOutline, template: Int) {
            order.append(.copy)
            copies.append(event, outline, template: template)
        }

        mutating func append(_ step: CountedStep, _ session: SessionReference) {
            order.append(.count)
            counts.append((step, session))
        }

        /// Makes the calls, in order.
        func make(_ report: any Report) {
            let copying = copies.events.isEmpty ? nil : report as? any CopyingReport
            // Not elements of the arrays, which would be copied whole.
            let (steps, events, counts) = (steps.span, events.span, counts.span)
            var (step, event, copy, count, index) = (0, 0, 0, 0, 0)
            while index < order.count {
                let start = index
                index &+= 1
                switch order[start] {
                case .step:
                    steps[step].make(report)
                    step &+= 1
                case .event:
                    report.event(events[event].event, session: events[event].session, findings: events[event].findings)
                    event &+= 1
                case .count:
                    // Always counted: no event of its frame precedes it.
                    _ = report.count(counts[count].step, session: counts[count].session)
                    count &+= 1
                case .copy:
                    while index < order.count, order[index] == .copy { index &+= 1 }
                    copying?.copy(copies, copy..<copy &+ (index &- start))
                    copy &+= index &- start
                }
            }
        }
    }

    /// Steps per batch.
    package static let usualBatch = 256
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
    private let provenKinds: ProvenKinds?
    private var knownKinds = Lent(ProvenKinds.Known())
    /// Whether the report copies the records of routine messages.
    package let copiesRecords: Bool
    /// Runs batches in order.
    private let queue = DispatchQueue(label: "weir.report")
    private let free = DispatchSemaphore(value: mostBatches)
    private var waiting = Lent(Batch())
    private var waitingOctets = 0
    private var reported = 0
    /// Whether the report counts steps of the current capture.
    package var countsSteps: Bool { isCounting }
    // Stored privately, so that no access has to be checked at run time.
    private var isCounting = false
    /// The latest frame with an event. A step inside another one of its frame may not be counted without its event.
    private var latestFrame = 0
    private let first: Int
    private let batchSize: Int

    /// Wraps a report.
    ///
    /// - Parameters:
    ///   - processors: The number of processors; with one, a second thread has no benefit.
    ///   - first: The number of steps without a flush that are written synchronously before the thread starts.
    ///   - batch: The number of steps that are handed over at once.
    package init(_ report: sending any Report, processors: Int, first: Int = long, batch: Int = usualBatch) {
        writer = Writer(report)
        factPolicies = writer.factPolicies
        listsFlows = writer.listsFlows
        provenKinds = writer.provenKinds
        copiesRecords = provenKinds != nil
        self.first = processors < 2 ? .max : first
        batchSize = batch
    }

    private func take(_ step: ReportStep) {
        guard reported >= first else {
            reported &+= 1
            writer.make(step)
            return
        }
        add { $0.append(step) }
    }

    @inline(__always)
    private func add(_ body: (inout Batch) -> Void) {
        var batch = waiting.take()
        body(&batch)
        let isFull = batch.order.count >= batchSize || waitingOctets >= Self.batchOctets
        waiting.put(consume batch)
        if isFull { handOver() }
    }

    private func handOver() {
        let batch = waiting.take()
        guard !batch.order.isEmpty else { return waiting.put(batch) }
        waiting.put(Batch(like: batch))
        waitingOctets = 0
        free.wait()
        queue.async { [writer, free] in
            writer.make(batch)
            free.signal()
        }
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
    package func begin(_ capture: CaptureRecord) {
        // The report itself may not have begun it yet.
        (isCounting, latestFrame) = (writer.countsSteps && !capture.isStreamed, 0)
        take(.begin(capture))
    }

    /// Adds a step.
    package func event(_ event: Event, session: SessionReference?, findings: [Finding]) {
        latestFrame = max(latestFrame, event.frame)
        guard reported >= first else {
            reported &+= 1
            writer.event(event, session, findings)
            return
        }
        waitingOctets &+= event.message.keptOctets
        add { $0.append(event, session, findings) }
    }

    /// Counts a step of a session.
    package func count(_ step: CountedStep, session: SessionReference) -> Bool {
        guard step.frame > latestFrame else { return false }
        guard reported >= first else {
            guard writer.count(step, session) else { return false }
            reported &+= 1
            return true
        }
        add { $0.append(step, session) }
        return true
    }

    /// Writes the record of a routine message, if the report has a template of its kind. Once the thread has started,
    /// it is handed over without an event, which takes a third of the time.
    package func routine(_ event: RoutineEvent, _ outline: borrowing RecordOutline) -> Bool {
        guard let provenKinds else { return false }
        guard reported >= first else {
            guard writer.routine(event, outline) else { return false }
            reported &+= 1
            return true
        }
        var known = knownKinds.take()
        let place =
            RecordHead.suits(event)
            ? known.place(of: RecordTemplate.Kind(event, outline), among: provenKinds) : nil
        knownKinds.put(consume known)
        guard let place else { return false }
        add { $0.append(event, outline, template: place) }
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
