import WeirEngine

/// A transport stream begins.
struct MPEGTSStart: Message {
    /// Packets of 188 octets in the first datagram.
    var packets: Int

    /// `mpegts`.
    var protocolName: String { "mpegts" }
    /// `start`.
    var kind: String { "start" }
    /// How many packets a datagram holds.
    func wording(_ secrets: SecretPolicy) -> Wording {
        "MPEG transport stream begins, \(packets, "packet", "packets") in a datagram"
    }
    /// Says what it is.
    var note: Text? { Text("mpegts.start") }
    /// The same.
    func fields(_ secrets: SecretPolicy) -> [Field] { [Field("packets", .integer(packets))] }
}

/// No more datagrams of a transport stream were seen.
struct MPEGTSEnd: Message {
    /// Datagrams that came.
    var packets: Int
    /// Seconds from the first to the last.
    var seconds: Double

    /// `mpegts`.
    var protocolName: String { "mpegts" }
    /// `end`.
    var kind: String { "end" }
    /// How many came in how long.
    func wording(_ secrets: SecretPolicy) -> Wording {
        "ends after \(grouped: packets, "datagram", "datagrams") in \(rounded(seconds, places: 1)) s"
    }
    /// Says what that means.
    var note: Text? { Text("mpegts.end") }
    /// The same.
    func fields(_ secrets: SecretPolicy) -> [Field] { [Field("packets", .integer(packets))] }
}
