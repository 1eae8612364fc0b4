import WeirPackets

/// A run of messages of a track with one timestamp.
struct RTMPStandstill: Sendable, Hashable {
    /// The shortest run that is not a group of messages of one picture: messages, and seconds between the first and the
    /// last of them.
    private static let (leastMessages, leastSeconds) = (10, 1.0)

    /// Their timestamp, in milliseconds.
    let timestamp: UInt32
    /// The frame and the time of the second of them, the first that does not advance.
    let frame: Int
    let began: Timestamp
    /// The time of the latest one.
    private(set) var ended: Timestamp
    /// Their number.
    private(set) var messages = 2

    init(timestamp: UInt32, frame: Int, began: Timestamp) {
        self.timestamp = timestamp
        self.frame = frame
        self.began = began
        ended = began
    }

    mutating func add(at time: Timestamp) {
        messages &+= 1
        ended = time
    }

    /// The time between the first and the last of them.
    var seconds: Double { ended.seconds(since: began) }
    /// Whether players notice it.
    var isLong: Bool { messages >= Self.leastMessages && seconds >= Self.leastSeconds }
}
