import WeirEngine
import WeirPackets

/// How much may come of compressed octets of one connection in all: each message has a bound of its own, but very many small
/// ones that all become large, on however many connections, would cost hours.
package struct ExpansionBudget: Sendable {
    /// Octets that may come of few; what is not owed to a connection is lent by what all have together.
    private static let start = 4 * 1024 * 1024
    /// Octets that may come of each one in the long run: of text that repeats itself it is far less.
    private static let ratio = 16
    /// What a message is worth beside its octets: short ones that refer to those before shrink most.
    private static let envelope = 32

    private let shared: SharedOctetBudget
    /// What may come of the octets so far, beyond what came of them.
    private var left = 0
    /// What is lent for the message at hand, and what was used of it for those before.
    private var lent = 0
    private var used = 0

    /// Begins with nothing used.
    package init(_ flow: FlowContext) { shared = flow.expansionBudget }

    /// What may come of a message of `octets` compressed octets, `limit` at most.
    package mutating func allow(_ octets: Int, upTo limit: Int) -> Int {
        left = min(Self.start, left &+ (max(0, octets) &+ Self.envelope) &* Self.ratio)
        lent = shared.take(min(limit &- left, Self.start &- used))
        return min(limit, left &+ lent)
    }

    /// So much came of it.
    package mutating func spend(_ octets: Int) {
        let borrowed = min(lent, max(0, octets &- left))
        left = max(0, left &- octets)
        used &+= borrowed
        shared.giveBack(lent &- borrowed)
        lent = 0
    }
}
