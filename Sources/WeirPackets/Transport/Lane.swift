/// Which way most packets of a flow take, kept with the flow: they need nothing beyond what it says.
package struct Lane: Sendable {
    /// What most packets are.
    package enum Kind: UInt8, Sendable {
        /// Whatever the analyzer makes of them.
        case open
        /// Packets of a media stream that is known.
        case media
        /// Segments of a connection in which frames of known media streams stand one behind the other.
        case framed
        /// Of a conversation that nobody reads: they are counted.
        case passed
    }

    /// What most packets are.
    package var kind = Kind.open
    /// Number of the media stream that goes from client to server, as the flow table has them; -1 when none is known.
    package var forward: Int32 = -1
    /// Number of the media stream of the other direction.
    package var backward: Int32 = -1
    /// Number of the TCP connection; -1 for UDP.
    package var connection: Int32 = -1
    /// Number of what is known of the frames in it; -1 when there are none.
    package var framing: Int32 = -1
    /// State of the announcements when the flow was last looked up among them in vain.
    package var lookedUp: Int32 = -1

    /// The way of a flow of which nothing is known.
    package init() {}

    /// Number of the media stream of a direction.
    @inline(__always)
    package subscript(direction: Direction) -> Int32 {
        get { direction == .clientToServer ? forward : backward }
        set {
            if direction == .clientToServer { forward = newValue } else { backward = newValue }
        }
    }
}
