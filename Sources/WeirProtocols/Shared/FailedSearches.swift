/// Limits how often buffered data without a message is searched again while more arrives.
///
/// Any segment may complete a message, and none need follow; but searching on every segment takes quadratic time. So
/// the number of bytes searched per byte received is limited, and beyond it a search waits for more data.
struct FailedSearches {
    private static let octetsForEach = 16

    private var known = 0
    private var credit = 0

    /// Records a search of `waiting` bytes that found nothing.
    ///
    /// - Returns: the number of bytes required for the next search; 0 if any further data will do.
    mutating func note(_ waiting: Int) -> Int {
        credit &+= Self.octetsForEach &* max(0, waiting &- known)
        known = waiting
        guard credit >= waiting else { return 2 &* waiting }
        credit &-= waiting
        return 0
    }
}
