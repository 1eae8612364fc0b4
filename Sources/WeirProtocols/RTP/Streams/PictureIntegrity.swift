import WeirEngine
import WeirPackets

/// What lost packets did to the pictures of a stream: which were damaged or never came, and how long a viewer saw the last good
/// one.
///
/// Work is done where packets are missing, and at key frames; nothing else costs anything. The freeze is an estimate: each
/// picture but a key frame is taken to need the one before, as most encoders make them. Where a stream is refreshed bit by bit, it
/// lasts until the refresh that began behind the loss is over.
package struct PictureIntegrity: Sendable {
    /// A picture of which packets are missing.
    package struct Damage: Sendable, Hashable {
        /// The first missing sequence number.
        package var sequence: UInt16
        /// How many are missing in a row.
        package var count: Int
        /// The frame of the first packet behind them.
        package var frame: Int
    }

    /// Damages that are named.
    private static let named = 16
    /// Key frames that are remembered until holes before them are decided.
    private static let remembered = 32

    /// Pictures of which some packets came, and some never did.
    package private(set) var damaged = 0
    /// Holes between whole pictures: at least one picture is missing in each.
    package private(set) var absent = 0
    /// Pictures that came and could not be shown, those damaged among them.
    package private(set) var undecodable = 0
    /// Times that pictures stood still.
    package private(set) var freezes = 0
    /// How long altogether, in nanoseconds.
    package private(set) var frozen: Int64 = 0
    /// The first damages.
    package private(set) var damages: [Damage] = []
    private var lastDamaged = 0
    /// Where decoding can begin, and from which picture on, and when, all is right then.
    private var entries: [(start: Int, picture: Int, time: Timestamp)] = []
    /// The first picture that could not be shown, and when it was due, until a key frame comes.
    private var open: (picture: Int, time: Timestamp)?
    /// Pictures before this one, and times before this, were counted.
    private var counted = (picture: 0, time: Timestamp(nanoseconds: .min))

    /// Begins before the first picture.
    package init() {}

    /// When the first picture was due from which on pictures are right, of those that are remembered.
    package var firstEntry: Timestamp? { entries.first?.time }

    /// Whether there is anything to tell.
    var isClean: Bool { damaged == 0 && absent == 0 }

    /// A picture that needs no other begins.
    mutating func noteKeyframe(_ picture: Int, at time: Timestamp) {
        noteRecovery(picture, shownFrom: picture, at: time)
    }

    /// A picture comes from which on pictures are refreshed, so that they are right from another one on, which is due at `time`.
    mutating func noteRecovery(_ start: Int, shownFrom picture: Int, at time: Timestamp) {
        if entries.count >= Self.remembered { entries.removeFirst() }
        entries.append((start, picture, time))
        if let open, start > open.picture { close(open, picture, time) }
    }

    /// A hole is known to be one: `gap` never came.
    ///
    /// - Parameter needsOthers: whether pictures need those before them; each of JPEG stands alone.
    mutating func note(_ gap: RTPGap, _ place: SequenceHoles.Place, needsOthers: Bool) {
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

    private mutating func damage(_ picture: Int, _ gap: RTPGap, _ place: SequenceHoles.Place) -> Int {
        if picture != lastDamaged {
            damaged &+= 1
            lastDamaged = picture
        }
        if damages.count < Self.named {
            damages.append(Damage(sequence: gap.firstSequence, count: gap.count, frame: place.frame))
        }
        return picture
    }

    /// Pictures from one on could not be shown until another one.
    private mutating func close(_ start: (picture: Int, time: Timestamp), _ picture: Int, _ time: Timestamp) {
        open = nil
        let begin = max(start.time, counted.time)
        let from = max(start.picture, counted.picture)
        undecodable &+= max(0, picture &- from)
        guard time > begin else { return }
        if start.time >= counted.time { freezes &+= 1 }
        frozen &+= time.nanoseconds &- begin.nanoseconds
        counted = (max(picture, counted.picture), time)
    }

    /// The stream is over, with so many pictures.
    mutating func finish(_ pictures: Int, at time: Timestamp) {
        if let open { close(open, pictures &+ 1, time) }
        // A refresh that the stream did not live to see.
        guard counted.time > time else { return }
        frozen &-= counted.time.nanoseconds &- time.nanoseconds
        undecodable &-= max(0, counted.picture &- pictures &- 1)
    }

    /// The figures as the stream's record has them.
    ///
    /// - Parameters:
    ///   - pictures: how many came, damaged ones among them.
    ///   - late: of how many a packet came too late for a buffer of 100 ms.
    func fields(pictures: Int, late: Int) -> FieldValue {
        var fields = [
            Field("complete", .integer(max(0, pictures &- damaged))), Field("damaged", .integer(damaged)),
            Field("absent", .integer(absent)), Field("late", .integer(late)),
            Field("undecodable", .integer(undecodable)), Field("freezes", .integer(freezes)),
            Field("freezeMs", .double(Double(frozen) / 1_000_000)),
        ]
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
