public import WeirEngine
import WeirPackets

/// Media of one source begins.
public struct RTPStart: Message {
    /// The source.
    public var ssrc: UInt32
    /// Payload type of the first packet.
    public var payloadType: UInt8
    /// Sequence number of the first packet.
    public var sequence: UInt16
    /// Timestamp of the first packet.
    public var timestamp: UInt32
    /// `audio`, `video` or `data`, if known.
    public var mediaType: String?
    /// The encoding, if known.
    public var encoding: String?
    /// Ticks of the media's clock in a second, if known.
    public var clockRate: Int?
    /// The sequence number that the answer to PLAY announced in RTP-Info; nil when nothing was announced.
    public var announcedSequence: UInt16?
    /// The frame in which it was found out that this is RTP, when that was later: the event stands behind what was told
    /// by then.
    public var recognizedFrame: Int?
    /// Whether the packet is the one that was announced; nil when nothing was announced.
    public var asAnnounced: Bool? { announcedSequence.map { $0 == sequence } }

    /// Describes the first packet of a stream.
    public init(
        ssrc: UInt32,
        payloadType: UInt8,
        sequence: UInt16,
        timestamp: UInt32,
        mediaType: String? = nil,
        encoding: String? = nil,
        clockRate: Int? = nil,
        announcedSequence: UInt16? = nil,
        recognizedFrame: Int? = nil
    ) {
        self.ssrc = ssrc
        self.payloadType = payloadType
        self.sequence = sequence
        self.timestamp = timestamp
        self.mediaType = mediaType
        self.encoding = encoding
        self.clockRate = clockRate
        self.announcedSequence = announcedSequence
        self.recognizedFrame = recognizedFrame
    }

    /// `rtp`.
    public var protocolName: String { "rtp" }
    /// `start`.
    public var kind: String { "start" }

    /// Encoding, payload type, source and first sequence number.
    public func summary(_ secrets: SecretPolicy) -> String {
        var words = mediaType.map { "\($0) " } ?? ""
        if let encoding { words += encoding + (clockRate.map { "/\($0)" } ?? "") + ", " }
        let announced =
            switch asAnnounced {
            case true: ", as RTP-Info announced"
            case false: ", not at \(announcedSequence.map { String($0) } ?? "") as RTP-Info announced"
            default: ""
            }
        return words + "payload type \(payloadType), SSRC \(hexadecimal(ssrc)) begins at seq \(sequence)" + announced
    }

    /// Says what it means that media begins.
    public var note: Text? {
        switch mediaType {
        case "video": Text("rtp.start.video")
        case "audio": Text("rtp.start.audio")
        default: Text("rtp.start")
        }
    }

    /// The numbers of the first packet.
    public func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("ssrc", hexadecimal(ssrc))
        fields.add("payloadType", Int(payloadType))
        fields.add("sequence", Int(sequence))
        fields.add("timestamp", Int(timestamp))
        fields.add("mediaType", mediaType)
        fields.add("encoding", encoding)
        fields.add("clockRate", clockRate)
        fields.add("asAnnounced", asAnnounced)
        fields.add("recognizedFrame", recognizedFrame)
        return fields
    }
}

/// Sequence numbers that never came: reported once the time to come late is over.
public struct RTPGap: Message, Hashable {
    /// The source.
    public var ssrc: UInt32
    /// The first missing sequence number.
    public var firstSequence: UInt16
    /// How many are missing in a row.
    public var count: Int

    /// Describes a gap.
    public init(ssrc: UInt32, firstSequence: UInt16, count: Int) {
        self.ssrc = ssrc
        self.firstSequence = firstSequence
        self.count = count
    }

    /// The last missing sequence number.
    public var lastSequence: UInt16 { firstSequence &+ UInt16(truncatingIfNeeded: count &- 1) }

    /// `rtp`.
    public var protocolName: String { "rtp" }
    /// `gap`.
    public var kind: String { "gap" }

    /// How many packets are missing, and which.
    public func summary(_ secrets: SecretPolicy) -> String {
        count == 1
            ? "gap: 1 packet missing (seq \(firstSequence))"
            : "gap: \(grouped(count)) packets missing (seq \(firstSequence)–\(lastSequence))"
    }

    /// Says what a gap means.
    public var note: Text? { Text("rtp.gap") }

    /// First and last missing number.
    public func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("ssrc", hexadecimal(ssrc))
        fields.add("firstSequence", Int(firstSequence))
        fields.add("lastSequence", Int(lastSequence))
        fields.add("missing", count)
        return fields
    }
}

/// No packet came for longer than the stream's own rhythm explains, and then it went on.
public struct RTPSilence: Message, Hashable {
    /// The source.
    public var ssrc: UInt32
    /// Sequence number of the packet before the silence.
    public var previousSequence: UInt16
    /// Sequence number of the packet behind it.
    public var sequence: UInt16
    /// Seconds from the one to the other, by the capture's clock.
    public var seconds: Double

    /// Describes a silence.
    public init(ssrc: UInt32, previousSequence: UInt16, sequence: UInt16, seconds: Double) {
        self.ssrc = ssrc
        self.previousSequence = previousSequence
        self.sequence = sequence
        self.seconds = seconds
    }

    /// `rtp`.
    public var protocolName: String { "rtp" }
    /// `gap`: what was not sent, or not in time, is missing as what was lost is.
    public var kind: String { "gap" }

    /// How long, and between which packets.
    public func summary(_ secrets: SecretPolicy) -> String {
        "gap: no packet for \(duration(seconds)) (seq \(previousSequence) to \(sequence))"
    }

    /// Says what a silence means.
    public var note: Text? { Text("rtp.silence") }

    /// Both numbers, and how long.
    public func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("ssrc", hexadecimal(ssrc))
        fields.add("previousSequence", Int(previousSequence))
        fields.add("sequence", Int(sequence))
        fields.add("silenceSeconds", seconds)
        return fields
    }
}

/// A key frame: decoding can begin here.
public struct RTPKeyframe: Message {
    /// The source.
    public var ssrc: UInt32
    /// Sequence number of the packet that showed it.
    public var sequence: UInt16
    /// Timestamp of the frame.
    public var timestamp: UInt32
    /// How many key frames the stream has had, this one included.
    public var number: Int
    /// Seconds since the key frame before, by the capture's clock.
    public var secondsSincePrevious: Double?

    /// Describes a key frame.
    public init(ssrc: UInt32, sequence: UInt16, timestamp: UInt32, number: Int, secondsSincePrevious: Double?) {
        self.ssrc = ssrc
        self.sequence = sequence
        self.timestamp = timestamp
        self.number = number
        self.secondsSincePrevious = secondsSincePrevious
    }

    /// `rtp`.
    public var protocolName: String { "rtp" }
    /// `keyframe`.
    public var kind: String { "keyframe" }

    /// Sequence number, and the time since the key frame before.
    public func summary(_ secrets: SecretPolicy) -> String {
        let since = secondsSincePrevious.map { ", \(duration($0)) after the one before" } ?? ""
        return "key frame \(number) at seq \(sequence)\(since)"
    }

    /// Says what a key frame is.
    public var note: Text? { Text("rtp.keyframe") }

    /// The numbers of the packet.
    public func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("ssrc", hexadecimal(ssrc))
        fields.add("sequence", Int(sequence))
        fields.add("timestamp", Int(timestamp))
        fields.add("number", number)
        fields.add("secondsSincePrevious", secondsSincePrevious)
        return fields
    }
}

extension RTPGap {
    /// A stream may have many.
    public var recurrence: String? { kind }
}

extension RTPSilence {
    /// A stream may have many.
    public var recurrence: String? { kind }
}

extension RTPKeyframe {
    /// A stream may have many.
    public var recurrence: String? { kind }
}
