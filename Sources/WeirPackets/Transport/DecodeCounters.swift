/// What the decoder counted. Every count is of packets unless it says otherwise.
public struct DecodeCounters: Hashable, Sendable {
    /// IPv4 headers whose checksum does not fit.
    public var ipv4HeaderChecksumErrors = 0
    /// TCP segments whose checksum does not fit.
    public var tcpChecksumErrors = 0
    /// UDP datagrams whose checksum does not fit.
    public var udpChecksumErrors = 0
    /// IP fragments seen.
    public var fragments = 0
    /// Datagrams put together from fragments.
    public var reassembledDatagrams = 0
    /// Datagrams given up because a fragment did not come within `Limits.fragmentSeconds`.
    public var expiredDatagrams = 0
    /// Datagrams given up because `Limits.fragmentedDatagrams` or `Limits.fragmentTotalOctets` was reached.
    public var evictedDatagrams = 0
    /// Fragments that repeat, or contradict, octets that had come already.
    public var overlappingFragments = 0

    /// IPv4, TCP and UDP checksums that do not fit, together.
    public var checksumErrors: Int { ipv4HeaderChecksumErrors + tcpChecksumErrors + udpChecksumErrors }

    /// Nothing counted.
    public init() {}
}
