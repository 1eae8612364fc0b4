import WeirEngine
import WeirPackets

/// A message stream of a connection with its role and state (RTMP §7.2.2).
struct RTMPNetStream: Sendable {
    /// The role of a message stream.
    enum Role: String, Sendable {
        /// The client sends media.
        case publish
        /// The client receives media.
        case play
    }

    /// The ID returned by `createStream`.
    let id: UInt32
    /// The response to `createStream`, or nil if it was not captured or not requested.
    let created: RTMPSession.Mark?
    /// The role, or nil before `publish` or `play`.
    var role: Role?
    /// The published or played name; it may be a secret.
    var name: String?
    /// The publishing type: `live`, `record` or `append`.
    var publishType: String?
    /// The `publish` or `play` request.
    var request: RTMPSession.PendingCommand?
    /// The first statuses sent by the server.
    var statuses: [RTMPSession.Status] = []
    /// When the server accepted the request.
    var accepted: RTMPSession.Mark?
    /// The status that refused the request.
    var refusal: RTMPSession.Status?
    /// When the client deleted or closed the stream.
    var ended: RTMPSession.Mark?
    /// The time of the first media message.
    var firstMedia: Timestamp?
    /// The time of the first key frame.
    var firstKeyframe: Timestamp?

    init(id: UInt32, created: RTMPSession.Mark?) {
        self.id = id
        self.created = created
    }

    /// Whether media may still be sent on the stream.
    var isActive: Bool { role != nil && ended == nil && refusal == nil }

    /// Adds a status unless `most` are stored; returns whether it was added.
    mutating func add(_ status: RTMPSession.Status, most: Int) -> Bool {
        guard statuses.count < most else { return false }
        statuses.append(status)
        return true
    }

    mutating func note(_ changes: RTMPTrack.Changes, _ time: Timestamp) {
        if firstMedia == nil { firstMedia = time }
        if firstKeyframe == nil, changes.contains(.keyframe) { firstKeyframe = time }
    }
}
