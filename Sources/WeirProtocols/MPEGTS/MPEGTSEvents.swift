import WeirEngine

/// The start of a transport stream.
struct MPEGTSStart: Message {
    /// Packets of 188 octets in the first datagram or frame.
    var packets: Int
    /// The interleaved channel, or nil for datagrams.
    var channel: Int?

    /// The protocol name, `mpegts`.
    var protocolName: String { "mpegts" }
    /// The message kind, `start`.
    var kind: String { "start" }
    /// Returns the number of packets per datagram.
    func wording(_ secrets: SecretPolicy) -> Wording {
        guard let channel else {
            return "MPEG transport stream begins, \(packets, "packet", "packets") per datagram"
        }
        return "MPEG transport stream on channel \(channel) begins, \(packets, "packet", "packets") per frame"
    }
    /// An explanation of the event.
    var note: Text? { Text("mpegts.start") }
    /// Returns the number of packets per datagram.
    func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("channel", channel)
        fields.add("packets", packets)
        return fields
    }
}

/// The end of a transport stream: no more datagrams were captured.
struct MPEGTSEnd: Message {
    /// Datagrams received.
    var packets: Int
    /// Seconds from the first to the last.
    var seconds: Double
    /// The interleaved channel, or nil for datagrams.
    var channel: Int?

    /// The protocol name, `mpegts`.
    var protocolName: String { "mpegts" }
    /// The message kind, `end`.
    var kind: String { "end" }
    /// Returns the number of datagrams and the duration.
    func wording(_ secrets: SecretPolicy) -> Wording {
        channel == nil
            ? "ends after \(grouped: packets, "datagram", "datagrams") in \(rounded(seconds, places: 1)) s"
            : "ends after \(grouped: packets, "frame", "frames") in \(rounded(seconds, places: 1)) s"
    }
    /// An explanation of the event.
    var note: Text? { Text("mpegts.end") }
    /// Returns the number of datagrams or frames.
    func fields(_ secrets: SecretPolicy) -> [Field] { [Field("packets", .integer(packets))] }
}
