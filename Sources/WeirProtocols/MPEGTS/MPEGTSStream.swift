import WeirEngine
import WeirPackets

/// The figures of a transport stream in one direction of a flow, in datagrams or interleaved frames.
struct MPEGTSStream: TransportStreamDetails {
    /// The encoding name of RFC 3551 §6.
    static let encoding = "MP2T"

    /// The stream number in the report.
    let id: Int
    /// Time of the first datagram.
    let startTime: Timestamp
    /// Context of the last datagram.
    private(set) var last: EventContext
    /// The interleaved channel, or nil for datagrams.
    let channel: Int?
    /// The medium of the session that set it up, if known.
    let medium: Int?
    /// Datagrams or frames received.
    private(set) var packets = 0
    /// Octets of the datagrams on the wire.
    private(set) var octets = 0
    /// The longest time between two datagrams, in nanoseconds.
    private(set) var longestDelta: Int64 = 0
    /// Datagrams duplicated by the capture.
    var captureDuplicates = 0
    /// The transport stream in the datagrams.
    private(set) var content: TransportStream
    /// The faults of the datagrams.
    private(set) var faults = FaultLog()

    init(_ id: Int, _ place: EventContext, channel: Int?, medium: Int?, _ limits: Limits) {
        self.id = id
        self.channel = channel
        self.medium = medium
        content = TransportStream(limits: limits[TransportStreamLimits.self])
        startTime = place.time
        last = place
    }

    /// Processes a datagram.
    mutating func take(_ datagram: RawSpan, _ arrival: PacketArrival) {
        packets &+= 1
        octets &+= arrival.wireLength
        longestDelta = max(longestDelta, arrival.at.time.nanoseconds &- last.time.nanoseconds)
        last = arrival.at
        // Counters and tables in the truncated part are lost.
        guard datagram.byteCount == arrival.wireLength else { return lose() }
        // Frames may split packets, since the connection keeps their order.
        let broken =
            channel == nil
            ? content.take(datagram, at: arrival.at.time) : content.take(joining: datagram, at: arrival.at.time)
        guard !broken.isEmpty else { return }
        faults.note(
            PacketFaults(broken), sequence: UInt16(truncatingIfNeeded: packets), time: arrival.at.time,
            frame: arrival.at.frame)
    }

    /// Handles missing octets: counters and tables across them are unknown.
    mutating func lose() {
        content.lose()
    }

    /// Seconds from the first datagram to the last.
    var seconds: Double { last.time.seconds(since: startTime) }
    /// False for datagrams, which have no sequence numbers; frames of a connection cannot be lost.
    var isNumbered: Bool { channel != nil }
    /// The transport stream in the datagrams.
    var transportStream: TransportStream? { content }

    /// Bits per second, from the first datagram to the last.
    private var bitrate: Double? { seconds > 0 ? Double(octets) * 8 / seconds : nil }

    /// Returns the members, in the same order as for other streams.
    func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("channel", channel)
        fields.add("packets", packets)
        fields.add("payloadBytes", octets)
        fields.add("transportPackets", content.packets)
        if captureDuplicates > 0 { fields.add("captureDuplicates", captureDuplicates) }
        if packets > 1 { fields.add("maxDeltaMs", Double(longestDelta) / 1_000_000) }
        fields.add("bitrate", bitrate)
        if content.longestClockInterval > 0 {
            fields.add("maxClockIntervalMs", Double(content.longestClockInterval) / 1_000_000)
        }
        return fields + content.fields
    }

    /// The programs and PIDs.
    var tables: [StreamTable] { content.tables }

    /// The programs and figures.
    var figures: StreamFigures {
        var name = Wording(verbatim: "MPEG-TS")
        if let programs = content.programSummary { name += " " + programs }
        var figures = StreamFigures(name: name, count: packets, channel == nil ? .datagrams : .packets)
        figures.bitrate = bitrate
        if let faults = faults[.streamContinuity] {
            figures.notes.append(
                channel == nil
                    ? "continuity errors in \(grouped: faults.count, "datagram", "datagrams")"
                    : "continuity errors in \(grouped: faults.count, "frame", "frames")")
        }
        return figures
    }
}
