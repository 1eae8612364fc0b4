import WeirEngine
import WeirPackets

/// What carries the packets of a transport stream.
enum MPEGTSCarrier: Equatable {
    /// Datagrams, each of whole packets.
    case datagrams
    /// Frames interleaved with RTSP on a channel (RFC 2326 §10.12).
    case frames(channel: Int)
    /// Bodies of HTTP messages.
    case bodies

    /// The interleaved channel, or nil without one.
    var channel: Int? { if case .frames(let channel) = self { channel } else { nil } }
}

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
    /// What carries the packets.
    let carrier: MPEGTSCarrier
    /// The medium of the session that set it up, if known.
    let medium: Int?
    /// Datagrams, frames, or parts of bodies received.
    private var pieces = 0
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

    init(_ id: Int, _ place: EventContext, _ carrier: MPEGTSCarrier, medium: Int?, _ limits: Limits) {
        self.id = id
        self.carrier = carrier
        self.medium = medium
        content = TransportStream(limits: limits[TransportStreamLimits.self])
        startTime = place.time
        last = place
    }

    /// Processes a datagram.
    mutating func take(_ datagram: RawSpan, _ arrival: PacketArrival) {
        pieces &+= 1
        octets &+= arrival.wireLength
        longestDelta = max(longestDelta, arrival.at.time.nanoseconds &- last.time.nanoseconds)
        last = arrival.at
        // Counters and tables in the truncated part are lost.
        guard datagram.byteCount == arrival.wireLength else { return lose() }
        // Frames and bodies may split packets, since the connection keeps their order.
        var broken =
            carrier == .datagrams
            ? content.take(datagram, at: arrival.at.time) : content.take(joining: datagram, at: arrival.at.time)
        // A body arrives as fast as the connection allows, so that arrival says nothing about the intervals of tables.
        if carrier == .bodies { broken.formIntersection([.sync, .continuity, .transport, .checksum]) }
        guard !broken.isEmpty else { return }
        faults.note(
            PacketFaults(broken), sequence: UInt16(truncatingIfNeeded: pieces), time: arrival.at.time,
            frame: arrival.at.frame)
    }

    /// Handles missing octets: counters and tables across them are unknown.
    mutating func lose() {
        content.lose()
    }

    /// The number of units: datagrams, frames, or the packets themselves in bodies, whose parts are arbitrary.
    var packets: Int { carrier == .bodies ? content.packets : pieces }
    /// Seconds from the first datagram to the last.
    var seconds: Double { last.time.seconds(since: startTime) }
    /// False for datagrams, which have no sequence numbers; octets of a connection cannot be lost.
    var isNumbered: Bool { carrier != .datagrams }
    /// The transport stream in the datagrams.
    var transportStream: TransportStream? { content }

    /// Bits per second, from the first datagram to the last.
    private var bitrate: Double? { seconds > 0 ? Double(octets) * 8 / seconds : nil }

    /// Returns the members, in the same order as for other streams.
    func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("channel", carrier.channel)
        fields.add("packets", packets)
        fields.add("payloadBytes", octets)
        fields.add("transportPackets", content.packets)
        if captureDuplicates > 0 { fields.add("captureDuplicates", captureDuplicates) }
        if pieces > 1 { fields.add("maxDeltaMs", Double(longestDelta) / 1_000_000) }
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
        var figures = StreamFigures(name: name, count: packets, carrier == .datagrams ? .datagrams : .packets)
        figures.bitrate = bitrate
        if let faults = faults[.streamContinuity] {
            let note: Wording =
                switch carrier {
                case .datagrams: "continuity errors in \(grouped: faults.count, "datagram", "datagrams")"
                case .frames: "continuity errors in \(grouped: faults.count, "frame", "frames")"
                case .bodies: "continuity errors in \(grouped: faults.count, "packet", "packets")"
                }
            figures.notes.append(note)
        }
        return figures
    }
}
