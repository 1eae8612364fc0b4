import WeirPackets

// Values derived from the figures of a stream.

extension MediaStream {
    /// The limits reached, as message keys.
    var limitsReached: [String] {
        var reached: [String] = []
        if repairs.unkept > 0 { reached.append("limit.repairs") }
        if holes.unkept > 0 { reached.append("limit.holes") }
        if reports.requests.unkept > 0 { reached.append("limit.feedback") }
        if agreement.announcesMore { reached.append("limit.announced") }
        if content.transportStream?.hasMore == true { reached.append("limit.programs") }
        return reached
    }

    /// The payload type of most packets.
    @inline(__always)
    package var mainPayloadType: UInt8 {
        // Most streams have one.
        types.isSingle ? payloadType : countsByType.max { $0.packets < $1.packets }?.type ?? payloadType
    }

    /// Packets per payload type, in order of first appearance.
    package var countsByType: [(type: UInt8, packets: Int)] {
        types.all((payloadType, packetsOfType))
    }

    /// Whether the capture has timestamps; without them arrival times are unknown.
    @inline(__always)
    package var isTimed: Bool { endTime > startTime }

    /// The format of most packets, if known; with redundancy, that of the primary blocks (RFC 2198).
    @inline(__always)
    package var mainFormat: MediaFormat? {
        guard let format = formats[mainPayloadType] else { return nil }
        guard format.correction == .redundant, let innerType, let inner = formats[innerType] else { return format }
        return inner
    }

    /// The clock rate of that format. Inlined, since the stream would be copied otherwise.
    @inline(__always)
    var mainClockRate: Int? { mainFormat?.clockRate }

    /// Media frames: the pictures of video, or the access units or packets of audio; nil if the format is unknown.
    package var frames: Int? {
        guard let format = mainFormat, !format.isRepair else { return nil }
        switch format.payload {
        case .mpeg4Generic, .audioMux: return content.accessUnits
        default: break
        }
        switch format.mediaType {
        case "video": return format.marksFrames && !format.isInterleaved ? timestamps : nil
        // The number of access units is not visible in an encrypted packet.
        case "audio": return format.isEncrypted ? nil : sequence.received
        default: return nil
        }
    }

    /// Frames per second, for video with at least two frames: by timestamps from the first frame to the last, without
    /// clock restarts and pauses; by arrival time if the clock restarted repeatedly.
    package var frameRate: Double? {
        guard frames != nil, mainFormat?.mediaType == "video", timestamps > stretches.count else { return nil }
        if let clockSeconds { return Double(timestamps - stretches.count) / clockSeconds }
        let steps = Double(timestamps - stretches.count + jumps.clockBreaks)
        let seconds = lastFrameTime.seconds(since: startTime) - pausedSeconds
        return seconds > 0 ? steps / seconds : nil
    }

    /// Seconds for which media was paused between packets at the request of its session.
    package var pausedSeconds: Double { Double(stretches.paused) / 1_000_000_000 }

    /// Seconds from the first packet to the last, without pauses.
    package var activeSeconds: Double { max(0, endTime.seconds(since: startTime) - pausedSeconds) }

    /// Seconds of media from the first timestamp to the last, without pauses; nil if the clock is unknown or restarted.
    /// Plain samples tell it themselves, also if the clock has another rate than announced.
    package var mediaSeconds: Double? {
        guard jumps.count == 0, let clockSeconds else { return nil }
        guard let format = mainFormat, case .samples(let size) = format.payload, let rate = format.clockRate else {
            return clockSeconds
        }
        return min(clockSeconds, Double(payloadOctets) / Double(max(1, size.unit)) / Double(rate))
    }

    /// Seconds of media in all clock segments; nil if the clock is unknown or restarted repeatedly.
    private var clockSeconds: Double? {
        guard let rate = mainFormat?.clockRate, rate > 0, jumps.count == jumps.clockBreaks, sequence.restarts == 0
        else { return nil }
        // Reference pictures precede those displayed earlier, so the last one need not have the latest timestamp.
        let ticks = stretches.all(until: latestTimestamp)
        return ticks > 0 ? Double(ticks) / Double(rate) : nil
    }

    /// The latest of the last eight timestamps.
    var latestTimestamp: UInt32 {
        var latest = lastTimestamp
        for index in recentTimestamps.indices
        where Int32(bitPattern: recentTimestamps[index] &- latest) > 0 {
            latest = recentTimestamps[index]
        }
        return latest
    }

    /// Minimum duration in seconds to compute a rate: packets in a burst arrive at line rate, not at the media rate.
    private static var shortestRate: Double { 0.05 }

    /// Payload bits per second from the first packet to the last, without pauses; nil if these are too close.
    package var bitrate: Double? {
        let seconds = activeSeconds
        return seconds >= Self.shortestRate ? Double(payloadOctets) * 8 / seconds : nil
    }

    /// Whether key frames are detected in this format.
    package var canHaveKeyframes: Bool {
        switch mainFormat?.payload {
        case .h264, .h265, .h266, .vp8, .vp9, .av1, .mpeg4Video: true
        default: false
        }
    }

    /// Mean time between key frames in seconds, or nil if they are adjacent pictures.
    package var secondsBetweenKeyframes: Double? {
        guard keyframes.count > 1, let first = keyframes.first, let last = keyframes.last else { return nil }
        let seconds = last.seconds(since: first) / Double(keyframes.count - 1)
        return seconds * (frameRate ?? 25) > 1.5 ? seconds : nil
    }

    /// The longest time without a key frame in seconds, over intervals without missing packets; nil if there was none.
    package var longestSecondsWithoutKeyframe: Double? {
        guard keyframes.count > 0 else { return nil }
        return keyframes.longest(
            until: endTime, since: startTime, missing: sequence.missing, paused: stretches.paused
        ).map { Double($0) / 1_000_000_000 }
    }
}
