public import WeirPackets

/// Protocol-specific measurements of a stream.
public protocol StreamDetails: Sendable {
    /// Returns the protocol-specific members of the `stream` record, in order; `secrets` determines how secrets are
    /// treated.
    func fields(_ secrets: SecretPolicy) -> [Field]
    /// The codec and figures for the table of streams.
    var figures: StreamFigures { get }
    /// The number of lost packets, as in `figures`, nil where not applicable or unknown. An optimization: making all figures
    /// takes longer.
    var lostPackets: Int? { get }
    /// The facts for profile requirements: the members of the record, and others.
    var facts: [Field] { get }
    /// The details, if rules of another protocol judge what the stream carries.
    var carrier: (any StreamDetails)? { get }
    /// What the stream contains, if it consists of parts.
    var tables: [StreamTable] { get }
}

extension StreamDetails {
    /// The default: that of the figures.
    public var lostPackets: Int? { figures.lost }
    /// The default: the members of the record.
    public var facts: [Field] { fields(.masked) }
    /// The default: nil.
    public var carrier: (any StreamDetails)? { nil }
    /// The default: none.
    public var tables: [StreamTable] { [] }
    /// The codec and figures in one line.
    public var wording: Wording { figures.wording }
    /// The codec and figures in one line, in English.
    public var summary: String { wording.english }
}

/// Details that are a class instance: many rules check the type of each stream's details, which is fast for objects.
package protocol SharedStreamDetails: StreamDetails, AnyObject {}

/// One direction of media that has ended.
public struct StreamRecord: Sendable {
    /// The number, from 1.
    public var id: Int
    /// The plugin's name for this kind of stream, such as `rtp`.
    public var kind: String
    /// The flow id.
    public var flow: Int
    /// The direction in that flow.
    public var direction: Direction
    /// The sender.
    public var source: Endpoint
    /// The receiver.
    public var destination: Endpoint
    /// The session id.
    public var session: Int?
    /// `audio`, `video` or `data`.
    public var mediaType: String?
    /// The encoding name, as in SDP.
    public var encoding: String?
    /// The time of the first packet.
    public var startTime: Timestamp
    /// The time of the last packet.
    public var endTime: Timestamp
    /// The frame of the last packet.
    public var lastFrame: Int
    /// Whether packets were dropped during capture, possibly of this stream.
    public var sawDrops = false
    /// Whether capture timestamps stepped back during the stream.
    public package(set) var clockWentBack = false
    /// Whether frames had invalid timestamps during the stream.
    public package(set) var hasDoubtfulTimes = false
    /// The measurements.
    public var details: any StreamDetails { didSet { shared = details as? any SharedStreamDetails } }
    /// The same, if it is a class instance.
    package private(set) var shared: (any SharedStreamDetails)?

    /// Creates a stream record.
    public init(
        id: Int,
        kind: String,
        flow: Int,
        direction: Direction,
        source: Endpoint,
        destination: Endpoint,
        session: Int? = nil,
        mediaType: String? = nil,
        encoding: String? = nil,
        startTime: Timestamp,
        endTime: Timestamp,
        lastFrame: Int,
        sawDrops: Bool = false,
        details: any StreamDetails
    ) {
        self.id = id
        self.kind = kind
        self.flow = flow
        self.direction = direction
        self.source = source
        self.destination = destination
        self.session = session
        self.mediaType = mediaType
        self.encoding = encoding
        self.startTime = startTime
        self.endTime = endTime
        self.lastFrame = lastFrame
        self.sawDrops = sawDrops
        self.details = details
        shared = details as? any SharedStreamDetails
    }
}
