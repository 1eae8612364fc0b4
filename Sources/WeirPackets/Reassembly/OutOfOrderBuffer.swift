/// Octets of a TCP direction that arrived before those in front of them, in order of position, without overlaps.
///
/// Of octets that arrive twice the first copy is kept.
struct OutOfOrderBuffer: Sendable {
    /// Octets that arrived together.
    struct Piece: Sendable {
        /// Position in the stream of the first octet.
        var start: Int
        /// The octets; empty when the capture was cut there and `missing` of them are known to be gone.
        var bytes: [UInt8]
        /// Octets that were on the wire but are not in the capture.
        var missing: Int
        /// Frame that brought them.
        var frame: Int
        /// When.
        var time: Timestamp
        /// What their sender acknowledged with them of the other side's octets; nil when it did not.
        var acknowledgment: UInt32?

        /// Position behind the last octet.
        var end: Int { start &+ bytes.count &+ missing }
        /// What it costs to keep, with the bookkeeping, so that many tiny segments count for what they take.
        var cost: Int { bytes.count &+ OutOfOrderBuffer.pieceOverhead }
    }

    /// Octets that a piece costs beside its own.
    static let pieceOverhead = 96

    private var pieces: [Piece] = []
    /// Pieces at the front that were already taken.
    private var head = 0
    /// What the pieces cost.
    private(set) var cost = 0

    /// Whether nothing is kept.
    var isEmpty: Bool { head == pieces.count }
    /// Position of the first octet kept.
    var start: Int? { head < pieces.count ? pieces[head].start : nil }

    /// The frame that brought it.
    var firstFrame: Int? { firstPlace?.frame }
    /// The same, and when it came.
    var firstPlace: Delivery.Place? {
        head < pieces.count ? Delivery.Place(frame: pieces[head].frame, time: pieces[head].time) : nil
    }

    /// What the sender acknowledged with it.
    var firstAcknowledgment: UInt32? { head < pieces.count ? pieces[head].acknowledgment : nil }

    /// Position behind the last octet that follows `position` without a hole: `position` itself when none does.
    func end(from position: Int) -> Int {
        var end = position
        for index in head..<pieces.count {
            guard pieces[index].start <= end else { break }
            end = max(end, pieces[index].end)
        }
        return end
    }

    /// The piece that holds `position`, or the first one behind it.
    func piece(atOrAfter position: Int) -> Piece? {
        let index = firstIndex(endingAfter: position)
        return index < pieces.count ? pieces[index] : nil
    }

    /// Keeps a piece; the caller has made sure that it overlaps no other.
    mutating func insert(_ piece: Piece, budget: inout OctetBudget) {
        pieces.insert(piece, at: firstIndex(endingAfter: piece.start))
        cost &+= piece.cost
        budget.take(piece.cost)
    }

    /// Takes the first piece out.
    mutating func popFirst(budget: inout OctetBudget) -> Piece? {
        guard head < pieces.count else { return nil }
        let piece = pieces[head]
        pieces[head].bytes = []
        head &+= 1
        if head == pieces.count {
            pieces = []
            head = 0
        } else if head &* 2 > pieces.count {
            pieces.removeFirst(head)
            head = 0
        }
        cost &-= piece.cost
        budget.giveBack(piece.cost)
        return piece
    }

    /// Forgets everything.
    mutating func removeAll(budget: inout OctetBudget) {
        budget.giveBack(cost)
        pieces = []
        head = 0
        cost = 0
    }

    /// Index of the first piece whose end is behind `position`.
    private func firstIndex(endingAfter position: Int) -> Int {
        var low = head
        var high = pieces.count
        while low < high {
            let middle = (low &+ high) / 2
            if pieces[middle].end > position { high = middle } else { low = middle &+ 1 }
        }
        return low
    }
}

extension OutOfOrderBuffer.Piece {
    /// Whether the piece holds the same octets at `position`, as far as both have them.
    func holds(_ other: RawSpan, at position: Int) -> Bool {
        let start = position &- self.start
        guard start >= 0 else { return true }
        for index in 0..<other.byteCount where start &+ index < bytes.count {
            if bytes[start &+ index] != other.byte(at: index) { return false }
        }
        return true
    }
}
