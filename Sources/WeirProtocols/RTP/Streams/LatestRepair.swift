/// What the last packet with a retransmission or error correction repairs.
struct LatestRepair: Sendable {
    /// The original sequence number of a retransmitted packet, or nil if the packet was truncated before it; that of the packet
    /// itself if it has redundancy or FEC.
    var original: UInt16?
    /// What an FEC packet protects.
    var protected: [ProtectedNumbers] = []
    /// Whether it contained only FEC.
    var isCorrection = false
}
