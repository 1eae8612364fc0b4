public import WeirEngine
import WeirPackets

/// A source goes over to another payload type.
public struct RTPPayloadTypeChange: Message {
    /// The source.
    public var ssrc: UInt32
    /// Sequence number of the first packet of the new type.
    public var sequence: UInt16
    /// The type before.
    public var previous: UInt8
    /// The new type.
    public var payloadType: UInt8

    /// Describes a change.
    public init(ssrc: UInt32, sequence: UInt16, previous: UInt8, payloadType: UInt8) {
        self.ssrc = ssrc
        self.sequence = sequence
        self.previous = previous
        self.payloadType = payloadType
    }

    /// `rtp`.
    public var protocolName: String { "rtp" }
    /// `payloadTypeChange`.
    public var kind: String { "payloadTypeChange" }

    /// Both types.
    public func summary(_ secrets: SecretPolicy) -> String {
        "payload type \(previous) → \(payloadType) at seq \(sequence)"
    }

    /// Says what such a change means.
    public var note: Text? { Text("rtp.payloadTypeChange") }

    /// Both types, and where.
    public func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("ssrc", hexadecimal(ssrc))
        fields.add("payloadType", Int(payloadType))
        fields.add("previousPayloadType", Int(previous))
        fields.add("sequence", Int(sequence))
        return fields
    }
}

/// The media of one flow goes on under another SSRC, or the source begins to count anew.
public struct RTPSourceChange: Message {
    /// The source before.
    public var previous: UInt32
    /// The source now; the same when it only counts anew.
    public var ssrc: UInt32
    /// Last sequence number before.
    public var previousSequence: UInt16
    /// First sequence number now.
    public var sequence: UInt16

    /// Describes a change.
    public init(previous: UInt32, ssrc: UInt32, previousSequence: UInt16, sequence: UInt16) {
        self.previous = previous
        self.ssrc = ssrc
        self.previousSequence = previousSequence
        self.sequence = sequence
    }

    /// `rtp`.
    public var protocolName: String { "rtp" }
    /// `sourceChange`.
    public var kind: String { "sourceChange" }

    /// Both sources, or both sequence numbers.
    public func summary(_ secrets: SecretPolicy) -> String {
        previous == ssrc
            ? "SSRC \(hexadecimal(ssrc)) restarts: seq \(previousSequence) → \(sequence)"
            : "SSRC \(hexadecimal(previous)) → \(hexadecimal(ssrc)) at seq \(sequence)"
    }

    /// Says what such a change means.
    public var note: Text? { Text(previous == ssrc ? "rtp.restart" : "rtp.sourceChange") }

    /// Both sources, and where.
    public func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("ssrc", hexadecimal(ssrc))
        fields.add("previousSsrc", hexadecimal(previous))
        fields.add("sequence", Int(sequence))
        fields.add("previousSequence", Int(previousSequence))
        return fields
    }
}

/// Media of one source ends, or the capture does.
public struct RTPEnd: Message {
    /// The source.
    public var ssrc: UInt32
    /// Last sequence number.
    public var sequence: UInt16
    /// Packets seen.
    public var packets: Int
    /// Packets that never came.
    public var lost: Int
    /// Seconds from the first packet to the last.
    public var seconds: Double

    /// Describes an end.
    public init(ssrc: UInt32, sequence: UInt16, packets: Int, lost: Int, seconds: Double) {
        self.ssrc = ssrc
        self.sequence = sequence
        self.packets = packets
        self.lost = lost
        self.seconds = seconds
    }

    /// `rtp`.
    public var protocolName: String { "rtp" }
    /// `end`.
    public var kind: String { "end" }

    /// Last sequence number, packets and losses.
    public func summary(_ secrets: SecretPolicy) -> String {
        guard packets != 1 else { return "SSRC \(hexadecimal(ssrc)) ends at seq \(sequence): 1 packet" }
        return "SSRC \(hexadecimal(ssrc)) ends at seq \(sequence): \(grouped(packets)) packets in "
            + "\(duration(seconds)), \(grouped(lost)) lost"
    }

    /// Says that nothing more was seen.
    public var note: Text? { Text("rtp.end") }

    /// The counts.
    public func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("ssrc", hexadecimal(ssrc))
        fields.add("sequence", Int(sequence))
        fields.add("packets", packets)
        fields.add("lost", lost)
        fields.add("durationSeconds", seconds)
        return fields
    }
}
