package import WeirPackets

/// The relation of a packet to the previous one of its stream.
package struct PacketOrder: Sendable {
    /// Whether its timestamp begins a new access unit.
    package var isNewUnit = false
    /// Whether the payload of the packet with the preceding number was parsed, and no other packet arrived in between.
    package var isNext = false
    /// Whether its timestamp differs from that of the previous packet, which was parsed and had no marker: an access
    /// unit that continues here has two timestamps.
    package var isTorn = false
    /// The RTP marker bit.
    package var marker = false
    /// The frame of the packet.
    package var frame = 0
    /// The arrival time.
    package var time = Timestamp(nanoseconds: 0)
    /// The RTP timestamp.
    package var timestamp: UInt32 = 0
    /// Octets of its payload on the wire.
    package var wireLength = 0
    /// Whether its payload was captured completely.
    package var isWhole = true

    /// Creates the relation of a packet without any information.
    package init() {}
}
