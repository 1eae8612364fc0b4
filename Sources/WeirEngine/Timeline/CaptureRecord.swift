public import WeirPackets

/// The input, as known when reading begins.
public struct CaptureRecord: Sendable {
    /// Name as given by the user.
    public var file: String
    /// `pcap`, `pcapng` or `live`.
    public var format: String
    /// Link types in the order in which they were met.
    public var linkTypes: [LinkType]
    /// Octets kept of each packet at most; nil when unlimited or unknown.
    public var snapLength: Int?
    /// Whether its packets come as they are captured, from an interface or through a pipe: reports do not wait for the end.
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

/// What a whole capture held.
public struct SummaryRecord: Sendable {
    /// Frames read.
    public var packets = 0
    /// Octets of those frames on the wire.
    public var bytes = 0
    /// Time of the first frame.
    public var startTime: Timestamp?
    /// The latest time of a frame.
    public var endTime: Timestamp?
    /// Frames that the snap length cut.
    public var truncatedPackets = 0
    /// Flows of encryption in which nothing says what they carry.
    public var encryptedFlows = 0
    /// Frames whose layers up to the transport could not be decoded.
    public var undecodedPackets = 0
    /// What kept them from being decoded, layer by layer, in the order of first times.
    public var undecoded: [UndecodedPackets] = []
    /// Packets with a wrong checksum.
    public var checksumErrors = 0
    /// Frames whose own time was wrong, far from those around it: each counts as captured with the frame before it.
    public var wrongTimes = 0
    /// The first of them.
    public var firstWrongTime: Int?
    /// How often the frames' times went back by more than a second, from one frame to the next.
    public var stepsBack = 0
    /// The frame where they did first.
    public var firstStepBack: Int?
    /// Packets that the capture holds more than once.
    public var captureDuplicates = 0
    /// Packets that the kernel or the interface dropped (live capture).
    public var droppedPackets: Int?
    /// Events in the timeline.
    public var events = 0
    /// Limits that were reached, each with how often.
    public var limitsReached: [Text] = []
    /// Where and why reading stopped early, if it did.
    public var damage: Damage?

    /// An empty summary.
    package init() {}
}

/// Why a capture could not be read to its end.
public struct Damage: Sendable, Hashable {
    /// The file.
    public var file: String
    /// The frame that could not be read, counted from 1.
    public var frame: Int
    /// Octets from the start of the file to the damage; nil when unknown.
    public var offset: Int?
    /// What is wrong, in words.
    public var reason: String

    /// Creates a description of damage.
    package init(file: String, frame: Int, offset: Int?, reason: String) {
        self.file = file
        self.frame = frame
        self.offset = offset
        self.reason = reason
    }
}

/// Packets that could not be decoded up to the transport for one reason in one layer, and the first of them.
public struct UndecodedPackets: Sendable {
    /// What kept them.
    public enum Reason: String, Sendable {
        /// A header contradicts its specification, or its lengths do not fit.
        case malformed
        /// The capture kept too few octets of them.
        case cut
        /// The layer, or what it carries, is not known.
        case unsupported
    }

    /// The layer, such as `IPv4`.
    public let layer: String
    /// What kept them.
    public let reason: Reason
    /// How many there were.
    public package(set) var packets = 1
    /// The first of them.
    public let frame: Int
    /// Where decoding stopped in it, in octets from its beginning.
    public let offset: Int
    /// Octets that were needed there, and those that were left; nil when it was not for want of octets.
    public let octets: (needed: Int, available: Int)?
    /// What is wrong, in words; nil when octets are missing.
    public let fault: String?

    /// The first packet that an error kept from being decoded.
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

    /// The first packet of a link type that is not known.
    package init(_ type: LinkType, frame: Int) {
        layer = "link"
        reason = .unsupported
        self.frame = frame
        offset = 0
        octets = nil
        fault = type.name
    }

    /// Whether another packet is of the same kind.
    package func isAlike(_ other: Self) -> Bool {
        layer == other.layer && reason == other.reason && (octets == nil) == (other.octets == nil)
    }
}
