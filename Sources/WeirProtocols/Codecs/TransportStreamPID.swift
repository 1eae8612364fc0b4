import WeirPackets

/// The figures of one PID of a transport stream.
struct TransportStreamPID: Sendable {
    /// The last continuity counter, or 0xFF if unknown.
    private var counter: UInt8 = 0xFF
    private var isRepeated = false
    /// The number of packets.
    private(set) var packets = 0
    /// Breaks of the continuity counter that no known loss explains.
    private(set) var continuityErrors = 0
    /// Packets whose payload is scrambled.
    var scrambled = 0
    /// When the latest PTS arrived, in nanoseconds.
    private var lastPresentation: Int64?
    /// The longest time between two PTS, in nanoseconds.
    private(set) var longestPresentationInterval: Int64 = 0
    /// The largest distance from DTS to PTS, in ticks of 90 kHz.
    private(set) var reordering: Int64 = 0
    /// How far decoding times are ahead of the latest PCR, in ticks of 90 kHz.
    private(set) var lead: ClosedRange<Int64>?

    /// Counts a packet; returns whether its continuity counter is wrong. It increases with each packet that has a
    /// payload; one duplicate is permitted (ISO/IEC 13818-1 §2.4.3.3).
    mutating func take(counter next: UInt8, hasPayload: Bool, isDiscontinuous: Bool) -> Bool {
        packets &+= 1
        defer { counter = next }
        guard counter <= 15, !isDiscontinuous else { return false }
        if hasPayload, next == counter, !isRepeated {
            isRepeated = true
            return false
        }
        isRepeated = false
        guard next != (hasPayload ? (counter &+ 1) & 0x0F : counter) else { return false }
        continuityErrors &+= 1
        return true
    }

    /// Handles a loss of packets of any PID.
    mutating func loseCounter() { counter = 0xFF }

    /// Forgets the time of the latest PTS.
    mutating func loseTimes() { lastPresentation = nil }

    /// Records the timestamps of a PES packet; `clock` is the latest PCR. Returns the time since the one before.
    mutating func take(_ times: PresentationTimes, at time: Int64, clock: Int64?) -> Int64? {
        reordering = max(reordering, times.reordering)
        if let clock {
            let ahead = PresentationTimes.distance(times.decoding, from: clock / ProgramClock.ticks)
            lead = min(lead?.lowerBound ?? ahead, ahead)...max(lead?.upperBound ?? ahead, ahead)
        }
        defer { lastPresentation = time }
        guard let last = lastPresentation else { return nil }
        longestPresentationInterval = max(longestPresentationInterval, time &- last)
        return time &- last
    }
}

/// The timestamps of a PES packet, in ticks of 90 kHz (ISO/IEC 13818-1 §2.4.3.7).
struct PresentationTimes {
    let presentation: Int64
    /// The DTS, which equals the PTS if it is absent.
    let decoding: Int64

    /// The ticks after which timestamps wrap.
    private static let turn: Int64 = 1 << 33

    /// Reads the start of a PES packet; returns nil without a PTS.
    init?(_ payload: RawSpan) {
        guard let head = payload.uint32(at: 0), head >> 8 == 1, let flags = payload.byte(at: 7), flags & 0x80 != 0,
            let mark = payload.byte(at: 6), mark >> 6 == 2, let first = Self.timestamp(payload, at: 9)
        else { return nil }
        presentation = first
        decoding = flags & 0x40 != 0 ? Self.timestamp(payload, at: 14) ?? first : first
    }

    /// How long decoding precedes presentation.
    var reordering: Int64 { Self.distance(presentation, from: decoding) }

    /// Returns the signed distance of two timestamps, which may have wrapped.
    static func distance(_ one: Int64, from other: Int64) -> Int64 {
        let difference = (one &- other) & (turn &- 1)
        return difference < turn / 2 ? difference : difference &- turn
    }

    private static func timestamp(_ payload: RawSpan, at offset: Int) -> Int64? {
        guard let high = payload.byte(at: offset), let middle = payload.uint16(at: offset &+ 1),
            let low = payload.uint16(at: offset &+ 3)
        else { return nil }
        return Int64(high & 0x0E) << 29 | Int64(middle >> 1) << 15 | Int64(low >> 1)
    }
}
