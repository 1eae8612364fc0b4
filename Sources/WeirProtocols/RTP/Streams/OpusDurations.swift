import WeirPackets

/// Compares the durations of Opus packets (RFC 6716 §3.1) with the advance of their timestamps, at 48 kHz for all of them
/// (RFC 7587 §4.1).
///
/// Packets are sampled by their sequence numbers, so that a part of a stream never shows what the whole does not. Without
/// transmission in silences timestamps advance further, never less.
struct OpusDurations: Sendable {
    /// Packets whose timestamps all advance by the same number of ticks, which is less than their duration.
    struct Short: Sendable {
        var advance: Int
        var duration: Int
        /// The first of them.
        var frame: Int
        var time: Timestamp
    }

    /// Of so many sequence numbers, a power of two, the first ones are sampled.
    private static let (cycle, sampled): (UInt16, UInt16) = (64, 24)
    /// Consecutive advances that are evidence.
    private static let enough = 20

    /// The first such packets.
    private(set) var short: Short?
    private var timestamp: UInt32 = 0
    private var duration = 0
    private var advance = 0
    private var advances = 0
    private var start = (frame: 0, time: Timestamp(nanoseconds: 0))

    /// Processes a packet of the stream; the duration of a malformed or truncated one is unknown.
    mutating func observe(_ bytes: RawSpan, isSound: Bool, _ sequence: UInt16, _ order: PacketOrder) {
        let number = sequence & (Self.cycle &- 1)
        guard number < Self.sampled, short == nil else { return }
        let samples = isSound ? OpusPacket.samples(bytes) : 0
        let step = Int(Int32(bitPattern: order.timestamp &- timestamp))
        let isShort = number > 0 && order.isNext && !order.marker && samples == duration && step > 0 && step < samples
        if isShort, advances == 0 || step == advance {
            advances &+= 1
            advance = step
        } else {
            advances = 0
            start = (order.frame, order.time)
        }
        timestamp = order.timestamp
        duration = samples
        guard advances == Self.enough else { return }
        short = Short(advance: advance, duration: duration, frame: start.frame, time: start.time)
    }
}
