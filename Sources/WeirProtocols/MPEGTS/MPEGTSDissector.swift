package import WeirEngine
package import WeirPackets

/// Recognizes datagrams of whole transport stream packets, and passes them to the streams of the flow.
package struct MPEGTSDissector: Dissector {
    /// Transport streams over UDP, without a registered port.
    package static let descriptor = DissectorDescriptor(
        name: "mpegts", carriers: [.udp],
        recognition: "datagrams of whole 188-octet packets that start with 0x47")

    /// The synchronization byte.
    package static func firstOctets(onUsualPort isUsual: Bool) -> FirstOctets { FirstOctets(0x47...0x47) }

    /// Recognizes several packets, or a single one with a program association table.
    package static func probe(_ opening: borrowing FirstBytes) -> ProbeAnswer {
        looksLikeTransportStream(opening.client) || looksLikeTransportStream(opening.server) ? .yes : .no
    }

    /// Returns whether a datagram is recognized as transport stream packets: several, or one that tells what it is.
    static func looksLikeTransportStream(_ bytes: RawSpan) -> Bool {
        consistsOfPackets(bytes) && (bytes.byteCount > TransportStream.packetLength || holdsAssociation(bytes))
    }

    /// Returns whether octets consist of transport stream packets.
    static func consistsOfPackets(_ bytes: RawSpan) -> Bool {
        let length = TransportStream.packetLength
        guard bytes.byte(at: 0) == 0x47, bytes.byteCount % length == 0, bytes.byteCount > 0 else { return false }
        for start in stride(from: 0, to: bytes.byteCount, by: length) {
            // A packet without payload and adaptation field is reserved (§2.4.3.3).
            guard bytes.byte(at: start) == 0x47, let flags = bytes.byte(at: start &+ 3), flags & 0x30 != 0 else {
                return false
            }
        }
        return true
    }

    /// Returns whether a packet begins a program association table: PID 0, and a section with table ID 0 and the long
    /// syntax.
    private static func holdsAssociation(_ packet: RawSpan) -> Bool {
        guard let word = packet.uint32(at: 0), word & 0x00DF_FFF0 == 0x0040_0010 else { return false }
        guard let table = packet.uint32(at: 3) else { return false }
        return table & 0x00FF_FFF0 == 0x0000_00B0
    }

    /// Creates a dissector for a flow.
    package init(flow: FlowContext) {}

    /// Returns the reader of the flow's streams.
    package static func packetReader(_ flow: FlowState, _ outlet: SessionOutlet) -> (any PacketReader)? {
        MPEGTSFlow(flow, outlet)
    }

    /// Passes on the datagram.
    package mutating func read(
        _ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet
    ) throws(DissectionError) -> Int {
        outlet.packet(Self.descriptor.name, channel: nil, 0..<bytes.byteCount)
        return bytes.byteCount
    }
}
