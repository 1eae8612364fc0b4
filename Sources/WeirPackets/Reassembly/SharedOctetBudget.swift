import Synchronization

/// How many octets all owners may keep together, for owners that live in different rooms and share nothing else.
public final class SharedOctetBudget: Sendable {
    private let total: Int
    private let used = Atomic<Int>(0)

    /// Creates a budget of `total` octets of which nothing is used.
    public init(total: Int) {
        self.total = max(0, total)
    }

    /// Takes `octets`, or as many of them as are left; returns how many.
    public func take(_ octets: Int) -> Int {
        guard octets > 0 else { return 0 }
        let before = used.wrappingAdd(octets, ordering: .relaxed).oldValue
        let some = min(octets, max(0, total &- before))
        giveBack(octets &- some)
        return some
    }

    /// Gives octets back that were taken.
    public func giveBack(_ octets: Int) {
        guard octets > 0 else { return }
        used.wrappingSubtract(octets, ordering: .relaxed)
    }
}
