/// Whether the packets of a stream contain a MID header extension (RFC 9143 §15.2), if negotiated.
package struct MediumNaming {
    /// The identifier of the header extension element; 0 if none was negotiated.
    package private(set) var element: UInt8 = 0
    /// Whether it was negotiated before the first packet; earlier packets were not examined.
    package private(set) var isFromStart = false
    /// Whether a packet had the element.
    package private(set) var isNamed = false

    /// Sets the negotiated identifier, after so many packets.
    mutating func agree(on element: UInt8, after packets: Int) {
        if self.element == 0 { isFromStart = packets == 0 }
        self.element = element
    }

    /// Examines the identifier of an element; it is not 0.
    @inline(__always)
    mutating func note(_ element: UInt8) {
        if element == self.element { isNamed = true }
    }
}
