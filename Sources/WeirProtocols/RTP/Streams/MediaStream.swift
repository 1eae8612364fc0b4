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
    package private(set) var payloadType: UInt8 = 0
    /// Sequence number of the packet that came last, whatever it is.
    package private(set) var latestSequence: UInt16 = 0
    /// Timestamp of the last packet.
    package private(set) var lastTimestamp: UInt32 = 0
    private var recentTimestamps = SIMD4<UInt32>(repeating: 0)
    /// Packets, duplicates included.
    package private(set) var packets = 0
    private var packetsOfType = 0
    /// Payload octets on the wire, without headers and padding; duplicates included.
    package private(set) var payloadOctets = 0
    /// Time of the last packet.
    package private(set) var endTime = Timestamp(nanoseconds: 0)
    /// Frame of the last packet.
    package private(set) var lastFrame = 0
    /// The longest time between two packets, in nanoseconds.
    package private(set) var longestDelta: Int64 = 0
    /// Beyond this the time since the last packet is worth a look: the longest so far, or what may be a silence.
    private var usualDelta: Int64 = 0
    /// Packets with the marker set.
    package private(set) var markers = 0
    /// Different timestamps: the frames of video.
    package private(set) var timestamps = 0
    private var lastFrameTime = Timestamp(nanoseconds: 0)
    /// How unevenly packets arrive; nil while the clock rate is not known.
    package private(set) var jitter: Jitter?
    /// Sequence numbers: what was lost, late or double.
    package private(set) var sequence: SequenceTracker
    private var payloadFormat = RTPPayloadFormat.unknown
    /// The timestamp's deviation that counts as a jump, in ticks.
    private var jumpTicks = Double.infinity
    /// Whether a timestamp is that of a picture, whose last packet has the marker.
    private var hasPictures = false
    /// Whether the last packet had the marker.
    private(set) var lastMarker = false
    /// Number of the last packet that was no duplicate and no stray, and whether its payload was looked at.
    private var lookedSequence: UInt16 = 0
    private var hasLooked = false
    /// Access units of H.264; nil for other formats.
    package private(set) var h264: H264AccessUnits?
    /// Access units of H.265; nil for other formats.
    package private(set) var h265: H265AccessUnits?
    /// Pictures of other formats that are looked into; nil for all else.
    package private(set) var pictures: VideoFrames?
    /// The MPEG transport stream that the payloads carry; nil for other formats.
    package private(set) var transportStream: TransportStream?
    /// How long the packets of a picture take.
    package private(set) var pacing = FramePacing()
    /// The figures of each second.
    package private(set) var series = StreamSeries()
    /// How fast the media's clock runs against the capture's.
    package private(set) var slope = ClockSlope()
    /// What lost packets did to pictures.
    package private(set) var integrity = PictureIntegrity()
    /// Telephone events; nil for other formats.
    package private(set) var telephone: TelephoneEvents?
    /// The telephone event that is over.
    private(set) var latestTelephoneEvent: TelephoneEvents.Event?
    /// What the packet of error correction protects that came last.
    private(set) var latestProtected: [ProtectedNumbers] = []
    /// MPEG-4 access units that began.
    package private(set) var accessUnits = 0

    // What few packets change.

    /// A packet this many nanoseconds before the one that came before it has a wrong time.
    private static let misstamped: Int64 = -1_000_000_000
    /// So many of them in a row are right: the clock was set back.
    private static let mostMisstamped = 8
    /// How many in a row had a wrong time, and the number of the packet behind the last of them.
    private var misstampedInARow = (count: 0, last: -1)
    /// Whether media was told to go on, and nothing came since.
    private var isToResume = false
    /// What it sends again of another stream.
    package private(set) var retransmission = Retransmission.none
    /// The number that the packet sent again last had in its stream.
    private(set) var latestOriginal: UInt16 = 0
    /// What was made good of what it lacks.
    package private(set) var repairs: Repairs
    /// Where numbers were found missing first.
    package private(set) var firstHole: SequenceHoles.Place?
    /// Where numbers are missing that may still come.
    private var holes: SequenceHoles
    /// Key frames.
    package private(set) var keyframes = 0
    /// Time of the first key frame.
    package private(set) var firstKeyframe: Timestamp?
    /// Time of the last key frame.
    package private(set) var lastKeyframe: Timestamp?
    /// Time of the key frame before that.
    package private(set) var previousKeyframe: Timestamp?
    /// What packets break, and in which frames.
    package private(set) var faults = FaultLog()
    /// The end that was agreed on, where the media comes from or goes to another one.
    package var agreedEnd: Endpoint?
    /// What signalling says of the stream, to judge packets by.
    package private(set) var agreement = StreamAgreement()
    /// Whether its packets name their medium.
    package var naming = MediumNaming()
    /// Packets missing behind which nothing had come for longer than the stream's own rhythm explains.
    package private(set) var missingInSilence = 0
    /// Packets that the capture holds twice, not counted elsewhere.
    package private(set) var captureDuplicates = 0
    /// Packets whose timestamp went back or ahead by more than a second against the capture's time.
    package private(set) var timestampJumps = 0
    /// Frame of the last packet whose number belonged to nothing.
    package private(set) var strayFrame = 0
    /// The last silence, in nanoseconds.
    package private(set) var latestSilence: Int64 = 0
    /// Sequence number of the packet before it.
    package private(set) var sequenceBeforeSilence: UInt16 = 0
    /// Numbers that the sender skipped where media was stopped, started again or moved.
    package private(set) var skipped = 0
    /// Changes of the payload type.
    package private(set) var payloadTypeChanges = 0
    /// How many packets each payload type had, the last one's still to be added.
    private var packetsByType: [(type: UInt8, packets: Int)] = []
    /// Time of the first packet.
    package private(set) var startTime = Timestamp(nanoseconds: 0)
    /// Frame of the first packet.
    package private(set) var firstFrame = 0
    /// Timestamp of the first packet.
    package private(set) var firstTimestamp: UInt32 = 0
    /// The payload formats that were announced, by payload type.
    package private(set) var formats: [UInt8: MediaFormat] = [:]
    private let transportLimits: TransportStreamLimits
    /// What RTCP says about the stream.
    package var reports: StreamReports

    /// Creates the state of a stream whose packets have `ssrc`.
    package init(ssrc: UInt32, limits: Limits = Limits()) {
        self.ssrc = ssrc
        sequence = SequenceTracker(limits: limits)
        let own = limits[RTPLimits.self]
        reports = StreamReports(own)
        repairs = Repairs(most: own.repairs)
        holes = SequenceHoles(most: own.openHoles)
        transportLimits = limits[TransportStreamLimits.self]
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
                (lastPacketFrame, before), (frame, time), pictures: hasPictures ? hole(header, payload) : nil,
                leaps: leaps(to: header.timestamp, after: delta))
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
        case .stray:
            news.insert(.stray)
            strayFrame = frame
        }
        if arrival != .stray, let drift = jitter?.observe(header.timestamp, at: time), drift.magnitude > jumpTicks {
            judge(drift, header, time, frame, &news)
        }
        if sequence.hasUndecided, sequence.isGapDue(at: time) { news.insert(.gap) }
        if isToResume {
            isToResume = false
            news.insert(.resumed)
            transportStream?.lose()
        }
        if retransmission != .none, let original = originalNumber(header, payload) {
            latestOriginal = original
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
        lastTimestamp = header.timestamp
        lastMarker = header.marker
        lookedSequence = header.sequenceNumber
        hasLooked = true
        if order.isNewUnit {
            // Of a long stream each eighth frame is enough for a straight line.
            if let jitter, timestamps < 256 || timestamps & 7 == 0 {
                slope.observe(jitter.transit, at: time, clockRate: jitter.clockRate)
            }
            if hasPictures { pacing.begin(at: time, frame: frame, last: before) }
        }
        var found = look(payload, header, &order, frame, &news)
        if hasPictures, order.isNext, isNewTime != wasMarked { found.formUnion(markerFault(found, isNewTime)) }
        if found.rawValue != 0 {
            faults.note(found, sequence: header.sequenceNumber, time: time, frame: frame)
        }
        return news
    }

    /// Whether a timestamp is half a second and more from where the time that passed leads.
    @inline(never)
    private func leaps(to timestamp: UInt32, after nanoseconds: Int64) -> Bool {
        guard let jitter, jitter.clockRate > 0 else { return false }
        let step = Double(Int32(bitPattern: timestamp &- lastTimestamp)) / Double(jitter.clockRate)
        return (step - Double(nanoseconds) / 1e9).magnitude > 0.5
    }

    /// A picture ended without a marker, or goes on behind one; where one picture has several timestamps, that says it all.
    @inline(never)
    private func markerFault(_ found: PacketFaults, _ isNewTime: Bool) -> PacketFaults {
        guard isNewTime else { return PacketFaults(.markerEarly) }
        return found.contains(PacketFaults(.unitTimestamps)) ? [] : PacketFaults(.markerMissing)
    }

    /// Takes a packet whose header breaks RFC 3550: it is there all the same, so its number is not missing.
    package mutating func observe(
        broken fault: PacketFault, sequence number: UInt16, octets: Int, time: Timestamp, frame: Int, detail: Int
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
        faults.note(fault, sequence: number, time: time, frame: frame, detail: detail)
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
            packets: packets, octets: payloadOctets, lost: sequence.missing, frames: timestamps,
            jitter: jitter?.milliseconds ?? 0, delay: jitter?.neededMilliseconds ?? 0)
    }

    /// Nothing more comes.
    mutating func finish() {
        pacing.finish(endTime)
        latestTelephoneEvent = telephone?.finish()
    }

    /// Says what signalling agreed on for the stream.
    package mutating func agree(on agreement: StreamAgreement) {
        self.agreement = agreement
    }

    /// Notes a packet that the capture holds again.
    package mutating func observeCaptureDuplicate() {
        captureDuplicates &+= 1
    }

    /// The time of a packet that the capture has stamped long before the one that came before it: that is the capture's fault,
    /// and says nothing of the network. Only when it goes on like that, the clock was set back.
    @inline(never)
    private mutating func inOrder(_ time: Timestamp) -> Timestamp {
        if misstampedInARow.last == packets { misstampedInARow.count &+= 1 } else { misstampedInARow.count = 1 }
        misstampedInARow.last = packets &+ 1
        guard misstampedInARow.count < Self.mostMisstamped else {
            endTime = time
            lastFrameTime = time
            return time
        }
        return endTime
    }

    /// The next gap that is over at `time`, and where it is; ask until nil when `observe` said `.gap`.
    package mutating func takeGap(at time: Timestamp) -> (gap: RTPGap, place: SequenceHoles.Place?)? {
        sequence.takeGap(at: time).map { located($0) }
    }

    /// The next gap at the end of the stream, and where it is; ask until nil.
    package mutating func takeLastGap() -> (gap: RTPGap, place: SequenceHoles.Place?)? {
        sequence.takeLastGap().map { located($0) }
    }

    /// Notes that missing numbers were skipped by the sender.
    mutating func noteSkip(_ numbers: Int) { skipped &+= numbers }

    private mutating func located(_ gap: SequenceTracker.Gap) -> (gap: RTPGap, place: SequenceHoles.Place?) {
        repairs.settle(sequence)
        let repaired = repairs.take(gap)
        let place = holes.take(behind: gap.first &+ UInt16(truncatingIfNeeded: gap.count))
        if firstHole == nil { firstHole = place }
        return (RTPGap(ssrc: ssrc, firstSequence: gap.first, count: gap.count, recovered: repaired), place)
    }

    /// Media is told to go on.
    mutating func expectResumption() { isToResume = true }

    /// It sends packets of another stream again.
    mutating func resends(_ kind: Retransmission) { retransmission = kind }

    private mutating func originalNumber(_ header: RTPHeader, _ payload: RawSpan) -> UInt16? {
        switch retransmission {
        case .none: nil
        case .same: header.sequenceNumber
        case .numbered: payload.uint16(at: 0)
        case .parity, .redundant: correct(header, payload)
        }
    }

    /// Reads what a packet makes good beside its own payload; its number when that is anything.
    private mutating func correct(_ header: RTPHeader, _ payload: RawSpan) -> UInt16? {
        latestProtected = protected(header, payload)
        return latestProtected.isEmpty ? nil : header.sequenceNumber
    }

    /// Error correction protects these numbers: one that is missing among them is made good when all others came.
    mutating func protect(_ numbers: [UInt16]) { repairs.protect(numbers, sequence) }

    /// Nothing more comes, and nothing more is known to be missing.
    mutating func finishPictures() { integrity.finish(timestamps, at: endTime) }

    /// Packets are missing that nothing made good.
    mutating func noteDamage(_ gap: RTPGap, _ place: SequenceHoles.Place) {
        integrity.note(gap, place, needsOthers: formats[payloadType]?.payload != .jpeg)
    }

    /// A packet with this number was sent again.
    mutating func noteRepair(of number: UInt16, at time: Timestamp) {
        reports.requests.arrived(number, at: time)
        let (isMissing, isTold) = sequence.lacks(number)
        if isMissing { repairs.note(number, isTold: isTold) }
    }

    /// So many missing numbers came on another path.
    mutating func note(elsewhere count: Int, isTwin: Bool) { repairs.note(elsewhere: count, isTwin: isTwin) }

    /// Packets that never came, on no path, without numbers that the sender skipped; of what is only sent again nothing is
    /// missed.
    package var lost: Int {
        retransmission == .same ? 0 : max(0, sequence.missing &- repairs.elsewhere &- skipped)
    }
    /// Those of them that were made good.
    package var recovered: Int { min(lost, repairs.recovered) }
    /// Those that stayed lost.
    package var unrecovered: Int { lost &- recovered }
    /// Whether it makes up for losses of another stream.
    package var isRepair: Bool {
        retransmission == .same || retransmission == .numbered || mainFormat?.isRepair == true
    }

    /// Says what a payload type means. It may be said before the first packet, or at any time later.
    package mutating func configure(payloadType type: UInt8, as format: MediaFormat) {
        guard formats[type] != format, formats.count < 128 else { return }
        formats[type] = format
        if type == payloadType || packets == 0 && formats.count == 1 { use(type) }
    }

    private mutating func begin(_ header: RTPHeader, _ time: Timestamp, _ frame: Int, _ news: inout StreamChanges) {
        news.insert(.started)
        startTime = time
        endTime = time
        series.begin(at: time)
        firstFrame = frame
        firstTimestamp = header.timestamp
        payloadType = header.payloadType
        lastFrame = frame
        use(payloadType)
        checkPayloadType(header)
    }

    /// A packet came later than most, or than all before it.
    @inline(never)
    private mutating func observe(_ delta: Int64, _ news: inout StreamChanges) {
        let isSilence = isSilence(delta, before: packets &- 1)
        if delta > longestDelta { longestDelta = delta }
        usualDelta = min(longestDelta, Self.silenceNanoseconds)
        guard isSilence else { return }
        latestSilence = delta
        slope.begin()
        // The silence is told; that nothing of the transport stream came meanwhile is no fault of its own.
        transportStream?.lose()
        sequenceBeforeSilence = latestSequence
        news.insert(.silence)
    }

    /// Whether so many nanoseconds without a packet are more than the stream's own rhythm, which `count` packets tell;
    /// a pause among these does not count. Data has no rhythm.
    private func isSilence(_ delta: Int64, before count: Int) -> Bool {
        guard delta > Self.silenceNanoseconds, count > Self.silenceDistances, formats[payloadType]?.hasRhythm ?? true
        else { return false }
        let usual = (endTime.nanoseconds &- startTime.nanoseconds &- longestDelta) / Int64(count &- 1)
        return delta / Int64(Self.silenceDistances) > usual
    }

    /// Whether nothing more coming until `time` is a silence.
    func isSilent(until time: Timestamp) -> Bool {
        isSilence(time.nanoseconds &- endTime.nanoseconds, before: packets)
    }

    /// Goes over to the format of a payload type: the one announced, or the static one (RFC 3551 §6).
    private mutating func use(_ type: UInt8) {
        guard let format = formats[type] ?? MediaFormat(staticPayloadType: type) else {
            payloadFormat = .unknown
            hasPictures = false
            return
        }
        formats[type] = format
        payloadFormat = format.payload
        if format.associatedType != nil {
            retransmission = .numbered
        } else if retransmission != .same {
            retransmission = format.correction
        }
        hasPictures = format.hasPictures
        hasLooked = false
        // Comfort noise and telephone events interrupt the audio whose clock they share.
        if !format.isSupplement, let rate = format.clockRate, jitter?.clockRate != rate {
            jitter = Jitter(clockRate: rate)
            jumpTicks = Double(rate) * Self.jumpSeconds
            slope.begin()
        }
        follow(format)
    }

    /// Begins to follow what the payloads of a format hold.
    private mutating func follow(_ format: MediaFormat) {
        switch format.payload {
        case .h264:
            if h264 == nil { h264 = H264AccessUnits() }
            if !format.isAssumed {
                h264?.announce(mode: format.parameter("packetization-mode").flatMap { Int($0) } ?? 0)
            }
            if !format.parameterSets.isEmpty { h264?.announce(format.parameterSets) }
        case .h265:
            guard h265 == nil else { return }
            let difference = format.parameter("sprop-max-don-diff").flatMap { Int($0) } ?? 0
            h265 = H265AccessUnits(hasOrderNumbers: difference > 0)
            h265?.announce(format.parameterSets)
        case .vp8, .vp9, .av1, .jpeg, .h266: if pictures == nil { pictures = VideoFrames() }
        case .telephoneEvent: if telephone == nil { telephone = TelephoneEvents() }
        default: break
        }
    }

    @inline(never)
    private mutating func changePayloadType(_ header: RTPHeader, _ payload: RawSpan, _ news: inout StreamChanges) {
        news.insert(.payloadTypeChange)
        payloadTypeChanges &+= 1
        add(packetsOfType &- 1, of: payloadType, to: &packetsByType)
        packetsOfType = 1
        payloadType = header.payloadType
        use(payloadType)
        checkPayloadType(header)
        // The first packet of error correction behind others is one, too.
        if retransmission == .parity || retransmission == .redundant, correct(header, payload) != nil {
            news.insert(.repair)
        }
    }

    /// Whether signalling names the payload type of the packet at hand.
    private mutating func checkPayloadType(_ header: RTPHeader) {
        var found: PacketFaults = []
        if !agreement.allows(header.payloadType) { found.insert(.payloadType) }
        if agreement.sharesPort, 64...95 ~= header.payloadType { found.insert(.payloadTypeOfRTCP) }
        guard !found.isEmpty else { return }
        note(found, header, time: endTime, frame: lastFrame, detail: Int(header.payloadType))
    }

    private func add(_ packets: Int, of type: UInt8, to counts: inout [(type: UInt8, packets: Int)]) {
        if let index = counts.firstIndex(where: { $0.type == type }) {
            counts[index].packets &+= packets
        } else if counts.count < Self.payloadTypes {
            counts.append((type, packets))
        }
    }

    @inline(never)
    private mutating func judge(
        _ drift: Double, _ header: RTPHeader, _ time: Timestamp, _ frame: Int, _ news: inout StreamChanges
    ) {
        guard let jitter, formats[header.payloadType]?.isSupplement != true else { return }
        // Later than its timestamp says is no jump of the timestamp unless that went back: the network or a pause.
        let step = Int32(bitPattern: header.timestamp &- lastTimestamp)
        let isBack = Double(step) < -jumpTicks
        guard drift < 0 || isBack else { return }
        timestampJumps &+= 1
        news.insert(.timestampJump)
        slope.begin()
        guard !news.contains(.restart), packets > 1 else { return }
        let milliseconds = (isBack ? -Double(step) : -drift) * 1_000 / Double(jitter.clockRate)
        note(
            PacketFaults(isBack ? .timestampBack : .timestampJump), header, time: time, frame: frame,
            detail: Int(min(milliseconds, 1e12)))
    }

    /// Whether the timestamp is none of the last four: with reordering, frames come back.
    @inline(__always)
    private mutating func observeTimestamp(_ timestamp: UInt32, _ time: Timestamp) -> Bool {
        if timestamps > 0, timestamp == lastTimestamp { return false }
        if timestamps > 0, any(recentTimestamps .== timestamp) { return false }
        recentTimestamps =
            timestamps == 0
            ? SIMD4(repeating: timestamp)
            : SIMD4(timestamp, recentTimestamps.x, recentTimestamps.y, recentTimestamps.z)
        timestamps &+= 1
        lastFrameTime = time
        return true
    }

    /// Looks into a payload; returns what is broken there.
    @inline(__always)
    private mutating func look(
        _ bytes: RawSpan, _ header: RTPHeader, _ order: inout PacketOrder, _ frame: Int, _ news: inout StreamChanges
    ) -> PacketFaults {
        switch payloadFormat {
        case .unknown, .opaque: return []
        case .samples(let size):
            let isOdd = size.unit > 1 && header.payloadLength % size.unit != 0
            return isOdd || size.packet > 0 && header.payloadLength != size.packet ? PacketFaults(.sampleCount) : []
        default: break
        }
        order.frame = frame
        order.time = endTime
        order.timestamp = header.timestamp
        order.isWhole = bytes.byteCount == header.payloadLength
        order.wireLength = header.payloadLength
        // Packets that were kept while it was not known what they are have no payload any more.
        guard bytes.byteCount > 0 else {
            hasLooked = false
            return []
        }
        var isKeyframe = false
        var found: PacketFaults = []
        switch payloadFormat {
        case .unknown, .opaque, .samples: return []
        case .h264:
            guard let payload = H264Payload(bytes) else { return [] }
            isKeyframe = h264?.observe(payload, bytes, order) ?? false
            found = h264?.faults ?? []
        case .h265:
            isKeyframe = h265?.observe(bytes, order) ?? false
            found = h265?.faults ?? []
        case .vp8, .vp9, .av1, .jpeg, .h266:
            isKeyframe = pictures?.observe(bytes, payloadFormat, order) ?? false
            found = pictures?.faults ?? []
        case .mpeg4Generic(let sizes): return lookAtAccessUnits(bytes, sizes, order)
        case .telephoneEvent:
            latestTelephoneEvent = telephone?.observe(bytes, header, frame: frame)
            if latestTelephoneEvent != nil { news.insert(.telephoneEvent) }
            return []
        case .transportStream: return lookAtTransportStream(bytes, order)
        case .programStream:
            return bytes.uint32(at: 0) == 0x0000_01BA ? PacketFaults(.programStream) : []
        }
        if isKeyframe {
            noteKeyframe(&news)
            if reports.requests.isWaiting { reports.requests.pictureCame(at: endTime) }
        }
        return order.isWhole ? found : found.subtracting(.ofWholePayloads)
    }

    /// Counts the access units of RFC 3640 in a payload.
    private mutating func lookAtAccessUnits(
        _ bytes: RawSpan, _ sizes: AccessUnitHeaderSizes, _ order: PacketOrder
    ) -> PacketFaults {
        guard let units = AccessUnitHeaders(bytes, sizes) else {
            return order.isWhole ? PacketFaults(.accessUnitHeaders) : []
        }
        // Every fragment of an access unit has the timestamp of its first packet (RFC 3640 §3.2.3.1).
        if !units.isFragment || order.isNewUnit { accessUnits &+= units.count }
        guard order.isWhole else { return [] }
        var found: PacketFaults = []
        if units.disagrees { found.insert(.accessUnitHeaders) }
        if !sizes.allowsInterleaving, units.index != 0 || units.isInterleaved { found.insert(.accessUnitIndex) }
        return found
    }

    /// Follows the transport stream in the payloads.
    private mutating func lookAtTransportStream(_ bytes: RawSpan, _ order: PacketOrder) -> PacketFaults {
        guard order.isWhole else {
            // What the capture cut off took counters, tables and clocks with it.
            transportStream?.lose()
            return []
        }
        if transportStream == nil {
            transportStream = TransportStream(limits: transportLimits)
        } else if !order.isNext {
            transportStream?.lose()
        }
        guard let broken = transportStream?.take(bytes, at: endTime), !broken.isEmpty else { return [] }
        return PacketFaults(broken)
    }

    static let transportFaults: [(TransportStream.Faults, PacketFault)] = [
        (.sync, .streamSync), (.association, .streamAssociation), (.continuity, .streamContinuity),
        (.map, .streamMap), (.transport, .streamTransport), (.checksum, .streamChecksum), (.clock, .streamClock),
        (.presentation, .streamPresentation),
    ]

    private mutating func noteKeyframe(_ news: inout StreamChanges) {
        keyframes &+= 1
        previousKeyframe = lastKeyframe
        lastKeyframe = endTime
        if firstKeyframe == nil { firstKeyframe = endTime }
        integrity.noteKeyframe(timestamps, at: endTime)
        news.insert(.keyframe)
    }
}

extension MediaStream {
    /// The limits that were reached, as keys of their sentences.
    var limitsReached: [String] {
        var reached: [String] = []
        if repairs.unkept > 0 { reached.append("limit.repairs") }
        if holes.unkept > 0 { reached.append("limit.holes") }
        if reports.requests.unkept > 0 { reached.append("limit.feedback") }
        if agreement.announcesMore { reached.append("limit.announced") }
        if transportStream?.hasMore == true { reached.append("limit.programs") }
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

    /// The format of most packets, if it is known.
    package var mainFormat: MediaFormat? { formats[mainPayloadType] }

    /// Media frames: the pictures of video; access units or packets of audio; nil when the format is not known.
    package var frames: Int? {
        guard let format = mainFormat, !format.isRepair else { return nil }
        if case .mpeg4Generic = format.payload { return accessUnits }
        switch format.mediaType {
        case "video": return format.marksFrames ? timestamps : nil
        // How many access units are in a packet cannot be seen in an encrypted one.
        case "audio": return format.isEncrypted ? nil : sequence.received
        default: return nil
        }
    }

    /// Frames in a second, by the timestamps from the first frame to the last; by the time of arrival where there is no clock
    /// that went on all the time. For video with two frames at least.
    package var frameRate: Double? {
        guard frames != nil, mainFormat?.mediaType == "video", timestamps > 1 else { return nil }
        if let mediaSeconds { return Double(timestamps - 1) / mediaSeconds }
        let seconds = lastFrameTime.seconds(since: startTime)
        return seconds > 0 ? Double(timestamps - 1) / seconds : nil
    }

    /// Seconds of media from the first timestamp to the last; nil when the clock is not known, or began anew.
    package var mediaSeconds: Double? {
        guard let rate = mainFormat?.clockRate, rate > 0, timestampJumps == 0, sequence.restarts == 0
        else { return nil }
        let ticks = Int32(bitPattern: lastTimestamp &- firstTimestamp)
        return ticks > 0 ? Double(ticks) / Double(rate) : nil
    }

    /// Payload bits in a second, from the first packet to the last.
    package var bitrate: Double? {
        let seconds = endTime.seconds(since: startTime)
        return seconds > 0 ? Double(payloadOctets) * 8 / seconds : nil
    }

    /// Whether the format has key frames that are looked for.
    package var canHaveKeyframes: Bool {
        switch mainFormat?.payload {
        case .h264, .h265, .h266, .vp8, .vp9, .av1: true
        default: false
        }
    }

    /// Mean time between key frames, in seconds; nil where they are neighbours, which is no rhythm.
    package var secondsBetweenKeyframes: Double? {
        guard keyframes > 1, let firstKeyframe, let lastKeyframe else { return nil }
        let seconds = lastKeyframe.seconds(since: firstKeyframe) / Double(keyframes - 1)
        return seconds * (frameRate ?? 25) > 1.5 ? seconds : nil
    }
}
