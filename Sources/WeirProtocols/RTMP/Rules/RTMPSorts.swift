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
    /// All messages, as opposed to parts of the handshake. Events about streams, such as their start, are of every sort.
    static let rtmpMessage: MessageSorts = [.rtmpCommand, .rtmpControl, .rtmpMedia, .rtmpOther]
}

extension RTMPMessage {
    /// The sort by message type, even if the payload cannot be parsed.
    public var sorts: MessageSorts {
        switch typeID {
        case 1...6: .rtmpControl
        case 8, 9: .rtmpMedia
        case 15, 17, 18, 20: .rtmpCommand
        default: .rtmpOther
        }
    }
}

extension RTMPHandshakePart {
    /// The sort of handshake parts.
    public var sorts: MessageSorts { .rtmpHandshake }
}
