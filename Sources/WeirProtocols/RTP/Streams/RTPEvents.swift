package import WeirEngine
import WeirPackets

/// The start of the media of one source.
package struct RTPStart: Message {
    /// The SSRC.
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
    /// The media clock rate in Hz, if known.
    package var clockRate: Int?
    /// The sequence number announced by RTP-Info in the PLAY response, or nil if none was announced.
    package var announcedSequence: UInt16?
    /// The frame in which the flow was recognized as RTP, if later; the event follows those emitted by then.
    package var recognizedFrame: Int?
    /// Whether the packet has the announced number, or nil if none was announced.
    package var asAnnounced: Bool? { announcedSequence.map { $0 == sequence } }

    /// Creates the event from the first packet of a stream.
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

    /// The protocol name, `rtp`.
    package var protocolName: String { "rtp" }
    /// The message kind, `start`.
    package var kind: String { "start" }

    /// Returns encoding, payload type, source and first sequence number.
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

    /// An explanation of the event.
    package var note: Text? {
        switch mediaType {
        case _ where encoding.map { TextSyntax.lowercased($0) } == "rtx": Text("rtp.start.rtx")
        case "video": Text("rtp.start.video")
        case "audio": Text("rtp.start.audio")
        default: Text("rtp.start")
        }
    }

    /// Returns the fields of the first packet.
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

/// Sequence numbers that never arrived, reported after the reorder window.
package struct RTPGap: Message, Hashable {
    /// The SSRC.
    package var ssrc: UInt32
    /// The first missing sequence number.
    package var firstSequence: UInt16
    /// Number of consecutive missing packets.
    package var count: Int
    /// Packets recovered by retransmission, FEC or the stream's twin.
    package var recovered: Int
    /// Packets that may be FEC: they are unprotected, though the media around them is protected.
    package var undecided: Int

    /// Creates the event.
    package init(ssrc: UInt32, firstSequence: UInt16, count: Int, recovered: Int = 0, undecided: Int = 0) {
        self.ssrc = ssrc
        self.firstSequence = firstSequence
        self.count = count
        self.recovered = recovered
        self.undecided = undecided
    }

    /// The last missing sequence number.
    package var lastSequence: UInt16 { firstSequence &+ UInt16(truncatingIfNeeded: count &- 1) }

    /// The protocol name, `rtp`.
    package var protocolName: String { "rtp" }
    /// The message kind, `gap`.
    package var kind: String { "gap" }

    /// Returns the number of missing packets, and their sequence numbers.
    package func wording(_ secrets: SecretPolicy) -> Wording {
        let made: Wording =
            recovered == 0 ? "" : recovered >= count ? ", recovered" : ", \(grouped(recovered)) recovered"
        let missing: Wording =
            count == 1
            ? "gap: 1 packet missing (seq \(firstSequence))"
            : "gap: \(grouped(count)) packets missing (seq \(firstSequence)–\(lastSequence))"
        let open: Wording =
            undecided == 0
            ? ""
            : undecided >= count
                ? ", possibly FEC" : ", \(grouped(undecided)) possibly FEC"
        return missing + made + open
    }

    /// An explanation of the event.
    package var note: Text? { Text("rtp.gap") }

    /// Returns the first and last missing sequence number.
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

/// An interval without packets that is longer than the stream's rhythm explains, after which the stream continued.
package struct RTPSilence: Message, Hashable {
    /// The SSRC.
    package var ssrc: UInt32
    /// Sequence number of the packet before the silence.
    package var previousSequence: UInt16
    /// Sequence number of the packet after the silence.
    package var sequence: UInt16
    /// The duration in seconds, by the capture clock.
    package var seconds: Double

    /// Creates the event.
    package init(ssrc: UInt32, previousSequence: UInt16, sequence: UInt16, seconds: Double) {
        self.ssrc = ssrc
        self.previousSequence = previousSequence
        self.sequence = sequence
        self.seconds = seconds
    }

    /// The protocol name, `rtp`.
    package var protocolName: String { "rtp" }
    /// The message kind, `gap`: media that was not sent in time is missing like lost media.
    package var kind: String { "gap" }

    /// Returns the duration, and the packets around it.
    package func wording(_ secrets: SecretPolicy) -> Wording {
        "gap: no packet for \(duration(seconds)) (seq \(previousSequence) to \(sequence))"
    }

    /// An explanation of the event.
    package var note: Text? { Text("rtp.silence") }

    /// Returns both sequence numbers, and the duration.
    package func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("ssrc", hexadecimal(ssrc))
        fields.add("previousSequence", Int(previousSequence))
        fields.add("sequence", Int(sequence))
        fields.add("silenceSeconds", seconds)
        return fields
    }
}

/// A key frame, at which decoding can begin.
package struct RTPKeyframe: Message {
    /// The SSRC.
    package var ssrc: UInt32
    /// Sequence number of the packet that indicates it.
    package var sequence: UInt16
    /// Timestamp of the frame.
    package var timestamp: UInt32
    /// Number of key frames in the stream so far, including this one.
    package var number: Int
    /// Seconds since the previous key frame, by the capture clock.
    package var secondsSincePrevious: Double?

    /// Creates the event.
    package init(ssrc: UInt32, sequence: UInt16, timestamp: UInt32, number: Int, secondsSincePrevious: Double?) {
        self.ssrc = ssrc
        self.sequence = sequence
        self.timestamp = timestamp
        self.number = number
        self.secondsSincePrevious = secondsSincePrevious
    }

    /// The protocol name, `rtp`.
    package var protocolName: String { "rtp" }
    /// The message kind, `keyframe`.
    package var kind: String { "keyframe" }

    /// Returns the sequence number, and the time since the previous key frame.
    package func wording(_ secrets: SecretPolicy) -> Wording {
        let since: Wording = secondsSincePrevious.map { ", \(duration($0)) after the previous one" } ?? ""
        return "key frame \(number) at seq \(sequence)" + since
    }

    /// An explanation of the event.
    package var note: Text? { Text("rtp.keyframe") }

    /// Returns the fields of the packet.
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
    /// The recurrence key, since a stream may have many.
    package var recurrence: String? { kind }
}

extension RTPSilence {
    /// The recurrence key, since a stream may have many.
    package var recurrence: String? { kind }
}

extension RTPKeyframe {
    /// The recurrence key, since a stream may have many.
    package var recurrence: String? { kind }
}
