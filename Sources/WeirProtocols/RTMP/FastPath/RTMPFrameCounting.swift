import WeirEngine
import WeirPackets

/// Counts the frames of a segment in their session, without messages.
struct RTMPFrameCounting {
    /// What became of a frame.
    enum Outcome {
        /// It only changed figures.
        case counted
        /// It was not counted, and is to be reported like any other message.
        case uncounted
        /// It was counted, and changed more: reading stops.
        case changed
    }

    let session: RTMPSession
    /// The sender.
    let direction: Direction
    /// The time and number of the capture frame.
    let time: Timestamp
    let frame: Int
    /// The octets that the side sent before the segment, and those that the other side sent.
    let sent: Int
    let other: Int
    /// What the last frame changed, and in which track. It is emitted later: nothing may be while packets take the fast
    /// path.
    private(set) var changed: (track: Int, changes: RTMPTrack.Changes)?

    init(session: RTMPSession, direction: Direction, time: Timestamp, frame: Int, sent: Int, other: Int) {
        self.session = session
        self.direction = direction
        self.time = time
        self.frame = frame
        self.sent = sent
        self.other = other
    }

    /// Counts a frame that ends at an offset in the segment.
    mutating func count(_ message: RTMPFrame, end: Int) -> Outcome {
        guard
            let (track, changes) = session.count(
                message, direction, time, frame: frame, sent: sent &+ end, other: other)
        else { return .uncounted }
        guard !changes.isEmpty else { return .counted }
        changed = (track, changes)
        return .changed
    }
}
