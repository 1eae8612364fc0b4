package import WeirPackets

/// One direction of media: the packets of one SSRC in one direction of one flow and channel.
///
/// `observe` is the hot path: it allocates only when a stream begins, or switches payload type or parameter sets.
package struct MediaStream: Sendable {
    /// The deviation of timestamp from capture time, in seconds, that counts as a jump.
    static let jumpSeconds = 1.0
    /// Time without a packet that is reported, in nanoseconds: two seconds, as with RTMP.
    static let silenceNanoseconds: Int64 = 2_000_000_000
    /// Minimum length of a silence in packet intervals, and the number of packets after which that interval is known.
    static let silenceDistances = 8

    // Members that most packets need, next to each other, since those of many streams are not in the processor's cache: from the
    // last ones of `sequence` to the first ones of `arrivals`.

    /// Sequence number statistics: losses, reordering and duplicates.
    package internal(set) var sequence: SequenceTracker
    /// The SSRC.
    package let ssrc: UInt32
    /// Timestamp of the last packet.
    package private(set) var lastTimestamp: UInt32 = 0
    /// Sequence number of the last packet received, whatever its order.
    package internal(set) var latestSequence: UInt16 = 0
    /// Number of the last packet that was neither a duplicate nor a stray, and whether its payload was parsed.
    var lookedSequence: UInt16 = 0
    var hasLooked = false
    /// Payload type of the last packet.
    package internal(set) var payloadType: UInt8 = 0
    /// Whether the last packet had the marker.
    private(set) var lastMarker = false
    /// Whether payloads are redundant (RFC 2198), and the payload type of the last media block.
    var isRedundant = false
    var innerType: UInt8?
    /// Whether packets are redundant or their contents recorded.
    var isExamined = false
    /// Signaling about resuming media that no packet has followed yet.
    var turn: StreamTurn = []
    /// How it repairs another stream.
    package internal(set) var retransmission = Retransmission.none
    /// Whether timestamps of packets like the last one reflect sending times.
    var isMeasured = false
    /// Whether a timestamp identifies a picture, whose last packet has the marker.
    var hasPictures = false
    /// Whether the marker indicates the start of a talkspurt.
    var hasTalkspurts = false
    /// The contents of recent packets, since the first repeated number.
    var recentContents: RecentContents?
    /// Packets, duplicates included.
    package internal(set) var packets = 0
    var packetsOfType = 0
    /// Payload octets on the wire, without headers and padding; duplicates included.
    package internal(set) var payloadOctets = 0
    /// Time of the last packet.
    package internal(set) var endTime = Timestamp(nanoseconds: 0)
    /// Frame of the last packet.
    package internal(set) var lastFrame = 0
    /// Time since the last packet above which it is examined: the longest of the interval, or a possible silence.
    var usualDelta: Int64 = 0
    /// The end of the current row of the series, in nanoseconds since 1970: a copy, so that a packet does not touch the series.
    private(set) var intervalEnd = Int64.min
    /// The timestamp deviation above which it is examined, in ticks.
    var jumpTicks = Double.infinity
    /// The interarrival jitter; measures nothing while the clock rate is unknown.
    var arrivals = Jitter.unknown
    /// The interarrival jitter, or nil while the clock rate is unknown.
    package var jitter: Jitter? { arrivals.clockRate > 0 ? arrivals : nil }

    // Members that each frame of video or audio needs.

    /// Packets with the marker set.
    package private(set) var markers = 0
    /// Distinct timestamps: the frames of video.
    package internal(set) var timestamps = 0
    var lastFrameTime = Timestamp(nanoseconds: 0)
    /// How far the timestamp of the next packet in order may go back, as a negative number of ticks.
    var backTicks = -Double.infinity
    var recentTimestamps = SIMD8<UInt32>(repeating: 0)
    /// The speed of the media clock relative to the capture clock.
    package internal(set) var slope = ClockSlope()
    /// The sending times of pictures.
    package private(set) var pacing = FramePacing()
    /// The parsed payload contents.
    package internal(set) var content: PayloadContent

    // Members updated for few packets.

    /// The longest time between two packets, in nanoseconds.
    package internal(set) var longestDelta: Int64 = 0
    /// The longest time between two packets in the current interval of the series, in nanoseconds.
    var intervalDelta: Int64 = 0
    /// The figures per second.
    package private(set) var series = StreamSeries()
    /// The effect of lost packets on pictures.
    package internal(set) var integrity = PictureIntegrity()
    /// What the last packet that repairs another stream repairs.
    var latestRepair = LatestRepair()
    /// A packet stamped this many nanoseconds before the previous one has a wrong capture time.
    private static let misstamped: Int64 = -1_000_000_000
    /// Recovered packets.
    @Boxed package internal(set) var repairs: Repairs
    /// Numbers skipped by the sender.
    package internal(set) var skips = SkippedNumbers()
    /// Positions of missing numbers that may still arrive.
    var holes: SequenceGaps
    /// The key frames.
    package internal(set) var keyframes = KeyframeRhythm()
    /// Packet faults and their frames.
    package internal(set) var faults = FaultLog()
    /// The negotiated endpoint, if media uses another one.
    package var agreedEnd: Endpoint?
    /// The negotiated parameters that packets are checked against.
    package private(set) var agreement = SharedValue(StreamAgreement())
    /// Whether its packets contain a MID.
    package var naming = MediumNaming()
    /// The last silence, and packets missing after silences.
    package internal(set) var silence = StreamSilence()
    /// Packets missing so close to the first or last one that they may have arrived before it, or may still arrive.
    package internal(set) var missingAtEdges = 0
    /// Whether a neighboring stream has an unmapped dynamic payload type, so that one may retransmit for the other.
    package internal(set) var hasNeighbour = false
    /// Packets duplicated by the capture, not counted elsewhere.
    package private(set) var captureDuplicates = 0
    /// Timestamps that went back or leapt.
    package internal(set) var jumps = TimestampJumps()
    /// Packets that findings refer to.
    package internal(set) var places = StreamPlaces()
    /// Changes of the payload type, and packets per payload type, except those since the last change.
    package internal(set) var types = PayloadTypeCounts()
    /// The last restart of the sequence numbers.
    var latestRestart: NumberingRestart?
    /// The payload type whose format was used last, as long as that has not changed.
    var followedType: UInt8?
    /// Time at which media was stopped, if it is to resume.
    var pausedSince = Timestamp(nanoseconds: 0)
    /// The totals over segments between pauses.
    package internal(set) var stretches = StreamStretches()
    /// Time of the first packet.
    package private(set) var startTime = Timestamp(nanoseconds: 0)
    /// Frame of the first packet.
    package private(set) var firstFrame = 0
    /// Timestamp of the first packet.
    package private(set) var firstTimestamp: UInt32 = 0
    /// The announced payload formats, by payload type.
    package internal(set) var formats = StreamFormats()
    /// Time after which any participant has reported, in nanoseconds: three times the minimum interval (RFC 3550 §6.2).
    private static let reportNanoseconds: Int64 = 15_000_000_000
    /// The RTCP statistics of the stream.
    @Boxed package var reports: StreamReports

    /// Creates the state of a stream with `ssrc`.
    package init(ssrc: UInt32, limits: Limits = Limits()) {
        self.ssrc = ssrc
        sequence = SequenceTracker(limits: limits)
        let own = limits[RTPLimits.self]
        reports = StreamReports(own)
        repairs = Repairs(most: own.repairs, holes: own.openGaps)
        holes = SequenceGaps(most: own.openGaps)
        content = PayloadContent(limits[TransportStreamLimits.self])
    }

    /// Processes a packet.
    ///
    /// - Parameters:
    ///   - header: its header.
    ///   - payload: its payload, as captured.
    ///   - time: the capture time.
    ///   - frame: the frame that completed it.
    /// - Returns: the changes in the stream.
    package mutating func observe(
        _ header: RTPHeader, payload: RawSpan, time: Timestamp, frame: Int
    ) -> StreamChanges {
        var news: StreamChanges = []
        if packets == 0 { begin(header, time, frame, &news) }
        let time = time.nanoseconds &- endTime.nanoseconds < Self.misstamped ? inOrder(time) : time
        if time.nanoseconds >= intervalEnd {
            series.roll(totals, at: time)
            intervalEnd = series.end
            arrivals.beginInterval()
            (intervalDelta, usualDelta) = (0, 0)
            if places.reportDue == nil, time.nanoseconds &- startTime.nanoseconds >= Self.reportNanoseconds {
                places.reportDue = (frame, time)
            }
        }
        packets &+= 1
        packetsOfType &+= 1
        payloadOctets &+= header.payloadLength
        let delta = time.nanoseconds &- endTime.nanoseconds
        if delta > usualDelta { observe(delta, &news) }
        if !turn.isEmpty { goOn(header, time, &news) }
        let previous = latestSequence
        let before = endTime
        latestSequence = header.sequenceNumber
        let lastPacketFrame = lastFrame
        endTime = time
        lastFrame = frame
        if header.marker { markers &+= 1 }
        let arrival = sequence.observe(header.sequenceNumber, at: time)
        switch arrival {
        case .next: break
        case .ahead:
            holes.note(
                from: sequence.firstSkipped, behind: header.sequenceNumber, restarts: sequence.restarts,
                (lastPacketFrame, before), (frame, time),
                pictures: hasPictures || retransmission == .parity ? hole(header, payload) : nil,
                leaps: leaps(to: header.timestamp, after: delta), isSilent: news.contains(.silence))
            if news.contains(.silence) { silence.missing &+= Int(header.sequenceNumber &- previous) &- 1 }
        case .late:
            news.insert(.late)
            if places.late == nil { places.late = (frame, time) }
            reports.requests.arrived(header.sequenceNumber, at: time)
        case .restart:
            news.insert(.restart)
            latestRestart = restart(header)
            // A restarted source also has new timestamps.
            arrivals.begin(header.timestamp, at: time)
            slope.begin()
        case .duplicate:
            guard !isOther(header, payload) else {
                noteOther(header, time: time, frame: frame, &news)
                return news
            }
            if places.duplicate == nil { places.duplicate = (frame, time) }
            news.insert(.duplicate)
            reports.requests.arrived(header.sequenceNumber, at: time)
            // A packet of long ago is no evidence of delay or clock speed.
            guard isRecent(header.timestamp) else {
                if Int32(bitPattern: header.timestamp &- lastTimestamp) > 0 {
                    note(PacketFaults(.numberAgain), header, time: time, frame: frame)
                }
                return news
            }
        case .stray:
            news.insert(.stray)
            noteStray(header, time, frame)
        }
        if arrival != .stray, header.payloadType == payloadType ? isMeasured : measures(header.payloadType),
            let drift = arrivals.observe(
                header.timestamp, at: time, floor: arrival == .next ? backTicks : -.infinity),
            drift.magnitude > jumpTicks
        {
            judge(drift, header, time, frame, isNext: arrival == .next, &news)
        }
        if sequence.hasUndecided, sequence.isGapDue(at: time) { news.insert(.gap) }
        if retransmission != .none, let original = originalNumber(header, payload) {
            latestRepair.original = original
            news.insert(.repair)
        } else if retransmission == .numbered, header.payloadLength > 1 {
            latestRepair.original = nil
            news.insert(.repair)
        }
        guard arrival != .duplicate, arrival != .stray else { return news }
        if header.payloadType != payloadType {
            // A late packet belongs to the previous format, so it is not a format change.
            guard arrival != .late else { return news }
            changePayloadType(header, payload, &news)
        }
        let isNewTime = header.timestamp != lastTimestamp
        var order = PacketOrder()
        order.isNewUnit = observeTimestamp(header.timestamp, time)
        order.isNext = hasLooked && lookedSequence &+ 1 == header.sequenceNumber
        order.isTorn = order.isNext && isNewTime && !lastMarker
        order.marker = header.marker
        let wasMarked = lastMarker
        let isMarkedAgain = wasMarked && header.marker && hasTalkspurts && order.isNext && goesOn(header.timestamp)
        lastTimestamp = header.timestamp
        lastMarker = header.marker
        lookedSequence = header.sequenceNumber
        hasLooked = true
        if order.isNewUnit {
            // In a long stream every eighth frame is enough for a line.
            if arrivals.clockRate > 0, timestamps < 256 || timestamps & 7 == 0 {
                slope.observe(arrivals.transit, at: time, clockRate: arrivals.clockRate)
            }
            if hasPictures {
                pacing.begin(at: time, frame: frame, last: before)
                if timestamps & 15 == 0 { learnOrder() }
            }
        }
        order.frame = frame
        order.time = endTime
        order.timestamp = header.timestamp
        order.isWhole = payload.byteCount == header.payloadLength
        order.wireLength = header.payloadLength
        var (found, sight) =
            isExamined ? examine(payload, header, order) : content.look(payload, header, order)
        if sight != .nothing { note(sight, &news) }
        if hasPictures, order.isNext, !isRedundant || hasLooked, isNewTime != wasMarked {
            found.formUnion(markerFault(found, isNewTime))
        }
        if isMarkedAgain { found.insert(.markerOfSound) }
        if found.rawValue != 0 {
            note(broken: found, header, time: time, frame: frame)
        }
        return news
    }

    /// Processes a packet that is truncated or whose header violates RFC 3550: its sequence number is not missing.
    package mutating func observe(
        broken fault: PacketFault?, sequence number: UInt16, octets: Int, time: Timestamp, frame: Int, detail: Int
    ) -> StreamChanges {
        guard packets > 0 else { return [] }
        packets &+= 1
        packetsOfType &+= 1
        payloadOctets &+= octets
        latestSequence = number
        longestDelta = max(longestDelta, time.nanoseconds &- endTime.nanoseconds)
        endTime = time
        lastFrame = frame
        hasLooked = false
        if let fault { faults.note(fault, sequence: number, time: time, frame: frame, detail: detail) }
        _ = sequence.observe(number, at: time)
        return sequence.hasUndecided && sequence.isGapDue(at: time) ? .gap : []
    }

    /// Records faults of a packet outside its payload.
    @inline(never)
    package mutating func note(_ found: PacketFaults, _ header: RTPHeader, time: Timestamp, frame: Int, detail: Int = 0)
    {
        faults.note(found, sequence: header.sequenceNumber, time: time, frame: frame, detail: detail)
    }

    /// Records that another sender uses the same SSRC.
    mutating func noteCollision() {
        faults.note(.collision, sequence: sequence.firstSequence, time: startTime, frame: firstFrame)
    }

    /// The totals so far.
    package var totals: StreamSeries.Row {
        StreamSeries.Row(
            packets: packets, octets: payloadOctets, lost: retransmission == .same ? 0 : sequence.missing,
            recovered: recovered, frames: timestamps, jitter: jitter?.milliseconds ?? 0,
            delay: jitter?.neededMilliseconds ?? 0,
            peak: jitter?.latestMilliseconds ?? 0,
            transit: jitter?.transitMilliseconds ?? 0, delta: Double(intervalDelta) / 1_000_000)
    }

    /// Processes the end of the stream.
    mutating func finish() {
        pacing.finish(endTime)
        content.finish()
        // The final estimate is computed once.
        slope.begin()
    }

    /// Sets the negotiated parameters of the stream.
    package mutating func agree(on agreement: StreamAgreement) {
        self.agreement = SharedValue(agreement)
    }

    /// Counts a packet duplicated by the capture.
    package mutating func observeCaptureDuplicate() {
        captureDuplicates &+= 1
    }

    private mutating func begin(_ header: RTPHeader, _ time: Timestamp, _ frame: Int, _ news: inout StreamChanges) {
        news.insert(.started)
        startTime = time
        endTime = time
        series.begin(at: time)
        intervalEnd = series.end
        firstFrame = frame
        firstTimestamp = header.timestamp
        stretches.begin(header.timestamp)
        payloadType = header.payloadType
        lastFrame = frame
        // The description has often announced its format before.
        if followedType != payloadType { use(payloadType) }
        checkPayloadType(header)
    }
}
