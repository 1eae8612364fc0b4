import WeirPackets

/// A dissector that decodes the stream of a flow, such as TLS with its secrets. It reads the connection; what it decodes
/// is dissected as the flow's own stream.
final class StreamLayer {
    /// A message of the layer, emitted once the flow is shown.
    struct Held {
        let message: any Message
        let context: MessageContext
    }

    /// The name of its protocol.
    let name: String
    let reader: StreamReader
    /// Whether its messages are emitted even if nothing is recognized in the stream.
    let isShown: Bool
    /// The source of the secrets, once used.
    var source: String?
    /// Whether buffered bytes of the other direction are to be read again.
    var resumes = false
    private var held: [Held] = []

    init(_ reader: StreamReader, isShown: Bool) {
        name = type(of: reader.dissector).descriptor.name
        self.reader = reader
        // The dissectors of the decoded stream fill the usual one while the items of the layer are dispatched.
        reader.outlet = Outlet()
        self.isShown = isShown
    }

    /// Whether there are messages to be emitted.
    var hasHeld: Bool { !held.isEmpty }

    /// Keeps a message. Returns false if there are too many, and it is dropped.
    func hold(_ message: any Message, _ context: MessageContext, most: Int) -> Bool {
        guard held.count < most else { return false }
        held.append(Held(message: message, context: context))
        return true
    }

    /// Returns and removes the messages.
    func takeHeld() -> [Held] {
        defer { held = [] }
        return held
    }
}
