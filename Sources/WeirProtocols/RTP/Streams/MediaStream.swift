package import WeirPackets

/// One direction of media: the packets of one SSRC in one direction of one flow and channel.
///
/// `observe` is the hot path: it allocates nothing but when a stream begins, goes over to another payload type, or brings
/// other parameter sets.
package struct MediaStream: Sendable {
    /// The timestamp's deviation from the capture's time that counts as a jump, in seconds.
    static let jumpSeconds = 1.0
    /// Payload types of one stream that are counted apart.
    static let payloadTypes = 16
    /// Time without a packet that is told, in nanoseconds: two seconds, as with RTMP.
    static let silenceNanoseconds: Int64 = 2_000_000_000
    /// How many times the usual distance of packets a silence is at least, and after how many packets that is known.
    static let silenceDistances = 8

    // What every packet changes stands together, at the front.

    /// The source.
    package let ssrc: UInt32
    /// Payload type of the last packet.
    package internal(set) var payloadType: UInt8 = 0
    /// Sequence number of the packet that came last, whatever it is.
    package private(set) var latestSequence: UInt16 = 0
    /// Timestamp of the last packet.
    package private(set) var lastTimestamp: UInt32 = 0
    var recentTimestamps = SIMD8<UInt32>(repeating: 0)
    /// Packets, duplicates included.
    package private(set) var packets = 0
    var packetsOfType = 0
    /// Payload octets on the wire, without headers and padding; duplicates included.
    package private(set) var payloadOctets = 0
    /// Time of the last packet.
    package internal(set) var endTime = Timestamp(nanoseconds: 0)
    /// Frame of the last packet.
    package private(set) var lastFrame = 0
    /// The longest time between two packets, in nanoseconds.
    package internal(set) var longestDelta: Int64 = 0
    /// Beyond this the time since the last packet is worth a look: the longest so far, or what may be a silence.
    var usualDelta: Int64 = 0
    /// Packets with the marker set.
    package private(set) var markers = 0
    /// Different timestamps: the frames of video.
    package internal(set) var timestamps = 0
    var lastFrameTime = Timestamp(nanoseconds: 0)
    /// The timestamp's deviation that is worth a look, in ticks.
    var jumpTicks = Double.infinity
    /// How far the timestamp of the next packet in order may go back, as a negative number of ticks.
    var backTicks = -Double.infinity
    /// Whether a timestamp is that of a picture, whose last packet has the marker.
    var hasPictures = false
    /// Whether a marker is where sound begins behind a silence.
    var hasTalkspurts = false
    /// Whether payloads have blocks (RFC 2198), and the payload type of the last one that is media.
    var isRedundant = false
    var innerType: UInt8?
    /// Whether the last packet had the marker.
    private(set) var lastMarker = false
    /// Number of the last packet that was no duplicate and no stray, and whether its payload was looked at.
    private var lookedSequence: UInt16 = 0
    var hasLooked = false
    /// What was said of media going on, where nothing came since.
    var turn: StreamTurn = []
    /// What it sends again of another stream.
    package internal(set) var retransmission = Retransmission.none
    /// Whether timestamps of packets like the last one say when they were sent.
    var isMeasured = false
    /// How unevenly packets arrive; nil while the clock rate is not known.
    package internal(set) var jitter: Jitter?
    /// Sequence numbers: what was lost, late or double.
    package internal(set) var sequence: SequenceTracker
    /// What is found in the payloads.
    package internal(set) var content: PayloadContent
    /// How long the packets of a picture take.
    package private(set) var pacing = FramePacing()
    /// The figures of each second.
    package private(set) var series = StreamSeries()
    /// How fast the media's clock runs against the capture's.
    package internal(set) var slope = ClockSlope()
    /// What lost packets did to pictures.
    package internal(set) var integrity = PictureIntegrity()
    /// What the packet of error correction protects that came last.
    var latestProtected: [ProtectedNumbers] = []
    /// Whether that packet had nothing else.
    var latestIsCorrection = false

    // What few packets change.

    /// A packet this many nanoseconds before the one that came before it has a wrong time.
    private static let misstamped: Int64 = -1_000_000_000
    /// So many of them in a row are right: the clock was set back.
    static let mostMisstamped = 8
    /// How many in a row had a wrong time, and the number of the packet behind the last of them.
    var misstampedInARow = (count: 0, last: -1)
    /// The number that the packet sent again last had in its stream.
    private(set) var latestOriginal: UInt16 = 0
    /// Whether the capture lacks that number: it was cut before it.
    private(set) var lacksOriginal = false
    /// What was made good of what it lacks.
    package internal(set) var repairs: Repairs
    /// Where the sender skipped numbers first.
    package internal(set) var firstSkip: SequenceHoles.Place?
    /// The most numbers that it skipped in a row.
    package internal(set) var longestSkip = 0
    /// Where numbers are missing that may still come.
    var holes: SequenceHoles
    /// Key frames.
    package internal(set) var keyframes = KeyframeRhythm()
    /// What packets break, and in which frames.
    package internal(set) var faults = FaultLog()
    /// The end that was agreed on, where the media comes from or goes to another one.
    package var agreedEnd: Endpoint?
    /// What signalling says of the stream, to judge packets by.
    package private(set) var agreement = StreamAgreement()
    /// Whether its packets name their medium.
    package var naming = MediumNaming()
    /// Packets missing behind which nothing had come for longer than the stream's own rhythm explains.
    package private(set) var missingInSilence = 0
    /// Packets missing so near to the first or the last one that they may have come before it, or may still come.
    package internal(set) var missingAtEdges = 0
    /// Whether another stream beside it has a payload type of its own, of which its number alone says nothing: the one may
    /// send again what the other loses.
    package internal(set) var hasNeighbour = false
    /// Packets that the capture holds twice, not counted elsewhere.
    package private(set) var captureDuplicates = 0
    /// Packets whose timestamp went back, or ahead by more than a second against the capture's time.
    package internal(set) var timestampJumps = 0
    /// Those of them that end a stretch of the clock, which are the first.
    package internal(set) var clockBreaks = 0
    static let mostClockBreaks = 4
    /// Frame of the last packet whose number belonged to nothing.
    package private(set) var strayFrame = 0
    /// The last silence, in nanoseconds.
    package internal(set) var latestSilence: Int64 = 0
    /// Sequence number of the packet before it.
    package internal(set) var sequenceBeforeSilence: UInt16 = 0
    /// Numbers that the sender skipped where media was stopped, started again or moved.
    package internal(set) var skipped = 0
    /// Those of them of which only a pause or a leap of timestamps lets one think so.
    package internal(set) var perhapsSkipped = 0
    /// Changes of the payload type.
    package internal(set) var payloadTypeChanges = 0
    /// How many packets each payload type had, the last one's still to be added.
    var packetsByType: [(type: UInt8, packets: Int)] = []
    /// When media was told to stop that is to go on.
    var pausedSince = Timestamp(nanoseconds: 0)
    /// What its stretches between pauses came to.
    package internal(set) var stretches = StreamStretches()
    /// Time of the first packet.
    package private(set) var startTime = Timestamp(nanoseconds: 0)
    /// Frame of the first packet.
    package private(set) var firstFrame = 0
    /// Timestamp of the first packet.
    package private(set) var firstTimestamp: UInt32 = 0
    /// The payload formats that were announced, by payload type.
    package internal(set) var formats: [UInt8: MediaFormat] = [:]
    /// What RTCP says about the stream.
    package var reports: StreamReports

    /// Creates the state of a stream whose packets have `ssrc`.
    package init(ssrc: UInt32, limits: Limits = Limits()) {
        self.ssrc = ssrc
        sequence = SequenceTracker(limits: limits)
        let own = limits[RTPLimits.self]
        reports = StreamReports(own)
        repairs = Repairs(most: own.repairs, holes: own.openHoles)
        holes = SequenceHoles(most: own.openHoles)
        content = PayloadContent(limits[TransportStreamLimits.self])
    }

    /// Takes a packet.
    ///
    /// - Parameters:
    ///   - header: its header.
    ///   - payload: its payload, as far as it was captured.
    ///   - time: when it was captured.
    ///   - frame: the frame that ended it.
    /// - Returns: what it changed.
    package mutating func observe(
        _ header: RTPHeader, payload: RawSpan, time: Timestamp, frame: Int
    ) -> StreamChanges {
        var news: StreamChanges = []
        if packets == 0 { begin(header, time, frame, &news) }
        let time = time.nanoseconds &- endTime.nanoseconds < Self.misstamped ? inOrder(time) : time
        if time.nanoseconds >= series.end { series.roll(totals, at: time) }
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
            if news.contains(.silence) { missingInSilence &+= Int(header.sequenceNumber &- previous) &- 1 }
        case .late:
            news.insert(.late)
            reports.requests.arrived(header.sequenceNumber, at: time)
        case .restart:
            news.insert(.restart)
            // A source that counts anew has timestamps of its own, too.
            jitter?.begin(header.timestamp, at: time)
            slope.begin()
        case .duplicate:
            news.insert(.duplicate)
            reports.requests.arrived(header.sequenceNumber, at: time)
            // What came before, long ago, says nothing of the way and of the clock.
            guard isRecent(header.timestamp) else {
                if Int32(bitPattern: header.timestamp &- lastTimestamp) > 0 {
                    note(PacketFaults(.numberAgain), header, time: time, frame: frame)
                }
                return news
            }
        case .stray:
            news.insert(.stray)
            strayFrame = frame
        }
        if arrival != .stray, header.payloadType == payloadType ? isMeasured : measures(header.payloadType),
            let drift = jitter?.observe(
                header.timestamp, at: time, floor: arrival == .next ? backTicks : -.infinity),
            drift.magnitude > jumpTicks
        {
            judge(drift, header, time, frame, isNext: arrival == .next, &news)
        }
        if sequence.hasUndecided, sequence.isGapDue(at: time) { news.insert(.gap) }
        if retransmission != .none, let original = originalNumber(header, payload) {
            latestOriginal = original
            lacksOriginal = false
            news.insert(.repair)
        } else if retransmission == .numbered, header.payloadLength > 1 {
            lacksOriginal = true
            news.insert(.repair)
        }
        guard arrival != .duplicate, arrival != .stray else { return news }
        if header.payloadType != payloadType {
            // What comes late is of the format before: nothing goes over to that.
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
            // Of a long stream each eighth frame is enough for a straight line.
            if let jitter, timestamps < 256 || timestamps & 7 == 0 {
                slope.observe(jitter.transit, at: time, clockRate: jitter.clockRate)
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
            isRedundant ? lookInside(payload, header, order) : content.look(payload, header, order)
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

    /// Takes a packet whose header breaks RFC 3550, or of which the capture holds only a part: it is there all the same, so its
    /// number is not missing.
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

    /// Notes what a packet breaks beyond its payload.
    @inline(never)
    package mutating func note(_ found: PacketFaults, _ header: RTPHeader, time: Timestamp, frame: Int, detail: Int = 0)
    {
        faults.note(found, sequence: header.sequenceNumber, time: time, frame: frame, detail: detail)
    }

    /// Notes that another sender uses the same source.
    mutating func noteCollision() {
        faults.note(.collision, sequence: sequence.firstSequence, time: startTime, frame: firstFrame)
    }

    /// The figures so far.
    package var totals: StreamSeries.Row {
        StreamSeries.Row(
            packets: packets, octets: payloadOctets, lost: retransmission == .same ? 0 : sequence.missing,
            frames: timestamps, jitter: jitter?.milliseconds ?? 0, delay: jitter?.neededMilliseconds ?? 0)
    }

    /// Nothing more comes.
    mutating func finish() {
        pacing.finish(endTime)
        content.finish()
        // What it tells is found out once.
        slope.begin()
    }

    /// Says what signalling agreed on for the stream.
    package mutating func agree(on agreement: StreamAgreement) {
        self.agreement = agreement
    }

    /// Notes a packet that the capture holds again.
    package mutating func observeCaptureDuplicate() {
        captureDuplicates &+= 1
    }

    private mutating func begin(_ header: RTPHeader, _ time: Timestamp, _ frame: Int, _ news: inout StreamChanges) {
        news.insert(.started)
        startTime = time
        endTime = time
        series.begin(at: time)
        firstFrame = frame
        firstTimestamp = header.timestamp
        stretches.begin(header.timestamp)
        payloadType = header.payloadType
        lastFrame = frame
        use(payloadType)
        checkPayloadType(header)
    }
}
