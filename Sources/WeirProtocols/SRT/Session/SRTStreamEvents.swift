import WeirEngine

/// The first or last data packet of a direction.
struct SRTStreamEvent: Message {
    /// Whether it is the end.
    var isEnd: Bool
    /// The sequence number of the first packet.
    var sequence: UInt32
    /// Whether the capture may lack earlier packets.
    var isLate = false
    /// Packets so far, and seconds since the first.
    var packets = 0
    var seconds = 0.0

    var protocolName: String { "srt" }
    var kind: String { isEnd ? "end" : "start" }
    func wording(_ secrets: SecretPolicy) -> Wording {
        isEnd
            ? "SRT data ends after \(grouped: packets, "packet", "packets") in \(rounded(seconds, places: 1)) s"
            : "SRT data begins with \(sequence)"
    }
    var note: Text? { isEnd ? nil : Text(isLate ? "srt.note.startLate" : "srt.note.start") }
    func fields(_ secrets: SecretPolicy) -> [Field] {
        isEnd ? [Field("packets", .integer(packets))] : [Field("sequence", .integer(Int(sequence)))]
    }
}
