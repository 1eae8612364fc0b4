import WeirEngine
import WeirPackets

// Accessors shared by the RTMP rules.

extension Step {
    /// The command, if the client sent it.
    var clientCommand: RTMPCommandView? {
        guard isFromClient, let said, !said.isAnswer else { return nil }
        return said
    }
}

extension RTMPCommandView {
    /// Creates a view of the command in a message, including a command misplaced in a data message.
    init?(_ message: RTMPMessage) {
        switch message.payload {
        case .command(let command): self.init(command, isData: false)
        case .data(let data):
            self.init(data, isData: true)
            if !isCommand { return nil }
        default: return nil
        }
    }
}

extension RTMPSession.Status {
    /// Whether the status may answer a publish or play request: its code says so, or it has no specific code.
    func isAnswer(to role: RTMPNetStream.Role) -> Bool {
        guard let code else { return true }
        let topics = role == .publish ? ["Publish.", "Record."] : ["Play.", "Data.", "MediaTopic."]
        return isError || !code.hasPrefix("NetStream.") || topics.contains { code.hasPrefix("NetStream." + $0) }
    }
}

extension RTMPSession {
    /// Whether the side that had to answer had time to do so: it closed first, or `seconds` elapsed.
    func hadTime(_ seconds: Double, since mark: Mark, toAnswer side: Direction, until end: Timestamp?) -> Bool {
        if let firstCloser = firstToFinish?.direction ?? resetBy?.direction, firstCloser == side { return true }
        guard let end else { return false }
        return end.seconds(since: mark.time) >= seconds
    }

    /// The time of the latest activity.
    var lastTime: Timestamp? { phases.last?.endTime }
}
