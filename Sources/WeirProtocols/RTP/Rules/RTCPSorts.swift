public import WeirEngine

extension MessageSorts {
    /// Source descriptions.
    static let rtcpDescription = MessageSorts(rawValue: 1)
    /// Transport layer and payload-specific feedback.
    static let rtcpFeedback = MessageSorts(rawValue: 2)
    /// Other packets.
    static let rtcpOther = MessageSorts(rawValue: 4)
    /// The first packet of each datagram.
    static let rtcpFirst = MessageSorts(rawValue: 8)

    /// Returns a sort, and that of the first packet of a datagram if the event is one.
    fileprivate func inDatagram(of event: Event) -> MessageSorts {
        (event.whole as? RTCPDatagram)?.isFirst == true ? union(.rtcpFirst) : self
    }
}

extension SourceDescription {
    /// Source description.
    public func sorts(of event: Event) -> MessageSorts { .rtcpDescription.inDatagram(of: event) }
}

extension TransportFeedback {
    /// Feedback.
    public func sorts(of event: Event) -> MessageSorts { .rtcpFeedback.inDatagram(of: event) }
}

extension PayloadFeedback {
    /// Feedback.
    public func sorts(of event: Event) -> MessageSorts { .rtcpFeedback.inDatagram(of: event) }
}

extension SenderReport {
    /// Not requested by any rule separately.
    public func sorts(of event: Event) -> MessageSorts { .rtcpOther.inDatagram(of: event) }
}

extension ReceiverReport {
    /// Not requested by any rule separately.
    public func sorts(of event: Event) -> MessageSorts { .rtcpOther.inDatagram(of: event) }
}
