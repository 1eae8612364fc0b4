package import WeirEngine
package import WeirPackets

/// The media streams of an analysis: packets are counted into them, and what changes is told. The hot path.
package final class MediaStreams: FastPath {
    /// The open streams, by the numbers that slots have.
    var streams = Slab<MediaStream>(nothing: MediaStream(ssrc: 0))
    /// The open stream of each number.
    private var entries: [MediaEntry?] = []
    /// Open streams by source, for RTCP, which speaks of sources.
    var bySSRC: [UInt32: [MediaEntry]] = [:]
    /// Sender reports that came before the first packet of their source.
    var earlyReports: Recent<UInt32, [(report: SenderReport, place: EventContext)]> = Recent(limit: 64)
    let outlet: StoryOutlet
    /// Every packet is an event, too.
    private let showsPackets: Bool
    /// Is shown every packet with its payload.
    package var tap: (any MediaTap)? { didSet { watches = showsPackets || tap != nil } }
    /// Whether somebody looks at every packet.
    private var watches = false

    package init(_ outlet: StoryOutlet) {
        self.outlet = outlet
        showsPackets = outlet.options.packets
        watches = showsPackets
    }

    /// Takes a datagram of the stream that the slot is, to which most belong.
    package func take(
        _ octets: RawSpan, _ slot: Int32, _ direction: Direction, _ frame: FrameInfo, budget: inout OctetBudget
    ) -> Taken {
        guard let header = Self.header(octets), let news = streams[slot].observe(only: header, octets, frame) else {
            return Taken(0)
        }
        if header.isUnusual { streams[slot].examine(header, octets, frame.time, frame.number) }
        if watches || !news.isDisjoint(with: .events) { told(news, header, octets, slot, frame) }
        return Taken(octets.byteCount)
    }

    /// The open stream of a number.
    func entry(_ stream: Int32) -> MediaEntry? {
        entries.indices.contains(Int(stream)) ? entries[Int(stream)] : nil
    }

    /// The header of a packet that is RTP and not RTCP.
    @inline(__always)
    static func header(_ bytes: RawSpan) -> RTPHeader? {
        guard let second = bytes.byte(at: 1), !RTCPPacket.isRTCP(secondOctet: second) else { return nil }
        return try? RTPHeader(bytes)
    }

    /// Counts a packet of a known stream.
    @inline(__always)
    func observe(_ header: RTPHeader, _ bytes: RawSpan, _ stream: Int32, _ frame: FrameInfo) {
        let news = streams[stream].observe(header, bytes, frame)
        if header.isUnusual { streams[stream].examine(header, bytes, frame.time, frame.number) }
        guard watches || !news.isDisjoint(with: .events) else { return }
        told(news, header, bytes, stream, frame)
    }

    @inline(never)
    private func told(
        _ news: StreamChanges, _ header: RTPHeader, _ bytes: RawSpan, _ stream: Int32, _ frame: FrameInfo
    ) {
        guard let entry = entries[Int(stream)] else { return }
        let place = entry.place(frame: frame.number, time: frame.time)
        if !news.isDisjoint(with: .events) { tell(news, header, entry, place) }
        if watches { show(header, bytes, entry, place) }
    }

    /// Reads an RTP packet of a flow.
    @inline(__always)
    func readRTP(_ header: RTPHeader, _ bytes: RawSpan, channel: Int?, _ packets: MediaFlow, _ place: EventContext) {
        let number = Int32(channel ?? -1)
        guard
            let stream = packets.keys.stream(header.ssrc, number, place.direction)
                ?? begin(header, bytes, channel, packets, place)
        else { return }
        let range = header.payloadRange
        let news = streams[stream].observe(
            header, payload: bytes.clamped(range.lowerBound, range.upperBound), time: place.time, frame: place.frame)
        if header.isUnusual { streams[stream].examine(header, bytes, place.time, place.frame) }
        if !news.isDisjoint(with: .events), let entry = entries[Int(stream)] { tell(news, header, entry, place) }
        if !packets.ssrcChanges.isEmpty { resolve(packets, place) }
        if watches, let entry = entries[Int(stream)] { show(header, bytes, entry, place) }
    }

    /// A packet as a step of its own.
    private func show(_ header: RTPHeader, _ bytes: RawSpan, _ entry: MediaEntry, _ place: EventContext) {
        let format = streams[entry.stream].formats[header.payloadType]
        let range = header.payloadRange
        if bytes.isEmpty {
            tap?.miss(entry.id)
        } else {
            tap?.take(entry.id, header, bytes.clamped(range.lowerBound, range.upperBound), format)
        }
        guard showsPackets else { return }
        var packet = RTPPacket(header, bytes, format: format?.payload ?? .unknown)
        if header.hasExtension { packet.extensionNames = streams[entry.stream].agreement.extensions ?? [:] }
        tell(packet, entry, place)
    }
}

extension MediaStream {
    /// Takes a packet; what its header and `bytes` say.
    @inline(__always)
    fileprivate mutating func observe(_ header: RTPHeader, _ bytes: RawSpan, _ frame: FrameInfo) -> StreamChanges {
        let range = header.payloadRange
        return observe(
            header, payload: bytes.clamped(range.lowerBound, range.upperBound), time: frame.time, frame: frame.number)
    }

    /// The same, if it is of this very stream; else nil.
    @inline(__always)
    fileprivate mutating func observe(only header: RTPHeader, _ bytes: RawSpan, _ frame: FrameInfo) -> StreamChanges? {
        header.ssrc == ssrc ? observe(header, bytes, frame) : nil
    }
}

// MARK: - How streams begin and end

extension MediaStreams {
    /// The stream that a packet begins; nil when it begins none.
    private func begin(
        _ header: RTPHeader, _ bytes: RawSpan, _ channel: Int?, _ packets: MediaFlow, _ place: EventContext
    ) -> Int32? {
        // What opens a port in a firewall has a header and nothing behind it.
        if header.payloadLength == 0, header.ssrc == 0 { return nil }
        let flow = packets.flow
        guard channel == nil, packets.owner == nil, flow.because?.key != "expect.decodeAs" else {
            return open(header, bytes, channel, packets, place)
        }
        guard let first = packets.probation.take(header, place, most: outlet.limits[RTPLimits.self].probation) else {
            return nil
        }
        let nothing = [UInt8]()
        let stream = open(first.header, nothing.rawSpan, channel, packets, first.place)
        if let stream { observe(first, stream, packets) }
        return stream
    }

    /// Counts the packet that waited for a second one of its source; its payload is gone.
    private func observe(_ first: SourceProbation.Packet, _ stream: Int32, _ packets: MediaFlow) {
        let nothing = [UInt8]()
        let news = streams[stream].observe(
            first.header, payload: nothing.rawSpan, time: first.place.time, frame: first.place.frame)
        if !news.isDisjoint(with: .events), let entry = entries[Int(stream)] {
            tell(news, first.header, entry, first.place)
        }
        if !packets.ssrcChanges.isEmpty { resolve(packets, first.place) }
        if watches, let entry = entries[Int(stream)] { show(first.header, nothing.rawSpan, entry, first.place) }
    }

    private func open(
        _ header: RTPHeader, _ bytes: RawSpan, _ channel: Int?, _ packets: MediaFlow, _ place: EventContext
    ) -> Int32? {
        let flow = packets.flow
        var owner = packets.owner
        var medium = packets.medium
        var identity: MediaIdentity?
        var session: Session? = owner
        if let channel {
            // Interleaved media without a message before it: the capture begins late in a session.
            session = outlet.lateSession(of: flow)
            owner = session as? any MediaOwner
            medium = owner?.medium(ofChannel: channel)
            // Other protocols look like RTP at times.
            if let owner, let medium, !owner.isRTP(medium) { return nil }
        } else if let own = owner, medium == nil {
            identity = own.identify(header, bytes, at: place)
            medium = identity?.medium
        } else if let owner, let medium,
            !owner.isExpected(medium, from: place.source, to: place.destination)
        {
            return nil
        }
        guard packets.streams.count < outlet.limits.streamsPerFlow else {
            outlet.reach("limit.streams", of: session ?? flow.session)
            return nil
        }
        let stream = streams.insert(MediaStream(ssrc: header.ssrc, limits: outlet.limits))
        let entry = MediaEntry(
            id: outlet.newStream(), ssrc: header.ssrc, stream: stream, at: place, channel: channel, packets: packets,
            session: session ?? flow.session, medium: medium, identity: identity)
        while entries.count <= Int(stream) { entries.append(nil) }
        entries[Int(stream)] = entry
        packets.streams.append(entry)
        packets.keys.append(
            MediaKey(ssrc: header.ssrc, channel: Int32(channel ?? -1), direction: place.direction, stream: stream))
        noteChange(of: entry, header, packets, place)
        follow(entry, packets)
        flow.addProtocol(RTPDissector.descriptor.name)
        entry.rival = rival(of: entry, header)
        if bySSRC[header.ssrc, default: []].count < outlet.limits[RTPLimits.self].sources {
            bySSRC[header.ssrc, default: []].append(entry)
        } else {
            outlet.reach("limit.sources")
        }
        relate(entry, header)
        if let owner {
            owner.streams.append(entry.id)
            owner.mediaStreams.append(entry)
            if let channel { owner.noteChannel(channel, isRTCP: false, frame: place.frame) }
        }
        configure(entry)
        streams[stream].agreedEnd = agreedEnd(entry)
        takeEarlyReport(of: entry)
        return stream
    }

    /// The end that was agreed on for a flow, when the packets of a stream show another one.
    private func agreedEnd(_ entry: MediaEntry) -> Endpoint? {
        guard entry.channel == nil, let claim = entry.packets?.flow.claim?.claim, let peer = claim.peer, peer.port > 0,
            case .endpoint(let end) = claim.key
        else { return nil }
        return (entry.source == end ? entry.destination : entry.source) == peer ? nil : peer
    }

    /// A source may report before its first packet.
    private func takeEarlyReport(of entry: MediaEntry) {
        let early = (earlyReports[entry.ssrc] ?? []).filter { $0.place.source.address == entry.source.address }
        guard !early.isEmpty else { return }
        earlyReports[entry.ssrc] = nil
        for (report, place) in early { streams[entry.stream].reports.remember(report, at: place.time) }
    }

    /// Lets the packets of a stream go the fast path, once it is known what it is.
    func follow(_ entry: MediaEntry, _ packets: MediaFlow) {
        guard entry.channel == nil, !entry.isRelayed, !packets.ssrcChanges.contains(where: { $0.now === entry }) else {
            return
        }
        outlet.take(packets.flow, entry.direction, by: MediaStreams.self, entry.stream)
    }

    /// Tells a stream what its session says of its payload types.
    private func configure(_ entry: MediaEntry) {
        if let flow = entry.packets?.flow, let said = outlet.options.decodeAs(flow) {
            for meaning in said.meanings {
                streams[entry.stream].configure(payloadType: meaning.number, as: MediaFormat(meaning))
            }
        }
        guard let owner = entry.owner else { return }
        streams[entry.stream].naming.agree(on: owner.mediumElement, after: streams[entry.stream].packets)
        guard let medium = entry.medium else { return }
        for (type, format) in owner.formats(of: medium) {
            streams[entry.stream].configure(payloadType: type, as: format)
        }
        streams[entry.stream].agree(on: owner.agreement(on: medium))
    }

    /// Media of a session is told to go on: the next packet of each stream is the first of it.
    package func expectResumption(of owner: any MediaOwner) {
        for entry in owner.mediaStreams where !entry.isEnded { streams[entry.stream].expectResumption() }
    }

    /// Tells the streams of a session what it says by now.
    package func configureStreams(of owner: any MediaOwner) {
        for entry in owner.mediaStreams where !entry.isEnded { configure(entry) }
    }

    /// When the last packet of a session's streams came; `start` when none did after it.
    package func latestPacket(of owner: any MediaOwner, since start: Timestamp) -> Timestamp {
        owner.mediaStreams.reduce(start) { max($0, $1.endTime(streams)) }
    }

    /// Reports a stream: what is still missing, its end, and its figures.
    package func end(_ entry: MediaEntry, at frame: FrameInfo) {
        guard !entry.isEnded else { return }
        noteCollision(of: entry)
        streams[entry.stream].finish()
        let open = streams[entry.stream]
        let place = entry.place(frame: open.lastFrame, time: open.endTime)
        while let (gap, hole) = streams[entry.stream].takeLastGap() { tell(gap, at: hole, entry, place) }
        streams[entry.stream].finishPictures()
        tellTelephoneEvent(entry, place)
        let lacksOctets = lacksOctets(entry)
        let stream = forget(entry)
        for limit in stream.limitsReached { outlet.reach(limit) }
        tap?.end(entry.id, isEncrypted: stream.isEncrypted, stream.mainFormat)
        let end = RTPEnd(
            ssrc: entry.ssrc, sequence: stream.sequence.lastSequence, packets: stream.packets,
            lost: stream.lost, seconds: stream.endTime.seconds(since: stream.startTime))
        tell(end, entry, place)
        entry.owner?.mediaEnded(entry.medium, stream, isInterleaved: entry.channel != nil || entry.isOnTCP)
        bySSRC[entry.ssrc]?.removeAll { $0 === entry }
        if bySSRC[entry.ssrc]?.isEmpty == true { bySSRC[entry.ssrc] = nil }
        outlet.tell(
            StreamRecord(
                id: entry.id, kind: "rtp", flow: entry.flow, direction: entry.direction, source: entry.source,
                destination: entry.destination, session: entry.session?.id, mediaType: stream.mainFormat?.mediaType,
                encoding: stream.mainFormat?.encoding, startTime: stream.startTime, endTime: stream.endTime,
                lastFrame: stream.lastFrame, sawDrops: outlet.sawDrops(since: stream.startTime),
                details: RTPStreamDetails(
                    stream, entry, isEncrypted: entry.isEncrypted, lacksOctets: lacksOctets)),
            entry.session)
    }

    /// Whether the capture is known to lack octets of the connection that carries a stream.
    private func lacksOctets(_ entry: MediaEntry) -> Bool {
        if entry.isFramed, entry.packets?.flow.lacksOctets == true { return true }
        guard entry.channel != nil || entry.isFramed, let session = entry.session else { return false }
        return session.completeness.hasGap || session.completeness.isCut
    }

    /// Takes a stream's figures out of the way of packets.
    private func forget(_ entry: MediaEntry) -> MediaStream {
        let number = entry.stream
        let stream = streams.remove(number)
        entries[Int(number)] = nil
        if let packets = entry.packets {
            for index in packets.keys.indices where packets.keys[index].stream == number {
                packets.keys[index].stream = -1
            }
            if entry.channel == nil { outlet.leave(packets.flow, entry.direction, MediaStreams.self, number) }
        }
        entry.end(stream)
        return stream
    }
}

// MARK: - What packets change

extension MediaStreams {
    func tell(_ message: any Message, _ entry: MediaEntry, _ place: EventContext, since first: Int? = nil) {
        var event = outlet.event(message, at: place)
        if let first, first != place.frame, first > 0 { event.firstFrame = first }
        event.stream = entry.id
        outlet.tell(event, entry.session)
    }

    /// Servers skip that many numbers at most where media is stopped, started again or moved.
    private static let mostSkipped = 3

    /// Whether media was stopped, started again or moved around a hole: as its session says, or as a pause or a leap of its
    /// timestamps shows where the capture lacks what was said.
    private func isTurn(_ hole: SequenceHoles.Place, _ entry: MediaEntry) -> Bool {
        if let owner = entry.owner, owner.isTurn(between: hole.timeBefore, and: hole.time) { return true }
        let mayLack = entry.session.map { !$0.completeness.isComplete } ?? true
        return mayLack && (hole.leaps || hole.time.seconds(since: hole.timeBefore) >= Self.secondsOfPause)
    }

    /// How long media stands still at a pause at least, in seconds.
    private static let secondsOfPause = 0.5

    /// Tells of missing numbers where they are missing.
    func tell(_ gap: RTPGap, at hole: SequenceHoles.Place?, _ entry: MediaEntry, _ now: EventContext) {
        guard streams[entry.stream].retransmission != .same else { return }
        var gap = gap
        if !entry.paths.isEmpty {
            let (count, isTwin) = elsewhere(gap, entry)
            streams[entry.stream].note(elsewhere: count, isTwin: isTwin)
            if isTwin { gap.recovered += count } else { gap.count -= count }
            guard gap.count > 0 else { return }
        }
        guard let hole else { return tell(gap, entry, now) }
        let isTurn = isTurn(hole, entry)
        if gap.count <= Self.mostSkipped, isTurn { streams[entry.stream].noteSkip(gap.count) }
        if gap.count > gap.recovered, !isTurn { streams[entry.stream].noteDamage(gap, hole) }
        tell(gap, entry, entry.place(frame: hole.frame, time: hole.time), since: hole.before)
    }

    /// Tells what a packet changed.
    @inline(never)
    private func tell(_ news: StreamChanges, _ header: RTPHeader, _ entry: MediaEntry, _ place: EventContext) {
        let stream = entry.stream
        if news.contains(.started) { started(header, entry, place) }
        if news.contains(.repair) { repair(entry) }
        if news.contains(.resumed), let medium = entry.medium {
            entry.owner?.mediaResumed(medium, header.sequenceNumber, header.timestamp, frame: place.frame)
        }
        if news.contains(.silence) { silence(header, entry, place) }
        if news.contains(.restart) {
            // Two packets show it; the first of them is where it began.
            let change = RTPSourceChange(
                previous: entry.ssrc, ssrc: entry.ssrc,
                previousSequence: streams[stream].sequence.sequenceBeforeRestart,
                sequence: header.sequenceNumber &- 1)
            tell(change, entry, place, since: streams[stream].strayFrame)
        }
        if news.contains(.gap) {
            while let (gap, hole) = streams[stream].takeGap(at: place.time) { tell(gap, at: hole, entry, place) }
        }
        if news.contains(.telephoneEvent) { tellTelephoneEvent(entry, place) }
        if news.contains(.payloadTypeChange), !isInterlude(header.payloadType, entry) {
            let change = RTPPayloadTypeChange(
                ssrc: entry.ssrc, sequence: header.sequenceNumber, previous: entry.payloadTypeBefore,
                payloadType: header.payloadType)
            tell(change, entry, place)
        }
        entry.payloadTypeBefore = header.payloadType
        guard news.contains(.keyframe) else { return }
        let since = streams[stream].previousKeyframe.map { place.time.seconds(since: $0) }
        let keyframe = RTPKeyframe(
            ssrc: entry.ssrc, sequence: header.sequenceNumber, timestamp: header.timestamp,
            number: streams[stream].keyframes, secondsSincePrevious: since)
        tell(keyframe, entry, place)
    }

    /// Whether a change to a payload type, or back from the one before, is no other format but what stands between: error
    /// correction and telephone events, which are told as such.
    private func isInterlude(_ type: UInt8, _ entry: MediaEntry) -> Bool {
        type == entry.payloadTypeBefore
            || [type, entry.payloadTypeBefore].contains { type in
                guard let format = streams[entry.stream].formats[type] else { return false }
                return format.isRepair || format.payload == .telephoneEvent
            }
    }

    /// A telephone event is over.
    private func tellTelephoneEvent(_ entry: MediaEntry, _ place: EventContext) {
        guard let event = streams[entry.stream].latestTelephoneEvent else { return }
        let rate = streams[entry.stream].jitter?.clockRate ?? streams[entry.stream].telephoneClockRate
        tell(
            RTPTelephoneEvent(ssrc: entry.ssrc, event: event, clockRate: rate), entry, place, since: event.frame)
    }

    /// A silence that nobody asked for.
    private func silence(_ header: RTPHeader, _ entry: MediaEntry, _ place: EventContext) {
        let nanoseconds = streams[entry.stream].latestSilence
        let silence = RTPSilence(
            ssrc: entry.ssrc, previousSequence: streams[entry.stream].sequenceBeforeSilence,
            sequence: header.sequenceNumber, seconds: Double(nanoseconds) / 1_000_000_000)
        let before = Timestamp(nanoseconds: place.time.nanoseconds &- nanoseconds)
        if let owner = entry.owner {
            guard owner.noteSilence(silence.seconds, since: before, frame: place.frame) else { return }
        }
        var event = outlet.event(silence, at: place)
        event.stream = entry.id
        if entry.channel != nil, let flow = entry.packets?.flow {
            event.remarks = outlet.hindrances(flow, since: before, until: place.time)
        }
        outlet.tell(event, entry.session)
    }

    private func started(_ header: RTPHeader, _ entry: MediaEntry, _ place: EventContext) {
        guard let packets = entry.packets else { return }
        resolve(packets, place)
        let format = streams[entry.stream].formats[header.payloadType]
        // What was announced is the original stream, not what makes up for its losses.
        let medium = format?.isRepair == true ? nil : entry.medium
        let announced = entry.owner?.mediaBegan(medium, time: place.time)
        let start = RTPStart(
            ssrc: header.ssrc, payloadType: header.payloadType, sequence: header.sequenceNumber,
            timestamp: header.timestamp, mediaType: format?.mediaType, encoding: format?.encoding,
            clockRate: format?.clockRate, announcedSequence: announced ?? nil,
            recognizedFrame: packets.recognisedFrame)
        var event = outlet.event(start, at: place)
        event.stream = entry.id
        if let because = because(entry) { event.remarks.append(Remark(because)) }
        entry.isEncrypted = format?.isEncrypted ?? packets.isEncrypted
        if entry.isEncrypted {
            event.remarks.append(Remark(Text("rtp.remark.encrypted"), reference: "RFC 3711 §3.1"))
        }
        outlet.tell(event, entry.session)
    }

    /// Why a flow or channel is believed to be media.
    private func because(_ entry: MediaEntry) -> Text? {
        guard let channel = entry.channel else { return entry.because ?? entry.identity?.because }
        guard let medium = entry.medium, let owner = entry.owner else {
            return Text("expect.interleavedUngranted", .integer(channel))
        }
        return Text("expect.interleaved", .integer(channel), .integer(owner.agreementFrame(of: medium)))
    }
}
