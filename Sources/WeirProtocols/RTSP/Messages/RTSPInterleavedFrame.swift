import WeirEngine

/// An interleaved media frame: `$`, channel, length, and an RTP or RTCP packet (RFC 2326 §10.12), or packets of a
/// transport stream.
package struct RTSPInterleavedFrame: Message, Hashable {
    /// The channel number, as granted by SETUP or not.
    package var channel: Int
    /// The length of the packet, in bytes.
    package var length: Int

    /// Creates a frame description.
    package init(channel: Int, length: Int) {
        self.channel = channel
        self.length = length
    }

    /// The protocol name, `rtsp`.
    package var protocolName: String { "rtsp" }
    /// The message kind, `interleaved`.
    package var kind: String { "interleaved" }

    /// The channel and length as text.
    package func wording(_ secrets: SecretPolicy) -> Wording {
        "interleaved frame on channel \(channel), \(grouped: length, "octet", "octets")"
    }

    /// An explanation of interleaved frames.
    package var note: Text? { Text("rtsp.interleaved") }

    /// The channel and length as fields.
    package func fields(_ secrets: SecretPolicy) -> [Field] {
        [Field("channel", .integer(channel)), Field("length", .integer(length))]
    }
}

extension RTSPInterleavedFrame {
    /// Routine: there is one per media packet.
    package var isRoutine: Bool { true }

    /// Records channel and length, the only fields.
    package func outline(_ record: inout RecordOutline) -> Bool {
        record.number(channel, field: "channel", after: " channel ")
        record.number(length, field: "length", after: ", ", as: .grouped)
        // Singular form for one byte.
        record.rest(length == 1 ? 1 : 0)
        return true
    }
}
