/// How often octets in which no message was found are looked through again while more of them come.
///
/// A message may be complete with any segment, and none need follow it; but a search with each segment takes the square of the
/// time. So a number of octets may be looked through in vain for each one that came, and only then a search waits for more.
struct VainSearches {
    private static let octetsForEach = 16

    private var known = 0
    private var credit = 0

    /// Takes note that `waiting` octets were looked through in vain.
    ///
    /// - Returns: how many there have to be for the next search; 0 when any further ones will do.
    mutating func note(_ waiting: Int) -> Int {
        credit &+= Self.octetsForEach &* max(0, waiting &- known)
        known = waiting
        guard credit >= waiting else { return 2 &* waiting }
        credit &-= waiting
        return 0
    }
}
