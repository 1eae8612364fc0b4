/// The figures of a stream that every kind has, for the table of streams; nil where the kind has none or it is not known.
public struct StreamFigures: Sendable {
    /// What a stream is made of.
    public enum Unit: Sendable {
        /// Packets, as of RTP.
        case packets
        /// Messages, as of RTMP.
        case messages
        /// Datagrams without packets of their own.
        case datagrams
    }

    /// Codec, profile and size or rate and channels, such as `video H264 High 1280×720`.
    public var name: Wording
    /// What tells it from other streams, such as `0x1f2e3d4c`: an SSRC or the number of a message stream.
    public var id = ""
    /// The same in words, such as `SSRC 0x1f2e3d4c`.
    public var identity: [Wording] = []
    /// Packets, messages or datagrams.
    public var count: Int
    /// Which of these.
    public var unit: Unit
    /// Packets that were lost.
    public var lost: Int?
    /// Packets that the sender sent, as its sequence numbers show.
    public var expected: Int?
    /// Interarrival jitter (RFC 3550 §6.4.1) in milliseconds: mean and maximum.
    public var jitter: (mean: Double, maximum: Double)?
    /// Frames a second.
    public var frameRate: Double?
    /// Bits a second.
    public var bitrate: Double?
    /// Seconds from key frame to key frame, on average.
    public var keyframeInterval: Double?
    /// What else is worth knowing, such as `2 gaps`.
    public var notes: [Wording] = []

    /// Names a stream and counts it.
    public init(name: Wording, count: Int, _ unit: Unit) {
        self.name = name
        self.count = count
        self.unit = unit
    }

    /// Packets lost, and their share of those sent; nil when it is not known.
    public var lostWords: String? {
        guard let lost else { return nil }
        guard let expected, expected > 0, lost > 0 else { return grouped(lost) }
        return "\(grouped(lost)) (\(rounded(Double(lost) * 100 / Double(expected), places: 2)) %)"
    }

    /// Kilobits a second; nil when the rate is not known.
    public var kilobits: Int64? { bitrate.map { Int64(min(max(0, $0), 1e15) / 1_000) } }

    /// All of it in one line.
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
