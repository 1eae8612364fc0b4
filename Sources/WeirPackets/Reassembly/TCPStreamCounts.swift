/// What was counted in one direction of a TCP connection.
struct TCPStreamCounts: Sendable {
    /// Retransmitted octets.
    var retransmittedOctets = 0
    /// Octets given up as gaps.
    var missingOctets = 0
    /// Segments with new octets that arrived after later ones.
    var outOfOrderSegments = 0
    /// Keep-alive probes.
    var keepAlives = 0
    /// Zero-window probes.
    var zeroWindowProbes = 0
}
