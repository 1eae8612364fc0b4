/// A command as it was said: as a command, or by mistake in a data message (RTMP §7.1.1, §7.1.2).
package struct RTMPCommandView: Sendable, Hashable {
    /// Its name; empty when it has none.
    package let name: String
    /// The number by which an answer refers to it; nil when it has none.
    package let transactionID: Double?
    /// All further values: the command object first.
    package let arguments: [AMFValue]
    /// It came in a data message (type 18 or 15), where only metadata belongs.
    package let isData: Bool
    /// The name of the stream that it speaks of.
    package let streamName: String?

    /// Reads a command or data message as a command.
    package init(_ command: RTMPCommand, isData: Bool) {
        name = command.name ?? ""
        self.isData = isData
        streamName = command.streamName
        if isData, let number = command.arguments.first?.number {
            transactionID = number
            arguments = Array(command.arguments.dropFirst())
        } else {
            transactionID = command.transactionID
            arguments = command.arguments
        }
    }

    /// Whether the name is that of a command; a data message with it is a command in the wrong envelope.
    ///
    /// `onStatus` in a data message, without a transaction, is what Adobe's and other servers tell of data, such as
    /// `NetStream.Data.Start`.
    package var isCommand: Bool {
        !isData || Self.commands.contains(name) && (name != "onStatus" || transactionID != nil)
    }

    /// Whether it answers another command.
    package var isAnswer: Bool { name == "_result" || name == "_error" || name == "onStatus" }

    /// The object that says how it went: `level`, `code`, `description`.
    package var information: AMFValue? { arguments.first { $0["code"] != nil } }

    /// The message stream that `createStream` made, or that `deleteStream` gives back.
    package var number: UInt32? {
        arguments.last?.number.flatMap { UInt32(exactly: $0) }
    }

    private static let commands: Set = [
        "connect", "_result", "_error", "onStatus", "releaseStream", "FCPublish", "FCUnpublish", "FCSubscribe",
        "createStream", "publish", "play", "play2", "pause", "seek", "receiveAudio", "receiveVideo", "deleteStream",
        "closeStream", "getStreamLength", "_checkbw", "onBWDone", "onFCPublish", "onFCUnpublish",
    ]
}
