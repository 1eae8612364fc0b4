internal import WeirPackets

/// What both sides of a connection share.
struct RTMPConnection {
    /// Stream names that are remembered, to be hidden wherever they occur.
    private static let maximumKeys = 8
    private static let longestKey = 512

    /// Octets of messages at hand that all connections together may make us keep.
    let budget: SharedOctetBudget
    /// Stream names that were said on this connection so far: they grant the right to publish or to play.
    private(set) var streamKeys: [String] = []

    init(budget: SharedOctetBudget) { self.budget = budget }

    /// Remembers a stream name, with and without its query.
    mutating func remember(_ name: String) {
        for key in [name, String(decoding: name.utf8.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self)]
        where !key.isEmpty && key.utf8.count < Self.longestKey && !streamKeys.contains(key) {
            if streamKeys.count < Self.maximumKeys { streamKeys.append(key) }
        }
    }
}
