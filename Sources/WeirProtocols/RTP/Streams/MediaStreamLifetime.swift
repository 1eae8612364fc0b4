import WeirEngine
import WeirPackets

// How streams begin and end.

extension MediaStreams {
    /// The stream that a packet begins; nil when it begins none.
    func begin(
        _ header: RTPHeader, _ bytes: RawSpan, _ channel: Int?, _ packets: MediaFlow, _ place: EventContext
    ) -> Int32? {
        // What opens a port in a firewall has a header and nothing behind it.
        if header.payloadLength == 0, header.ssrc == 0 { return nil }
        let flow = packets.flow
        guard channel == nil, packets.owner == nil, outlet.options.decodeAs(flow) == nil,
            !isSentAgain(header, packets, place.direction)
        else {
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
        var because: Text?
        if let channel {
            // Interleaved media without a message before it: the capture begins late in a session.
            session = outlet.lateSession(of: flow)
            owner = session as? any MediaOwner
            medium = owner?.medium(ofChannel: channel)
            // Other protocols look like RTP at times.
            if let owner, let medium, !owner.isRTP(medium) { return nil }
        } else if owner == nil, let former = former(of: header, at: place) {
            (owner, medium, session) = (former.owner, former.medium, former.session)
            because = Text("expect.former", .string("\(former.source) → \(former.destination)"))
        } else if owner == nil, let told = announcing(header, at: place) {
            (owner, medium, session) = (told.owner, told.medium, told.owner)
            because = Text("expect.source", .integer(told.owner.agreementFrame(of: told.medium)))
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
            session: session ?? flow.session, medium: medium, identity: identity,
            because: because)
        while entries.count <= Int(stream) { entries.append(nil) }
        entries[Int(stream)] = entry
        packets.streams.append(entry)
        packets.keys.append(
            MediaKey(ssrc: header.ssrc, channel: Int32(channel ?? -1), direction: place.direction, stream: stream))
        noteChange(of: entry, header, packets, place)
        follow(entry, packets)
        flow.addProtocol("rtp")
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

    /// Numbers that a source may be ahead of its last packet, and still go on with it (RFC 3550 §A.1).
    private static let mostAhead = 3_000

    /// The stream of a session that goes on from or to another port, as where a router that translates addresses has forgotten
    /// the former one: the same source, one end the same, the other at the same host, and the numbers go on.
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

    /// What a source is claimed by that was announced for media between two hosts.
    package static func announced(_ ssrc: UInt32, from server: IPAddress, to client: IPAddress) -> ClaimKey {
        .name(space: "media.source", "\(ssrc) \(server) \(client)")
    }

    /// The session that announced the source for a medium of which nothing came yet, though not at this port.
    private func announcing(_ header: RTPHeader, at place: EventContext) -> (owner: any MediaOwner, medium: Int)? {
        let key = Self.announced(header.ssrc, from: place.source.address, to: place.destination.address)
        let owner = outlet.firstClaimant(of: key) { session in
            guard let owner = session as? any MediaOwner, let medium = owner.medium(ofSource: header.ssrc) else {
                return false
            }
            return owner.mediaAccepted != nil && !owner.mediaStreams.contains { $0.medium == medium }
        }
        guard let owner = owner as? any MediaOwner, let medium = owner.medium(ofSource: header.ssrc) else { return nil }
        return (owner, medium)
    }

    /// Notes where a stream was to go, when it goes to a port of the receiver that nothing was agreed on for. A port that the receiver
    /// has sent from may be its own behind a router.
    private func noteUnagreed(_ entry: MediaEntry) {
        guard entry.channel == nil, let medium = entry.medium, let flow = entry.packets?.flow, flow.claim == nil,
            outlet.isOneWay(flow)
        else { return }
        let agreed = entry.owner?.agreedDestination(of: medium, insteadOf: entry.destination)
        streams[entry.stream].agreedEnd = agreed
        entry.isUnagreed = agreed != nil
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
        let agreement = owner.agreement(on: medium)
        streams[entry.stream].agree(on: agreement)
        guard !agreement.keys.isEmpty || agreement.hasMoreKeys else { return }
        watches = true
        var tags = entry.authentication ?? SRTPAuthentication(most: outlet.limits[RTPLimits.self].keys)
        let wasFull = tags.isFull
        tags.learn(agreement.keys, hasMore: agreement.hasMoreKeys, hasOthers: agreement.hasOtherKeys)
        if tags.isFull, !wasFull { outlet.reach("limit.keys", of: owner) }
        entry.authentication = tags
    }

    /// Media of a session is told to go on: the next packet of each stream is the first of it.
    package func expectResumption(of owner: any MediaOwner) {
        for entry in owner.mediaStreams where !entry.isEnded { streams[entry.stream].expectResumption() }
    }

    /// Media of a session that was told to stop then is asked to go on.
    package func expectEndOfPause(of owner: any MediaOwner, since time: Timestamp) {
        for entry in owner.mediaStreams where !entry.isEnded {
            streams[entry.stream].expectEndOfPause(since: time)
        }
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
        streams[entry.stream].finishEvents()
        tellTelephoneEvent(entry, place)
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
                    stream, entry, isEncrypted: entry.isEncrypted, lacksOctets: lacksOctets,
                    refusal: refusals?.first { $0.destination == entry.destination })),
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
