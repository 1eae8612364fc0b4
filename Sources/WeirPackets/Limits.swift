/// The bounds of every table and buffer. Reaching a bound is reported; it never fails silently or crashes.
public struct Limits: Sendable {
    /// Approximate memory for all tables and buffers together, in octets; the longest idle state is evicted.
    public var memoryOctets = 512 << 20
    /// Concurrent flows. At the limit, the oldest embryonic flow is evicted, or else the one idle longest.
    public var flows = 1_000_000
    /// Idle timeout of a UDP flow, in seconds.
    public var udpIdleSeconds = 120.0
    /// Idle timeout of a TCP flow, in seconds.
    public var tcpIdleSeconds = 600.0
    /// Idle timeout of a TCP flow that has carried no data, such as those left by a scan or a SYN flood, in seconds.
    public var tcpSilentSeconds = 120.0
    /// Timeout of an unanswered connection attempt, in seconds. Longer than any interval between SYN retransmissions
    /// except the last ones of a very patient sender (RFC 6298 §2: 1, 2, 4, … 64 seconds).
    public var tcpOpeningSeconds = 75.0
    /// Concurrent embryonic flows: a SYN, or one datagram of an unrecognized protocol. At the limit, the oldest one is
    /// evicted.
    public var openings = 250_000
    /// Concurrent flows whose protocol is still being detected. At the limit, detection stops for the oldest ones.
    public var undecidedFlows = 65_536
    /// Octets buffered behind a gap, per direction of a TCP flow.
    public var gapBufferOctets = 256 * 1024
    /// Octets buffered behind gaps, for all flows together.
    public var gapBufferTotalOctets = 64 * 1024 * 1024
    /// Octets of an incomplete message buffered for a dissector, per direction of a TCP flow.
    public var messageOctets = 1024 * 1024
    /// Octets of incomplete messages, for all flows together.
    public var messageTotalOctets = 64 * 1024 * 1024
    /// Octets that decompressed messages may take for all flows together, beyond the usual expansion of such text.
    public var expansionOctets = 6 * 1024 * 1024
    /// Octets of messages carried by another protocol that are buffered per flow until their owner is known; the oldest
    /// are dropped first.
    public var carriedOctets = 64 * 1024
    /// Messages carried by another protocol that are buffered per flow.
    public var carriedMessages = 256
    /// Fragmented IP datagrams in reassembly at once.
    public var fragmentedDatagrams = 1_024
    /// Octets buffered in fragments, for all datagrams together.
    public var fragmentTotalOctets = 16 * 1024 * 1024
    /// Reassembly timeout of a fragmented datagram, in seconds (RFC 8200 §4.5: 60).
    public var fragmentSeconds = 60.0
    /// Encapsulation headers (tunnels, tags) decoded per frame.
    public var encapsulations = 16
    /// Octets at the start of a flow used for protocol detection, per direction.
    public var probeOctets = 4 * 1024
    /// Octets used for protocol detection, per direction, if the capture starts mid-stream: the recognizable part may
    /// be far into the data.
    public var lateProbeOctets = 16 * 1024
    /// Octets used for protocol detection, per direction, if the capture starts mid-stream and the port is a usual one
    /// of the protocol.
    public var lateUsualProbeOctets = 64 * 1024
    /// Concurrent RTP streams per flow and direction, and tracks per RTMP connection.
    public var streamsPerFlow = 64
    /// Concurrent sessions.
    public var sessions = 12_000
    /// Pending requests per session: RTSP requests, RTMP commands, pings, HTTP requests of RTMPT.
    public var outstandingRequests = 256
    /// Signaled media flows that have not started yet.
    public var expectations = 65_536
    /// Signaled media flows with the same endpoint or name; beyond that, the owner is ambiguous.
    public var expectationsAlike = 1_024
    /// TCP connections polled at once without a packet of their own, because buffered data of one side awaits octets of
    /// the other; further connections wait for their next packet.
    public var waitingConnections = 1_024
    /// Header fields per text message.
    public var headerFields = 256
    /// Octets of one header block (start line and fields).
    public var headerOctets = 64 * 1024
    /// Failed connections to unknown ports that are listed; further ones are only counted.
    public var failedConnections = 8
    /// Messages of a layer, such as the hellos of TLS, that are kept until the stream in it is recognized, per flow.
    public var heldMessages = 16
    /// Interfaces that disappeared during a live capture and are named; further ones are only counted.
    public var lostInterfaces = 16
    /// Findings stored per rule and session; further ones are only counted.
    public var findingsPerRule = 100

    /// The documented defaults.
    public init() {}

    /// The limit sets that differ from their defaults, in boxes (`LimitBox`); few, so that searching them is cheap.
    @usableFromInline var sets: [any AnyObject & Sendable] = []

    /// The bounds of a single protocol; its defaults unless set. Probes ask for them: casting a box compares two classes,
    /// casting an existential takes 500 instructions.
    @inlinable public subscript<Set: LimitSet>(_ type: Set.Type) -> Set {
        get {
            for box in sets { if let box = box as? LimitBox<Set> { return box.set } }
            return Set()
        }
        set {
            sets.removeAll { $0 is LimitBox<Set> }
            sets.append(LimitBox(newValue))
        }
    }
}

/// A set of bounds in an object.
@usableFromInline
final class LimitBox<Set: LimitSet>: Sendable {
    @usableFromInline let set: Set

    @usableFromInline
    init(_ set: Set) {
        self.set = set
    }
}

/// A set of bounds defined by a single protocol.
public protocol LimitSet: Sendable {
    /// The defaults.
    init()
}

/// A shared reference to limits.
public final class LimitsReference: Sendable {
    /// The limits.
    public let values: Limits

    /// Creates a reference to `values`.
    public init(_ values: Limits) {
        self.values = values
    }
}
