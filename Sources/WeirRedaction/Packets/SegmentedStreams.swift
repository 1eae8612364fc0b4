import WeirPackets

/// The octets of TCP connections by their place in the stream, so that an octet is replaced equally in every segment that carries
/// it. Reading a capture twice in the same order finds the same streams and places.
struct SegmentedStreams {
    /// A place in a stream: the connection's number, and the offset from the first octet seen.
    struct Place {
        let stream: Int
        let offset: Int
    }

    /// What is known of one direction of a connection.
    private struct Side {
        var stream: Int
        /// The sequence number that offsets are relative to.
        var base: UInt32
        /// The highest offset so far.
        var last = 0
        var hasData = false
    }

    private var sides: [FlowDirection: Side] = [:]
    private(set) var count = 0

    /// A connection whose numbers jump farther is taken for another: 64 MiB.
    private static let farthest = 1 << 26

    /// Returns the place of a segment's first octet of payload; nil without payload.
    mutating func place(_ direction: FlowDirection, sequence: UInt32, isStart: Bool, octets: Int) -> Place? {
        let first = isStart ? sequence &+ 1 : sequence
        var side = sides[direction]
        if let known = side {
            let distance = Int(Int32(bitPattern: first &- known.base &- UInt32(truncatingIfNeeded: known.last)))
            if abs(distance) > Self.farthest || isStart && known.hasData && distance != 0 && known.last != 0 {
                side = nil
            }
        }
        var found = side ?? Side(stream: count, base: first)
        if side == nil { count += 1 }
        let distance = Int(Int32(bitPattern: first &- found.base &- UInt32(truncatingIfNeeded: found.last)))
        let offset = found.last + distance
        if octets > 0 { found.hasData = true }
        found.last = max(found.last, offset + octets)
        sides[direction] = found
        return octets > 0 ? Place(stream: found.stream, offset: offset) : nil
    }
}

/// The content of one direction of a connection.
struct StreamContent: Sendable {
    /// Contiguous octets.
    struct Run: Sendable {
        var start: Int
        var octets: [UInt8]
        var end: Int { start + octets.count }
    }

    let direction: FlowDirection
    /// The octets by place, ascending, without overlap.
    private(set) var runs: [Run] = []

    init(_ direction: FlowDirection) {
        self.direction = direction
    }

    /// Adds octets; those that are known already stay as they are. Returns how many are new.
    mutating func add(_ octets: ArraySlice<UInt8>, at start: Int) -> Int {
        if let last = runs.last, start == last.end {
            runs[runs.count - 1].octets += octets
            return octets.count
        }
        guard let last = runs.last, start < last.end else {
            runs.append(Run(start: start, octets: Array(octets)))
            return octets.count
        }
        return insert(octets, at: start)
    }

    /// Adds octets before the end: fills holes, and joins what touches.
    private mutating func insert(_ octets: ArraySlice<UInt8>, at start: Int) -> Int {
        var added = 0
        var place = start
        let end = start + octets.count
        var index = firstRun(endingBehind: start)
        while place < end {
            if index < runs.count, runs[index].start <= place {
                place = max(place, min(end, runs[index].end))
                index += 1
                continue
            }
            let stop = index < runs.count ? min(end, runs[index].start) : end
            let from = octets.startIndex + (place - start)
            runs.insert(Run(start: place, octets: Array(octets[from..<from + (stop - place)])), at: index)
            added += stop - place
            place = stop
            join(index)
            index = firstRun(endingBehind: place)
        }
        return added
    }

    private mutating func join(_ index: Int) {
        if index + 1 < runs.count, runs[index].end == runs[index + 1].start {
            runs[index].octets += runs[index + 1].octets
            runs.remove(at: index + 1)
        }
        if index > 0, runs[index - 1].end == runs[index].start {
            runs[index - 1].octets += runs[index].octets
            runs.remove(at: index)
        }
    }

    /// Returns the index of the first run that ends behind a place.
    private func firstRun(endingBehind place: Int) -> Int {
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].end > place { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Returns the octets at a place, as far as they are known.
    func octets(at start: Int, count: Int) -> ArraySlice<UInt8>? {
        let index = firstRun(endingBehind: start)
        guard index < runs.count, runs[index].start <= start, runs[index].end >= start + count else { return nil }
        let from = start - runs[index].start
        return runs[index].octets[from..<from + count]
    }

    /// Replaces the octets of each run; the lengths stay.
    mutating func replace(_ body: (_ octets: inout [UInt8], _ start: Int) -> Void) {
        for index in runs.indices {
            let count = runs[index].octets.count
            body(&runs[index].octets, runs[index].start)
            assert(runs[index].octets.count == count)
        }
    }
}
