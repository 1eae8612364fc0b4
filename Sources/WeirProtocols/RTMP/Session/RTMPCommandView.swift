/// A command, sent as such or mistakenly in a data message (RTMP §7.1.1, §7.1.2). An object, since each rule asks for it.
final class RTMPCommandView: Sendable {
    /// The name; empty if it has none.
    let name: String
    /// The transaction ID that answers refer to, or nil if it has none.
    let transactionID: Double?
    /// All further values, starting with the command object.
    let arguments: [AMFValue]
    /// Whether it was sent in a data message (type 18 or 15), which is meant for metadata.
    let isData: Bool
    /// The stream name it contains.
    let streamName: String?
    /// Whether it answers another command.
    let isAnswer: Bool

    /// Creates a view of a command or data message.
    init(_ command: RTMPCommand, isData: Bool) {
        name = command.name ?? ""
        self.isData = isData
        isAnswer = name == "_result" || name == "_error" || name == "onStatus"
        streamName = command.streamName
        if isData, let number = command.arguments.first?.number {
            transactionID = number
            arguments = Array(command.arguments.dropFirst())
        } else {
            transactionID = command.transactionID
            arguments = command.arguments
        }
    }

    /// Whether the name is that of a command; if so, a data message with it is a misplaced command.
    ///
    /// Adobe's and other servers send `onStatus` without a transaction ID in data messages to report on data, for
    /// example `NetStream.Data.Start`.
    var isCommand: Bool {
        !isData || Self.commands.contains(name) && (name != "onStatus" || transactionID != nil)
    }

    /// The information object with `level`, `code` and `description`.
    var information: AMFValue? { arguments.first { $0["code"] != nil } }

    /// The message stream created by `createStream` or released by `deleteStream`.
    var number: UInt32? {
        arguments.last?.number.flatMap { UInt32(exactly: $0) }
    }

    private static let commands: Set = [
        "connect", "_result", "_error", "onStatus", "releaseStream", "FCPublish", "FCUnpublish", "FCSubscribe",
        "createStream", "publish", "play", "play2", "pause", "seek", "receiveAudio", "receiveVideo", "deleteStream",
        "closeStream", "getStreamLength", "_checkbw", "onBWDone", "onFCPublish", "onFCUnpublish",
    ]
}
