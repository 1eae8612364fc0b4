/// How much may come of compressed octets of one connection in all: each message has a bound of its own, but very many small
/// ones that all become large would cost hours.
package struct ExpansionBudget: Sendable {
    /// Octets that may come of few.
    private static let start = 4 * 1024 * 1024
    /// Octets that may come of each one in the long run: of text that repeats itself it is far less.
    private static let ratio = 64

    private var left = Self.start

    /// Begins with nothing used.
    package init() {}

    /// What may come of a message of `octets` compressed octets, `limit` at most.
    package mutating func allow(_ octets: Int, upTo limit: Int) -> Int {
        left = min(Self.start, left &+ max(0, octets) &* Self.ratio)
        return min(limit, left)
    }

    /// So much came of it.
    package mutating func spend(_ octets: Int) {
        left = max(0, left &- octets)
    }
}
