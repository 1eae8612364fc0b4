import WeirEngine
import WeirPackets

/// The audio or video of one message stream in one direction.
///
/// `observe` is the hot path of RTMP: it allocates only when the codec changes.
struct RTMPTrack: Sendable {
    /// The changes that a message caused in its track, usually none.
    struct Changes: OptionSet {
        let rawValue: UInt8
        static let started = Self(rawValue: 1)
        static let configuration = Self(rawValue: 2)
        static let keyframe = Self(rawValue: 4)
        static let gap = Self(rawValue: 8)
        static let back = Self(rawValue: 16)
        static let fault = Self(rawValue: 32)
    }

    /// A timestamp step above this, in milliseconds, and above four usual steps is a gap.
    static let gapMilliseconds = 1_000
    /// A pause above this, in nanoseconds, is a gap regardless of timestamps.
    static let silenceNanoseconds: Int64 = 2_000_000_000

    /// The limit of messages with faults shown per track.
    private static let shownFaults = 20

    // Fields that change with every message come first.

    /// 8 for audio, 9 for video (RTMP §7.1.4, §7.1.5).
    let typeID: UInt8
    /// The direction.
    let direction: Direction
    /// The enhanced RTMP track; 0 by default.
    let trackID: UInt8
    /// Whether the latest message was media rather than a configuration or an end of sequence.
    private(set) var isLastMedia = false
    /// Whether the last timestamp is known absolutely, not only relative to others.
    private(set) var isLastTimestampKnown: Bool
    /// The message stream.
    private(set) var messageStreamID: UInt32
    /// The timestamp of the last message, in milliseconds.
    private(set) var lastTimestamp: UInt32
    private var previousTimestamp: UInt32 = 0
    /// The number of messages, including decoder configurations.
    private(set) var messages = 0
    /// Payload octets of the messages.
    private(set) var payloadOctets = 0
    /// The number of messages with media.
    private(set) var frames = 0
    /// The time of the last message.
    private(set) var endTime: Timestamp
    /// The frame of the last message.
    private(set) var lastFrame: Int
    /// The number of decoder configurations.
    private(set) var configurations = 0
    private var codecKind: RTMPTrackCodec?
    /// The sum of timestamp steps without gaps, in milliseconds, and their number.
    private var steps = (milliseconds: 0, count: 0)
    /// Payload octets of the messages that ended those steps.
    private var steppedOctets = 0
    /// The longest time between two messages, in nanoseconds.
    private(set) var longestDelta: Int64 = 0
    /// The longest in the current interval of the series.
    private var intervalDelta: Int64 = 0
    /// The figures per second.
    private(set) var series = StreamSeries()
    /// The number of messages with frames of a codec that requires a sequence header.
    private(set) var framesThatNeedConfiguration = 0
    /// The number of video messages whose NAL units were parsed to the end.
    private(set) var followedFrames = 0
    /// The smallest and largest composition time offset, in milliseconds, or nil if no message has one.
    private(set) var compositionTimes: ClosedRange<Int>?
    /// For video, the lead of its timestamps over the corresponding audio, or nil without audio.
    private(set) var offsets: RTMPOffsets?

    /// The stream number in the report.
    let id: Int
    /// The flow that carries it.
    let flow: Int
    /// The sender.
    let source: Endpoint
    /// The receiver.
    let destination: Endpoint
    /// Whether the message stream ID was captured; after a late start, it may precede the first packet.
    private(set) var isMessageStreamKnown: Bool
    /// The published or played name; it may be a secret.
    let name: String?
    /// The number of video key frames.
    private(set) var keyframes = 0
    /// The time of the first message.
    private(set) var startTime: Timestamp
    /// The timestamp of the first message, in milliseconds.
    let firstTimestamp: UInt32
    /// Whether the first timestamp is known.
    let isFirstTimestampKnown: Bool
    /// The codec name.
    private(set) var codec: String?
    /// The latest decoder configuration.
    private(set) var configuration: MediaConfiguration?
    /// Messages with frames that require a sequence header, received before any sequence header.
    private(set) var framesBeforeConfiguration = 0
    /// The capture frame and time of the first of these.
    private(set) var firstBeforeConfiguration: (frame: Int, time: Timestamp)?
    /// Messages by kind of FLV violation.
    private(set) var faults = FLVFaultCounts()
    /// The number of codec changes.
    private(set) var codecChanges = 0
    /// The number of timestamp gaps and pauses.
    private(set) var gaps = 0
    /// The latest gap.
    private(set) var latestGap: RTMPGap?
    /// The number of messages with a timestamp lower than the previous one.
    private(set) var timestampsBack = 0
    /// The latest timestamp that went back.
    private(set) var latestBack: RTMPTimestampBack?
    /// The longest run of messages with one timestamp.
    private var longestStill: RTMPStandstill?
    /// The latest run of messages with one timestamp.
    private var still: RTMPStandstill?
    /// Whether the timestamps of the corresponding audio stood still: then the distance to them proves nothing.
    var hasStandingAudio = false
    /// The number of messages that could not be parsed.
    private(set) var malformed = 0
    /// The last two key frames: timestamps, and the numbers of media messages before them.
    private(set) var lastKeyframe: (timestamp: UInt32, number: Int)?
    private(set) var previousKeyframe: (timestamp: UInt32, number: Int)?
    /// The number of losses of its side before the latest message: nothing is measured across a loss.
    private(set) var losses: UInt16
    /// Whether a jump is expected: after a seek, the end of a pause, or a switch to another stream.
    private var mayJump = false
    private var keyframeSteps = (milliseconds: 0, longest: 0, frames: 0, count: 0)
    /// Whether timestamps may have jumped since the last key frame.
    private var hasJumped = false

    init(id: Int, _ message: RTMPMessage, name: String?, _ moment: EventContext) {
        self.id = id
        flow = moment.flow
        direction = moment.direction
        source = moment.source
        destination = moment.destination
        typeID = message.typeID
        messageStreamID = message.messageStreamID
        isMessageStreamKnown = message.framing.isMessageStreamKnown
        trackID = message.trackID
        self.name = name
        startTime = moment.time
        endTime = moment.time
        lastFrame = moment.frame
        series.begin(at: moment.time)
        firstTimestamp = message.timestamp
        lastTimestamp = message.timestamp
        isFirstTimestampKnown = message.framing.isTimestampKnown
        losses = message.framing.losses
        isLastTimestampKnown = message.framing.isTimestampKnown
    }

    /// Sets the message stream ID when it becomes known after a gap.
    mutating func recordObserved(messageStreamID: UInt32) {
        self.messageStreamID = messageStreamID
        isMessageStreamKnown = true
    }

    /// The message stream ID, or nil if unknown.
    var knownMessageStreamID: UInt32? { isMessageStreamKnown ? messageStreamID : nil }
    /// The last timestamp, or nil if only relative times are known.
    var knownLastTimestamp: UInt32? { isLastTimestampKnown ? lastTimestamp : nil }

    /// `audio` or `video`.
    var mediaType: String { typeID == 8 ? "audio" : "video" }

    /// Processes a message.
    mutating func observe(_ message: some RTMPCountedMedia, time: Timestamp, frame: Int) -> Changes {
        var changes: Changes = messages == 0 ? .started : []
        if time.nanoseconds >= series.end {
            series.roll(totals, at: time)
            intervalDelta = 0
        }
        messages &+= 1
        payloadOctets &+= message.length
        var silence = time.nanoseconds &- endTime.nanoseconds
        if losses != message.losses {
            losses = message.losses
            silence = 0
            mayJump = true
            lastKeyframe = nil
        }
        endTime = time
        lastFrame = frame
        lastTimestamp = message.timestamp
        // The elapsed time is unknown when timestamps become known again after a gap.
        if isLastTimestampKnown != message.isTimestampKnown { expectJump() }
        isLastTimestampKnown = message.isTimestampKnown
        isLastMedia = !message.isConfiguration && !message.isControl
        if message.isBroken { malformed &+= 1 }
        if let codec = message.trackCodec, codec != codecKind { change(codec) }
        if !message.faults.isEmpty {
            faults.count(message.faults)
            if faults.messages <= Self.shownFaults { changes.insert(.fault) }
        }
        if message.isConfiguration {
            configurations &+= 1
            configuration = message.configuration ?? configuration
            changes.insert(.configuration)
            return changes
        }
        guard !message.isControl else { return changes }
        if message.needsConfiguration {
            framesThatNeedConfiguration &+= 1
            if configurations == 0 {
                if framesBeforeConfiguration == 0 { firstBeforeConfiguration = (frame, time) }
                framesBeforeConfiguration &+= 1
            }
        }
        if message.hasUnits { followedFrames &+= 1 }
        if let offset = message.compositionTime { widen(offset) }
        if frames > 0 {
            if silence > intervalDelta {
                intervalDelta = silence
                longestDelta = max(longestDelta, silence)
            }
            step(message, silence, &changes)
        }
        previousTimestamp = message.timestamp
        frames &+= 1
        if message.isKeyframe { keyframe(message.timestamp, &changes) }
        return changes
    }

    /// The totals so far, from which `series` takes its rows.
    var totals: StreamSeries.Row {
        let elapsed = Double(endTime.nanoseconds &- startTime.nanoseconds) / 1_000_000
        let played = Double(Int32(bitPattern: lastTimestamp &- firstTimestamp))
        return StreamSeries.Row(
            packets: messages, octets: payloadOctets, frames: frames, transit: elapsed - played,
            delta: Double(intervalDelta) / 1_000_000)
    }

    /// Compares with the latest timestamp of the corresponding audio.
    @inline(__always)
    mutating func compare(withAudio timestamp: UInt32) {
        let offset = Int(Int32(bitPattern: lastTimestamp &- timestamp))
        if offsets == nil { offsets = RTMPOffsets(offset) } else { offsets?.add(offset) }
    }

    private mutating func change(_ codec: RTMPTrackCodec) {
        if codecKind != nil { codecChanges &+= 1 }
        codecKind = codec
        self.codec = codec.name
    }

    @inline(__always)
    private mutating func widen(_ offset: Int) {
        guard let known = compositionTimes else {
            compositionTimes = offset...offset
            return
        }
        if offset < known.lowerBound { compositionTimes = offset...known.upperBound }
        if offset > known.upperBound { compositionTimes = known.lowerBound...offset }
    }

    /// Expects a requested jump: the next timestamp may have any value and may be late.
    mutating func expectJump() {
        mayJump = true
        hasJumped = true
    }

    /// Processes the timestamp step. Timestamps have 32 bits and wrap, so a step is the signed difference (RTMP §4).
    @inline(__always)
    private mutating func step(_ message: some RTMPCountedMedia, _ silence: Int64, _ changes: inout Changes) {
        let step = Int(Int32(bitPattern: message.timestamp &- previousTimestamp))
        if mayJump {
            mayJump = false
            return
        }
        if step <= 0 {
            if step < 0 {
                timestampsBack &+= 1
                latestBack = RTMPTimestampBack(self, from: previousTimestamp, to: message.timestamp)
                changes.insert(.back)
                return
            }
            standStill(message.timestamp)
        }
        let usual = steps.count > 0 ? steps.milliseconds / steps.count : 0
        if step > Self.gapMilliseconds && step > 4 * usual && steps.count > 2 || silence > Self.silenceNanoseconds {
            gaps &+= 1
            latestGap = RTMPGap(
                self, from: previousTimestamp, to: message.timestamp, seconds: Double(silence) / 1_000_000_000)
            changes.insert(.gap)
        }
        guard step <= 10_000 else { return }
        steps.milliseconds &+= step
        steps.count &+= 1
        steppedOctets &+= message.length
    }

    /// Records a message with the timestamp of the previous one.
    private mutating func standStill(_ timestamp: UInt32) {
        if still?.timestamp == timestamp {
            still?.add(at: endTime)
        } else {
            still = RTMPStandstill(timestamp: timestamp, frame: lastFrame, began: endTime)
        }
        if let still, still.messages > longestStill?.messages ?? 0 { longestStill = still }
    }

    private mutating func keyframe(_ timestamp: UInt32, _ changes: inout Changes) {
        keyframes &+= 1
        previousKeyframe = lastKeyframe
        lastKeyframe = (timestamp, frames)
        changes.insert(.keyframe)
        defer { hasJumped = false }
        guard let previousKeyframe else { return }
        let step = Int(Int32(bitPattern: timestamp &- previousKeyframe.timestamp))
        guard step > 0 else { return }
        keyframeSteps.milliseconds &+= step
        if !hasJumped { keyframeSteps.longest = max(keyframeSteps.longest, step) }
        keyframeSteps.frames &+= frames &- previousKeyframe.number
        keyframeSteps.count &+= 1
    }
}

extension RTMPTrack {
    /// The longest run of messages whose timestamps do not advance, or nil if each was short.
    var standstill: RTMPStandstill? { longestStill.flatMap { $0.isLong ? $0 : nil } }

    /// The lead of video over audio, unless the timestamps of one of them stood still.
    var steadyOffsets: RTMPOffsets? { standstill == nil && !hasStandingAudio ? offsets : nil }

    /// Video frames per second, by timestamp.
    var frameRate: Double? {
        guard typeID == 9, steps.milliseconds > 0 else { return nil }
        return Double(steps.count) * 1_000 / Double(steps.milliseconds)
    }

    /// Payload bits per second, by timestamp.
    var bitrate: Double? {
        guard steps.milliseconds > 0 else { return nil }
        return Double(steppedOctets) * 8_000 / Double(steps.milliseconds)
    }

    /// The mean key frame interval in seconds, by timestamp, or nil if key frames are adjacent.
    var secondsBetweenKeyframes: Double? {
        guard let framesBetweenKeyframes, framesBetweenKeyframes > 1.5 else { return nil }
        return Double(keyframeSteps.milliseconds) / Double(keyframeSteps.count) / 1_000
    }

    /// The longest time without a key frame in seconds, by continuous timestamps, or nil without key frames.
    var longestSecondsWithoutKeyframe: Double? {
        guard keyframes > 0 else { return nil }
        var longest = keyframeSteps.longest
        if !hasJumped, let lastKeyframe {
            longest = max(longest, Int(Int32(bitPattern: lastTimestamp &- lastKeyframe.timestamp)))
        }
        return longest > 0 ? Double(longest) / 1_000 : nil
    }

    /// The mean number of frames from one key frame to the next.
    var framesBetweenKeyframes: Double? {
        guard keyframeSteps.count > 0 else { return nil }
        return Double(keyframeSteps.frames) / Double(keyframeSteps.count)
    }

    /// Returns the encoding name as used by encoders and session descriptions: without the point of H.264.
    private static func encoding(_ codec: String) -> String {
        codec.hasPrefix("H.2") ? "H2" + Substring(codec.utf8.dropFirst(3)) : codec
    }

    /// Returns the stream record.
    func record(_ session: RTMPSession) -> StreamRecord {
        StreamRecord(
            id: id, kind: "rtmp", flow: flow, direction: direction, source: source, destination: destination,
            session: session.id, mediaType: mediaType, encoding: codec.map(Self.encoding),
            startTime: startTime, endTime: endTime, lastFrame: lastFrame, details: RTMPStreamDetails(self))
    }
}
