public import WeirEngine

extension MessageSorts {
    /// A source description.
    static let rtcpDescription = MessageSorts(rawValue: 1)
    /// Feedback about the transport or the payload.
    static let rtcpFeedback = MessageSorts(rawValue: 2)
    /// Any other packet.
    static let rtcpOther = MessageSorts(rawValue: 4)
}

extension SourceDescription {
    /// A sort of its own.
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
    /// Of no sort that a rule asks for.
    public var sorts: MessageSorts { .rtcpOther }
}

extension ReceiverReport {
    /// Of no sort that a rule asks for.
    public var sorts: MessageSorts { .rtcpOther }
}
