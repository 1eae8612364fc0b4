package import WeirEngine
import WeirPackets

/// A source goes over to another payload type.
package struct RTPPayloadTypeChange: Message {
    /// The source.
    package var ssrc: UInt32
    /// Sequence number of the first packet of the new type.
    package var sequence: UInt16
    /// The type before.
    package var previous: UInt8
    /// The new type.
    package var payloadType: UInt8

    /// Describes a change.
    package init(ssrc: UInt32, sequence: UInt16, previous: UInt8, payloadType: UInt8) {
        self.ssrc = ssrc
        self.sequence = sequence
        self.previous = previous
        self.payloadType = payloadType
    }

    /// `rtp`.
    package var protocolName: String { "rtp" }
    /// `payloadTypeChange`.
    package var kind: String { "payloadTypeChange" }

    /// Both types.
    package func wording(_ secrets: SecretPolicy) -> Wording {
        "payload type \(previous) → \(payloadType) at seq \(sequence)"
    }

    /// Says what such a change means.
    package var note: Text? { Text("rtp.payloadTypeChange") }

    /// Both types, and where.
    package func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("ssrc", hexadecimal(ssrc))
        fields.add("payloadType", Int(payloadType))
        fields.add("previousPayloadType", Int(previous))
        fields.add("sequence", Int(sequence))
        return fields
    }
}

/// The media of one flow goes on under another SSRC, or the source begins to count anew.
package struct RTPSourceChange: Message {
    /// The source before.
    package var previous: UInt32
    /// The source now; the same when it only counts anew.
    package var ssrc: UInt32
    /// Last sequence number before.
    package var previousSequence: UInt16
    /// First sequence number now.
    package var sequence: UInt16

    /// Describes a change.
    package init(previous: UInt32, ssrc: UInt32, previousSequence: UInt16, sequence: UInt16) {
        self.previous = previous
        self.ssrc = ssrc
        self.previousSequence = previousSequence
        self.sequence = sequence
    }

    /// `rtp`.
    package var protocolName: String { "rtp" }
    /// `sourceChange`.
    package var kind: String { "sourceChange" }

    /// Both sources, or both sequence numbers.
    package func wording(_ secrets: SecretPolicy) -> Wording {
        previous == ssrc
            ? "SSRC \(hexadecimal(ssrc)) restarts: seq \(previousSequence) → \(sequence)"
            : "SSRC \(hexadecimal(previous)) → \(hexadecimal(ssrc)) at seq \(sequence)"
    }

    /// Says what such a change means.
    package var note: Text? { Text(previous == ssrc ? "rtp.restart" : "rtp.sourceChange") }

    /// Both sources, and where.
    package func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("ssrc", hexadecimal(ssrc))
        fields.add("previousSsrc", hexadecimal(previous))
        fields.add("sequence", Int(sequence))
        fields.add("previousSequence", Int(previousSequence))
        return fields
    }
}

/// Media of one source ends, or the capture does.
package struct RTPEnd: Message {
    /// The source.
    package var ssrc: UInt32
    /// Last sequence number.
    package var sequence: UInt16
    /// Packets seen.
    package var packets: Int
    /// Packets that never came.
    package var lost: Int
    /// Seconds from the first packet to the last.
    package var seconds: Double

    /// Describes an end.
    package init(ssrc: UInt32, sequence: UInt16, packets: Int, lost: Int, seconds: Double) {
        self.ssrc = ssrc
        self.sequence = sequence
        self.packets = packets
        self.lost = lost
        self.seconds = seconds
    }

    /// `rtp`.
    package var protocolName: String { "rtp" }
    /// `end`.
    package var kind: String { "end" }

    /// Last sequence number, packets and losses.
    package func wording(_ secrets: SecretPolicy) -> Wording {
        guard packets != 1 else { return "SSRC \(hexadecimal(ssrc)) ends at seq \(sequence): 1 packet" }
        let (ssrc, lost) = (hexadecimal(ssrc), grouped(lost))
        // The capture's clock went back: how long it took is not known.
        guard seconds >= 0 else {
            return "SSRC \(ssrc) ends at seq \(sequence): \(grouped(packets)) packets, \(lost) lost"
        }
        let words: Wording = "SSRC \(ssrc) ends at seq \(sequence): \(grouped(packets)) packets in "
        return words + "\(duration(seconds)), \(lost) lost"
    }

    /// Says that nothing more was seen.
    package var note: Text? { Text("rtp.end") }

    /// The counts.
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
