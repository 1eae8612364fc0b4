import WeirEngine
import WeirPackets

// The start and end of streams.

extension MediaStreams {
    /// Returns the stream that a packet starts, or nil if it starts none.
    func begin(
        _ header: RTPHeader, _ bytes: RawSpan, _ channel: Int?, _ packets: MediaFlow, _ place: EventContext
    ) -> Int32? {
        // Packets that open a port in a firewall have a header and no payload.
        if header.payloadLength == 0, header.ssrc == 0 { return nil }
        let flow = packets.flow
        guard channel == nil, packets.owner == nil, outlet.decodeAs(flow) == nil,
            !relations.isSentAgain(header, packets, place.direction), matrix.media(of: header, at: place) == nil
        else {
            return open(header, bytes, channel, packets, place)
        }
        guard let first = packets.probation.take(header, place, most: mediaLimits.probation) else {
            return nil
        }
        let nothing = [UInt8]()
        let stream = open(first.header, nothing.rawSpan, channel, packets, first.place)
        if let stream { observe(first, stream, packets) }
        return stream
    }

    /// Counts the first packet of a source that waited for a second one; its payload is no longer available.
    private func observe(_ first: SourceProbation.Packet, _ stream: Int32, _ packets: MediaFlow) {
        let nothing = [UInt8]()
        let news = streams[stream].observe(
            first.header, payload: nothing.rawSpan, time: first.place.time, frame: first.place.frame)
        if !news.isDisjoint(with: .events), let entry = entries[Int(stream)] {
            emit(news, first.header, entry, first.place)
        }
        if !packets.ssrcChanges.isEmpty { sourceChanges.resolve(packets, first.place) }
        if watches, let entry = entries[Int(stream)] {
            shown.show(first.header, nothing.rawSpan, entry, first.place, self)
        }
    }

    private func open(
        _ header: RTPHeader, _ bytes: RawSpan, _ channel: Int?, _ packets: MediaFlow, _ place: EventContext
    ) -> Int32? {
        let flow = packets.flow
        var owner = packets.owner
        var medium = packets.medium
        var identity: MediaIdentity?
        var session: Session? = owner
        var because: Text?
        if let channel {
            // Interleaved media without a preceding message: the capture begins within a session.
            session = outlet.lateSession(of: flow)
            owner = session?.mediaOwner
            medium = owner?.medium(ofChannel: channel)
            // Other protocols may look like RTP.
            if let owner, let medium, !owner.isRTP(medium) { return nil }
        } else if owner == nil, let former = former(of: header, at: place) {
            (owner, medium, session) = (former.owner, former.medium, former.session)
            because = Text("expect.former", .string("\(former.source) → \(former.destination)"))
        } else if owner == nil, let reported = announcing(header, at: place) {
            (owner, medium, session) = (reported.owner, reported.medium, reported.owner)
            because = Text("expect.source", .integer(reported.owner.agreementFrame(of: reported.medium)))
        } else if let own = owner, medium == nil {
            identity = own.identify(header, bytes, at: place)
            medium = identity?.medium
        } else if let owner, let medium,
            !owner.isExpected(medium, from: place.source, to: place.destination)
        {
            return nil
        }
        guard packets.streams.count < limits.streamsPerFlow else {
            outlet.reach("limit.streams", of: session ?? flow.session)
            return nil
        }
        let stream = streams.insert(MediaStream(ssrc: header.ssrc, limits: limits))
        let entry = MediaEntry(
            id: outlet.newStream(), ssrc: header.ssrc, stream: stream, at: place, channel: channel, packets: packets,
            session: session ?? flow.session, medium: medium, identity: identity,
            because: because)
        setEntry(entry, of: stream)
        packets.add(
            entry,
            MediaKey(ssrc: header.ssrc, channel: Int32(channel ?? -1), direction: place.direction, stream: stream))
        sourceChanges.noteChange(of: entry, header, packets, place)
        follow(entry, packets)
        flow.addProtocol("rtp")
        entry.rival = sourceChanges.rival(of: entry, header)
        if bySSRC[header.ssrc, default: []].count < mediaLimits.sources {
            updateBySSRC { $0[header.ssrc, default: []].append(entry) }
        } else {
            outlet.reach("limit.sources")
        }
        relations.relate(entry, header)
        if let owner {
            owner.streams.append(entry.id)
            owner.mediaStreams.append(entry)
            if let channel { owner.noteChannel(channel, isRTCP: false, frame: place.frame) }
        }
        configure(entry)
        if let format = matrix.relate(entry, header, place) {
            streams[entry.stream].configure(payloadType: header.payloadType, as: format)
        }
        streams[stream].agreedEnd = agreedEnd(entry)
        takeEarlyReport(of: entry)
        return stream
    }

    /// Largest forward step of the sequence number from the last packet of a source (RFC 3550 §A.1).
    private static let mostAhead = 3_000

    /// Returns the stream of a session that continues from or to another port, as after a NAT mapping expired: the same
    /// SSRC and one endpoint, the other endpoint on the same host, and continuing sequence numbers.
    private func former(of header: RTPHeader, at place: EventContext) -> MediaEntry? {
        bySSRC[header.ssrc]?.last { other in
            guard other.owner != nil, other.channel == nil, !other.isRelayed, other.flow != place.flow else {
                return false
            }
            let isSame =
                other.source == place.source && other.destination.address == place.destination.address
                || other.destination == place.destination && other.source.address == place.source.address
            let ahead = Int(Int16(bitPattern: header.sequenceNumber &- other.latestSequence(streams)))
            return isSame && ahead > 0 && ahead <= Self.mostAhead
        }
    }

    /// Returns the claim key of a source announced for media between two hosts.
    package static func announced(_ ssrc: UInt32, from server: IPAddress, to client: IPAddress) -> ClaimKey {
        .source(ssrc, sender: server, receiver: client)
    }

    /// Returns the session that announced the source for a medium without packets so far, though not at this port.
    private func announcing(_ header: RTPHeader, at place: EventContext) -> (owner: any MediaOwner, medium: Int)? {
        let key = Self.announced(header.ssrc, from: place.source.address, to: place.destination.address)
        let owner = outlet.firstClaimant(of: key) { session in
            guard let owner = session.mediaOwner, let medium = owner.medium(ofSource: header.ssrc) else {
                return false
            }
            return owner.mediaAccepted != nil && !owner.mediaStreams.contains { $0.medium == medium }
        }
        guard let owner = owner?.mediaOwner, let medium = owner.medium(ofSource: header.ssrc) else { return nil }
        return (owner, medium)
    }

    /// Records the intended destination of a stream sent to a port of the receiver that was not negotiated. A port that
    /// the receiver has sent from may be its own behind NAT.
    private func noteUnagreed(_ entry: MediaEntry) {
        guard entry.channel == nil, let medium = entry.medium, let flow = entry.packets?.flow, !flow.isClaimed,
            outlet.isOneWay(flow)
        else { return }
        let agreed = entry.owner?.agreedDestination(of: medium, insteadOf: entry.destination)
        streams[entry.stream].agreedEnd = agreed
        entry.isUnagreed = agreed != nil
    }

    /// Returns the negotiated endpoint of a flow if the stream uses another one.
    private func agreedEnd(_ entry: MediaEntry) -> Endpoint? {
        guard entry.channel == nil, let claim = entry.packets?.flow.claim?.claim, let peer = claim.peer, peer.port > 0,
            case .endpoint(let end) = claim.key
        else { return nil }
        return (entry.source == end ? entry.destination : entry.source) == peer ? nil : peer
    }

    /// Applies a report received before the first packet of its source.
    private func takeEarlyReport(of entry: MediaEntry) {
        for (report, place) in rtcp.takeEarly(of: entry.ssrc, from: entry.source.address) {
            streams[entry.stream].reports.remember(report, at: place.time)
        }
    }

    /// Moves the packets of a recognized stream to the fast path.
    func follow(_ entry: MediaEntry, _ packets: MediaFlow) {
        guard entry.channel == nil, !entry.isRelayed, !packets.ssrcChanges.contains(where: { $0.now === entry }) else {
            return
        }
        outlet.take(packets.flow, entry.direction, by: MediaStreams.self, entry.stream)
    }

    /// Configures a stream with the formats of its session.
    private func configure(_ entry: MediaEntry) {
        if let flow = entry.packets?.flow, let said = outlet.decodeAs(flow) {
            for meaning in said.meanings {
                streams[entry.stream].configure(payloadType: meaning.number, as: MediaFormat(meaning))
            }
            if !said.numbers.isEmpty {
                streams[entry.stream].agree(on: StreamAgreement(payloadTypes: said.numbers, isDescribed: false))
            }
        }
        addSuppliedKeys(to: entry)
        guard let owner = entry.owner else { return }
        streams[entry.stream].naming.agree(on: owner.mediumElement, after: streams[entry.stream].packets)
        guard let medium = entry.medium else {
            // Without a description, packets need not match the keys of one.
            let keys = owner.srtpKeys(of: nil).filter { !$0.source.isSignaled }
            if !keys.isEmpty { addKeys(keys, hasMore: false, hasOthers: false, to: entry) }
            return
        }
        for (type, format) in owner.formats(of: medium, isDecrypted: entry.openedWith != nil) {
            streams[entry.stream].configure(payloadType: type, as: format)
        }
        var agreement = owner.agreement(on: medium)
        if entry.openedWith != nil { agreement.isEncrypted = false }
        streams[entry.stream].agree(on: agreement)
        guard !agreement.keys.isEmpty || agreement.hasMoreKeys else { return }
        addKeys(agreement.keys, hasMore: agreement.hasMoreKeys, hasOthers: agreement.hasOtherKeys, to: entry)
    }

    /// Records that media of a session is requested to continue: the next packet of each stream is the first of it.
    package func expectResumption(of owner: any MediaOwner) {
        for entry in owner.mediaStreams where !entry.isEnded { streams[entry.stream].expectResumption() }
    }

    /// Records that media of a session, stopped at `time`, is requested to continue.
    package func expectEndOfPause(of owner: any MediaOwner, since time: Timestamp) {
        for entry in owner.mediaStreams where !entry.isEnded {
            streams[entry.stream].expectEndOfPause(since: time)
        }
    }

    /// Records that media between two hosts was paused or requested to continue, by a session whose streams are unknown.
    package func noteTurn(
        from sender: IPAddress, to receiver: IPAddress, asked: Timestamp, answered: Timestamp
    ) {
        unsignaledTurns.note(from: sender, to: receiver, asked: asked, answered: answered)
    }

    /// Updates the streams of a session with its current parameters.
    package func configureStreams(of owner: any MediaOwner) {
        for entry in owner.mediaStreams where !entry.isEnded { configure(entry) }
    }

    /// Returns the time of the last packet of a session's streams, or `start` if there is none after it.
    package func latestPacket(of owner: any MediaOwner, since start: Timestamp) -> Timestamp {
        owner.mediaStreams.reduce(start) { max($0, $1.endTime(streams)) }
    }

    /// Reports the end of a stream: remaining gaps, the end event, and its figures.
    package func end(_ entry: MediaEntry, at frame: FrameInfo) {
        guard !entry.isEnded else { return }
        sourceChanges.noteCollision(of: entry)
        streams[entry.stream].finish()
        let place = streams.update(entry.stream) { entry.place(frame: $0.lastFrame, time: $0.endTime) }
        while let (gap, hole) = streams[entry.stream].takeLastGap() { emit(gap, at: hole, entry, place) }
        streams[entry.stream].finishPictures()
        streams[entry.stream].finishEvents()
        emitTelephoneEvent(entry, place)
        noteUnagreed(entry)
        let lacksOctets = lacksOctets(entry)
        let refusals = entry.session == nil && entry.channel == nil ? entry.packets?.flow.refusals : nil
        let stream = forget(entry)
        for limit in stream.limitsReached { outlet.reach(limit) }
        tap?.end(entry.id, isEncrypted: stream.isEncrypted, stream.mainFormat)
        let end = RTPEnd(
            ssrc: entry.ssrc, sequence: stream.sequence.lastSequence, packets: stream.packets,
            lost: lacksOctets ? stream.lost &- stream.unrecovered : stream.lost,
            seconds: stream.endTime.seconds(since: stream.startTime))
        emit(end, entry, place)
        entry.owner?.mediaEnded(entry.medium, stream, isInterleaved: entry.channel != nil || entry.isOnTCP)
        matrix.forget(entry)
        updateBySSRC { entries in
            guard let place = entries.index(forKey: entry.ssrc) else { return }
            entries.values[place].removeAll { $0 === entry }
            if entries.values[place].isEmpty { entries.remove(at: place) }
        }
        // Moved, not copied: a stream has forty references.
        let details = RTPStreamDetails(
            consume stream, entry, isEncrypted: entry.isEncrypted, lacksOctets: lacksOctets,
            refusal: refusals?.first { $0.destination == entry.destination })
        outlet.emit(record(of: entry, details), entry.session)
    }

    private func record(of entry: MediaEntry, _ details: RTPStreamDetails) -> StreamRecord {
        StreamRecord(
            id: entry.id, kind: "rtp", flow: entry.flow, direction: entry.direction, source: entry.source,
            destination: entry.destination, session: entry.session?.id, mediaType: details.mainFormat?.mediaType,
            encoding: details.mainFormat?.encoding, startTime: details.stream.startTime,
            endTime: details.stream.endTime,
            lastFrame: details.stream.lastFrame, sawDrops: outlet.sawDrops(since: details.stream.startTime),
            details: details)
    }

    /// Returns whether octets of the connection that carries a stream are known not to have been captured.
    func lacksOctets(_ entry: MediaEntry) -> Bool {
        if entry.isFramed, entry.packets?.flow.lacksOctets == true { return true }
        guard entry.channel != nil || entry.isFramed, let session = entry.session else { return false }
        return session.completeness.hasGap || session.completeness.isCut
    }

    /// Removes and returns the state of a stream.
    private func forget(_ entry: MediaEntry) -> MediaStream {
        let number = entry.stream
        let stream = streams.remove(number)
        setEntry(nil, of: number)
        if let packets = entry.packets {
            packets.end(number)
            if entry.channel == nil { outlet.leave(packets.flow, entry.direction, MediaStreams.self, number) }
        }
        entry.end(stream)
        return stream
    }
}
