import WeirEngine
package import WeirPackets

/// The audio or the video of one message stream in one direction.
///
/// `observe` is the hot path of RTMP: it allocates nothing but when the codec changes.
package struct RTMPTrack: Sendable {
    /// What a message changed in its track; most change nothing.
    struct Changes: OptionSet {
        let rawValue: UInt8
        static let started = Self(rawValue: 1)
        static let configuration = Self(rawValue: 2)
        static let keyframe = Self(rawValue: 4)
        static let gap = Self(rawValue: 8)
        static let back = Self(rawValue: 16)
        static let fault = Self(rawValue: 32)
    }

    /// A step of the timestamp that is more than this, in milliseconds, and more than four usual ones, is a gap.
    static let gapMilliseconds = 1_000
    /// A message this much later than the one before is a gap, in nanoseconds, whatever the timestamps say.
    static let silenceNanoseconds: Int64 = 2_000_000_000

    /// Messages with faults that are shown, of one track.
    private static let shownFaults = 20

    // What every message changes stands at the front.

    /// 8 for audio, 9 for video (RTMP §7.1.4, §7.1.5).
    package let typeID: UInt8
    /// Which way it goes.
    package let direction: Direction
    /// Track of enhanced RTMP; 0 is the default one.
    package let trackID: UInt8
    /// Whether the latest message was media: no configuration, no end of a sequence.
    private(set) var isLastMedia = false
    /// Whether the last timestamp is known, not only how far it is from others.
    private(set) var isLastTimestampKnown: Bool
    /// The message stream.
    package private(set) var messageStreamID: UInt32
    /// Timestamp of the last message, in milliseconds.
    package private(set) var lastTimestamp: UInt32
    private var previousTimestamp: UInt32 = 0
    /// Messages, those that configure a decoder included.
    package private(set) var messages = 0
    /// Octets of their payloads.
    package private(set) var payloadOctets = 0
    /// Messages with media.
    package private(set) var frames = 0
    /// Time of the last message.
    package private(set) var endTime: Timestamp
    /// Frame of the last message.
    package private(set) var lastFrame: Int
    /// Messages that configure a decoder.
    package private(set) var configurations = 0
    private var codecKind: RTMPMediaFacts.Codec?
    /// Milliseconds that the timestamps moved on, gaps left out, and how many steps that took.
    private var steps = (milliseconds: 0, count: 0)
    /// Octets of the messages that ended those steps.
    private var steppedOctets = 0
    /// The longest time between two messages, in nanoseconds.
    package private(set) var longestDelta: Int64 = 0
    /// Messages with frames of a codec that needs a sequence header.
    package private(set) var framesThatNeedConfiguration = 0
    /// Video messages whose NAL units were followed to the end.
    package private(set) var followedFrames = 0
    /// The smallest and the largest time from decoding to presentation, in milliseconds; nil when no message has one.
    package private(set) var compositionTimes: ClosedRange<Int>?
    /// Of video: how far its timestamps are ahead of those of the audio beside it; nil when there is no audio.
    package private(set) var offsets: RTMPOffsets?

    /// The stream's number in the report.
    package let id: Int
    /// The flow that carries it.
    package let flow: Int
    /// Who sends it.
    package let source: Endpoint
    /// To whom.
    package let destination: Endpoint
    /// Whether its id was seen; where a capture begins late, it may stand before the first packet.
    package private(set) var isMessageStreamKnown: Bool
    /// The name under which it is published or played; it may be a secret.
    package let name: String?
    /// Key frames of video.
    package private(set) var keyframes = 0
    /// Time of the first message.
    package private(set) var startTime: Timestamp
    /// Timestamp of the first message, in milliseconds.
    package let firstTimestamp: UInt32
    /// Whether the first timestamp is known.
    let isFirstTimestampKnown: Bool
    /// The codec's name.
    package private(set) var codec: String?
    /// What the decoder was configured with, the latest.
    package private(set) var configuration: MediaConfiguration?
    /// Messages with frames of a codec that needs a sequence header, before any had come.
    package private(set) var framesBeforeConfiguration = 0
    /// Messages with each of the things that FLV does not allow.
    package private(set) var faults = FLVFaultCounts()
    /// Times that the codec changed.
    package private(set) var codecChanges = 0
    /// Steps of the timestamp that are gaps, or silences.
    package private(set) var gaps = 0
    /// The latest of them.
    package private(set) var latestGap: RTMPGap?
    /// Messages whose timestamp is lower than that of the one before.
    package private(set) var timestampsBack = 0
    /// The latest of them.
    package private(set) var latestBack: RTMPTimestampBack?
    /// Messages that could not be read.
    package private(set) var malformed = 0
    /// Timestamps and times of the last key frame and the one before, and messages with media since.
    private(set) var lastKeyframe: (timestamp: UInt32, number: Int)?
    private(set) var previousKeyframe: (timestamp: UInt32, number: Int)?
    /// How often messages of its side had been lost before the last one: nothing is measured from one side of a loss to the
    /// other.
    private(set) var losses: UInt16
    /// A seek, a pause that is over, or another stream was announced.
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
        firstTimestamp = message.timestamp
        lastTimestamp = message.timestamp
        isFirstTimestampKnown = message.framing.isTimestampKnown
        losses = message.framing.losses
        isLastTimestampKnown = message.framing.isTimestampKnown
    }

    /// The message stream, which a capture with holes did not say before.
    mutating func learn(messageStreamID: UInt32) {
        self.messageStreamID = messageStreamID
        isMessageStreamKnown = true
    }

    /// The message stream's id; nil where it is not known.
    var knownMessageStreamID: UInt32? { isMessageStreamKnown ? messageStreamID : nil }
    /// The last timestamp; nil where only its distance from others is known.
    var knownLastTimestamp: UInt32? { isLastTimestampKnown ? lastTimestamp : nil }

    /// `audio` or `video`.
    package var mediaType: String { typeID == 8 ? "audio" : "video" }

    /// Takes a message.
    mutating func observe(_ message: RTMPMediaPiece, time: Timestamp, frame: Int) -> Changes {
        var changes: Changes = messages == 0 ? .started : []
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
        // A capture that lacks chunks does not tell how far the time moved on, where it is known again.
        if isLastTimestampKnown != message.isTimestampKnown { expectJump() }
        isLastTimestampKnown = message.isTimestampKnown
        let facts = message.facts
        isLastMedia = !facts.isConfiguration && !facts.isControl
        if facts.isBroken { malformed &+= 1 }
        if let codec = facts.codec, codec != codecKind { change(codec) }
        if !facts.faults.isEmpty {
            faults.count(facts.faults)
            if faults.messages <= Self.shownFaults { changes.insert(.fault) }
        }
        if facts.isConfiguration {
            configurations &+= 1
            configuration = facts.configuration ?? configuration
            changes.insert(.configuration)
            return changes
        }
        guard !facts.isControl else { return changes }
        if facts.needsConfiguration {
            framesThatNeedConfiguration &+= 1
            if configurations == 0 { framesBeforeConfiguration &+= 1 }
        }
        if facts.hasUnits { followedFrames &+= 1 }
        if let offset = facts.compositionTime { widen(offset) }
        if frames > 0 {
            if silence > longestDelta { longestDelta = silence }
            step(message, silence, &changes)
        }
        previousTimestamp = message.timestamp
        frames &+= 1
        if facts.isKeyframe { keyframe(message.timestamp, &changes) }
        return changes
    }

    /// Compares with the latest timestamp of the audio beside it.
    @inline(__always)
    mutating func compare(withAudio timestamp: UInt32) {
        let offset = Int(Int32(bitPattern: lastTimestamp &- timestamp))
        if offsets == nil { offsets = RTMPOffsets(offset) } else { offsets?.add(offset) }
    }

    private mutating func change(_ codec: RTMPMediaFacts.Codec) {
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

    /// The next timestamp may be any, and may come late: somebody asked for it.
    mutating func expectJump() {
        mayJump = true
        hasJumped = true
    }

    /// How far the timestamp moved on. It has 32 bits and wraps, so a step is the signed difference (RTMP §4).
    @inline(__always)
    private mutating func step(_ message: RTMPMediaPiece, _ silence: Int64, _ changes: inout Changes) {
        let step = Int(Int32(bitPattern: message.timestamp &- previousTimestamp))
        if mayJump {
            mayJump = false
            return
        }
        if step < 0 {
            timestampsBack &+= 1
            latestBack = RTMPTimestampBack(self, from: previousTimestamp, to: message.timestamp)
            changes.insert(.back)
            return
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
    /// Frames of video in a second, by the timestamps.
    package var frameRate: Double? {
        guard typeID == 9, steps.milliseconds > 0 else { return nil }
        return Double(steps.count) * 1_000 / Double(steps.milliseconds)
    }

    /// Payload bits in a second, by the timestamps.
    package var bitrate: Double? {
        guard steps.milliseconds > 0 else { return nil }
        return Double(steppedOctets) * 8_000 / Double(steps.milliseconds)
    }

    /// Mean time between key frames, in seconds, by the timestamps; nil where they are neighbours, which is no rhythm.
    package var secondsBetweenKeyframes: Double? {
        guard let framesBetweenKeyframes, framesBetweenKeyframes > 1.5 else { return nil }
        return Double(keyframeSteps.milliseconds) / Double(keyframeSteps.count) / 1_000
    }

    /// The longest time without a key frame, in seconds, by timestamps that did not jump in between; nil when none came.
    package var longestSecondsWithoutKeyframe: Double? {
        guard keyframes > 0 else { return nil }
        var longest = keyframeSteps.longest
        if !hasJumped, let lastKeyframe {
            longest = max(longest, Int(Int32(bitPattern: lastTimestamp &- lastKeyframe.timestamp)))
        }
        return longest > 0 ? Double(longest) / 1_000 : nil
    }

    /// Mean number of frames from one key frame to the next.
    package var framesBetweenKeyframes: Double? {
        guard keyframeSteps.count > 0 else { return nil }
        return Double(keyframeSteps.frames) / Double(keyframeSteps.count)
    }

    /// The codec's name as encoders and session descriptions spell it: without the point of H.264.
    private static func encoding(_ codec: String) -> String {
        codec.hasPrefix("H.2") ? "H2" + codec.dropFirst(3) : codec
    }

    /// Its record.
    func record(_ session: RTMPSession) -> StreamRecord {
        StreamRecord(
            id: id, kind: "rtmp", flow: flow, direction: direction, source: source, destination: destination,
            session: session.id, mediaType: mediaType, encoding: codec.map(Self.encoding),
            startTime: startTime, endTime: endTime, lastFrame: lastFrame, details: RTMPStreamDetails(self))
    }
}

/// Media of one side: whether it came, and when.
struct RTMPFlowed {
    var messages = 0
    var first = Timestamp(nanoseconds: 0)
    var last = Timestamp(nanoseconds: 0)
    var firstKeyframe: Timestamp?

    mutating func count(_ changes: RTMPTrack.Changes, _ time: Timestamp) {
        if messages == 0 { first = time }
        messages &+= 1
        last = time
        if firstKeyframe == nil, changes.contains(.keyframe) { firstKeyframe = time }
    }
}
