import WeirPackets

/// How far the recognition of a flow's protocol has come.
struct FlowRecognition {
    /// Whether each direction contained a datagram that no dissector recognized.
    private var refused: (client: Bool, server: Bool)
    /// The number of datagrams probed.
    var datagrams: Int
    /// The claims generation at the last unsuccessful lookup.
    var claimsGeneration = -1
    /// The buffered bytes at which an opening is searched thoroughly again, since the cost grows with its length.
    var nextSearch = 0
    /// The buffered bytes at which the dissectors are probed again.
    var nextProbe = 0

    /// Creates the state of a flow with so many datagrams, in these directions with one that no dissector recognized.
    init(refused: (client: Bool, server: Bool) = (false, false), datagrams: Int = 0) {
        (self.refused, self.datagrams) = (refused, datagrams)
    }

    /// Whether both directions contained a datagram that no dissector recognized.
    @inline(__always) var isRefusedByBoth: Bool { refused.client && refused.server }

    /// Whether a direction contained a datagram that no dissector recognized.
    @inline(__always)
    func isRefused(_ direction: Direction) -> Bool {
        direction == .clientToServer ? refused.client : refused.server
    }

    /// Records that a direction contained such a datagram.
    @inline(__always)
    mutating func refuse(_ direction: Direction) {
        if direction == .clientToServer { refused.client = true } else { refused.server = true }
    }
}
