import WeirPackets

/// Frames that were taken off their interfaces together, with copies of their octets.
///
/// What is in a batch has left the kernel's buffer: it can be written to a file before anything is made of it, so that
/// it is kept whatever happens then.
package struct FrameBatch: Sendable {
    /// A frame, and where its octets begin.
    private struct Place: Sendable {
        var info: FrameInfo
        var start: Int
        /// Packets of its interface that were dropped before it.
        var drops = 0
    }

    private var places: [Place] = []
    private var octets: [UInt8] = []

    /// Creates an empty batch.
    package init() {}

    /// How many frames there are.
    package var count: Int { places.count }
    /// Whether there are none.
    package var isEmpty: Bool { places.isEmpty }
    /// Octets of all frames, as captured.
    package var octetCount: Int { octets.count }
    /// When the first frame was captured.
    package var firstTime: Timestamp? { places.first?.info.time }

    /// Gives each frame to `body`, in order; it is valid in that call only. The number says how many packets of its
    /// interface were dropped before it, since the one before.
    package func forEach(_ body: (borrowing Frame, _ drops: Int) throws -> Void) rethrows {
        let all = octets.rawSpan
        for place in places {
            let end = place.start &+ place.info.capturedLength
            try body(Frame(info: place.info, bytes: all.clamped(place.start, end)), place.drops)
        }
    }

    /// Forgets all frames; the memory is kept for the next ones.
    mutating func removeAll() {
        places.removeAll(keepingCapacity: true)
        octets.removeAll(keepingCapacity: true)
    }

    /// Adds a frame; its number is given later. `bytes` are as many as `info` says were captured.
    @unsafe
    mutating func append(_ info: FrameInfo, _ bytes: UnsafeBufferPointer<UInt8>) {
        places.append(Place(info: info, start: octets.count))
        unsafe octets.append(contentsOf: bytes)
    }

    /// Puts frames of several interfaces in the order of their times.
    mutating func sortByTime() {
        // A stable order: frames of one interface stay as they came.
        let order = places.indices.sorted {
            (places[$0].info.time, $0) < (places[$1].info.time, $1)
        }
        places = order.map { places[$0] }
    }

    /// Leaves out the frames behind the first `most`, and those captured after `end`.
    mutating func limit(to most: Int, until end: Timestamp?) {
        if let end { places.removeAll { $0.info.time > end } }
        if places.count > most { places.removeLast(places.count - most) }
    }

    /// Notes that packets of an interface were dropped before the first frame of it; false when there is none.
    mutating func noteDrops(_ count: Int, interface: Int) -> Bool {
        guard let index = places.firstIndex(where: { $0.info.interface == interface }) else { return false }
        places[index].drops &+= count
        return true
    }

    /// Numbers the frames, beginning behind `last`.
    mutating func number(after last: Int) {
        for index in places.indices { places[index].info.number = last &+ index &+ 1 }
    }
}
