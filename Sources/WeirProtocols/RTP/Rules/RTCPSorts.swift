public import WeirEngine

extension MessageSorts {
    /// Source descriptions.
    static let rtcpDescription = MessageSorts(rawValue: 1)
    /// Transport layer and payload-specific feedback.
    static let rtcpFeedback = MessageSorts(rawValue: 2)
    /// Other packets.
    static let rtcpOther = MessageSorts(rawValue: 4)
}

extension SourceDescription {
    /// Source description.
    public var sorts: MessageSorts { .rtcpDescription }
}

extension TransportFeedback {
    /// Feedback.
    public var sorts: MessageSorts { .rtcpFeedback }
}

extension PayloadFeedback {
    /// Feedback.
    public var sorts: MessageSorts { .rtcpFeedback }
}

extension SenderReport {
    /// Not requested by any rule separately.
    public var sorts: MessageSorts { .rtcpOther }
}

extension ReceiverReport {
    /// Not requested by any rule separately.
    public var sorts: MessageSorts { .rtcpOther }
}
