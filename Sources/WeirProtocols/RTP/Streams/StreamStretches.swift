import WeirPackets

/// Signaling about resuming media, kept until the next packet of a stream.
struct StreamTurn: OptionSet, Sendable, Hashable {
    let rawValue: UInt8
    /// A request to resume media was accepted.
    static let resumed = Self(rawValue: 1)
    /// A request to resume paused media was sent.
    static let pauseEnded = Self(rawValue: 2)
}

/// The segments of a stream between its pauses; neither time nor timestamps count while media is paused.
package struct StreamStretches: Sendable, Hashable {
    /// The number of segments, including the current one.
    package private(set) var count = 0
    /// Nanoseconds of pauses between segments.
    package private(set) var paused: Int64 = 0
    /// Ticks of the media clock in completed segments.
    private var ticks: Int64 = 0
    private var first: UInt32 = 0

    /// Starts a segment at a timestamp.
    mutating func begin(_ timestamp: UInt32) {
        count &+= 1
        first = timestamp
    }

    /// Ends a segment at a timestamp, followed by a pause of so many nanoseconds.
    mutating func finish(_ timestamp: UInt32, paused nanoseconds: Int64) {
        ticks = all(until: timestamp)
        paused &+= max(0, nanoseconds)
    }

    /// Returns the ticks of all segments, with the current one up to `timestamp`.
    package func all(until timestamp: UInt32) -> Int64 {
        ticks &+ Int64(max(0, Int32(bitPattern: timestamp &- first)))
    }
}
