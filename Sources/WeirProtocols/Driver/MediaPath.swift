import WeirEngine
import WeirPackets

// RTP: from datagrams and interleaved frames to media streams. The hot path.

extension Analyzer {
    @inline(__always)
    func media(_ bytes: RawSpan, wireLength: Int, channel: Int?, _ state: FlowState, _ moment: Moment) {
        guard let second = bytes.byte(at: 1) else { return }
        if RTCPPacket.isRTCP(secondOctet: second) {
            rtcp(bytes, channel, state, moment)
            return
        }
        guard let header = try? RTPHeader(bytes, wireLength: wireLength) else { return }
        rtp(header, bytes, channel: channel, state, moment)
    }

    @inline(__always)
    func rtp(_ header: RTPHeader, _ bytes: RawSpan, channel: Int?, _ state: FlowState, _ moment: Moment) {
        guard let stream = stream(header, Int32(channel ?? -1), state, moment) else { return }
        let range = header.payloadRange
        let news = intake.streams[stream].observe(
            header, payload: bytes.clamped(range.lowerBound, range.upperBound), time: moment.time, frame: moment.frame)
        if !news.isDisjoint(with: .events) { report(news, header, stream, state, moment) }
        if !state.successions.isEmpty { settle(state, moment) }
        if options.packets { show(header, bytes, stream, moment) }
    }

    /// A packet as a step of its own.
    private func show(_ header: RTPHeader, _ bytes: RawSpan, _ stream: Int32, _ moment: Moment) {
        guard let entry = entries[Int(stream)] else { return }
        let format = intake.streams[stream].formats[header.payloadType]?.payload ?? .unknown
        emit(RTPPacket(header, bytes, format: format), entry, moment)
    }

    /// The stream that a packet belongs to; nil when it opens none.
    @inline(__always)
    private func stream(_ header: RTPHeader, _ channel: Int32, _ state: FlowState, _ moment: Moment) -> Int32? {
        state.keys.stream(header.ssrc, channel, moment.direction) ?? begin(header, channel, state, moment)
    }

    private func begin(_ header: RTPHeader, _ number: Int32, _ state: FlowState, _ moment: Moment) -> Int32? {
        // What opens a port in a firewall has a header and nothing behind it.
        if header.payloadLength == 0, header.ssrc == 0 { return nil }
        let channel = number < 0 ? nil : Int(number)
        var link = state.link
        // Interleaved media without a message before it: the capture begins late in a session.
        if channel != nil, state.session == nil { openLate(state) }
        if let channel, let session = state.session as? RTSPSession {
            link = session.setupIndex(forChannel: channel).map { MediaLink(session: session, setup: $0) }
            // Other protocols look like RTP at times.
            if let link, !session.setups[link.setup].isRTP { return nil }
        } else if let link, !isExpected(link, moment) {
            return nil
        }
        guard state.streams.count < options.limits.streamsPerFlow else {
            reach("limit.streams")
            return nil
        }
        let stream = intake.streams.insert(MediaStream(ssrc: header.ssrc, limits: options.limits))
        streamCount += 1
        let entry = MediaEntry(
            id: streamCount, ssrc: header.ssrc, stream: stream, moment: moment, channel: channel, state: state,
            session: link?.session ?? state.session, link: link)
        while entries.count <= Int(stream) { entries.append(nil) }
        entries[Int(stream)] = entry
        state.streams.append(entry)
        state.keys.append(
            MediaKey(ssrc: header.ssrc, channel: number, direction: moment.direction, stream: stream))
        noteSuccession(entry, header, state, moment)
        follow(entry, state)
        state.addProtocol(RTPDissector.descriptor.name)
        bySSRC[header.ssrc, default: []].append(entry)
        if let session = entry.session as? RTSPSession {
            session.streams.append(entry.id)
            session.entries.append(entry)
            if let channel { session.noteChannel(channel, isRTCP: false, frame: moment.frame) }
        }
        configure(entry)
        return stream
    }

    /// Lets the packets of a stream go the short way, once it is known what it is.
    func follow(_ entry: MediaEntry, _ state: FlowState) {
        if entry.channel != nil {
            followFrames(state)
        } else if !state.successions.contains(where: { $0.now === entry }) {
            follow(entry.stream, state, entry.direction)
        }
    }

    private func follow(_ stream: Int32, _ state: FlowState, _ direction: Direction) {
        guard state.role == .media else { return }
        if table[state.index].lane.kind != .media { table[state.index].lane.turn(to: .media) }
        table[state.index].lane[state.isTurned ? direction.opposite : direction] = stream
    }

    /// Lets the segments of a connection go the short way.
    private func followFrames(_ state: FlowState) {
        guard state.role == .dissected, state.connection >= 0, state.joined == nil else { return }
        let known = table[state.index].lane.framing
        if known >= 0 {
            intake.framings[known].update(state)
        } else {
            table[state.index].lane.turn(to: .framed)
            table[state.index].lane.framing = intake.framings.insert(Framing(state))
        }
    }

    /// What a packet that went the short way changed.
    func media(_ frame: borrowing Frame) {
        let media = intake.media
        guard let header = media.header, let entry = entries[Int(media.stream)], let state = states[entry.flowIndex]
        else { return }
        let moment = state.moment(entry.direction, frame: frame.info.number, time: frame.info.time)
        if !media.news.isDisjoint(with: .events) { report(media.news, header, media.stream, state, moment) }
        guard options.packets else { return }
        let octets = intake.unit.payload
        show(header, frame.bytes.clamped(octets.lowerBound, octets.upperBound), media.stream, moment)
    }

    /// Whether media was agreed on in this direction: towards the client when it plays, from it when it records.
    ///
    /// Against it a packet proves nothing: GStreamer opens its ports with random octets that may look like RTP.
    private func isExpected(_ link: MediaLink, _ moment: Moment) -> Bool {
        let setup = link.session.setups[link.setup]
        // Into a group everybody may send; media comes from the server.
        if moment.destination.address.isMulticast, moment.source.address == link.session.client.address,
            link.session.client.address != link.session.server.address
        {
            return false
        }
        if setup.isRecording { return setup.rtpEndpoints.contains(moment.source) }
        // What the description says is only sent may be sent by the client: so ONVIF describes the way back to a camera.
        let mayTurn = link.session.medium(ofSetup: link.setup)?.direction == .sendonly
        return setup.rtpEndpoints.contains(moment.destination) || mayTurn && setup.rtpEndpoints.contains(moment.source)
    }

    /// Tells a stream what the session description says of its payload types.
    private func configure(_ entry: MediaEntry) {
        guard let link = entry.link, let medium = link.session.medium(ofSetup: link.setup) else { return }
        for (type, format) in medium.mediaFormats(isEncrypted: isEncrypted(link)) {
            intake.streams[entry.stream].configure(payloadType: type, as: format)
        }
    }

    /// Whether the media that a session set up is encrypted, as its description or its transport says.
    func isEncrypted(_ link: MediaLink) -> Bool {
        let profile = link.session.setups[link.setup].granted.profile
        return TextSyntax.hasPrefix(profile, "SAVP") || link.session.medium(ofSetup: link.setup)?.isEncrypted == true
    }

    func configureStreams(of session: RTSPSession) {
        for entry in session.entries where !entry.isEnded { configure(entry) }
    }

    /// A packet that the capture holds again: counted with its stream, and nowhere else.
    func duplicateMedia(_ state: FlowState, _ payload: RawSpan, _ direction: Direction) {
        guard let ssrc = payload.uint32(at: 8) else { return }
        countDuplicate(of: ssrc, state, direction)
    }

    func countDuplicate(of ssrc: UInt32, _ state: FlowState, _ direction: Direction) {
        for key in state.keys where key.ssrc == ssrc && key.direction == direction && key.stream >= 0 {
            intake.streams[key.stream].observeCaptureDuplicate()
        }
    }
}

// MARK: - What packets change

extension Analyzer {
    func emit(_ message: any Message, _ entry: MediaEntry, _ moment: Moment, since first: Int? = nil) {
        var event = timeline.event(message, at: moment)
        if first != moment.frame { event.firstFrame = first }
        event.stream = entry.id
        timeline.emit(event, session: entry.session)
    }

    /// Tells the timeline what a packet changed.
    @inline(never)
    private func report(
        _ news: StreamNews, _ header: RTPHeader, _ stream: Int32, _ state: FlowState, _ moment: Moment
    ) {
        guard let entry = entries[Int(stream)] else { return }
        if news.contains(.started) { started(header, entry, state, moment) }
        if news.contains(.silence) { silence(header, entry, moment) }
        if news.contains(.restart) {
            // Two packets show it; the first of them is where it began.
            let change = RTPSourceChange(
                previous: entry.ssrc, ssrc: entry.ssrc,
                previousSequence: intake.streams[stream].sequence.sequenceBeforeRestart,
                sequence: header.sequenceNumber &- 1)
            emit(change, entry, moment, since: intake.streams[stream].strayFrame)
        }
        if news.contains(.gap) {
            while let gap = intake.streams[stream].takeGap(at: moment.time) { emit(gap, entry, moment) }
        }
        if news.contains(.payloadTypeChange) {
            let change = RTPPayloadTypeChange(
                ssrc: entry.ssrc, sequence: header.sequenceNumber, previous: entry.payloadTypeBefore,
                payloadType: header.payloadType)
            emit(change, entry, moment)
        }
        entry.payloadTypeBefore = header.payloadType
        guard news.contains(.keyframe) else { return }
        let since = intake.streams[stream].previousKeyframe.map { moment.time.seconds(since: $0) }
        let keyframe = RTPKeyframe(
            ssrc: entry.ssrc, sequence: header.sequenceNumber, timestamp: header.timestamp,
            number: intake.streams[stream].keyframes, secondsSincePrevious: since)
        emit(keyframe, entry, moment)
    }

    /// A silence that nobody asked for, with PAUSE or by seeking.
    private func silence(_ header: RTPHeader, _ entry: MediaEntry, _ moment: Moment) {
        let nanoseconds = intake.streams[entry.stream].latestSilence
        let silence = RTPSilence(
            ssrc: entry.ssrc, previousSequence: intake.streams[entry.stream].sequenceBeforeSilence,
            sequence: header.sequenceNumber, seconds: Double(nanoseconds) / 1_000_000_000)
        if let session = entry.session as? RTSPSession {
            let before = Timestamp(nanoseconds: moment.time.nanoseconds &- nanoseconds)
            guard session.noteSilence(silence.seconds, since: before, frame: moment.frame) else { return }
        }
        emit(silence, entry, moment)
    }

    private func started(_ header: RTPHeader, _ entry: MediaEntry, _ state: FlowState, _ moment: Moment) {
        settle(state, moment)
        let format = intake.streams[entry.stream].formats[header.payloadType]
        // RTP-Info speaks of the original stream, not of what makes up for its losses.
        let setup = format?.isRepair == true ? nil : entry.link?.setup
        let announced = (entry.session as? RTSPSession)?.mediaBegan(setup: setup, time: moment.time)
        let start = RTPStart(
            ssrc: header.ssrc, payloadType: header.payloadType, sequence: header.sequenceNumber,
            timestamp: header.timestamp, mediaType: format?.mediaType, encoding: format?.encoding,
            clockRate: format?.clockRate, announcedSequence: announced ?? nil,
            recognizedFrame: state.recognisedFrame)
        var event = timeline.event(start, at: moment)
        event.stream = entry.id
        if let because = because(entry) { event.remarks.append(Remark(because)) }
        if format?.isEncrypted == true {
            event.remarks.append(Remark(Text("rtp.remark.encrypted"), reference: "RFC 3711 §3.1"))
        }
        timeline.emit(event, session: entry.session)
    }

    /// Why a flow or channel is believed to be media.
    private func because(_ entry: MediaEntry) -> Text? {
        guard let channel = entry.channel else { return entry.because }
        guard let link = entry.link else { return Text("expect.interleavedUngranted", .integer(channel)) }
        return Text(
            "expect.interleaved", .integer(channel), .integer(link.session.setups[link.setup].answerFrame))
    }

    /// Ends the streams of a flow.
    func endStreams(of state: FlowState, at info: FrameInfo) {
        for entry in state.streams { endStream(entry, at: info) }
    }

    /// Reports a stream: what is still missing, its end, and its figures.
    func endStream(_ entry: MediaEntry, at info: FrameInfo) {
        guard !entry.isEnded else { return }
        let moment = Moment(
            frame: info.number, time: info.time, flow: entry.flow, direction: entry.direction, source: entry.source,
            destination: entry.destination)
        while let gap = intake.streams[entry.stream].takeLastGap() { emit(gap, entry, moment) }
        let stream = forget(entry)
        let end = RTPEnd(
            ssrc: entry.ssrc, sequence: stream.sequence.lastSequence, packets: stream.packets,
            lost: stream.sequence.missing, seconds: stream.endTime.seconds(since: stream.startTime))
        emit(end, entry, moment)
        (entry.session as? RTSPSession)?.mediaEnded(
            setup: entry.link?.setup, stream, isInterleaved: entry.channel != nil)
        bySSRC[entry.ssrc]?.removeAll { $0 === entry }
        if bySSRC[entry.ssrc]?.isEmpty == true { bySSRC[entry.ssrc] = nil }
        timeline.stream(
            StreamRecord(
                id: entry.id, kind: "rtp", flow: entry.flow, direction: entry.direction, source: entry.source,
                destination: entry.destination, session: entry.session?.id, mediaType: stream.mainFormat?.mediaType,
                encoding: stream.mainFormat?.encoding, startTime: stream.startTime, endTime: stream.endTime,
                lastFrame: stream.lastFrame, sawDrops: sawDrops(since: stream.startTime),
                details: RTPStreamDetails(stream, channel: entry.channel)),
            session: entry.session)
    }

    /// Takes a stream's figures out of the way of packets.
    private func forget(_ entry: MediaEntry) -> MediaStream {
        let number = entry.stream
        let stream = intake.streams.remove(number)
        entries[Int(number)] = nil
        if let state = states[entry.flowIndex], state.id == entry.flow {
            for index in state.keys.indices where state.keys[index].stream == number { state.keys[index].stream = -1 }
            let framing = table[entry.flowIndex].lane.framing
            if framing >= 0 { intake.framings[framing].update(state) }
            for direction in Direction.allCases where table[entry.flowIndex].lane[direction] == number {
                table[entry.flowIndex].lane[direction] = -1
            }
        }
        entry.end(stream)
        return stream
    }
}
