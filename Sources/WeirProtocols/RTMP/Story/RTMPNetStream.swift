import WeirEngine
package import WeirPackets

/// A message stream of a connection: what it is used for, and what became of it (RTMP §7.2.2).
package struct RTMPNetStream: Sendable {
    /// What it is used for.
    package enum Role: String, Sendable {
        /// The client sends media.
        case publish
        /// The client receives media.
        case play
    }

    /// Its id, which `createStream` was answered with.
    package let id: UInt32
    /// The answer to `createStream`; nil when the capture does not hold it, or nobody asked.
    package let created: RTMPSession.Mark?
    /// What it is used for; nil until `publish` or `play`.
    package internal(set) var role: Role?
    /// The name that is published or played; it may be a secret.
    package internal(set) var name: String?
    /// The way of publishing: `live`, `record` or `append`.
    package internal(set) var publishType: String?
    /// `publish` or `play`.
    package internal(set) var request: RTMPSession.PendingCommand?
    /// What the server said of it, the first ones.
    package internal(set) var statuses: [RTMPSession.Status] = []
    /// When the server agreed.
    package internal(set) var accepted: RTMPSession.Mark?
    /// What the server refused it with.
    package internal(set) var refusal: RTMPSession.Status?
    /// The client gave it back or closed it.
    package internal(set) var ended: RTMPSession.Mark?
    /// The first media message.
    package internal(set) var firstMedia: Timestamp?
    /// The first key frame.
    package internal(set) var firstKeyframe: Timestamp?

    init(id: UInt32, created: RTMPSession.Mark?) {
        self.id = id
        self.created = created
    }

    /// Whether something may still flow on it.
    package var isActive: Bool { role != nil && ended == nil && refusal == nil }

    /// Keeps a status, if there are not yet as many as `most`; says whether it did.
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
