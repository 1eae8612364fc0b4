import WeirPackets

// What is kept of a message while its chunks pass by: all of what is read as values, of media the beginning.

extension RTMPChunkReader {
    /// Keeps octets of the message at hand, as many as its type needs and the limits allow.
    mutating func keep(_ bytes: RawSpan, _ offset: Int, _ octets: Int, _ connection: borrowing RTMPConnection) {
        // Octets behind a hole would stand in the wrong place.
        guard !streams[current].hasHole else {
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
        let whole = min(streams[current].length, mediaKept(bytes.clamped(offset &+ some)))
        keepLeft = max(0, whole &- streams[current].kept.count)
        if keepLeft > 0, octets > some { keep(bytes, offset &+ some, octets &- some, connection) }
    }

    /// How many octets of a message of this type are kept at first: all of what is read as values.
    static func firstKept(_ typeID: UInt8) -> Int {
        switch typeID {
        case 1...6, 15...20, 22: .max
        default: MediaPrefix.frameOctets
        }
    }

    /// How many octets of the message at hand are kept, when it is audio or video.
    private func mediaKept(_ next: RawSpan) -> Int {
        let typeID = streams[current].typeID
        guard typeID == 8 || typeID == 9 else { return 0 }
        return MediaPrefix.octets(typeID: typeID, kept: streams[current].kept, next: next)
    }

    private mutating func append(_ bytes: RawSpan, _ offset: Int, _ octets: Int) {
        bytes.clamped(offset, offset &+ octets).append(to: &streams[current].kept)
        keptOctets &+= octets
    }
}
