/// Decoder statistics. Every count is of packets unless stated otherwise.
public struct DecodeCounters: Hashable, Sendable {
    /// IPv4 headers with an invalid checksum.
    public var ipv4HeaderChecksumErrors = 0
    /// TCP segments with an invalid checksum.
    public var tcpChecksumErrors = 0
    /// UDP datagrams with an invalid checksum.
    public var udpChecksumErrors = 0
    /// IP fragments.
    public var fragments = 0
    /// Reassembled datagrams.
    public var reassembledDatagrams = 0
    /// Datagrams dropped because a fragment did not arrive within `Limits.fragmentSeconds`.
    public var expiredDatagrams = 0
    /// Datagrams dropped because `Limits.fragmentedDatagrams` or `Limits.fragmentTotalOctets` was reached.
    public var evictedDatagrams = 0
    /// Fragments that duplicate or contradict octets already received.
    public var overlappingFragments = 0

    /// Invalid IPv4, TCP and UDP checksums together.
    public var checksumErrors: Int { ipv4HeaderChecksumErrors + tcpChecksumErrors + udpChecksumErrors }

    /// Creates counters of zero.
    public init() {}
}
