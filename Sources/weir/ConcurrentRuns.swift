import Dispatch
import Synchronization
import WeirCapture
import WeirEngine
import WeirReports

/// The analysis of several files on several threads, whose steps are delivered in the order of the files.
final class ConcurrentRuns: Sendable {
    /// How an analysis ended.
    enum Result: Sendable {
        case complete
        /// The file could not be opened.
        case unread(CaptureError)
        /// The file could not be read to its end.
        case damaged(CaptureError)
    }

    /// Analyzes a file into a collector.
    typealias Job =
        @Sendable (_ index: Int, _ collector: StepCollector<Result>, _ isOnTurn: () -> Bool) -> Result

    private let queues: [StepQueue<Result>]
    private let next = Mutex(0)
    /// The index of the file whose steps are being delivered.
    private let turn = Mutex(0)
    /// The number of files that may be begun.
    private let window: DispatchSemaphore

    /// Starts `jobs` threads, which may be ahead of the delivery by twice as many files.
    init(_ count: Int, jobs: Int, factPolicies: Set<SecretPolicy>, _ job: @escaping Job) {
        queues = (0..<count).map { _ in StepQueue() }
        window = DispatchSemaphore(value: 2 * jobs)
        let threads = DispatchQueue(label: "weir.jobs", attributes: .concurrent)
        for _ in 0..<min(jobs, count) {
            threads.async {
                while let index = self.begin() {
                    let collector = StepCollector(self.queues[index], factPolicies: factPolicies)
                    collector.end(job(index, collector) { self.isOnTurn(index) })
                }
            }
        }
    }

    /// Returns the index of the next file, once it may be begun; nil if there is none.
    private func begin() -> Int? {
        window.wait()
        return next.withLock { next in
            guard next < queues.count else {
                window.signal()
                return nil
            }
            defer { next += 1 }
            return next
        }
    }

    /// Whether the steps of a file are being delivered.
    private func isOnTurn(_ index: Int) -> Bool { turn.withLock { $0 == index } }

    /// Delivers the steps of a file, and returns how its analysis ended. To be called for all files in order.
    func deliver(_ index: Int, to sink: any ReportSink, _ report: any Report) -> Result {
        turn.withLock { $0 = index }
        let result = queues[index].deliver(to: sink) { report.flush() }
        window.signal()
        return result
    }
}
