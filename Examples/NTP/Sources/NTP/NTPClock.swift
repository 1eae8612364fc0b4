import WeirKit

/// The offset of a server's clock from the clock that stamped the capture.
///
/// Capture times stand in for T1 and T4, which is correct for captures taken at the client (RFC 5905 §8).
public struct NTPClock: StreamDetails {
    /// Number of measured exchanges.
    public private(set) var exchanges = 0
    /// The shortest round trip, in seconds.
    public private(set) var delay = Double.infinity
    private var offsets = 0.0
    /// Times of the first and the last answer.
    private(set) var start: Timestamp?
    private(set) var end: Timestamp?
    private(set) var lastFrame = 0

    /// The mean offset in seconds, or nil if nothing was measured.
    public var offset: Double? { exchanges > 0 ? offsets / Double(exchanges) : nil }

    /// Adds an exchange.
    mutating func measure(_ header: NTPHeader, asked: Timestamp, answered: Timestamp, frame: Int) {
        guard let received = Self.seconds(header.receive, since: asked),
            let left = Self.seconds(header.transmit, since: asked)
        else { return }
        let arrived = answered.seconds(since: asked)
        start = start ?? answered
        end = answered
        lastFrame = frame
        exchanges += 1
        offsets += (received + (left - arrived)) / 2
        delay = min(delay, arrived - (left - received))
    }

    /// Seconds from a capture time to a time in the packet.
    private static func seconds(_ time: NTPTime, since start: Timestamp) -> Double? {
        guard time.isWallClock else { return nil }
        let nanoseconds = (Int64(time.seconds) - 2_208_988_800) * 1_000_000_000 + Int64(time.nanoseconds)
        return Timestamp(nanoseconds: nanoseconds).seconds(since: start)
    }

    /// The measured values.
    public func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("exchanges", exchanges)
        fields.add("offsetMs", offset.map { $0 * 1_000 })
        fields.add("delayMs", delay.isFinite ? delay * 1_000 : nil)
        return fields
    }

    /// The measured values, for the table of streams.
    public var figures: StreamFigures {
        var figures = StreamFigures(name: "clock", count: exchanges, .messages)
        figures.notes = [
            "offset \(Self.milliseconds(offset ?? 0))", "delay at least \(Self.milliseconds(delay))",
        ]
        return figures
    }

    private static func milliseconds(_ seconds: Double) -> String {
        guard abs(seconds) < 1e9 else { return "unknown" }
        let microseconds = Int((abs(seconds) * 1_000_000).rounded())
        let fraction = String(1_000 + microseconds % 1_000).dropFirst()
        return "\(seconds < 0 && microseconds > 0 ? "-" : "")\(microseconds / 1_000).\(fraction) ms"
    }
}
