/// Whether the packets of a stream name their medium in a header extension (RFC 9143 §15.2), where its session has agreed on
/// that.
package struct MediumNaming {
    /// The identifier of the extension's element; 0 as long as none is agreed on.
    package private(set) var element: UInt8 = 0
    /// Whether that was so before the first packet: of those before it is not known what they had.
    package private(set) var isFromStart = false
    /// Whether a packet had it.
    package private(set) var isNamed = false

    /// The session says under which identifier it stands, after so many packets.
    mutating func agree(on element: UInt8, after packets: Int) {
        if self.element == 0 { isFromStart = packets == 0 }
        self.element = element
    }

    /// A packet has an element of this identifier, which is not 0.
    @inline(__always)
    mutating func note(_ element: UInt8) {
        if element == self.element { isNamed = true }
    }
}
