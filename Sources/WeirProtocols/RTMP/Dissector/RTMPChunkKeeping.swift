import WeirPackets

// Buffering of messages while their chunks arrive: complete for parsed types, a prefix for media.

extension RTMPChunkReader {
    /// Keeps octets of the current message, as many as its type needs and the limits permit.
    mutating func keep(_ bytes: RawSpan, _ offset: Int, _ octets: Int, _ connection: borrowing RTMPConnection) {
        // Octets after a gap would be at the wrong offset.
        guard !streams[current].hasUnfilledGap else {
            keepLeft = 0
            return
        }
        let wanted = min(octets, keepLeft)
        let some = connection.budget.take(min(wanted, max(0, limits.messageOctets &- keptOctets)))
        append(bytes, offset, some)
        keepLeft &-= some
        if some < wanted {
            streams[current].isTooLong = true
            keepLeft = 0
        }
        guard keepLeft == 0, some == wanted, messageLeft > some else { return }
        keepLeft = streams[current].mediaLeftToKeep(bytes.clamped(offset &+ some))
        if keepLeft > 0, octets > some { keep(bytes, offset &+ some, octets &- some, connection) }
    }

    private mutating func append(_ bytes: RawSpan, _ offset: Int, _ octets: Int) {
        bytes.clamped(offset, offset &+ octets).append(to: &streams[current].kept)
        keptOctets &+= octets
    }
}

extension RTMPChunkStream {
    /// Returns how many octets remain to be kept of the current message, if it is audio or video, given those that follow.
    /// Mutating, to access the stream in place.
    fileprivate mutating func mediaLeftToKeep(_ next: RawSpan) -> Int {
        guard typeID == 8 || typeID == 9 else { return 0 }
        return max(0, min(length, MediaPrefix.octets(typeID: typeID, kept: kept, next: next)) &- kept.count)
    }
}
