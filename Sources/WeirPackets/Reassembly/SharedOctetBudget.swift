import Synchronization

/// A limit of buffered octets shared by owners in different isolation domains.
public final class SharedOctetBudget: Sendable {
    private let total: Int
    private let used = Atomic<Int>(0)

    /// Creates an unused budget of `total` octets.
    public init(total: Int) {
        self.total = max(0, total)
    }

    /// Reserves up to `octets`. Returns how many were available.
    public func take(_ octets: Int) -> Int {
        guard octets > 0 else { return 0 }
        let before = used.wrappingAdd(octets, ordering: .relaxed).oldValue
        let some = min(octets, max(0, total &- before))
        returnBorrowed(octets &- some)
        return some
    }

    /// Releases reserved octets.
    public func returnBorrowed(_ octets: Int) {
        guard octets > 0 else { return }
        used.wrappingSubtract(octets, ordering: .relaxed)
    }
}
