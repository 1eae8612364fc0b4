import WeirPackets
import WeirTesting

/// A reduced or reordered copy of a capture.
package struct Less: Sendable {
    /// A description of the change.
    package var name: String
    /// The remaining frames, renumbered as in a file.
    package var frames: [KeptFrame]
    /// The original number of each frame.
    package var origins: [Int]
    /// Whether single datagrams are missing, which looks like network loss.
    package var mayLose = false
    /// Whether frames are out of order.
    package var isDisordered = false

    init(_ name: String, _ frames: [KeptFrame], origins: [Int]? = nil) {
        self.name = name
        self.origins = origins ?? frames.map(\.info.number)
        self.frames = frames
        for index in self.frames.indices { self.frames[index].info.number = index + 1 }
    }

    /// Returns the capture without one frame.
    package static func without(_ place: Int, of frames: [KeptFrame]) -> Self {
        var rest = frames
        rest.remove(at: place)
        var less = Self("without frame \(place + 1)", rest)
        less.mayLose = frames[place].ports?.isTCP != true
        return less
    }

    /// Returns the capture without its first frames.
    package static func begun(behind count: Int, of frames: [KeptFrame]) -> Self {
        Self("begun behind frame \(count)", Array(frames.dropFirst(count)))
    }

    /// Returns the capture without its last frames.
    package static func ended(at count: Int, of frames: [KeptFrame]) -> Self {
        Self("ended at frame \(count)", Array(frames.prefix(count)))
    }

    /// Returns the capture without the frames of one host: the sender of the first frame, or the other.
    package static func oneSide(isFirst: Bool, of frames: [KeptFrame]) -> Self {
        let first = frames.lazy.compactMap { $0.ports?.source }.first
        return Self(
            "nothing from the \(isFirst ? "first" : "other") side",
            frames.filter { ($0.ports?.source == first) != isFirst })
    }

    /// Returns the capture with every frame truncated.
    package static func cut(to length: Int, of frames: [KeptFrame]) -> Self {
        Self(
            "snap length \(length)",
            frames.map { frame in
                var frame = frame
                frame.octets = Array(frame.octets.prefix(length))
                frame.info.capturedLength = frame.octets.count
                return frame
            })
    }

    /// Returns the capture with neighboring frames swapped that are less than 300 µs apart.
    package static func swapped(_ frames: [KeptFrame]) -> Self {
        var result = frames
        var place = 0
        while place + 1 < result.count {
            let (first, second) = (result[place], result[place + 1])
            if second.info.time.nanoseconds - first.info.time.nanoseconds <= 300_000 {
                result.swapAt(place, place + 1)
                result[place].info.time = first.info.time
                result[place + 1].info.time = second.info.time
                place += 1
            }
            place += 1
        }
        var less = Self("neighbours swapped", result)
        less.isDisordered = true
        return less
    }

    /// Returns the capture with the frames of one host (the sender of the first frame, or the other) later in the file,
    /// as in captures merged from two machines with different clocks.
    package static func late(isFirst: Bool, by nanoseconds: Int64, _ frames: [KeptFrame]) -> Self {
        let first = frames.lazy.compactMap { $0.ports?.source }.first
        return disordered("the \(isFirst ? "first" : "other") side late by \(nanoseconds / 1_000_000) ms", frames) {
            ($0.ports?.source == first) == isFirst ? nanoseconds : 0
        }
    }

    /// Returns the capture with one frame later in the file.
    package static func late(_ place: Int, by nanoseconds: Int64, _ frames: [KeptFrame]) -> Self {
        let number = frames[place].info.number
        return disordered("frame \(number) late by \(nanoseconds / 1_000_000) ms", frames) {
            $0.info.number == number ? nanoseconds : 0
        }
    }

    /// Returns the capture with frames reordered by at most `distance` places. Frames keep their times, as when an
    /// interface has several queues, or take the times of their new places, as when frames are stamped on writing.
    package static func shuffled(_ frames: [KeptFrame], within distance: Int, seed: UInt64, keepsTimes: Bool) -> Self {
        var random = SeededGenerator(seed)
        let keys = frames.indices.map { (Double($0) + Double.random(in: 0..<Double(distance), using: &random), $0) }
        var result = keys.sorted { $0 < $1 }.map { frames[$0.1] }
        if !keepsTimes {
            for (index, frame) in frames.enumerated() { result[index].info.time = frame.info.time }
        }
        var less = Self("shuffled within \(distance), seed \(seed), times kept: \(keepsTimes)", result)
        less.isDisordered = true
        return less
    }

    private static func disordered(_ name: String, _ frames: [KeptFrame], _ delay: (KeptFrame) -> Int64) -> Self {
        var late = frames
        for index in late.indices {
            late[index].info.time = Timestamp(nanoseconds: late[index].info.time.nanoseconds &+ delay(late[index]))
        }
        var less = Self(name, late.sorted { ($0.info.time, $0.info.number) < ($1.info.time, $1.info.number) })
        less.isDisordered = true
        return less
    }

    /// Returns the capture with every frame duplicated.
    package static func doubled(_ frames: [KeptFrame]) -> Self {
        Self("every packet twice", frames.flatMap { [$0, $0] })
    }
}

extension KeptFrame {
    /// The source address of a packet in Ethernet and IPv4, and whether it is TCP; nil for other frames.
    package var ports: (source: ArraySlice<UInt8>, isTCP: Bool)? {
        guard octets.count > 34, octets[12] == 8, octets[13] == 0 else { return nil }
        return (octets[26..<30], octets[23] == 6)
    }
}
