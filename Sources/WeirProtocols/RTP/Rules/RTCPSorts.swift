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
    public func sorts(of event: Event) -> MessageSorts { .rtcpDescription }
}

extension TransportFeedback {
    /// Feedback.
    public func sorts(of event: Event) -> MessageSorts { .rtcpFeedback }
}

extension PayloadFeedback {
    /// Feedback.
    public func sorts(of event: Event) -> MessageSorts { .rtcpFeedback }
}

extension SenderReport {
    /// Not requested by any rule separately.
    public func sorts(of event: Event) -> MessageSorts { .rtcpOther }
}

extension ReceiverReport {
    /// Not requested by any rule separately.
    public func sorts(of event: Event) -> MessageSorts { .rtcpOther }
}
