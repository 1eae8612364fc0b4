import WeirEngine

/// The start of a transport stream.
struct MPEGTSStart: Message {
    /// Packets of 188 octets in the first datagram or frame.
    var packets: Int
    /// What carries them.
    var carrier: MPEGTSCarrier

    /// The protocol name, `mpegts`.
    var protocolName: String { "mpegts" }
    /// The message kind, `start`.
    var kind: String { "start" }
    /// Returns the carrier, with the number of packets per datagram or frame.
    func wording(_ secrets: SecretPolicy) -> Wording {
        switch carrier {
        case .datagrams: "MPEG transport stream begins, \(packets, "packet", "packets") per datagram"
        case .frames(let channel):
            "MPEG transport stream on channel \(channel) begins, \(packets, "packet", "packets") per frame"
        case .bodies: "MPEG transport stream begins in the body of an HTTP message"
        }
    }
    /// An explanation of the event.
    var note: Text? { Text("mpegts.start") }
    /// Returns the channel, and the number of packets per datagram or frame.
    func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("channel", carrier.channel)
        if carrier != .bodies { fields.add("packets", packets) }
        return fields
    }
}

/// The end of a transport stream: no more of it was captured.
struct MPEGTSEnd: Message {
    /// Datagrams or frames received, or packets in bodies.
    var packets: Int
    /// Seconds from the first to the last.
    var seconds: Double
    /// What carried them.
    var carrier: MPEGTSCarrier

    /// The protocol name, `mpegts`.
    var protocolName: String { "mpegts" }
    /// The message kind, `end`.
    var kind: String { "end" }
    /// Returns their number and the duration.
    func wording(_ secrets: SecretPolicy) -> Wording {
        switch carrier {
        case .datagrams: "ends after \(grouped: packets, "datagram", "datagrams") in \(rounded(seconds, places: 1)) s"
        case .frames: "ends after \(grouped: packets, "frame", "frames") in \(rounded(seconds, places: 1)) s"
        case .bodies: "ends after \(grouped: packets, "packet", "packets") in \(rounded(seconds, places: 1)) s"
        }
    }
    /// An explanation of the event.
    var note: Text? { Text("mpegts.end") }
    /// Returns the number of datagrams, frames or packets.
    func fields(_ secrets: SecretPolicy) -> [Field] { [Field("packets", .integer(packets))] }
}
