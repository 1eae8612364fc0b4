public import WeirPackets

/// What a stream's own protocol measured of it.
public protocol StreamDetails: Sendable {
    /// The members of the `stream` record after those that all streams have, in order, secrets treated as `secrets` says.
    func fields(_ secrets: SecretPolicy) -> [Field]
    /// Codec and figures for the table of streams.
    var figures: StreamFigures { get }
    /// What profiles can ask of it: the members of the record, and what else is known.
    var facts: [Field] { get }
}

extension StreamDetails {
    /// By default what the record says.
    public var facts: [Field] { fields(.masked) }
    /// Codec and figures in one line.
    public var wording: Wording { figures.wording }
    /// Codec and figures in one line, in English.
    public var summary: String { wording.english }
}

/// Details that are an object: many rules ask each stream what kind it is, and of an object that is told in no time.
package protocol SharedStreamDetails: StreamDetails, AnyObject {}

/// One direction of media that ended.
public struct StreamRecord: Sendable {
    /// Number, from 1.
    public var id: Int
    /// What its plugin calls streams of its kind, such as `rtp`.
    public var kind: String
    /// The flow that carried it.
    public var flow: Int
    /// Which way it went in that flow.
    public var direction: Direction
    /// Who sent it.
    public var source: Endpoint
    /// To whom.
    public var destination: Endpoint
    /// The session it belongs to.
    public var session: Int?
    /// `audio`, `video` or `data`.
    public var mediaType: String?
    /// The encoding's name, as in SDP.
    public var encoding: String?
    /// Time of its first packet.
    public var startTime: Timestamp
    /// Time of its last packet.
    public var endTime: Timestamp
    /// Frame of its last packet.
    public var lastFrame: Int
    /// Whether packets were dropped before they could be captured, perhaps some of this stream.
    public var sawDrops = false
    /// Whether the times of the capture's frames went back while it was open.
    public package(set) var clockWentBack = false
    /// Whether frames bore a wrong time while it was open.
    public package(set) var hasDoubtfulTimes = false
    /// What was measured.
    public var details: any StreamDetails { didSet { shared = details as? any SharedStreamDetails } }
    /// The same, if it is an object.
    package private(set) var shared: (any SharedStreamDetails)?

    /// Holds what is known.
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
