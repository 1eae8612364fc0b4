import WeirEngine

extension StreamRecord {
    /// The details of an RTMP track, if it is one. Where more than stored members are read, the track would be copied.
    var rtmp: RTMPStreamDetails? { shared as? RTMPStreamDetails }
    /// The final state of an RTMP track, if it is one.
    var track: RTMPTrack? { rtmp?.track }
}

/// The RTMP members of the `stream` record of audio or video.
final class RTMPStreamDetails: SharedStreamDetails {
    /// The final state of the track.
    let track: RTMPTrack

    init(_ track: RTMPTrack) {
        self.track = track
    }

    /// Returns the members in documented order, omitting unknown ones.
    func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("messageStreamId", track.knownMessageStreamID.map(Int.init))
        if track.trackID != 0 { fields.add("trackId", Int(track.trackID)) }
        fields.add("name", track.name.map { secrets.apply($0) })
        fields.add("messages", track.messages)
        fields.add("payloadBytes", track.payloadOctets)
        if track.typeID == 9 { fields.add("keyframes", track.keyframes) }
        fields.add("frameRate", track.frameRate)
        fields.add("bitrate", track.bitrate)
        fields.add("firstTimestamp", track.isFirstTimestampKnown ? Int(track.firstTimestamp) : nil)
        fields.add("lastTimestamp", track.knownLastTimestamp.map(Int.init))
        fields.add("codec", track.codec)
        if let facts = track.configuration {
            fields.add("profile", facts.profile)
            fields.add("level", facts.level)
            fields.add("width", facts.width)
            fields.add("height", facts.height)
            fields.add("sampleRate", facts.sampleRate)
            fields.add("channels", facts.channels)
        }
        fields.add("frames", track.frames)
        fields.add("configurations", track.configurations)
        fields.add("keyframeIntervalSeconds", track.secondsBetweenKeyframes)
        fields.add("maxKeyframeIntervalSeconds", track.longestSecondsWithoutKeyframe)
        fields.add("framesPerKeyframe", track.framesBetweenKeyframes)
        if let times = track.compositionTimes {
            fields.add(
                "compositionTimeMs",
                .object([Field("min", .integer(times.lowerBound)), Field("max", .integer(times.upperBound))]))
        }
        if track.frames > 1 { fields.add("maxDeltaMs", Double(track.longestDelta) / 1_000_000) }
        fields.add("gaps", track.gaps)
        fields.add("timestampsBack", track.timestampsBack)
        if let offsets = track.offsets {
            fields.add(
                "avOffsetMs",
                .object([
                    Field("min", .integer(offsets.smallest)), Field("max", .integer(offsets.largest)),
                    Field("drift", .double(offsets.drift)),
                ]))
        }
        if track.messages > 1 {
            fields.add("series", StreamSeries.messageFields(track.series.all(track.totals), track.series.interval))
        }
        if track.codecChanges > 0 { fields.add("codecChanges", track.codecChanges) }
        fields += track.faults.fields
        if track.malformed > 0 { fields.add("malformed", track.malformed) }
        return fields
    }

    /// The codec and figures, such as `video H.264 High 3.1 1280×720`, 300 messages, 30 frames per second.
    var figures: StreamFigures {
        var name = Wording(phrase: track.mediaType)
        if let codec = track.codec { name += " \(codec)" }
        if let words = track.configuration?.words { name += " " + words }
        var figures = StreamFigures(name: name, count: track.messages, .messages)
        if let id = track.knownMessageStreamID {
            figures.id = String(id)
            figures.identity.append("stream \(id)")
        }
        if track.trackID != 0 { figures.notes.append("track \(track.trackID)") }
        figures.keyframeInterval = track.typeID == 9 ? track.secondsBetweenKeyframes : nil
        (figures.frameRate, figures.bitrate) = (track.frameRate, track.bitrate)
        figures.notes += notes
        return figures
    }

    /// Nil: over TCP, nothing is lost.
    var lostPackets: Int? { nil }

    private var notes: [Wording] {
        var notes: [Wording] = []
        if track.typeID == 9, track.secondsBetweenKeyframes == nil {
            notes.append("\(grouped: track.keyframes, "key frame", "key frames")")
        }
        if let times = track.compositionTimes, times.upperBound != 0 || times.lowerBound != 0 {
            notes.append("composition time \(times.lowerBound) to \(times.upperBound)\u{A0}ms")
        }
        if let offsets = track.offsets, max(offsets.largest, -offsets.smallest) > 200 {
            notes.append(distance(from: offsets.smallest, to: offsets.largest))
        }
        if track.gaps > 0 { notes.append("\(grouped: track.gaps, "gap", "gaps")") }
        if track.timestampsBack > 0 {
            notes.append("\(grouped: track.timestampsBack, "timestamp", "timestamps") back")
        }
        return notes
    }

    /// Describes how far video timestamps are ahead of audio, or behind for negative offsets, in ms.
    private func distance(from smallest: Int, to largest: Int) -> Wording {
        if smallest >= 0 {
            return smallest == largest
                ? "\(largest)\u{A0}ms ahead of audio" : "\(smallest) to \(largest)\u{A0}ms ahead of audio"
        }
        if largest <= 0 {
            return smallest == largest
                ? "\(-smallest)\u{A0}ms behind audio" : "\(-largest) to \(-smallest)\u{A0}ms behind audio"
        }
        return "\(-smallest)\u{A0}ms behind to \(largest)\u{A0}ms ahead of audio"
    }
}

/// The lead of video timestamps over audio timestamps, message by message.
struct RTMPOffsets: Sendable, Hashable {
    /// The number of comparisons that form the initial average.
    private static let beginning = 50

    /// The smallest lead in milliseconds; negative if video is behind.
    private(set) var smallest: Int
    /// The largest lead in milliseconds.
    private(set) var largest: Int
    private var count = 1
    private var first: Double
    private var recent: Double

    init(_ offset: Int) {
        (smallest, largest) = (offset, offset)
        (first, recent) = (Double(offset), Double(offset))
    }

    /// Adds a comparison.
    @inline(__always)
    mutating func add(_ offset: Int) {
        if offset < smallest { smallest = offset }
        if offset > largest { largest = offset }
        count &+= 1
        if count <= Self.beginning {
            first += (Double(offset) - first) / Double(count)
            recent = first
        } else {
            recent += (Double(offset) - recent) / Double(Self.beginning)
        }
    }

    /// The increase of the average lead of video from the start to the end, in milliseconds.
    var drift: Double { recent - first }
}
