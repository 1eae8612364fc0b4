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

extension RTCPPacket {
    /// The sort of a report or source description, given whether it is the first packet of its datagram.
    func sorts(isFirst: Bool) -> MessageSorts {
        let sorts: MessageSorts = if case .sourceDescription = self { .rtcpDescription } else { .rtcpOther }
        return isFirst ? sorts.union(.rtcpFirst) : sorts
    }
}

extension SourceDescription {
    /// Returns the sort of source descriptions.
    public func sorts(of event: Event) -> MessageSorts { .rtcpDescription.inDatagram(of: event) }
}

extension TransportFeedback {
    /// Returns the sort of feedback.
    public func sorts(of event: Event) -> MessageSorts { .rtcpFeedback.inDatagram(of: event) }
}

extension PayloadFeedback {
    /// Returns the sort of feedback.
    public func sorts(of event: Event) -> MessageSorts { .rtcpFeedback.inDatagram(of: event) }
}

extension SenderReport {
    /// Returns the sort of packets that no rule observes separately.
    public func sorts(of event: Event) -> MessageSorts { .rtcpOther.inDatagram(of: event) }
}

extension ReceiverReport {
    /// Returns the sort of packets that no rule observes separately.
    public func sorts(of event: Event) -> MessageSorts { .rtcpOther.inDatagram(of: event) }
}
