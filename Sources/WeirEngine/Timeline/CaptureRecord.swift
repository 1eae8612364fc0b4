public import WeirPackets

/// The input, as known at the start.
public struct CaptureRecord: Sendable {
    /// The name given by the user.
    public var file: String
    /// `pcap`, `pcapng` or `live`.
    public var format: String
    /// The link types in order of appearance.
    public var linkTypes: [LinkType]
    /// The snap length in bytes, or nil if unlimited or unknown.
    public var snapLength: Int?
    /// Whether packets arrive while they are captured, from an interface or a pipe, so that reports do not wait for the
    /// end.
    public var isStreamed: Bool

    /// Creates a record.
    package init(file: String, format: String, linkTypes: [LinkType], snapLength: Int?, isStreamed: Bool = false) {
        self.isStreamed = isStreamed
        self.file = file
        self.format = format
        self.linkTypes = linkTypes
        self.snapLength = snapLength
    }
}

/// Statistics of a capture.
public struct SummaryRecord: Sendable {
    /// The number of frames read.
    public var packets = 0
    /// The original length of those frames in bytes.
    public var bytes = 0
    /// The time of the first frame.
    public var startTime: Timestamp?
    /// The latest time of a frame.
    public var endTime: Timestamp?
    /// The number of frames truncated by the snap length.
    public var truncatedPackets = 0
    /// The number of encrypted flows whose protocol is unknown.
    public var encryptedFlows = 0
    /// Flows that ended without being passed to the report, which does not list them.
    package var unlistedFlows = 0
    /// The number of frames that could not be decoded up to the transport layer.
    public var undecodedPackets = 0
    /// The reasons, by layer, in order of first occurrence.
    public var undecoded: [UndecodedPackets] = []
    /// The number of packets with an incorrect checksum.
    public var checksumErrors = 0
    /// The number of frames with an implausible timestamp, far from the frames around it; each is assigned the time of
    /// the frame before it.
    public var wrongTimes = 0
    /// The first of those frames.
    public var firstWrongTime: Int?
    /// How often the timestamps step back by more than a second from one frame to the next.
    public var stepsBack = 0
    /// The frame of the first step back.
    public var firstStepBack: Int?
    /// The number of packets contained more than once in the capture.
    public var captureDuplicates = 0
    /// The number of packets dropped by the kernel or the interface (live capture).
    public var droppedPackets: Int?
    /// The number of events.
    public var events = 0
    /// The limits reached, with counts.
    public var limitsReached: [Text] = []
    /// Where and why reading stopped before the end, if it did.
    public var damage: Damage?

    /// Creates an empty summary.
    package init() {}
}

/// Why a capture could not be read to the end.
public struct Damage: Sendable, Hashable {
    /// The file name.
    public var file: String
    /// The number of the unreadable frame, from 1.
    public var frame: Int
    /// The file offset of the damage in bytes, or nil if unknown.
    public var offset: Int?
    /// The problem, in words.
    public var reason: String

    /// Creates a description of damage.
    package init(file: String, frame: Int, offset: Int?, reason: String) {
        self.file = file
        self.frame = frame
        self.offset = offset
        self.reason = reason
    }
}

/// Packets that could not be decoded up to the transport layer, for one reason in one layer.
public struct UndecodedPackets: Sendable {
    /// The reason for a decoding failure.
    public enum Reason: String, Sendable {
        /// A header violates its specification, or lengths are inconsistent.
        case malformed
        /// The packet was truncated by the capture.
        case cut
        /// The layer or its payload is not supported.
        case unsupported
    }

    /// The name of the layer, such as `IPv4`.
    public let layer: String
    /// The reason.
    public let reason: Reason
    /// The number of packets.
    public package(set) var packets = 1
    /// The first frame.
    public let frame: Int
    /// The byte offset in that frame at which decoding stopped.
    public let offset: Int
    /// The bytes needed there and the bytes available, or nil if the length is not the problem.
    public let octets: (needed: Int, available: Int)?
    /// The problem, in words; nil if bytes are missing.
    public let fault: String?

    /// Creates a record for the first packet with a decoding error.
    package init(_ error: DecodeError, isCut: Bool, frame: Int) {
        layer = error.layer
        self.frame = frame
        offset = error.offset
        switch error.kind {
        case .tooShort(let needed, let available):
            (reason, octets, fault) = (isCut ? .cut : .malformed, (needed, available), nil)
        case .malformed(let fault): (reason, octets, self.fault) = (isCut ? .cut : .malformed, nil, fault)
        case .unsupported(let fault): (reason, octets, self.fault) = (.unsupported, nil, fault)
        }
    }

    /// Creates a record for the first packet of an unsupported link type.
    package init(_ type: LinkType, frame: Int) {
        layer = "link"
        reason = .unsupported
        self.frame = frame
        offset = 0
        octets = nil
        fault = type.name
    }

    /// Whether another record has the same layer and reason.
    package func isAlike(_ other: Self) -> Bool {
        layer == other.layer && reason == other.reason && (octets == nil) == (other.octets == nil)
    }
}
