// How a TCP connection began and ended.

extension TCPConnection {
    /// How much of the three-way handshake was captured.
    public enum Handshake: UInt8, Sendable {
        /// SYN, SYN-ACK and the acknowledgment of the SYN-ACK.
        case complete
        /// Some of them.
        case partial
        /// None: the capture starts later.
        case missing
    }

    /// How the connection was closed.
    public enum CloseReason: UInt8, Sendable {
        /// A FIN from each side, or from one side and nothing after it.
        case fin
        /// A RST.
        case reset
        /// No close was captured.
        case open
    }
}
