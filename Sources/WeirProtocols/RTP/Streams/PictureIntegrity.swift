import WeirEngine
import WeirPackets

/// The effect of lost packets on the pictures of a stream: damaged or missing pictures, and how long playback froze.
///
/// Work is done only for missing packets and key frames. The freeze is an estimate: each picture except key frames is
/// assumed to depend on the previous one, as with most encoders. With gradual refresh, it lasts until the refresh that
/// began after the loss is complete.
package struct PictureIntegrity: Sendable {
    /// A picture with missing packets.
    package struct Damage: Sendable, Hashable {
        /// The first missing sequence number.
        package var sequence: UInt16
        /// Number of consecutive missing packets.
        package var count: Int
        /// The frame of the first packet after them.
        package var frame: Int
    }

    /// A period without correct pictures.
    package struct Freeze: Sendable, Hashable {
        /// When the first incorrect picture was due.
        package var start: Timestamp
        /// When correct pictures follow.
        package var end: Timestamp
    }

    /// Maximum damaged pictures and freezes listed.
    private static let named = 16
    private static let namedFreezes = 64
    /// Key frames kept until gaps before them are final.
    private static let remembered = 32

    /// Pictures only partly received.
    package private(set) var damaged = 0
    /// Gaps between complete pictures: at least one picture is missing in each.
    package private(set) var absent = 0
    /// Pictures received but not decodable, including damaged ones.
    package private(set) var undecodable = 0
    /// Number of freezes.
    package private(set) var freezes = 0
    /// Total freeze duration, in nanoseconds.
    package private(set) var frozen: Int64 = 0
    /// The first freezes.
    package private(set) var periods: [Freeze] = []
    /// The first damaged pictures.
    package private(set) var damages: [Damage] = []
    private var lastDamaged = 0
    /// Random access points: where decoding can begin, and number and time of the picture from which all are correct.
    private var entries: [(start: Int, picture: Int, time: Timestamp)] = []
    /// The first picture that could not be decoded, and its due time, until a key frame arrives.
    private var open: (picture: Int, time: Timestamp)?
    /// The picture and time up to which freezes were counted.
    private var counted = (picture: 0, time: Timestamp(nanoseconds: .min))

    /// Creates statistics without pictures.
    package init() {}

    /// Due time of the earliest tracked picture from which pictures are correct.
    package var firstEntry: Timestamp? { entries.first?.time }

    /// Whether no picture was damaged or missing.
    var isClean: Bool { damaged == 0 && absent == 0 }

    /// Records a key frame.
    mutating func noteKeyframe(_ picture: Int, at time: Timestamp) {
        noteRecovery(picture, shownFrom: picture, at: time)
    }

    /// Records the start of a gradual refresh: pictures are correct from another one on, which is due at `time`.
    mutating func noteRecovery(_ start: Int, shownFrom picture: Int, at time: Timestamp) {
        if entries.count >= Self.remembered { entries.removeFirst() }
        entries.append((start, picture, time))
        if let open, start > open.picture { close(open, picture, time) }
    }

    /// Records a final gap.
    ///
    /// - Parameter needsOthers: whether pictures depend on previous ones; JPEG pictures do not.
    mutating func note(_ gap: RTPGap, _ place: SequenceGaps.Place, needsOthers: Bool) {
        guard let hole = place.pictures else { return }
        var first = 0
        if hole.isInside || !hole.endsBefore { first = damage(hole.picture, gap, place) }
        if !hole.isInside, hole.continuesBehind {
            let behind = damage(hole.picture &+ 1, gap, place)
            if first == 0 { first = behind }
        }
        if first == 0 {
            absent &+= 1
            first = hole.picture &+ 1
        }
        guard needsOthers else {
            undecodable = damaged
            return
        }
        let start = (picture: first, time: place.timeBefore)
        if let entry = entries.first(where: { $0.start > first }) {
            close(start, entry.picture, entry.time)
        } else if open == nil {
            open = start
        }
    }

    private mutating func damage(_ picture: Int, _ gap: RTPGap, _ place: SequenceGaps.Place) -> Int {
        if picture != lastDamaged {
            damaged &+= 1
            lastDamaged = picture
        }
        if damages.count < Self.named {
            damages.append(Damage(sequence: gap.firstSequence, count: gap.count, frame: place.frame))
        }
        return picture
    }

    /// Counts a freeze from one picture to another.
    private mutating func close(_ start: (picture: Int, time: Timestamp), _ picture: Int, _ time: Timestamp) {
        open = nil
        let begin = max(start.time, counted.time)
        let from = max(start.picture, counted.picture)
        undecodable &+= max(0, picture &- from)
        guard time > begin else { return }
        if start.time >= counted.time { freezes &+= 1 }
        frozen &+= time.nanoseconds &- begin.nanoseconds
        if let last = periods.indices.last, periods[last].end == begin {
            periods[last].end = time
        } else if periods.count < Self.namedFreezes {
            periods.append(Freeze(start: begin, end: time))
        }
        counted = (max(picture, counted.picture), time)
    }

    /// Processes the end of a stream with `pictures` pictures.
    mutating func finish(_ pictures: Int, at time: Timestamp) {
        if let open { close(open, pictures &+ 1, time) }
        // The stream ended before the refresh was complete.
        guard counted.time > time else { return }
        frozen &-= counted.time.nanoseconds &- time.nanoseconds
        while let last = periods.last, last.end > time {
            periods.removeLast()
            if last.start < time { periods.append(Freeze(start: last.start, end: time)) }
        }
        undecodable &-= max(0, counted.picture &- pictures &- 1)
    }

    /// Returns the figures in the stream record.
    ///
    /// - Parameters:
    ///   - pictures: pictures received, including damaged ones.
    ///   - late: pictures with a packet too late for a buffer of 100 ms.
    ///   - start: the start of the stream.
    func fields(pictures: Int, late: Int, since start: Timestamp) -> FieldValue {
        var fields = [
            Field("complete", .integer(max(0, pictures &- damaged))), Field("damaged", .integer(damaged)),
            Field("absent", .integer(absent)), Field("late", .integer(late)),
            Field("undecodable", .integer(undecodable)), Field("freezes", .integer(freezes)),
            Field("freezeMs", .double(Double(frozen) / 1_000_000)),
        ]
        if !periods.isEmpty {
            let items = periods.map { period in
                FieldValue.object([
                    Field("afterSeconds", .double(max(0, period.start.seconds(since: start)))),
                    Field("ms", .double(period.end.seconds(since: period.start) * 1_000)),
                ])
            }
            fields.append(Field("periods", .array(items)))
        }
        if !damages.isEmpty {
            fields.append(
                Field(
                    "damages",
                    .array(
                        damages.map { damage in
                            .object([
                                Field("frame", .integer(damage.frame)),
                                Field("firstSequence", .integer(Int(damage.sequence))),
                                Field("missing", .integer(damage.count)),
                            ])
                        })))
        }
        return .object(fields)
    }
}
