import WeirEngine

/// A frame of media interleaved in an RTSP connection: `$`, channel, length, and an RTP or RTCP packet
/// (RFC 2326 §10.12).
package struct RTSPInterleavedFrame: Message, Hashable {
    /// The channel that SETUP granted, or should have.
    package var channel: Int
    /// Octets of the packet inside.
    package var length: Int

    /// Describes a frame.
    package init(channel: Int, length: Int) {
        self.channel = channel
        self.length = length
    }

    /// `rtsp`.
    package var protocolName: String { "rtsp" }
    /// `interleaved`.
    package var kind: String { "interleaved" }

    /// Channel and length.
    package func wording(_ secrets: SecretPolicy) -> Wording {
        "interleaved frame on channel \(channel), \(grouped: length, "octet", "octets")"
    }

    /// Says what such a frame is.
    package var note: Text? { Text("rtsp.interleaved") }

    /// Channel and length.
    package func fields(_ secrets: SecretPolicy) -> [Field] {
        [Field("channel", .integer(channel)), Field("length", .integer(length))]
    }
}

extension RTSPInterleavedFrame {
    /// There is one for each media packet.
    package var isRoutine: Bool { true }

    /// Channel and length are all it has.
    package func outline(_ record: inout RecordOutline) -> Bool {
        record.number(channel, field: "channel", after: " channel ")
        record.number(length, field: "length", after: ", ", as: .grouped)
        // One octet takes another word than several.
        record.rest(length == 1 ? 1 : 0)
        return true
    }
}
