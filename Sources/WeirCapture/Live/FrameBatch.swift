import WeirPackets

/// Frames captured together, with copies of their octets.
///
/// The octets are no longer in the kernel's buffer, so that a batch can be written to a file before it is analyzed and
/// is preserved whatever happens then.
package struct FrameBatch: Sendable {
    /// A frame, and the offset of its octets.
    private struct Place: Sendable {
        var info: FrameInfo
        var start: Int
        /// Packets of its interface dropped before it.
        var drops = 0
    }

    private var places: [Place] = []
    private var octets: [UInt8] = []

    /// Creates an empty batch.
    package init() {}

    /// The number of frames.
    package var count: Int { places.count }
    /// Whether the batch is empty.
    package var isEmpty: Bool { places.isEmpty }
    /// The captured octets of all frames.
    package var octetCount: Int { octets.count }
    /// The capture time of the first frame.
    package var firstTime: Timestamp? { places.first?.info.time }

    /// Calls `body` for each frame in order; the frame is valid during the call only. `drops` is the number of packets
    /// of its interface dropped since the previous one.
    package func forEach(_ body: (borrowing Frame, _ drops: Int) throws -> Void) rethrows {
        let all = octets.rawSpan
        for place in places {
            let end = place.start &+ place.info.capturedLength
            try body(Frame(info: place.info, bytes: all.clamped(place.start, end)), place.drops)
        }
    }

    /// Removes all frames, keeping the memory.
    mutating func removeAll() {
        places.removeAll(keepingCapacity: true)
        octets.removeAll(keepingCapacity: true)
    }

    /// Appends a frame, which is numbered later. The count of `bytes` is the captured length in `info`.
    @unsafe
    mutating func append(_ info: FrameInfo, _ bytes: UnsafeBufferPointer<UInt8>) {
        places.append(Place(info: info, start: octets.count))
        unsafe octets.append(contentsOf: bytes)
    }

    /// Sorts the frames of all interfaces by time.
    mutating func sortByTime() {
        // A stable sort: frames of one interface keep their order.
        let order = places.indices.sorted {
            (places[$0].info.time, $0) < (places[$1].info.time, $1)
        }
        places = order.map { places[$0] }
    }

    /// Removes frames beyond the first `most`, and those captured after `end`.
    mutating func limit(to most: Int, until end: Timestamp?) {
        if let end { places.removeAll { $0.info.time > end } }
        if places.count > most { places.removeLast(places.count - most) }
    }

    /// Adds packets dropped before the first frame of an interface. Returns false if there is no such frame.
    mutating func noteDrops(_ count: Int, interface: Int) -> Bool {
        guard let index = places.firstIndex(where: { $0.info.interface == interface }) else { return false }
        places[index].drops &+= count
        return true
    }

    /// Numbers the frames, starting after `last`.
    mutating func number(after last: Int) {
        for index in places.indices { places[index].info.number = last &+ index &+ 1 }
    }
}
