import WeirPackets

/// A dissector and both directions that it reads, of a connection or of a carried conversation.
final class StreamReader {
    var dissector: any Dissector
    let fromClient: StreamSide
    let fromServer: StreamSide
    var outlet: Outlet
    /// Whether it reads data passed on by other dissectors.
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

/// A conversation that spans several flows, such as one tunneled over two connections.
final class Conversation {
    var key: String
    let reader: StreamReader
    var session: Session?
    /// The flows of the conversation, by id.
    var flows: [Int: FlowState] = [:]
    /// The names of the halves seen, if each half is a connection.
    private var halves: Set<String> = []

    init(key: String, dissector: any Dissector) {
        self.key = key
        reader = StreamReader(
            dissector, fromClient: StreamSide(), fromServer: StreamSide(), outlet: Outlet(), isInner: true)
    }

    /// Whether each half is a separate connection.
    var hasHalves: Bool { !halves.isEmpty }

    /// Records one half, and returns whether the other is still missing.
    func lacksHalf(beside half: String) -> Bool {
        halves.insert(half)
        return halves.count < 2
    }
}
