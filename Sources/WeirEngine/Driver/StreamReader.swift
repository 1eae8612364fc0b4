import WeirPackets

/// A dissector and what it reads: both sides of a connection, or of a conversation that travels inside others.
final class StreamReader {
    var dissector: any Dissector
    let fromClient: StreamSide
    let fromServer: StreamSide
    let outlet: Outlet
    /// Whether it reads what other dissectors hand on.
    let isInner: Bool

    init(_ dissector: any Dissector, fromClient: StreamSide, fromServer: StreamSide, outlet: Outlet, isInner: Bool) {
        self.dissector = dissector
        self.fromClient = fromClient
        self.fromServer = fromServer
        self.outlet = outlet
        self.isInner = isInner
    }

    /// Whether the dissector itself finds the next message after a gap.
    var findsStarts: Bool { type(of: dissector).findsStarts }

    func side(_ direction: Direction) -> StreamSide {
        direction == .clientToServer ? fromClient : fromServer
    }
}

/// A conversation that several flows carry together, such as one that is tunnelled over two connections.
final class Conversation {
    var key: String
    let reader: StreamReader
    var session: Session?
    /// The flows that take part, in order.
    var flows: [Int: FlowState] = [:]
    /// The names of its halves that were seen, where each half is a connection.
    private var halves: Set<String> = []

    init(key: String, dissector: any Dissector) {
        self.key = key
        reader = StreamReader(
            dissector, fromClient: StreamSide(), fromServer: StreamSide(), outlet: Outlet(), isInner: true)
    }

    /// Whether each half is a connection of its own.
    var hasHalves: Bool { !halves.isEmpty }

    /// Takes note of one half of two; says whether the other is still to come.
    func lacksHalf(beside half: String) -> Bool {
        halves.insert(half)
        return halves.count < 2
    }
}
