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
        /// What of pictures is around it; nil where there are none.
        package var pictures: PictureIntegrity.Hole?
    }

    /// Most that are kept: a stream in which more are open at once has no place to be told.
    private static let most = 64

    private var holes: [(behind: UInt16, place: Place)] = []

    /// Takes note of a packet with a number further ahead than the next.
    mutating func note(
        behind sequence: UInt16, _ before: (frame: Int, time: Timestamp), _ behind: (frame: Int, time: Timestamp),
        pictures: PictureIntegrity.Hole?
    ) {
        if holes.count == Self.most { holes.removeFirst() }
        holes.append(
            (
                sequence,
                Place(
                    before: before.frame, timeBefore: before.time, frame: behind.frame, time: behind.time,
                    pictures: pictures)
            ))
    }

    /// The place of a gap that ends before this number: what came late may have made it shorter since.
    mutating func take(behind sequence: UInt16) -> Place? {
        while let first = holes.first, Int16(bitPattern: first.behind &- sequence) < 0 { holes.removeFirst() }
        return holes.first?.place
    }
}
