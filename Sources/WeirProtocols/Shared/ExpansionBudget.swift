import WeirEngine
import WeirPackets

/// Limits the total decompressed size per connection: each message has its own limit, but very many small messages that
/// all expand a lot, on any number of connections, would take hours.
package struct ExpansionBudget: Sendable {
    /// Maximum, in bytes, of the accumulated allowance, and of what a connection may use from the shared budget.
    private static let start = 4 * 1024 * 1024
    /// Decompressed bytes per compressed byte in the long run; repetitive text stays far below.
    private static let ratio = 16
    /// Compressed bytes added per message: short messages that refer to earlier ones compress best.
    private static let envelope = 32

    private let shared: SharedOctetBudget
    /// The accumulated allowance, in bytes, minus what was used.
    private var left = 0
    /// Bytes borrowed from the shared budget for the current message, and those used for earlier ones.
    private var borrowedOctets = 0
    private var used = 0

    /// Creates a budget with nothing used.
    package init(_ flow: FlowContext) { shared = flow.expansionBudget }

    /// Returns the allowed decompressed size of a message of `octets` compressed bytes, at most `limit`.
    package mutating func allow(_ octets: Int, upTo limit: Int) -> Int {
        left = min(Self.start, left &+ (max(0, octets) &+ Self.envelope) &* Self.ratio)
        borrowedOctets = shared.take(min(limit &- left, Self.start &- used))
        return min(limit, left &+ borrowedOctets)
    }

    /// Deducts the decompressed bytes of a message.
    package mutating func spend(_ octets: Int) {
        let borrowed = min(borrowedOctets, max(0, octets &- left))
        left = max(0, left &- octets)
        used &+= borrowed
        shared.returnBorrowed(borrowedOctets &- borrowed)
        borrowedOctets = 0
    }
}
