import Synchronization
import WeirReports

/// Keeps a report in memory, shared between two threads.
final class SharedOutput: ReportOutput, Sendable {
    private let kept = Mutex<[UInt8]>([])
    private let failures = Mutex(0)

    var octets: [UInt8] { kept.withLock { $0 } }
    var failed: Int { failures.withLock { $0 } }

    func write(_ octets: [UInt8]) { kept.withLock { $0 += octets } }
    func fail(_ reason: any Error) { failures.withLock { $0 += 1 } }
}
