public import WeirEngine

extension MessageSorts {
    /// Parts of the handshake.
    static let rtmpHandshake = MessageSorts(rawValue: 1)
    /// Command messages, and data messages, which may contain a command.
    static let rtmpCommand = MessageSorts(rawValue: 2)
    /// Protocol control messages and user control messages.
    static let rtmpControl = MessageSorts(rawValue: 4)
    /// Audio and video messages.
    static let rtmpMedia = MessageSorts(rawValue: 8)
    /// All other messages.
    static let rtmpOther = MessageSorts(rawValue: 16)
    /// `connect` of either side.
    static let rtmpConnect = MessageSorts(rawValue: 1 << 5)
    /// `_result` and `_error`.
    static let rtmpResult = MessageSorts(rawValue: 1 << 6)
    /// `onStatus`.
    static let rtmpStatus = MessageSorts(rawValue: 1 << 7)
    /// Commands to a message stream, such as `publish`.
    static let rtmpStreamCommand = MessageSorts(rawValue: 1 << 8)
    /// All messages, as opposed to parts of the handshake. Events about streams, such as their start, are of every sort.
    static let rtmpMessage: MessageSorts = [.rtmpCommand, .rtmpControl, .rtmpMedia, .rtmpOther]
}

extension RTMPMessage {
    /// Returns the sort by message type, even if the payload cannot be parsed, and those of the command.
    public func sorts(of event: Event) -> MessageSorts {
        switch typeID {
        case 1...6: .rtmpControl
        case 8, 9: .rtmpMedia
        case 15, 17, 18, 20: [.rtmpCommand, commandSort]
        default: .rtmpOther
        }
    }

    /// The sort by the name of the command, which may be sent in a data message by mistake.
    private var commandSort: MessageSorts {
        switch payload {
        case .command(let said), .data(let said): said.name.map(Self.sort) ?? []
        default: []
        }
    }

    private static func sort(_ name: String) -> MessageSorts {
        switch name {
        case "connect": .rtmpConnect
        case "_result", "_error": .rtmpResult
        case "onStatus": .rtmpStatus
        case let name where RTMPTransactionZero.names.contains(name): .rtmpStreamCommand
        default: []
        }
    }
}

extension RTMPHandshakePart {
    /// Returns the sort of handshake parts.
    public func sorts(of event: Event) -> MessageSorts { .rtmpHandshake }
}
