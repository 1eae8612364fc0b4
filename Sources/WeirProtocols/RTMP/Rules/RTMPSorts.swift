public import WeirEngine

extension MessageSorts {
    /// A part of the handshake.
    static let rtmpHandshake = MessageSorts(rawValue: 1)
    /// A command, or data, in which one may stand.
    static let rtmpCommand = MessageSorts(rawValue: 2)
    /// A protocol control message, or a user control message.
    static let rtmpControl = MessageSorts(rawValue: 4)
    /// Audio or video.
    static let rtmpMedia = MessageSorts(rawValue: 8)
    /// Any other message.
    static let rtmpOther = MessageSorts(rawValue: 16)
}

extension RTMPMessage {
    /// By its type; whatever a payload holds that cannot be read, its type is what it was sent as.
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
    /// A sort of its own.
    public var sorts: MessageSorts { .rtmpHandshake }
}
