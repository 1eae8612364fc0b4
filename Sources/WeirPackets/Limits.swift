/// The bounds of every table and buffer. Reaching one is remarked on in the report; it is never silent and never a crash.
public struct Limits: Sendable {
    /// Octets that tables and buffers together may take, about; what was idle longest gives way.
    public var memoryOctets = 512 << 20
    /// Flows followed at once; when a further one begins, the first one ends that has shown nothing but its opening, or
    /// else the one idle longest.
    public var flows = 1_000_000
    /// Seconds without a packet after which a UDP flow ends.
    public var udpIdleSeconds = 120.0
    /// Seconds without a packet after which a TCP flow ends.
    public var tcpIdleSeconds = 600.0
    /// Seconds without a packet after which a TCP flow ends that has carried no octet yet: what a scan or a flood of
    /// SYNs leaves behind.
    public var tcpSilentSeconds = 120.0
    /// Seconds after which a connection attempt that nobody answers ends: longer than between any two copies of a SYN but
    /// the last ones of a very patient sender (RFC 6298 §2: 1, 2, 4, … 64 seconds).
    public var tcpOpeningSeconds = 75.0
    /// Flows kept at once that have shown nothing but their opening: a SYN, or one datagram that tells nothing. The one
    /// that opened first ends when a further one begins.
    public var openings = 250_000
    /// Flows whose protocol is looked for at once; of those that began first it is looked for no more.
    public var undecidedFlows = 65_536
    /// Octets kept behind a gap, for each direction of a TCP flow.
    public var gapBufferOctets = 256 * 1024
    /// Octets kept behind gaps, in all flows together.
    public var gapBufferTotalOctets = 64 * 1024 * 1024
    /// Octets of an unfinished message kept for a dissector, for each direction of a TCP flow.
    public var messageOctets = 1024 * 1024
    /// Octets of unfinished messages kept in all flows together.
    public var messageTotalOctets = 64 * 1024 * 1024
    /// Octets that may come of compressed messages of all flows together, beyond what such text usually becomes.
    public var expansionOctets = 6 * 1024 * 1024
    /// Octets of messages that another protocol carries kept of one flow until it is known whose they are; the oldest give
    /// way.
    public var carriedOctets = 64 * 1024
    /// How many such messages.
    public var carriedMessages = 256
    /// Fragmented IP datagrams reassembled at once.
    public var fragmentedDatagrams = 1_024
    /// Octets held in fragments, in all datagrams together.
    public var fragmentTotalOctets = 16 * 1024 * 1024
    /// Seconds after which an unfinished fragmented datagram is given up (RFC 8200 §4.5: 60).
    public var fragmentSeconds = 60.0
    /// Headers of encapsulated protocols (tunnels, tags) peeled off one frame.
    public var encapsulations = 16
    /// Octets of a flow's opening that are looked at to find its protocol, for each direction.
    public var probeOctets = 4 * 1024
    /// The same where the capture begins late: what tells a protocol may be far behind, and on a protocol's usual port it
    /// is looked for longest.
    public var lateProbeOctets = 16 * 1024
    /// See `lateProbeOctets`.
    public var lateUsualProbeOctets = 64 * 1024
    /// RTP streams followed at once in one flow and direction, and tracks of one RTMP connection.
    public var streamsPerFlow = 64
    /// Sessions kept open at once.
    public var sessions = 12_000
    /// Requests of a session that wait for their answers: of RTSP, RTMP commands, pings, HTTP requests of RTMPT.
    public var outstandingRequests = 256
    /// Announcements of media that has not come yet.
    public var expectations = 65_536
    /// The same for one endpoint or name: of more nobody could tell whose it is.
    public var expectationsAlike = 1_024
    /// TCP connections at once that are looked at without a packet of their own, since what one side says waits for octets
    /// of the other; further ones wait for their next packet.
    public var waitingConnections = 1_024
    /// Header fields of one text message.
    public var headerFields = 256
    /// Octets of one header block (start line and fields).
    public var headerOctets = 64 * 1024
    /// Failed connections to ports of which nothing is known that are shown; further ones are only counted.
    public var failedConnections = 8
    /// Interfaces that went away while others were captured on that are named; further ones are only counted.
    public var lostInterfaces = 16
    /// Findings kept of one rule in one session; further ones are only counted.
    public var findingsPerRule = 100

    /// The documented defaults.
    public init() {}

    /// The sets that differ from their defaults.
    @usableFromInline var sets: [ObjectIdentifier: any LimitSet] = [:]

    /// The bounds that one protocol alone needs; its defaults unless they were set otherwise.
    @inlinable public subscript<Set: LimitSet>(_ type: Set.Type) -> Set {
        get { sets.isEmpty ? Set() : sets[ObjectIdentifier(type)] as? Set ?? Set() }
        set { sets[ObjectIdentifier(type)] = newValue }
    }
}

/// The bounds that one protocol alone needs: it brings them itself.
public protocol LimitSet: Sendable {
    /// The defaults.
    init()
}

/// Limits, once for all that keep to them.
public final class LimitsReference: Sendable {
    /// The limits.
    public let values: Limits

    /// Shares limits.
    public init(_ values: Limits) {
        self.values = values
    }
}
