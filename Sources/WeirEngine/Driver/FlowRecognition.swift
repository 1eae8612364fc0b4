import WeirPackets

/// How far the recognition of a flow's protocol has come.
struct FlowRecognition {
    /// Whether each direction contained a datagram that no dissector recognized.
    private var refused = (client: false, server: false)
    /// The number of datagrams probed.
    var datagrams = 0
    /// The claims generation at the last unsuccessful lookup.
    var claimsGeneration = -1
    /// The buffered bytes at which an opening is searched thoroughly again, since the cost grows with its length.
    var nextSearch = 0
    /// The buffered bytes at which the dissectors are probed again.
    var nextProbe = 0

    /// That of a flow of which a datagram was refused in one direction, or none.
    init(refused direction: Direction? = nil, datagrams: Int = 0) {
        self.datagrams = datagrams
        if let direction { refuse(direction) }
    }

    /// That of a flow of which a datagram was refused in each direction.
    static var ofRefusedFlow: FlowRecognition {
        var recognition = FlowRecognition(refused: .clientToServer)
        recognition.refuse(.serverToClient)
        return recognition
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
