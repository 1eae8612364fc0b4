package import WeirEngine

/// In a TCP connection with RTP the length before a packet did not lead to the next one (RFC 4571 §2).
package struct RTPFramingFault: Message, Hashable {
    /// The length before the last packet that could be read, in octets; 0 when there was none.
    package var length: Int
    /// Octets behind that packet that are no packet, until the next one.
    package var skipped: Int

    /// Describes it.
    package init(length: Int, skipped: Int) {
        self.length = length
        self.skipped = skipped
    }

    /// `rtp`.
    package var protocolName: String { "rtp" }
    /// `framing`.
    package var kind: String { "framing" }

    /// How far the length misses.
    package func wording(_ secrets: SecretPolicy) -> Wording {
        "\(grouped: skipped, "octet that is", "octets that are") no packet, behind one with the length \(length)"
    }

    /// Says what that means.
    package var note: Text? { Text("rtp.framing") }

    /// Both numbers.
    package func fields(_ secrets: SecretPolicy) -> [Field] {
        [Field("length", .integer(length)), Field("skipped", .integer(skipped))]
    }
}
