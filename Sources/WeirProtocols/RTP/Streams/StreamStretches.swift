import WeirPackets

/// What a session says of media that goes on, until the next packet of a stream comes.
struct StreamTurn: OptionSet, Sendable, Hashable {
    let rawValue: UInt8
    /// It was accepted that media goes on.
    static let resumed = Self(rawValue: 1)
    /// Media was paused, and is asked to go on.
    static let pauseEnded = Self(rawValue: 2)
}

/// The stretches of a stream between its pauses: while media is paused, neither time nor timestamps count.
package struct StreamStretches: Sendable, Hashable {
    /// How many there are, the one that goes on included.
    package private(set) var count = 0
    /// Nanoseconds of the pauses between them.
    package private(set) var paused: Int64 = 0
    /// Ticks of the media's clock in those that are over.
    private var ticks: Int64 = 0
    private var first: UInt32 = 0

    /// One begins with this timestamp.
    mutating func begin(_ timestamp: UInt32) {
        count &+= 1
        first = timestamp
    }

    /// One ended with this timestamp, and media stood still for so many nanoseconds.
    mutating func finish(_ timestamp: UInt32, paused nanoseconds: Int64) {
        ticks = all(until: timestamp)
        paused &+= max(0, nanoseconds)
    }

    /// Ticks of all of them, where the one that goes on has come to this timestamp.
    package func all(until timestamp: UInt32) -> Int64 {
        ticks &+ Int64(max(0, Int32(bitPattern: timestamp &- first)))
    }
}
