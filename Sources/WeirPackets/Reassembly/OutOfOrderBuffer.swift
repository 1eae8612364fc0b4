/// The out-of-order octets of a TCP direction, sorted by position, without overlaps.
///
/// If octets are received twice, the first copy is kept.
struct OutOfOrderBuffer: Sendable {
    /// Octets of one segment.
    struct Piece: Sendable {
        /// The position of the first octet in the stream.
        var start: Int
        /// The octets; empty if the capture is truncated there and `missing` octets are known to be lost.
        var bytes: [UInt8]
        /// Octets that were on the wire but not captured.
        var missing: Int
        /// The frame that carried them.
        var frame: Int
        /// The capture time.
        var time: Timestamp
        /// The acknowledgment number of the segment, or nil if it has none.
        var acknowledgment: UInt32?

        /// The position after the last octet.
        var end: Int { start &+ bytes.count &+ missing }
        /// The memory cost including the bookkeeping, so that many tiny segments are charged for what they use.
        var cost: Int { bytes.count &+ OutOfOrderBuffer.pieceOverhead }
    }

    /// The bookkeeping cost of a piece, in octets.
    static let pieceOverhead = 96

    private var pieces: [Piece] = []
    /// The number of pieces at the front that were already removed.
    private var head = 0
    /// The cost of all pieces, in octets.
    private(set) var cost = 0

    /// Whether the buffer is empty.
    var isEmpty: Bool { head == pieces.count }
    /// The position of the first octet, or nil if the buffer is empty.
    var start: Int? { head < pieces.count ? pieces[head].start : nil }

    /// The frame of the first piece.
    var firstFrame: Int? { firstPlace?.frame }
    /// The frame and time of the first piece.
    var firstPlace: Delivery.Place? {
        head < pieces.count ? Delivery.Place(frame: pieces[head].frame, time: pieces[head].time) : nil
    }

    /// The acknowledgment number of the first piece.
    var firstAcknowledgment: UInt32? { head < pieces.count ? pieces[head].acknowledgment : nil }

    /// Returns the position after the last octet that follows `position` without a hole; `position` itself if there is
    /// none.
    func end(from position: Int) -> Int {
        var end = position
        for index in head..<pieces.count {
            guard pieces[index].start <= end else { break }
            end = max(end, pieces[index].end)
        }
        return end
    }

    /// Returns the piece that contains `position`, or the first one after it.
    func piece(atOrAfter position: Int) -> Piece? {
        let index = firstIndex(endingAfter: position)
        return index < pieces.count ? pieces[index] : nil
    }

    /// Inserts a piece. The caller ensures that it does not overlap another one.
    mutating func insert(_ piece: Piece, budget: inout OctetBudget) {
        pieces.insert(piece, at: firstIndex(endingAfter: piece.start))
        cost &+= piece.cost
        budget.take(piece.cost)
    }

    /// Removes and returns the first piece.
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
        budget.returnBorrowed(piece.cost)
        return piece
    }

    /// Removes all pieces.
    mutating func removeAll(budget: inout OctetBudget) {
        budget.returnBorrowed(cost)
        pieces = []
        head = 0
        cost = 0
    }

    /// Returns the index of the first piece that ends after `position`.
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
    /// Whether the piece has the same octets at `position`, as far as both have them.
    func holds(_ other: RawSpan, at position: Int) -> Bool {
        let start = position &- self.start
        guard start >= 0 else { return true }
        for index in 0..<other.byteCount where start &+ index < bytes.count {
            if bytes[start &+ index] != other.byte(at: index) { return false }
        }
        return true
    }
}
