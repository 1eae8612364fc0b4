import WeirEngine
import WeirPackets

/// The figures of a transport stream in one direction of a flow.
struct MPEGTSStream: TransportStreamDetails {
    /// The encoding name of RFC 3551 §6.
    static let encoding = "MP2T"

    /// The stream number in the report.
    let id: Int
    /// Time of the first datagram.
    let startTime: Timestamp
    /// Context of the last datagram.
    private(set) var last: EventContext
    /// Datagrams received.
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

    init(_ id: Int, _ place: EventContext, _ limits: Limits) {
        self.id = id
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
        guard datagram.byteCount == arrival.wireLength else { return content.lose() }
        let broken = content.take(datagram, at: arrival.at.time)
        guard !broken.isEmpty else { return }
        faults.note(
            PacketFaults(broken), sequence: UInt16(truncatingIfNeeded: packets), time: arrival.at.time,
            frame: arrival.at.frame)
    }

    /// Seconds from the first datagram to the last.
    var seconds: Double { last.time.seconds(since: startTime) }
    /// False: the datagrams have no sequence numbers.
    var isNumbered: Bool { false }
    /// The transport stream in the datagrams.
    var transportStream: TransportStream? { content }

    /// Bits per second, from the first datagram to the last.
    private var bitrate: Double? { seconds > 0 ? Double(octets) * 8 / seconds : nil }

    /// Returns the members, in the same order as for other streams.
    func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("packets", packets)
        fields.add("payloadBytes", octets)
        fields.add("transportPackets", content.packets)
        if captureDuplicates > 0 { fields.add("captureDuplicates", captureDuplicates) }
        if packets > 1 { fields.add("maxDeltaMs", Double(longestDelta) / 1_000_000) }
        fields.add("bitrate", bitrate)
        if content.longestClockInterval > 0 {
            fields.add("maxClockIntervalMs", Double(content.longestClockInterval) / 1_000_000)
        }
        if let programs = content.programFields { fields.add("programs", programs) }
        return fields
    }

    /// The programs and figures.
    var figures: StreamFigures {
        var name = Wording(verbatim: "MPEG-TS")
        if let programs = content.programSummary { name += " " + programs }
        var figures = StreamFigures(name: name, count: packets, .datagrams)
        figures.bitrate = bitrate
        if let faults = faults[.streamContinuity] {
            figures.notes.append("continuity errors in \(grouped: faults.count, "datagram", "datagrams")")
        }
        return figures
    }
}
