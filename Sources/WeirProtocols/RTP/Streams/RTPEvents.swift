package import WeirEngine
import WeirPackets

/// Media of one source begins.
package struct RTPStart: Message {
    /// The source.
    package var ssrc: UInt32
    /// Payload type of the first packet.
    package var payloadType: UInt8
    /// Sequence number of the first packet.
    package var sequence: UInt16
    /// Timestamp of the first packet.
    package var timestamp: UInt32
    /// `audio`, `video` or `data`, if known.
    package var mediaType: String?
    /// The encoding, if known.
    package var encoding: String?
    /// Ticks of the media's clock in a second, if known.
    package var clockRate: Int?
    /// The sequence number that the answer to PLAY announced in RTP-Info; nil when nothing was announced.
    package var announcedSequence: UInt16?
    /// The frame in which it was found out that this is RTP, when that was later: the event stands behind what was told
    /// by then.
    package var recognizedFrame: Int?
    /// Whether the packet is the one that was announced; nil when nothing was announced.
    package var asAnnounced: Bool? { announcedSequence.map { $0 == sequence } }

    /// Describes the first packet of a stream.
    package init(
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
    package var protocolName: String { "rtp" }
    /// `start`.
    package var kind: String { "start" }

    /// Encoding, payload type, source and first sequence number.
    package func wording(_ secrets: SecretPolicy) -> Wording {
        var words: Wording = ""
        if let mediaType { words += Wording(phrase: mediaType) + " " }
        if let encoding { words += "\(encoding + (clockRate.map { "/\($0)" } ?? "")), " }
        words += "payload type \(payloadType), SSRC \(hexadecimal(ssrc)) begins at seq \(sequence)"
        switch asAnnounced {
        case true: words += ", as RTP-Info announced"
        case false: words += ", not at \(announcedSequence.map { String($0) } ?? "") as RTP-Info announced"
        default: break
        }
        return words
    }

    /// Says what it means that media begins.
    package var note: Text? {
        switch mediaType {
        case _ where encoding.map { TextSyntax.lowercased($0) } == "rtx": Text("rtp.start.rtx")
        case "video": Text("rtp.start.video")
        case "audio": Text("rtp.start.audio")
        default: Text("rtp.start")
        }
    }

    /// The numbers of the first packet.
    package func fields(_ secrets: SecretPolicy) -> [Field] {
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
package struct RTPGap: Message, Hashable {
    /// The source.
    package var ssrc: UInt32
    /// The first missing sequence number.
    package var firstSequence: UInt16
    /// How many are missing in a row.
    package var count: Int
    /// How many of them were made good: sent again, or there on the stream's twin.
    package var recovered: Int
    /// How many others may be packets of error correction: none protects them, though the media around them is protected.
    package var undecided: Int

    /// Describes a gap.
    package init(ssrc: UInt32, firstSequence: UInt16, count: Int, recovered: Int = 0, undecided: Int = 0) {
        self.ssrc = ssrc
        self.firstSequence = firstSequence
        self.count = count
        self.recovered = recovered
        self.undecided = undecided
    }

    /// The last missing sequence number.
    package var lastSequence: UInt16 { firstSequence &+ UInt16(truncatingIfNeeded: count &- 1) }

    /// `rtp`.
    package var protocolName: String { "rtp" }
    /// `gap`.
    package var kind: String { "gap" }

    /// How many packets are missing, and which.
    package func wording(_ secrets: SecretPolicy) -> Wording {
        let made: Wording =
            recovered == 0 ? "" : recovered >= count ? ", made good" : ", \(grouped(recovered)) made good"
        let missing: Wording =
            count == 1
            ? "gap: 1 packet missing (seq \(firstSequence))"
            : "gap: \(grouped(count)) packets missing (seq \(firstSequence)–\(lastSequence))"
        let open: Wording =
            undecided == 0
            ? ""
            : undecided >= count
                ? ", perhaps of error correction" : ", \(grouped(undecided)) perhaps of error correction"
        return missing + made + open
    }

    /// Says what a gap means.
    package var note: Text? { Text("rtp.gap") }

    /// First and last missing number.
    package func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("ssrc", hexadecimal(ssrc))
        fields.add("firstSequence", Int(firstSequence))
        fields.add("lastSequence", Int(lastSequence))
        fields.add("missing", count)
        if recovered > 0 { fields.add("recovered", recovered) }
        if undecided > 0 { fields.add("undecided", undecided) }
        return fields
    }
}

/// No packet came for longer than the stream's own rhythm explains, and then it went on.
package struct RTPSilence: Message, Hashable {
    /// The source.
    package var ssrc: UInt32
    /// Sequence number of the packet before the silence.
    package var previousSequence: UInt16
    /// Sequence number of the packet behind it.
    package var sequence: UInt16
    /// Seconds from the one to the other, by the capture's clock.
    package var seconds: Double

    /// Describes a silence.
    package init(ssrc: UInt32, previousSequence: UInt16, sequence: UInt16, seconds: Double) {
        self.ssrc = ssrc
        self.previousSequence = previousSequence
        self.sequence = sequence
        self.seconds = seconds
    }

    /// `rtp`.
    package var protocolName: String { "rtp" }
    /// `gap`: what was not sent, or not in time, is missing as what was lost is.
    package var kind: String { "gap" }

    /// How long, and between which packets.
    package func wording(_ secrets: SecretPolicy) -> Wording {
        "gap: no packet for \(duration(seconds)) (seq \(previousSequence) to \(sequence))"
    }

    /// Says what a silence means.
    package var note: Text? { Text("rtp.silence") }

    /// Both numbers, and how long.
    package func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("ssrc", hexadecimal(ssrc))
        fields.add("previousSequence", Int(previousSequence))
        fields.add("sequence", Int(sequence))
        fields.add("silenceSeconds", seconds)
        return fields
    }
}

/// A key frame: decoding can begin here.
package struct RTPKeyframe: Message {
    /// The source.
    package var ssrc: UInt32
    /// Sequence number of the packet that showed it.
    package var sequence: UInt16
    /// Timestamp of the frame.
    package var timestamp: UInt32
    /// How many key frames the stream has had, this one included.
    package var number: Int
    /// Seconds since the key frame before, by the capture's clock.
    package var secondsSincePrevious: Double?

    /// Describes a key frame.
    package init(ssrc: UInt32, sequence: UInt16, timestamp: UInt32, number: Int, secondsSincePrevious: Double?) {
        self.ssrc = ssrc
        self.sequence = sequence
        self.timestamp = timestamp
        self.number = number
        self.secondsSincePrevious = secondsSincePrevious
    }

    /// `rtp`.
    package var protocolName: String { "rtp" }
    /// `keyframe`.
    package var kind: String { "keyframe" }

    /// Sequence number, and the time since the key frame before.
    package func wording(_ secrets: SecretPolicy) -> Wording {
        let since: Wording = secondsSincePrevious.map { ", \(duration($0)) after the one before" } ?? ""
        return "key frame \(number) at seq \(sequence)" + since
    }

    /// Says what a key frame is.
    package var note: Text? { Text("rtp.keyframe") }

    /// The numbers of the packet.
    package func fields(_ secrets: SecretPolicy) -> [Field] {
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
    package var recurrence: String? { kind }
}

extension RTPSilence {
    /// A stream may have many.
    package var recurrence: String? { kind }
}

extension RTPKeyframe {
    /// A stream may have many.
    package var recurrence: String? { kind }
}
