package import WeirEngine

/// A framing error of RTP over TCP: the length of a packet did not lead to the next one (RFC 4571 §2).
package struct RTPFramingFault: Message, Hashable {
    /// The length field, in octets, of the last packet parsed; 0 if there was none.
    package var length: Int
    /// Octets skipped after that packet until the next one.
    package var skipped: Int

    /// Creates a framing error.
    package init(length: Int, skipped: Int) {
        self.length = length
        self.skipped = skipped
    }

    /// The protocol name, `rtp`.
    package var protocolName: String { "rtp" }
    /// The message kind, `framing`.
    package var kind: String { "framing" }

    /// Returns the length and the octets skipped.
    package func wording(_ secrets: SecretPolicy) -> Wording {
        "\(grouped: skipped, "octet", "octets") outside any packet, after a packet of length \(length)"
    }

    /// An explanation of the error.
    package var note: Text? { Text("rtp.framing") }

    /// Returns both numbers.
    package func fields(_ secrets: SecretPolicy) -> [Field] {
        [Field("length", .integer(length)), Field("skipped", .integer(skipped))]
    }
}
