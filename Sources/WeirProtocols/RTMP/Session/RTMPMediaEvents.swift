import WeirEngine
import WeirPackets

/// Start of audio or video on a message stream.
struct RTMPStart: Message, Hashable {
    /// The message stream, or nil if unknown after a late start.
    var messageStreamID: UInt32?
    /// `audio` or `video`.
    var mediaType: String
    /// The codec of the first message.
    var codec: String?
    /// The timestamp of the first message in milliseconds, or nil if only relative times are known.
    var timestamp: UInt32?
    /// The chunk stream that carried it.
    var chunkStreamID: Int
    /// The enhanced RTMP track; 0 by default.
    var trackID: UInt8

    init(_ track: borrowing RTMPTrack, _ message: RTMPMessage) {
        messageStreamID = track.knownMessageStreamID
        mediaType = track.mediaType
        codec = track.codec
        timestamp = message.framing.isTimestampKnown ? message.timestamp : nil
        chunkStreamID = message.chunkStreamID
        trackID = track.trackID
    }

    /// `rtmp`.
    var protocolName: String { "rtmp" }
    /// `start`.
    var kind: String { "start" }

    /// Returns codec, stream and first timestamp.
    func wording(_ secrets: SecretPolicy) -> Wording {
        var words = Wording(phrase: mediaType)
        if let codec { words += " \(codec)" }
        words += " begins"
        if let messageStreamID { words += " on stream \(messageStreamID)" }
        return words + trackWords(trackID) + timeWords(timestamp)
    }

    /// The explanation of the start of media.
    var note: Text? { Text("rtmp.start.\(mediaType)") }

    /// Returns the values of the first message.
    func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("chunkStreamId", chunkStreamID)
        fields.add("messageStreamId", messageStreamID.map(Int.init))
        fields.add("timestamp", timestamp.map(Int.init))
        fields.add("mediaType", mediaType)
        fields.add("codec", codec)
        if trackID != 0 { fields.add("trackId", Int(trackID)) }
        return fields
    }
}

/// A key frame (random access point).
struct RTMPKeyframe: Message, Hashable {
    /// The message stream, or nil if unknown after a late start.
    var messageStreamID: UInt32?
    /// The timestamp in milliseconds, or nil if only relative times are known.
    var timestamp: UInt32?
    /// The number of key frames of the stream so far, including this one.
    var number: Int
    /// Milliseconds since the previous key frame, by timestamp.
    var millisecondsSincePrevious: Int?
    /// Frames since the previous key frame, including that one.
    var framesSincePrevious: Int?
    /// The enhanced RTMP track; 0 by default.
    var trackID: UInt8

    init(_ track: borrowing RTMPTrack) {
        messageStreamID = track.knownMessageStreamID
        timestamp = track.knownLastTimestamp
        number = track.keyframes
        trackID = track.trackID
        guard let last = track.lastKeyframe, let previous = track.previousKeyframe else { return }
        let step = Int(Int32(bitPattern: last.timestamp &- previous.timestamp))
        if step > 0 { millisecondsSincePrevious = step }
        framesSincePrevious = last.number - previous.number
    }

    /// `rtmp`.
    var protocolName: String { "rtmp" }
    /// `keyframe`.
    var kind: String { "keyframe" }

    /// Returns its number, timestamp and distance from the previous one.
    func wording(_ secrets: SecretPolicy) -> Wording {
        var words: Wording = "key frame \(number)"
        if trackID != 0 { words += " of track \(trackID)" }
        words += timeWords(timestamp)
        if let millisecondsSincePrevious, let framesSincePrevious {
            let time = duration(Double(millisecondsSincePrevious) / 1_000)
            words += ", \(time) and \(framesSincePrevious, "frame", "frames") after the previous one"
        }
        return words
    }

    /// The explanation of a key frame.
    var note: Text? { Text("rtmp.keyframe") }

    /// Returns the values.
    func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("messageStreamId", messageStreamID.map(Int.init))
        fields.add("timestamp", timestamp.map(Int.init))
        fields.add("number", number)
        fields.add("sincePreviousMs", millisecondsSincePrevious)
        fields.add("framesSincePrevious", framesSincePrevious)
        if trackID != 0 { fields.add("trackId", Int(trackID)) }
        return fields
    }
}

/// A timestamp discontinuity, or a pause in delivery.
struct RTMPGap: Message, Hashable {
    /// The message stream, or nil if unknown after a late start.
    var messageStreamID: UInt32?
    /// `audio` or `video`.
    var mediaType: String
    /// The timestamp before the gap, in milliseconds.
    var from: UInt32
    /// The timestamp after the gap, in milliseconds.
    var to: UInt32
    /// Seconds between the messages before and after the gap, by the capture clock.
    var seconds: Double

    init(_ track: borrowing RTMPTrack, from: UInt32, to: UInt32, seconds: Double) {
        messageStreamID = track.knownMessageStreamID
        mediaType = track.mediaType
        self.from = from
        self.to = to
        self.seconds = seconds
    }

    /// The difference of the timestamps, in milliseconds.
    var milliseconds: Int { Int(Int32(bitPattern: to &- from)) }

    /// `rtmp`.
    var protocolName: String { "rtmp" }
    /// `gap`.
    var kind: String { "gap" }

    /// Returns the timestamp difference and the elapsed time.
    func wording(_ secrets: SecretPolicy) -> Wording {
        let leap = duration(Double(milliseconds) / 1_000)
        let silence = duration(max(0, seconds))
        return
            "gap: \(Wording(phrase: mediaType)) timestamps jump by \(leap) (\(from) to \(to)), after \(silence) without data"
    }

    /// The explanation of a gap.
    var note: Text? { Text("rtmp.gap") }

    /// Returns the values.
    func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("messageStreamId", messageStreamID.map(Int.init))
        fields.add("timestamp", Int(to))
        fields.add("previousTimestamp", Int(from))
        fields.add("silenceSeconds", max(0, seconds))
        return fields
    }
}

/// A timestamp lower than the previous one of the same media type.
struct RTMPTimestampBack: Message, Hashable {
    /// The message stream, or nil if unknown after a late start.
    var messageStreamID: UInt32?
    /// `audio` or `video`.
    var mediaType: String
    /// The previous timestamp, in milliseconds.
    var from: UInt32
    /// The lower timestamp, in milliseconds.
    var to: UInt32

    init(_ track: borrowing RTMPTrack, from: UInt32, to: UInt32) {
        messageStreamID = track.knownMessageStreamID
        mediaType = track.mediaType
        self.from = from
        self.to = to
    }

    /// The decrease in milliseconds.
    var milliseconds: Int { Int(Int32(bitPattern: from &- to)) }

    /// `rtmp`.
    var protocolName: String { "rtmp" }
    /// `timestampBack`.
    var kind: String { "timestampBack" }

    /// Returns both timestamps.
    func wording(_ secrets: SecretPolicy) -> Wording {
        "\(Wording(phrase: mediaType)) timestamp goes back by \(milliseconds) ms (\(from) to \(to))"
    }

    /// The explanation of a timestamp that goes back.
    var note: Text? { Text("rtmp.timestampBack") }

    /// Returns the values.
    func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("messageStreamId", messageStreamID.map(Int.init))
        fields.add("timestamp", Int(to))
        fields.add("previousTimestamp", Int(from))
        return fields
    }
}

/// End of audio or video on a message stream, or of the capture.
struct RTMPEnd: Message, Hashable {
    /// The message stream, or nil if unknown after a late start.
    var messageStreamID: UInt32?
    /// `audio` or `video`.
    var mediaType: String
    /// The last timestamp in milliseconds, or nil if only relative times are known.
    var timestamp: UInt32?
    /// The number of messages.
    var messages: Int
    /// The number of key frames, or nil for audio.
    var keyframes: Int?
    /// Payload octets of the messages.
    var octets: Int
    /// Seconds from the first to the last message, by the capture clock.
    var seconds: Double
    /// The enhanced RTMP track; 0 by default.
    var trackID: UInt8

    init(_ track: borrowing RTMPTrack) {
        messageStreamID = track.knownMessageStreamID
        mediaType = track.mediaType
        timestamp = track.knownLastTimestamp
        messages = track.messages
        keyframes = track.typeID == 9 ? track.keyframes : nil
        octets = track.payloadOctets
        seconds = track.endTime.seconds(since: track.startTime)
        trackID = track.trackID
    }

    /// `rtmp`.
    var protocolName: String { "rtmp" }
    /// `end`.
    var kind: String { "end" }

    /// Returns the last timestamp and the counts.
    func wording(_ secrets: SecretPolicy) -> Wording {
        var words = Wording(phrase: mediaType)
        if let messageStreamID { words += " of stream \(messageStreamID)" }
        words += trackWords(trackID)
        words += " ends"
        words += timeWords(timestamp)
        words += ": \(grouped: messages, "message", "messages")"
        if messages != 1 { words += " in \(duration(max(0, seconds)))" }
        if let keyframes { words += ", \(grouped: keyframes, "key frame", "key frames")" }
        return words
    }

    /// The explanation of the end of media.
    var note: Text? { Text("rtmp.end") }

    /// Returns the counts.
    func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("messageStreamId", messageStreamID.map(Int.init))
        fields.add("timestamp", timestamp.map(Int.init))
        fields.add("messages", messages)
        fields.add("payloadBytes", octets)
        fields.add("keyframes", keyframes)
        fields.add("durationSeconds", seconds)
        if trackID != 0 { fields.add("trackId", Int(trackID)) }
        return fields
    }
}

/// Returns the timestamp, if known.
private func timeWords(_ timestamp: UInt32?) -> Wording { timestamp.map { " at timestamp \($0)" } ?? "" }

/// Returns the track, unless it is the default one.
private func trackWords(_ id: UInt8) -> Wording { id == 0 ? "" : ", track \(id)" }

extension RTMPKeyframe {
    /// The kind, since a stream may have many.
    var recurrence: String? { kind }
}

extension RTMPGap {
    /// The kind, since a stream may have many.
    var recurrence: String? { kind }
}

extension RTMPTimestampBack {
    /// The kind, since a stream may have many.
    var recurrence: String? { kind }
}
