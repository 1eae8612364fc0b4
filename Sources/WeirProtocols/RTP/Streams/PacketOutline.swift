import WeirEngine

/// What the report and the rules need of a report or source description: its place in the datagram, its name, its sorts and its view.
struct PacketOutline {
    /// The index in the datagram.
    let index: Int
    /// The name under which it is counted.
    let name: String
    /// Its sorts.
    let sorts: MessageSorts
    /// The rules' view of it.
    let view: AnyObject?

    /// Creates the outline of a packet; nil for packets other than reports and source descriptions, whose events are always created.
    init?(_ packet: borrowing RTCPPacket, _ index: Int) {
        guard let brief = packet.brief else { return nil }
        self.init(index, brief.name, packet.sorts(isFirst: index == 0), brief.view)
    }

    init(_ index: Int, _ name: String, _ sorts: MessageSorts, _ view: AnyObject?) {
        self.index = index
        self.name = name
        self.sorts = sorts
        self.view = view
    }
}
