package import WeirEngine
package import WeirPackets

/// Recognises datagrams that hold whole packets of a transport stream, and hands them to its streams.
package struct MPEGTSDissector: Dissector {
    /// Transport streams over UDP; they have no port of their own.
    package static let descriptor = DissectorDescriptor(
        name: "mpegts", carriers: [.udp],
        recognition: "datagrams of whole packets of 188 octets, each beginning with 0x47")

    /// Several packets, or one with a program association table, which is all that such a packet may be.
    package static func probe(_ opening: borrowing FirstBytes) -> ProbeAnswer {
        looksLikeTransportStream(opening.client) || looksLikeTransportStream(opening.server) ? .yes : .no
    }

    /// Whether a datagram consists of packets of a transport stream.
    static func looksLikeTransportStream(_ bytes: RawSpan) -> Bool {
        let length = TransportStream.packetLength
        guard bytes.byte(at: 0) == 0x47, bytes.byteCount % length == 0, bytes.byteCount > 0 else { return false }
        for start in stride(from: 0, to: bytes.byteCount, by: length) {
            // Without payload and without adaptation field a packet has nothing: that is reserved (§2.4.3.3).
            guard bytes.byte(at: start) == 0x47, let flags = bytes.byte(at: start &+ 3), flags & 0x30 != 0 else {
                return false
            }
        }
        return bytes.byteCount > length || holdsAssociation(bytes)
    }

    /// Whether a packet begins a program association table: PID 0, a section of table 0 with the long syntax.
    private static func holdsAssociation(_ packet: RawSpan) -> Bool {
        guard let word = packet.uint32(at: 0), word & 0x00DF_FFF0 == 0x0040_0010 else { return false }
        guard let table = packet.uint32(at: 3) else { return false }
        return table & 0x00FF_FFF0 == 0x0000_00B0
    }

    /// Begins a flow.
    package init(flow: FlowContext) {}

    /// The flow's streams.
    package static func packetReader(_ flow: FlowState, _ outlet: StoryOutlet) -> (any PacketReader)? {
        MPEGTSFlow(flow, outlet)
    }

    /// Hands on the datagram.
    package mutating func read(
        _ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet
    ) throws(DissectionError) -> Int {
        outlet.packet(Self.descriptor.name, channel: nil, 0..<bytes.byteCount)
        return bytes.byteCount
    }
}
