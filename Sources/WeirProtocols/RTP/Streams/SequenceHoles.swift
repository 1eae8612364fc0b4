package import WeirPackets

/// Where in the capture the numbers of a stream leap ahead: a gap is told later, when what is missing there has had its time
/// to come.
package struct SequenceHoles: Sendable {
    /// The packets around a hole.
    package struct Place: Sendable, Hashable {
        /// The frame of the packet that came before it.
        package var before: Int
        /// When that came.
        package var timeBefore: Timestamp
        /// The frame of the first packet behind it.
        package var frame: Int
        /// When that came.
        package var time: Timestamp
        /// Whether the timestamps are further apart than the packets: the sender went on elsewhere.
        package var leaps = false
        /// Whether nothing had come before it for longer than the stream's own rhythm explains.
        package var isSilent = false
        /// What of pictures is around it; nil where there are none.
        package var pictures: PictureHole?
    }

    private var holes: [(from: UInt16, behind: UInt16, place: Place)] = []
    private var restarts = 0
    private let most: Int
    /// Holes whose places were not kept.
    package private(set) var unkept = 0

    /// Begins with `most` holes at most: of those beyond, the oldest, the place is not told.
    package init(most: Int = RTPLimits().openHoles) { self.most = max(1, most) }

    /// Takes note of a packet with a number further ahead than the next, `first`; `restarts` tells counts of the source apart.
    mutating func note(
        from first: UInt16, behind sequence: UInt16, restarts: Int, _ before: (frame: Int, time: Timestamp),
        _ behind: (frame: Int, time: Timestamp), pictures: PictureHole?, leaps: Bool = false, isSilent: Bool = false
    ) {
        // What the source counted before has nothing to do with these numbers.
        if restarts != self.restarts { holes = [] }
        self.restarts = restarts
        if holes.count >= most {
            holes.removeFirst()
            unkept &+= 1
        }
        holes.append(
            (
                first, sequence,
                Place(
                    before: before.frame, timeBefore: before.time, frame: behind.frame, time: behind.time,
                    leaps: leaps, isSilent: isSilent, pictures: pictures)
            ))
    }

    /// The place of a gap that ends before this number. What came late may have made it shorter since, or filled all of a hole
    /// before it: the gap is in the hole whose numbers it has.
    mutating func take(behind sequence: UInt16) -> Place? {
        while let first = holes.first, Int16(bitPattern: first.behind &- sequence) < 0 { holes.removeFirst() }
        guard let first = holes.first, Int16(bitPattern: sequence &- first.from) > 0 else { return nil }
        return first.place
    }
}

/// What the packets around a hole show.
package struct PictureHole: Sendable, Hashable {
    /// The picture before it, counted from 1.
    package var picture: Int
    /// Whether the picture before it goes on behind it.
    package var isInside: Bool
    /// Whether the packet before it ended its picture.
    package var endsBefore: Bool
    /// Whether the packet behind it goes on with a picture that it did not begin.
    package var continuesBehind: Bool
}
