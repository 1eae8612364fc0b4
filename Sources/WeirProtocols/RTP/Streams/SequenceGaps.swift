package import WeirPackets

/// Positions in the capture where the sequence numbers of a stream jump ahead. Gaps are reported later, after the
/// reorder window.
package struct SequenceGaps: Sendable {
    /// The packets around a gap.
    package struct Place: Sendable, Hashable {
        /// The frame of the packet before it.
        package var before: Int
        /// The time of the packet before it.
        package var timeBefore: Timestamp
        /// The frame of the first packet after it.
        package var frame: Int
        /// The time of the first packet after it.
        package var time: Timestamp
        /// Whether the timestamps are further apart than the packets: the sender seeked.
        package var leaps = false
        /// Whether it follows a silence, longer than the stream's rhythm explains.
        package var isSilent = false
        /// The pictures around it, or nil if there are none.
        package var pictures: PictureGap?
    }

    private var holes: [(from: UInt16, behind: UInt16, place: Place)] = []
    private var restarts = 0
    private let most: Int
    /// Gaps whose positions were not kept.
    package private(set) var unkept = 0

    /// Creates an empty list of at most `most` gaps; beyond that, positions of the oldest are discarded.
    package init(most: Int = RTPLimits().openGaps) { self.most = max(1, most) }

    /// Records a packet after missing numbers, of which `first` is the first; `restarts` distinguishes restarts of the
    /// source.
    mutating func note(
        from first: UInt16, behind sequence: UInt16, restarts: Int, _ before: (frame: Int, time: Timestamp),
        _ behind: (frame: Int, time: Timestamp), pictures: PictureGap?, leaps: Bool = false, isSilent: Bool = false
    ) {
        // Sequence numbers before a restart are unrelated.
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

    /// Returns the position of a gap that ends before this number. Late packets may have shortened it since, or filled
    /// an earlier one: the gap is matched by its numbers.
    mutating func take(behind sequence: UInt16) -> Place? {
        while let first = holes.first, Int16(bitPattern: first.behind &- sequence) < 0 { holes.removeFirst() }
        guard let first = holes.first, Int16(bitPattern: sequence &- first.from) > 0 else { return nil }
        return first.place
    }
}

/// The pictures around a gap.
package struct PictureGap: Sendable, Hashable {
    /// The picture before it, counted from 1.
    package var picture: Int
    /// Whether the picture before it continues after it.
    package var isInside: Bool
    /// Whether the packet before it ended its picture.
    package var endsBefore: Bool
    /// Whether the packet after it continues a picture that it did not begin.
    package var continuesBehind: Bool
}
