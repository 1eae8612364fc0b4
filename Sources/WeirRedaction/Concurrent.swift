import Dispatch
import Synchronization

/// Work on another thread.
struct Concurrent<Value: Sendable>: ~Copyable {
    private final class State: Sendable {
        /// The result, once the work is done.
        let result = Mutex(Result<Value, any Error>.failure(CancellationError()))
        let isDone = DispatchSemaphore(value: 0)
    }

    private let state = State()

    /// Starts the work.
    init(_ work: @escaping @Sendable () throws -> Value) {
        DispatchQueue.global().async { [state] in
            let found = Result { try work() }
            state.result.withLock { $0 = found }
            state.isDone.signal()
        }
    }

    /// Waits for the end of the work, and returns its result.
    ///
    /// - Throws: The error of the work.
    consuming func wait() throws -> Value {
        state.isDone.wait()
        // Taken out: the caller may change it without a copy.
        return try state.result.withLock { result in
            let found = result
            result = .failure(CancellationError())
            return found
        }.get()
    }
}
