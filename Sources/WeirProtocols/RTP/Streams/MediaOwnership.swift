import WeirEngine

/// Whether a session is an owner of media. Kept with the session, since such a cast takes 280 instructions, and each stream
/// asks ten times.
private final class MediaOwnership {
    unowned let owner: (any MediaOwner)?

    init(_ session: Session) { owner = session as? any MediaOwner }
}

extension Session {
    /// The session as an owner of media, or nil if it is none.
    package var mediaOwner: (any MediaOwner)? {
        if let known = attachment as? MediaOwnership { return known.owner }
        let ownership = MediaOwnership(self)
        attachment = ownership
        return ownership.owner
    }
}
