import WeirEngine
package import WeirPackets

/// A message stream of a connection with its role and state (RTMP §7.2.2).
package struct RTMPNetStream: Sendable {
    /// The role of a message stream.
    package enum Role: String, Sendable {
        /// The client sends media.
        case publish
        /// The client receives media.
        case play
    }

    /// The ID returned by `createStream`.
    package let id: UInt32
    /// The response to `createStream`, or nil if it was not captured or not requested.
    package let created: RTMPSession.Mark?
    /// The role, or nil before `publish` or `play`.
    package internal(set) var role: Role?
    /// The published or played name; it may be a secret.
    package internal(set) var name: String?
    /// The publishing type: `live`, `record` or `append`.
    package internal(set) var publishType: String?
    /// The `publish` or `play` request.
    package internal(set) var request: RTMPSession.PendingCommand?
    /// The first statuses sent by the server.
    package internal(set) var statuses: [RTMPSession.Status] = []
    /// When the server accepted the request.
    package internal(set) var accepted: RTMPSession.Mark?
    /// The status that refused the request.
    package internal(set) var refusal: RTMPSession.Status?
    /// When the client deleted or closed the stream.
    package internal(set) var ended: RTMPSession.Mark?
    /// The time of the first media message.
    package internal(set) var firstMedia: Timestamp?
    /// The time of the first key frame.
    package internal(set) var firstKeyframe: Timestamp?

    init(id: UInt32, created: RTMPSession.Mark?) {
        self.id = id
        self.created = created
    }

    /// Whether media may still be sent on the stream.
    package var isActive: Bool { role != nil && ended == nil && refusal == nil }

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
