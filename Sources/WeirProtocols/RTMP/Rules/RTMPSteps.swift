import WeirEngine
import WeirPackets

// What the RTMP rules share: reading a step.

extension Step {
    /// A command of the client.
    var clientCommand: RTMPCommandView? {
        guard isFromClient, let said, !said.isAnswer else { return nil }
        return said
    }

    /// Whether the message came in a chunk stream of its own, not as a part of an aggregate message.
    var isChunked: Bool { rtmp.map { !$0.framing.isInAggregate } ?? false }
}

extension RTMPCommandView {
    /// The command that a message carries, if it carries one: also one in a data message, where it does not belong.
    init?(_ message: RTMPMessage?) {
        switch message?.payload {
        case .command(let command): self.init(command, isData: false)
        case .data(let data):
            self.init(data, isData: true)
            if !isCommand { return nil }
        default: return nil
        }
    }
}

extension RTMPSession.Status {
    /// Whether it may be meant for a request to publish or to play: it says so, or it says nothing of what it is about.
    func isAnswer(to role: RTMPNetStream.Role) -> Bool {
        guard let code else { return true }
        let topics = role == .publish ? ["Publish.", "Record."] : ["Play.", "Data.", "MediaTopic."]
        return isError || !code.hasPrefix("NetStream.") || topics.contains { code.hasPrefix("NetStream." + $0) }
    }
}

extension RTMPSession {
    /// Whether the side that had to answer had the time to do so: it left first, or `seconds` went by.
    func hadTime(_ seconds: Double, since mark: Mark, toAnswer side: Direction, until end: Timestamp?) -> Bool {
        if let leaver = firstToFinish?.direction ?? resetBy?.direction, leaver == side { return true }
        guard let end else { return false }
        return end.seconds(since: mark.time) >= seconds
    }

    /// When the session was last heard of.
    var lastTime: Timestamp? { phases.last?.endTime }
}
