import WeirPackets

// What is known of a stream from its figures.

extension MediaStream {
    /// The limits that were reached, as keys of their sentences.
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
    package var mainPayloadType: UInt8 {
        // Most streams have one.
        packetsByType.isEmpty ? payloadType : countsByType.max { $0.packets < $1.packets }?.type ?? payloadType
    }

    /// How many packets each payload type had, in order of first appearance.
    package var countsByType: [(type: UInt8, packets: Int)] {
        var counts = packetsByType
        add(packetsOfType, of: payloadType, to: &counts)
        return counts
    }

    /// Whether the capture tells times: some have none, and then nothing is known of how evenly packets came.
    package var isTimed: Bool { endTime > startTime }

    /// The format of most packets, if it is known; with redundancy that of their own blocks (RFC 2198).
    package var mainFormat: MediaFormat? {
        let format = formats[mainPayloadType]
        guard format?.correction == .redundant, let innerType, let inner = formats[innerType] else { return format }
        return inner
    }

    /// Media frames: the pictures of video; access units or packets of audio; nil when the format is not known.
    package var frames: Int? {
        guard let format = mainFormat, !format.isRepair else { return nil }
        switch format.payload {
        case .mpeg4Generic, .audioMux: return content.accessUnits
        default: break
        }
        switch format.mediaType {
        case "video": return format.marksFrames && !format.isInterleaved ? timestamps : nil
        // How many access units are in a packet cannot be seen in an encrypted one.
        case "audio": return format.isEncrypted ? nil : sequence.received
        default: return nil
        }
    }

    /// Frames in a second, by the timestamps from the first frame to the last, but not where the clock began anew; by the time of
    /// arrival where it did so again and again. Where media was paused, nothing counts. For video with two frames at least.
    package var frameRate: Double? {
        guard frames != nil, mainFormat?.mediaType == "video", timestamps > stretches.count else { return nil }
        if let clockSeconds { return Double(timestamps - stretches.count) / clockSeconds }
        let steps = Double(timestamps - stretches.count + clockBreaks)
        let seconds = lastFrameTime.seconds(since: startTime) - pausedSeconds
        return seconds > 0 ? steps / seconds : nil
    }

    /// Seconds for which media was paused between packets, as its session asked for.
    package var pausedSeconds: Double { Double(stretches.paused) / 1_000_000_000 }

    /// Seconds from the first packet to the last, without pauses.
    package var activeSeconds: Double { max(0, endTime.seconds(since: startTime) - pausedSeconds) }

    /// Seconds of media from the first timestamp to the last, or those of each stretch between pauses; nil when the clock is not known, or began anew.
    package var mediaSeconds: Double? { timestampJumps == 0 ? clockSeconds : nil }

    /// Seconds of media in all stretches of the clock; nil when it is not known, or began anew again and again.
    private var clockSeconds: Double? {
        guard let rate = mainFormat?.clockRate, rate > 0, timestampJumps == clockBreaks, sequence.restarts == 0
        else { return nil }
        // Pictures that others need come before those that are shown earlier: the last one need not be the latest.
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

    /// Seconds that packets must span to have a rate: in a burst they are as fast as the line, which tells nothing of media.
    private static var shortestRate: Double { 0.05 }

    /// Payload bits in a second, from the first packet to the last, without pauses; nil where these are too near to each other.
    package var bitrate: Double? {
        let seconds = activeSeconds
        return seconds >= Self.shortestRate ? Double(payloadOctets) * 8 / seconds : nil
    }

    /// Whether the format has key frames that are looked for.
    package var canHaveKeyframes: Bool {
        switch mainFormat?.payload {
        case .h264, .h265, .h266, .vp8, .vp9, .av1, .mpeg4Video: true
        default: false
        }
    }

    /// Mean time between key frames, in seconds; nil where they are neighbours, which is no rhythm.
    package var secondsBetweenKeyframes: Double? {
        guard keyframes.count > 1, let first = keyframes.first, let last = keyframes.last else { return nil }
        let seconds = last.seconds(since: first) / Double(keyframes.count - 1)
        return seconds * (frameRate ?? 25) > 1.5 ? seconds : nil
    }

    /// The longest time without a key frame, in seconds, as far as the capture holds all packets of it; nil when none came.
    package var longestSecondsWithoutKeyframe: Double? {
        guard keyframes.count > 0 else { return nil }
        return keyframes.longest(
            until: endTime, since: startTime, missing: sequence.missing, paused: stretches.paused
        ).map { Double($0) / 1_000_000_000 }
    }
}
