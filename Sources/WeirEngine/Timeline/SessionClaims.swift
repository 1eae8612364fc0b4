/// What a session has claimed.
final class SessionClaims {
    /// The numbers of its claims.
    var numbers: [Int32] { storedNumbers.current }
    private var storedNumbers = Lent<[Int32]>([])
    /// The flows that matched its claims, as indices in the flow table.
    var flows: [Int] = []
    /// The number of claims of most sessions.
    private static let usual = 12

    /// Adds the number of a claim, and returns its index.
    func add(_ number: Int32) -> Int {
        var taken = storedNumbers.take()
        if taken.isEmpty { taken.reserveCapacity(Self.usual) }
        taken.append(number)
        let index = taken.count &- 1
        storedNumbers.put(consume taken)
        return index
    }

    /// Removes the claim at an index. Returns the number of the one that takes its place, if there is one.
    func remove(at index: Int) -> Int32? {
        var taken = storedNumbers.take()
        let last = taken.popLast()
        let isMoved = index < taken.count
        if isMoved, let last { taken[index] = last }
        storedNumbers.put(consume taken)
        return isMoved ? last : nil
    }

    /// Removes all claims, and returns their numbers.
    func removeAll() -> [Int32] {
        let numbers = storedNumbers.take()
        storedNumbers.put([])
        return numbers
    }
}
