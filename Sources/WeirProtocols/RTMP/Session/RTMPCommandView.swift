/// A command, sent as such or mistakenly in a data message (RTMP §7.1.1, §7.1.2).
struct RTMPCommandView: Sendable {
    private let command: RTMPCommand
    /// Whether it was sent in a data message (type 18 or 15), which is meant for metadata.
    let isData: Bool

    /// Creates a view of a command or data message.
    init(_ command: RTMPCommand, isData: Bool) {
        self.command = command
        self.isData = isData
    }

    /// The name; empty if it has none.
    var name: String { command.name ?? "" }
    /// What it is, if its name is known.
    var kind: RTMPCommandKind? { command.kind }
    /// The stream name it contains.
    var streamName: String? { command.streamName }
    /// Whether it answers another command.
    var isAnswer: Bool { command.isAnswer }
    /// The transaction ID that answers refer to, or nil if it has none. In a data message, it is one of the values.
    var transactionID: Double? { misplacedTransactionID ?? command.transactionID }
    /// All further values, starting with the command object.
    var arguments: [AMFValue] {
        misplacedTransactionID == nil ? command.arguments : Array(command.arguments.dropFirst())
    }

    private var misplacedTransactionID: Double? { isData ? command.arguments.first?.number : nil }

    /// Whether the name is that of a command; if so, a data message with it is a misplaced command.
    ///
    /// Adobe's and other servers send `onStatus` without a transaction ID in data messages to report on data, for
    /// example `NetStream.Data.Start`.
    var isCommand: Bool {
        guard isData else { return true }
        return switch kind {
        case .onStatus: transactionID != nil
        case .fcUnsubscribe, .onFCSubscribe, .setPlaylist, .onMetaData, .setDataFrame, nil: false
        default: true
        }
    }

    /// The information object with `level`, `code` and `description`.
    var information: AMFValue? { arguments.first { $0["code"] != nil } }

    /// The message stream created by `createStream` or released by `deleteStream`.
    var number: UInt32? {
        arguments.last?.number.flatMap { UInt32(exactly: $0) }
    }
}
