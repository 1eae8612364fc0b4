/// The figures common to all kinds of streams, for the table of streams; nil where not applicable or unknown.
public struct StreamFigures: Sendable {
    /// The unit of a stream's count.
    public enum Unit: Sendable {
        /// Packets, as in RTP.
        case packets
        /// Messages, as in RTMP.
        case messages
        /// Datagrams without packet structure of their own.
        case datagrams
    }

    /// Codec, profile and size or rate and channels, such as `video H264 High 1280×720`.
    public var name: Wording
    /// What distinguishes it from other streams, such as `0x1f2e3d4c`: an SSRC or message stream id.
    public var id = ""
    /// The same in words, such as `SSRC 0x1f2e3d4c`.
    public var identity: [Wording] = []
    /// The number of packets, messages or datagrams.
    public var count: Int
    /// The unit of `count`.
    public var unit: Unit
    /// The number of lost packets.
    public var lost: Int?
    /// The number of packets sent, according to the sequence numbers.
    public var expected: Int?
    /// Interarrival jitter (RFC 3550 §6.4.1) in milliseconds: mean and maximum.
    public var jitter: (mean: Double, maximum: Double)?
    /// Frames per second.
    public var frameRate: Double?
    /// Bits per second.
    public var bitrate: Double?
    /// The mean key frame interval in seconds.
    public var keyframeInterval: Double?
    /// Further figures, such as `2 gaps`.
    public var notes: [Wording] = []

    /// Creates figures with a name and a count.
    public init(name: Wording, count: Int, _ unit: Unit) {
        self.name = name
        self.count = count
        self.unit = unit
    }

    /// The lost packets and their percentage of those sent, or nil if unknown.
    public var lostWords: String? {
        guard let lost else { return nil }
        guard let expected, expected > 0, lost > 0 else { return grouped(lost) }
        return "\(grouped(lost)) (\(rounded(Double(lost) * 100 / Double(expected), places: 2)) %)"
    }

    /// The bit rate in kbit/s, or nil if unknown.
    public var kilobits: Int64? { bitrate.map { Int64(min(max(0, $0), 1e15) / 1_000) } }

    /// All figures in one line.
    var wording: Wording {
        let amount: Wording =
            switch unit {
            case .packets: "\(grouped: count, "packet", "packets")"
            case .messages: "\(grouped: count, "message", "messages")"
            case .datagrams: "\(grouped: count, "datagram", "datagrams")"
            }
        var parts = [name] + identity + [amount]
        if let lostWords { parts.append("\(lostWords) lost") }
        if let jitter {
            parts.append(
                "jitter \(rounded(jitter.mean, places: 1))\u{A0}ms (max \(rounded(jitter.maximum, places: 1)))")
        }
        if let frameRate { parts.append("\(rounded(frameRate, places: 1))\u{A0}fps") }
        if let kilobits { parts.append("\(grouped(kilobits))\u{A0}kbit/s") }
        if let keyframeInterval { parts.append("key frame every \(rounded(keyframeInterval, places: 1))\u{A0}s") }
        return (parts + notes).joined(separator: "  ")
    }
}
