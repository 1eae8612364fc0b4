package import WeirEngine
import WeirPackets

/// Audio or video begins on a message stream.
package struct RTMPStart: Message, Hashable {
    /// The message stream; nil where a capture that begins late does not say.
    package var messageStreamID: UInt32?
    /// `audio` or `video`.
    package var mediaType: String
    /// The codec, as the first message says.
    package var codec: String?
    /// Timestamp of the first message, in milliseconds; nil where only its distance from others is known.
    package var timestamp: UInt32?
    /// Chunk stream that carried it.
    package var chunkStreamID: Int
    /// Track of enhanced RTMP; 0 is the default one.
    package var trackID: UInt8

    init(_ track: RTMPTrack, _ message: RTMPMessage) {
        messageStreamID = track.knownMessageStreamID
        mediaType = track.mediaType
        codec = track.codec
        timestamp = message.framing.isTimestampKnown ? message.timestamp : nil
        chunkStreamID = message.chunkStreamID
        trackID = track.trackID
    }

    /// `rtmp`.
    package var protocolName: String { "rtmp" }
    /// `start`.
    package var kind: String { "start" }

    /// Codec, stream and first timestamp.
    package func wording(_ secrets: SecretPolicy) -> Wording {
        var words = Wording(phrase: mediaType)
        if let codec { words += " \(codec)" }
        words += " begins"
        if let messageStreamID { words += " on stream \(messageStreamID)" }
        return words + trackWords(trackID) + timeWords(timestamp)
    }

    /// Says what it means that media begins.
    package var note: Text? { Text("rtmp.start.\(mediaType)") }

    /// The numbers of the first message.
    package func fields(_ secrets: SecretPolicy) -> [Field] {
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

/// A key frame: decoding can begin here.
package struct RTMPKeyframe: Message, Hashable {
    /// The message stream; nil where a capture that begins late does not say.
    package var messageStreamID: UInt32?
    /// Its timestamp, in milliseconds; nil where only its distance from others is known.
    package var timestamp: UInt32?
    /// How many key frames the stream has had, this one included.
    package var number: Int
    /// Milliseconds since the key frame before, by the timestamps.
    package var millisecondsSincePrevious: Int?
    /// Frames since the key frame before, that one included.
    package var framesSincePrevious: Int?
    /// Track of enhanced RTMP; 0 is the default one.
    package var trackID: UInt8

    init(_ track: RTMPTrack) {
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
    package var protocolName: String { "rtmp" }
    /// `keyframe`.
    package var kind: String { "keyframe" }

    /// Its number and timestamp, and the distance from the one before.
    package func wording(_ secrets: SecretPolicy) -> Wording {
        var words: Wording = "key frame \(number)"
        if trackID != 0 { words += " of track \(trackID)" }
        words += timeWords(timestamp)
        if let millisecondsSincePrevious, let framesSincePrevious {
            let time = duration(Double(millisecondsSincePrevious) / 1_000)
            words += ", \(time) and \(framesSincePrevious, "frame", "frames") after the one before"
        }
        return words
    }

    /// Says what a key frame is.
    package var note: Text? { Text("rtmp.keyframe") }

    /// The numbers.
    package func fields(_ secrets: SecretPolicy) -> [Field] {
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

/// The timestamps make a leap, or nothing came for a while.
package struct RTMPGap: Message, Hashable {
    /// The message stream; nil where a capture that begins late does not say.
    package var messageStreamID: UInt32?
    /// `audio` or `video`.
    package var mediaType: String
    /// Timestamp before the gap, in milliseconds.
    package var from: UInt32
    /// Timestamp behind the gap, in milliseconds.
    package var to: UInt32
    /// Seconds from the message before the gap to the one behind it, by the capture's clock.
    package var seconds: Double

    init(_ track: RTMPTrack, from: UInt32, to: UInt32, seconds: Double) {
        messageStreamID = track.knownMessageStreamID
        mediaType = track.mediaType
        self.from = from
        self.to = to
        self.seconds = seconds
    }

    /// Milliseconds between the timestamps.
    package var milliseconds: Int { Int(Int32(bitPattern: to &- from)) }

    /// `rtmp`.
    package var protocolName: String { "rtmp" }
    /// `gap`.
    package var kind: String { "gap" }

    /// How far the timestamps leap, and how long nothing came.
    package func wording(_ secrets: SecretPolicy) -> Wording {
        let leap = duration(Double(milliseconds) / 1_000)
        let silence = duration(max(0, seconds))
        return
            "gap: \(Wording(phrase: mediaType)) goes on \(leap) later by its timestamps (\(from) to \(to)), after a silence of \(silence)"
    }

    /// Says what a gap means.
    package var note: Text? { Text("rtmp.gap") }

    /// The numbers.
    package func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("messageStreamId", messageStreamID.map(Int.init))
        fields.add("timestamp", Int(to))
        fields.add("previousTimestamp", Int(from))
        fields.add("silenceSeconds", max(0, seconds))
        return fields
    }
}

/// A timestamp is lower than the one before in the same medium.
package struct RTMPTimestampBack: Message, Hashable {
    /// The message stream; nil where a capture that begins late does not say.
    package var messageStreamID: UInt32?
    /// `audio` or `video`.
    package var mediaType: String
    /// The timestamp before, in milliseconds.
    package var from: UInt32
    /// The lower one, in milliseconds.
    package var to: UInt32

    init(_ track: RTMPTrack, from: UInt32, to: UInt32) {
        messageStreamID = track.knownMessageStreamID
        mediaType = track.mediaType
        self.from = from
        self.to = to
    }

    /// Milliseconds that it went back.
    package var milliseconds: Int { Int(Int32(bitPattern: from &- to)) }

    /// `rtmp`.
    package var protocolName: String { "rtmp" }
    /// `timestampBack`.
    package var kind: String { "timestampBack" }

    /// Both timestamps.
    package func wording(_ secrets: SecretPolicy) -> Wording {
        "\(Wording(phrase: mediaType)) timestamp goes back by \(milliseconds) ms (\(from) to \(to))"
    }

    /// Says what that means.
    package var note: Text? { Text("rtmp.timestampBack") }

    /// The numbers.
    package func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("messageStreamId", messageStreamID.map(Int.init))
        fields.add("timestamp", Int(to))
        fields.add("previousTimestamp", Int(from))
        return fields
    }
}

/// Audio or video of a message stream ends, or the capture does.
package struct RTMPEnd: Message, Hashable {
    /// The message stream; nil where a capture that begins late does not say.
    package var messageStreamID: UInt32?
    /// `audio` or `video`.
    package var mediaType: String
    /// The last timestamp, in milliseconds; nil where only its distance from others is known.
    package var timestamp: UInt32?
    /// Messages seen.
    package var messages: Int
    /// Key frames seen; nil for audio.
    package var keyframes: Int?
    /// Octets of their payloads.
    package var octets: Int
    /// Seconds from the first message to the last, by the capture's clock.
    package var seconds: Double
    /// Track of enhanced RTMP; 0 is the default one.
    package var trackID: UInt8

    init(_ track: RTMPTrack) {
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
    package var protocolName: String { "rtmp" }
    /// `end`.
    package var kind: String { "end" }

    /// Last timestamp and counts.
    package func wording(_ secrets: SecretPolicy) -> Wording {
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

    /// Says that nothing more was seen.
    package var note: Text? { Text("rtmp.end") }

    /// The counts.
    package func fields(_ secrets: SecretPolicy) -> [Field] {
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

/// The timestamp where it is known.
private func timeWords(_ timestamp: UInt32?) -> Wording { timestamp.map { " at timestamp \($0)" } ?? "" }

/// The track where it is not the default one.
private func trackWords(_ id: UInt8) -> Wording { id == 0 ? "" : ", track \(id)" }

extension RTMPKeyframe {
    /// A stream may have many.
    package var recurrence: String? { kind }
}

extension RTMPGap {
    /// A stream may have many.
    package var recurrence: String? { kind }
}

extension RTMPTimestampBack {
    /// A stream may have many.
    package var recurrence: String? { kind }
}
