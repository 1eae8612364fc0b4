import WeirEngine
import WeirPackets

/// Reads RTCP, associates its packets with the streams that they refer to, and emits them.
final class RTCPReader {
    /// The maximum number of sender reports kept for a source without packets.
    private let mostEarly: Int
    /// Sender reports received before the first packet of their source.
    private var early: Recent<UInt32, [(report: SenderReport, place: EventContext)]> = Recent(limit: 64)
    /// Requests for the round-trip time (RIST) that have no response yet.
    private var echoes: Recent<EchoKey, Timestamp> = Recent(limit: 64)
    /// The stream that was found last by SSRC in its session: the packets of a datagram refer to few.
    private var latestEntry: MediaEntry?
    /// Memory for the streams that the packets of a datagram refer to.
    private var subjects = Lent([MediaEntry?]())

    /// Creates a reader that keeps at most `mostEarly` sender reports for a source without packets.
    init(mostEarly: Int) {
        self.mostEarly = max(1, mostEarly)
    }

    /// Discards the stream that was found last; to be called when the streams by SSRC have changed.
    func forgetLatest() { latestEntry = nil }

    /// Removes and returns the sender reports that a host sent before the first packet of their source.
    func takeEarly(of ssrc: UInt32, from host: IPAddress) -> [(report: SenderReport, place: EventContext)] {
        let found = (early[ssrc] ?? []).filter { $0.place.source.address == host }
        if !found.isEmpty { early[ssrc] = nil }
        return found
    }

    /// Reads a datagram or interleaved frame of RTCP.
    ///
    /// - Parameters:
    ///   - bytes: Its octets, as captured.
    ///   - channel: The interleaved channel; nil for a datagram.
    ///   - packets: The media of its flow.
    ///   - place: Where and when it was captured.
    ///   - isCut: Whether it is truncated.
    @inline(never)
    func read(
        _ bytes: RawSpan, _ channel: Int?, _ packets: MediaFlow, _ place: EventContext, isCut: Bool = false
    ) {
        if !isCut, readUsual(bytes, channel, packets, place) { return }
        let media = packets.media
        var session: Session? = packets.owner ?? packets.flow.session
        let owner = channel == nil ? packets.owner : session?.mediaOwner
        if let channel, let owner, let medium = owner.medium(ofChannel: channel), !owner.isRTP(medium) { return }
        // Packets too short for an index and a tag, such as those that open a port in a firewall, cannot be SRTCP (RFC
        // 3711 §3.4).
        let isSecure = packets.hasSecureReports && (isCut || bytes.byteCount >= RTCPCompound.shortestSecure)
        // SRTCP does not encrypt the length of its first packet; if that does not fit, it is something else, such as
        // random octets that open a port.
        if isSecure, !isCut, !RTCPCompound.fitsSecure(bytes) { return }
        var compound = RTCPCompound(
            bytes, isEncrypted: isSecure, isCut: isCut, known: packets.recentDescriptions(place.direction))
        if !compound.elements.isEmpty, !isSecure { packets.noteReport(isEncrypted: compound.isEncrypted) }
        var opened: Decryption?
        if compound.isEncrypted, !isCut {
            let medium = channel.flatMap { owner?.medium(ofChannel: $0) } ?? packets.medium
            if let clear = media.openReports(bytes, packets, owner, medium: medium) {
                compound = RTCPCompound(clear.octets.rawSpan)
                opened = Decryption("srtp", source: clear.source.name)
                session?.note(decryptedWith: clear.source.name)
            }
        }
        guard !compound.elements.isEmpty else {
            return reportMalformed(bytes, compound, channel, packets, owner, place, isCut: isCut)
        }
        packets.noteRTCP()
        if channel == nil, session == nil { session = media.rist.session(of: compound, packets) }
        (session as? RISTSession)?.take(compound, at: place)
        if let channel { owner?.noteChannel(channel, isRTCP: true, frame: place.frame) }
        var subjects = self.subjects.take()
        // A datagram is assigned to one stream, whatever its parts refer to; a multicast one to none.
        var about: MediaEntry?
        // In place: a copy of an element counts the references in its packet.
        for index in compound.elements.indices {
            let subject = associate(compound.elements.span[index].packet, session, place, media)
            if about == nil { about = subject }
            subjects.append(subject)
        }
        let whole = packets.datagram(
            compound, place.direction, agreement: agreement(about, packets, owner),
            isOnMediaPort: channel == nil && packets.hasMedia, isCut: isCut,
            misdirection: channel == nil ? misdirection(about, packets, place) : nil)
        var hasClocks = false
        for index in compound.elements.indices {
            let subject = subjects[index]
            let isLast = index == compound.elements.count - 1
            let about = subject?.session ?? about?.session ?? session
            if opened == nil, !isLast || compound.problem == nil,
                let outline = PacketOutline(compound.elements.span[index].packet, index),
                emit(
                    outline, whole, stream: subject?.id, place, about, media.outlet,
                    {
                        compound.setClocks { clockRate($0, place, session, media) }
                        return compound.elements[index].packet.message
                    })
            {
                continue
            }
            if !hasClocks { compound.setClocks { clockRate($0, place, session, media) } }
            hasClocks = true
            // Not a variable here, which would be copied.
            media.outlet.emit(
                event(
                    compound.elements.span[index].packet.message, index == 0 ? whole.first : whole.rest, opened,
                    isLast ? compound.problem : nil, stream: subject?.id, place, media.outlet),
                about)
        }
        while !subjects.isEmpty { subjects.removeLast() }
        self.subjects.put(subjects)
    }

    /// Emits a packet without its event, unless the report or a rule needs it: then returns false.
    func emit(
        _ packet: PacketOutline, _ whole: RepeatedDatagram, stream: Int?, _ place: EventContext, _ session: Session?,
        _ outlet: SessionOutlet, _ message: () -> any Message
    ) -> Bool {
        guard session != nil else { return false }
        let step = BriefStep(
            "rtcp", at: place, in: session, whole: packet.index == 0 ? whole.first : whole.rest, view: packet.view)
        return whole.withAnswers(packet, session) { answers in
            outlet.emit(step, countedAs: packet.name, packet.sorts, stream: stream, answers: &answers, message)
        }
    }

    /// Returns the clock rate of a source that a packet reports on, or nil if it is not known.
    func clockRate(_ source: UInt32, _ place: EventContext, _ session: Session?, _ media: MediaStreams) -> Int? {
        entry(source, sentBy: place.destination.address, session, media).flatMap {
            media.streams.update($0.stream) { $0.mainClockRate }
        }
    }

    func event(
        _ message: any Message, _ datagram: RTCPDatagram, _ opened: Decryption?, _ problem: DecodeError?, stream: Int?,
        _ place: EventContext, _ outlet: SessionOutlet
    ) -> Event {
        var event = outlet.event(message, at: place)
        event.stream = stream
        if let opened { event.decryption = opened }
        event.whole = datagram
        if let problem { event.remarks.append(Remark(Text("rtcp.broken", .text(problem.words)))) }
        return event
    }

    /// Reports a datagram that could not be parsed, on a port or channel negotiated for RTCP only; elsewhere it may be
    /// another protocol.
    private func reportMalformed(
        _ bytes: RawSpan, _ compound: RTCPCompound, _ channel: Int?, _ packets: MediaFlow, _ owner: (any MediaOwner)?,
        _ place: EventContext, isCut: Bool
    ) {
        guard compound.isBrokenReport, !isCut, channel == nil, packets.hasReports || compound.otherVersion != nil,
            !packets.hasMedia,
            let problem = compound.problem, let agreement = agreement(nil, packets, owner), !agreement.isEncrypted,
            agreement.isDescribed
        else { return }
        let packet = OpaqueRTCP(
            packetType: bytes.byte(at: 1) ?? 0, count: (bytes.byte(at: 0) ?? 0) & 0x1F, ssrc: bytes.uint32(at: 4),
            octets: bytes.byteCount, isEncrypted: false)
        var event = packets.media.outlet.event(packet, at: place)
        event.whole = RTCPDatagram(compound, agreement: agreement, isOnMediaPort: false, isCut: false)
        event.remarks.append(Remark(Text("rtcp.broken", .text(problem.words))))
        packets.media.outlet.emit(event, packets.owner ?? packets.flow.session)
    }

    /// Returns where a datagram was sent and where reports were negotiated to go, if these differ.
    func misdirection(
        _ about: MediaEntry?, _ packets: MediaFlow, _ place: EventContext
    ) -> RTCPDatagram.Misdirection? {
        guard !packets.hasRightReports, packets.flow.transport == .udp, let owner = packets.owner ?? about?.owner,
            let medium = packets.owner == nil ? about?.medium : packets.medium ?? about?.medium,
            let agreed = owner.agreedReportEnd(of: medium, insteadOf: place.destination)
        else {
            packets.noteRightReport()
            return nil
        }
        return RTCPDatagram.Misdirection(actual: place.destination, agreed: agreed)
    }

    /// Returns the negotiated parameters of the media that a datagram refers to.
    func agreement(
        _ about: MediaEntry?, _ packets: MediaFlow, _ owner: (any MediaOwner)?
    ) -> SharedValue<StreamAgreement>? {
        let media = packets.media
        if let about, !about.isEnded { return media.streams.update(about.stream) { $0.agreement } }
        guard let owner else { return nil }
        if let medium = about?.medium ?? packets.medium { return SharedValue(owner.agreement(on: medium)) }
        // Encrypted reports do not show what they refer to; streams on one flow agree on how it is used.
        return packets.streams.last { !$0.isEnded }.map { media.streams[$0.stream].agreement }
    }

    /// Associates a packet with the streams it refers to, and returns the main one.
    private func associate(
        _ packet: RTCPPacket, _ session: Session?, _ place: EventContext, _ media: MediaStreams
    ) -> MediaEntry? {
        let sent = place.source.address
        let received = place.destination.address
        var subject: MediaEntry?
        switch packet {
        case .senderReport(let report):
            subject = entry(report.ssrc, sentBy: sent, session, media)
            if subject == nil {
                early[report.ssrc] = (early[report.ssrc] ?? []).suffix(mostEarly - 1) + [(report, place)]
            }
            if let subject { observe(report, of: subject, place, media) }
        case .bye(let bye):
            for source in bye.sources {
                guard let left = entry(source, sentBy: sent, session, media) else { continue }
                media.streams[left.stream].reports.observeBye(at: place)
                subject = subject ?? left
            }
        case .sourceDescription(let description):
            // By index, without a copy of the names.
            for index in description.chunks.indices where subject == nil {
                subject = entry(description.chunks[index].ssrc, sentBy: sent, session, media)
            }
        case .transportFeedback(let feedback):
            subject = entry(feedback.mediaSSRC, sentBy: received, session, media)
            if let subject { media.streams[subject.stream].reports.observe(feedback, at: place) }
        case .application(let packet):
            switch packet.rist {
            case .rangeNACK(let lost):
                subject = entry(packet.ssrc & ~1, sentBy: received, session, media)
                if let subject { media.streams[subject.stream].reports.observe(lost: lost, at: place) }
            case .echoRequest(let timestamp):
                echoes[EchoKey(timestamp: timestamp, address: sent)] = place.time
            case .echoResponse(let timestamp, let delay):
                // Those of the sender measure the path to the receiver.
                guard let asked = echoes[EchoKey(timestamp: timestamp, address: received)] else { break }
                let seconds = place.time.seconds(since: asked) - Double(delay) / 1_000_000
                (session as? RISTSession)?.note(roundTrip: seconds * 1_000, to: place.source)
                guard let source = entry(packet.ssrc & ~1, sentBy: received, session, media) else { break }
                media.streams[source.stream].reports.observe(roundTrip: seconds * 1_000)
                subject = source
            case nil: break
            }
        case .payloadFeedback(let feedback):
            // A full intra request contains the sources in its entries.
            var sources = [feedback.mediaSSRC]
            if case .fullIntraRequest(let requests) = feedback.content { sources = requests.map(\.ssrc) }
            for source in sources {
                guard let asked = entry(source, sentBy: received, session, media) else { continue }
                media.streams[asked.stream].reports.observe(feedback, at: place)
                subject = subject ?? asked
            }
        case .extendedReport(let report):
            for run in report.blocks.compactMap(\.losses) {
                guard let about = entry(run.ssrc, sentBy: received, session, media) else { continue }
                subject = subject ?? about
                // Losses before the capture do not count.
                guard media.streams[about.stream].sequence.hasSeen(run.begin) else { continue }
                media.streams[about.stream].reports.observe(lost: run.lost, from: run.begin, to: run.end, at: place)
            }
        default: break
        }
        for block in packet.reportBlocks {
            guard let about = entry(block.ssrc, sentBy: received, session, media) else { continue }
            observe(block, on: about, place, media)
            subject = subject ?? about
        }
        return subject
    }

    /// Records a sender report of a stream.
    func observe(_ report: SenderReport, of entry: MediaEntry, _ place: EventContext, _ media: MediaStreams) {
        media.streams.update(entry.stream) { stream in
            stream.reports.observe(
                report, at: place, packetsSeen: stream.packets, octetsSeen: stream.payloadOctets,
                missing: stream.sequence.missing, clockRate: stream.mainClockRate)
        }
    }

    /// Records a reception report on a stream.
    func observe(_ block: ReportBlock, on entry: MediaEntry, _ place: EventContext, _ media: MediaStreams) {
        media.streams.update(entry.stream) { stream in
            stream.reports.compare(block, latest: stream.sequence.lastSequence, at: place)
            stream.reports.observe(block, at: place)
        }
    }

    /// Returns the open stream of a source: in the same session, or else from the same address, or to it for multicast.
    func entry(
        _ ssrc: UInt32, sentBy address: IPAddress, _ session: Session?, _ media: MediaStreams
    ) -> MediaEntry? {
        if let session, let latest = latestEntry, latest.ssrc == ssrc, latest.session === session { return latest }
        guard let entries = media.bySSRC[ssrc] else { return nil }
        if let session, let own = entries.last(where: { $0.session === session }) {
            latestEntry = own
            return own
        }
        return entries.last { $0.source.address == address || address.isMulticast && $0.destination.address == address }
    }
}
