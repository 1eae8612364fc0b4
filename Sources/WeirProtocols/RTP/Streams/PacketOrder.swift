package import WeirPackets

/// How a packet stands to the one before it in its stream.
package struct PacketOrder: Sendable {
    /// Its timestamp is that of another access unit than those before.
    package var isNewUnit = false
    /// The payload of the packet with the number before was seen, and nothing came between.
    package var isNext = false
    /// Its timestamp is another than the packet's before, which had no marker and whose payload was seen: an access unit
    /// that goes on here has two timestamps.
    package var isTorn = false
    /// The RTP marker bit.
    package var marker = false
    /// The frame that brought it.
    package var frame = 0
    /// When it came.
    package var time = Timestamp(nanoseconds: 0)
    /// The RTP timestamp.
    package var timestamp: UInt32 = 0
    /// Octets that its payload had on the wire.
    package var wireLength = 0
    /// Whether the capture holds its payload to the end.
    package var isWhole = true

    /// Describes a packet of which nothing is known yet.
    package init() {}
}
