import Dispatch
import Synchronization

/// Work on another thread.
final class Concurrent<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)
    private let isDone = DispatchSemaphore(value: 0)

    /// Starts the work.
    init(_ work: @escaping @Sendable () throws -> Value) {
        DispatchQueue.global().async { [self] in
            let found = Result { try work() }
            result.withLock { $0 = found }
            isDone.signal()
        }
    }

    /// Waits for the end of the work, and returns its result; to be called once.
    ///
    /// - Throws: The error of the work.
    func wait() throws -> Value {
        isDone.wait()
        // Taken out: the caller may change it without a copy.
        guard let found = result.withLock({ $0.take() }) else { preconditionFailure("the result was returned before") }
        return try found.get()
    }
}
