import WeirPackets

/// Finds the place of a packet's payload in its TCP stream or fragmented datagram. Reading a capture twice in the same order finds
/// the same places.
struct PacketPlaces {
    /// A place, with the range of the payload in the frame.
    enum Found {
        case stream(SegmentedStreams.Place, FlowDirection, Range<Int>)
        case fragment(Int, Int, Range<Int>)
    }

    private var streams = SegmentedStreams()
    private var fragments = FragmentedDatagrams()
    /// The number of directions of connections and of fragmented datagrams so far.
    var tracked: Int { streams.count + fragments.count }
    /// The addresses and the protocol of the last fragment.
    private(set) var pair: (IPAddress, IPAddress, UInt8)?

    /// Returns the place of a frame's payload, or nil if it is complete in the frame.
    mutating func place(_ octets: [UInt8], _ layout: PacketLayout, _ time: Timestamp) -> Found? {
        guard let network = layout.networks.last,
            let source = PacketAddresses.address(octets, network.addresses.0, isIPv4: network.isIPv4),
            let destination = PacketAddresses.address(octets, network.addresses.1, isIPv4: network.isIPv4)
        else { return nil }
        switch layout.content {
        case .tcp:
            guard let from = octets.uint16(layout.transport), let to = octets.uint16(layout.transport + 2),
                let sequence = octets.uint32(layout.transport + 4), let flags = octets.byte(layout.transport + 13)
            else { return nil }
            let direction = FlowDirection(
                source: Endpoint(address: source, port: from), destination: Endpoint(address: destination, port: to))
            let start = min(layout.payload, layout.end, octets.count)
            let range = start..<max(start, min(layout.end, octets.count))
            return streams.place(direction, sequence: sequence, isStart: flags & 2 != 0, octets: range.count).map {
                .stream($0, direction, range)
            }
        case .fragment(let number, let identification, let offset):
            pair = (source, destination, number)
            let start = min(layout.transport, layout.end, octets.count)
            let datagram = fragments.datagram(source, destination, number, identification, at: time)
            return .fragment(datagram, offset, start..<max(start, min(layout.end, octets.count)))
        default: return nil
        }
    }

    /// Returns the endpoints of a UDP datagram.
    static func pair(_ octets: [UInt8], _ layout: PacketLayout, _ network: PacketLayout.Network) -> EndpointPair? {
        guard let source = PacketAddresses.address(octets, network.addresses.0, isIPv4: network.isIPv4),
            let destination = PacketAddresses.address(octets, network.addresses.1, isIPv4: network.isIPv4),
            let from = octets.uint16(layout.transport), let to = octets.uint16(layout.transport + 2)
        else { return nil }
        return EndpointPair(
            .udp, Endpoint(address: source, port: from), Endpoint(address: destination, port: to))
    }
}
