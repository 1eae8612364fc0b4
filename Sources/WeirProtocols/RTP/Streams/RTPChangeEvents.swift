package import WeirEngine
import WeirPackets

/// A source switches to another payload type.
package struct RTPPayloadTypeChange: Message {
    /// The SSRC.
    package var ssrc: UInt32
    /// Sequence number of the first packet of the new type.
    package var sequence: UInt16
    /// The previous payload type.
    package var previous: UInt8
    /// The new payload type.
    package var payloadType: UInt8

    /// Creates the event.
    package init(ssrc: UInt32, sequence: UInt16, previous: UInt8, payloadType: UInt8) {
        self.ssrc = ssrc
        self.sequence = sequence
        self.previous = previous
        self.payloadType = payloadType
    }

    /// The protocol name, `rtp`.
    package var protocolName: String { "rtp" }
    /// The message kind, `payloadTypeChange`.
    package var kind: String { "payloadTypeChange" }

    /// Returns both payload types.
    package func wording(_ secrets: SecretPolicy) -> Wording {
        "payload type \(previous) → \(payloadType) at seq \(sequence)"
    }

    /// An explanation of the event.
    package var note: Text? { Text("rtp.payloadTypeChange") }

    /// Returns both payload types, and the position.
    package func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("ssrc", hexadecimal(ssrc))
        fields.add("payloadType", Int(payloadType))
        fields.add("previousPayloadType", Int(previous))
        fields.add("sequence", Int(sequence))
        return fields
    }
}

/// The media of a flow continues under another SSRC, or the source restarts its sequence numbers.
package struct RTPSourceChange: Message {
    /// The previous SSRC.
    package var previous: UInt32
    /// The new SSRC; the same after a restart.
    package var ssrc: UInt32
    /// The last sequence number before the change.
    package var previousSequence: UInt16
    /// The first sequence number after the change.
    package var sequence: UInt16

    /// Creates the event.
    package init(previous: UInt32, ssrc: UInt32, previousSequence: UInt16, sequence: UInt16) {
        self.previous = previous
        self.ssrc = ssrc
        self.previousSequence = previousSequence
        self.sequence = sequence
    }

    /// The protocol name, `rtp`.
    package var protocolName: String { "rtp" }
    /// The message kind, `sourceChange`.
    package var kind: String { "sourceChange" }

    /// Returns both SSRCs, or both sequence numbers.
    package func wording(_ secrets: SecretPolicy) -> Wording {
        previous == ssrc
            ? "SSRC \(hexadecimal(ssrc)) restarts: seq \(previousSequence) → \(sequence)"
            : "SSRC \(hexadecimal(previous)) → \(hexadecimal(ssrc)) at seq \(sequence)"
    }

    /// An explanation of the event.
    package var note: Text? { Text(previous == ssrc ? "rtp.restart" : "rtp.sourceChange") }

    /// Returns both SSRCs, and the position.
    package func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("ssrc", hexadecimal(ssrc))
        fields.add("previousSsrc", hexadecimal(previous))
        fields.add("sequence", Int(sequence))
        fields.add("previousSequence", Int(previousSequence))
        return fields
    }
}

/// The end of the media of one source, or of the capture.
package struct RTPEnd: Message {
    /// The SSRC.
    package var ssrc: UInt32
    /// Last sequence number.
    package var sequence: UInt16
    /// Packets captured.
    package var packets: Int
    /// Packets that never arrived.
    package var lost: Int
    /// Seconds from the first packet to the last.
    package var seconds: Double

    /// Creates the event.
    package init(ssrc: UInt32, sequence: UInt16, packets: Int, lost: Int, seconds: Double) {
        self.ssrc = ssrc
        self.sequence = sequence
        self.packets = packets
        self.lost = lost
        self.seconds = seconds
    }

    /// The protocol name, `rtp`.
    package var protocolName: String { "rtp" }
    /// The message kind, `end`.
    package var kind: String { "end" }

    /// Returns the last sequence number, packets and losses.
    package func wording(_ secrets: SecretPolicy) -> Wording {
        guard packets != 1 else { return "SSRC \(hexadecimal(ssrc)) ends at seq \(sequence): 1 packet" }
        let (ssrc, lost) = (hexadecimal(ssrc), grouped(lost))
        // The capture clock went back, so the duration is unknown.
        guard seconds >= 0 else {
            return "SSRC \(ssrc) ends at seq \(sequence): \(grouped(packets)) packets, \(lost) lost"
        }
        let words: Wording = "SSRC \(ssrc) ends at seq \(sequence): \(grouped(packets)) packets in "
        return words + "\(duration(seconds)), \(lost) lost"
    }

    /// An explanation of the event.
    package var note: Text? { Text("rtp.end") }

    /// Returns the counts.
    package func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("ssrc", hexadecimal(ssrc))
        fields.add("sequence", Int(sequence))
        fields.add("packets", packets)
        fields.add("lost", lost)
        fields.add("durationSeconds", seconds < 0 ? nil : seconds)
        return fields
    }
}
