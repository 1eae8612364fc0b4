import WeirEngine
import WeirPackets

// RTCP: reports tied to the streams they are about.

extension MediaStreams {
    @inline(never)
    func readRTCP(
        _ bytes: RawSpan, _ channel: Int?, _ packets: MediaFlow, _ place: EventContext, isCut: Bool = false
    ) {
        let session: Session? = packets.owner ?? packets.flow.session
        let owner = channel == nil ? packets.owner : session as? any MediaOwner
        if let channel, let owner, let medium = owner.medium(ofChannel: channel), !owner.isRTP(medium) { return }
        // What is too short for an index and a tag cannot be SRTCP (RFC 3711 §3.4), as what opens a port in a firewall.
        let isSecure = packets.hasSecureReports && (isCut || bytes.byteCount >= RTCPCompound.shortestSecure)
        // SRTCP leaves the length of its first packet in the clear: where that does not fit, it is something else, such as the
        // random octets that open a port.
        if isSecure, !isCut, !RTCPCompound.fitsSecure(bytes) { return }
        let compound = RTCPCompound(bytes, isEncrypted: isSecure, isCut: isCut)
        guard !compound.elements.isEmpty else {
            return tellBroken(bytes, compound, channel, packets, owner, place, isCut: isCut)
        }
        packets.noteRTCP()
        if !isSecure { packets.noteReport(isEncrypted: compound.isEncrypted) }
        if let channel { owner?.noteChannel(channel, isRTCP: true, frame: place.frame) }
        let subjects = compound.elements.map { associate($0.packet, session, place) }
        // One datagram is about one thing, whatever its parts name; and that of a group is nobody's own.
        let about = subjects.lazy.compactMap { $0 }.first
        let facts = RTCPDatagram(
            compound, agreement: agreement(about, packets, owner), isOnMediaPort: channel == nil && packets.hasMedia,
            isCut: isCut)
        for (index, element) in compound.elements.enumerated() {
            let subject = subjects[index]
            let packet = element.packet.withClocks { source in
                entry(source, sentBy: place.destination.address, session).flatMap {
                    streams[$0.stream].mainFormat?.clockRate
                }
            }
            var event = outlet.event(packet.message, at: place)
            event.stream = subject?.id
            event.whole = index == 0 ? facts : facts.rest
            if index == compound.elements.count - 1, let problem = compound.problem {
                event.remarks.append(Remark(Text("rtcp.broken", .text(problem.words))))
            }
            outlet.tell(event, subject?.session ?? about?.session ?? session)
        }
    }

    /// Tells a datagram of which nothing could be read, on a port or channel that is one of RTCP alone, as a session agreed:
    /// anywhere else it may be something else.
    private func tellBroken(
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
        var event = outlet.event(packet, at: place)
        event.whole = RTCPDatagram(compound, agreement: agreement, isOnMediaPort: false, isCut: false)
        event.remarks.append(Remark(Text("rtcp.broken", .text(problem.words))))
        outlet.tell(event, packets.owner ?? packets.flow.session)
    }

    /// What was agreed on for the media that a datagram is about.
    private func agreement(
        _ about: MediaEntry?, _ packets: MediaFlow, _ owner: (any MediaOwner)?
    ) -> StreamAgreement? {
        if let about, !about.isEnded { return streams[about.stream].agreement }
        guard let owner, let medium = about?.medium ?? packets.medium else { return nil }
        return owner.agreement(on: medium)
    }

    /// Ties a packet to the streams it is about, and returns the one it is mainly about.
    private func associate(_ packet: RTCPPacket, _ session: Session?, _ place: EventContext) -> MediaEntry? {
        let sent = place.source.address
        let received = place.destination.address
        var subject: MediaEntry?
        switch packet {
        case .senderReport(let report):
            subject = entry(report.ssrc, sentBy: sent, session)
            if subject == nil {
                let most = max(1, outlet.limits[RTPLimits.self].earlyReports)
                earlyReports[report.ssrc] = (earlyReports[report.ssrc] ?? []).suffix(most - 1) + [(report, place)]
            }
            if let subject {
                let packets = streams[subject.stream].packets
                let octets = streams[subject.stream].payloadOctets
                streams[subject.stream].reports.observe(
                    report, at: place, packetsSeen: packets, octetsSeen: octets)
            }
        case .bye(let bye):
            for source in bye.sources {
                guard let left = entry(source, sentBy: sent, session) else { continue }
                streams[left.stream].reports.observeBye(at: place)
                subject = subject ?? left
            }
        case .sourceDescription(let description):
            for chunk in description.chunks { subject = subject ?? entry(chunk.ssrc, sentBy: sent, session) }
        case .transportFeedback(let feedback):
            subject = entry(feedback.mediaSSRC, sentBy: received, session)
            if let subject { streams[subject.stream].reports.observe(feedback, at: place) }
        case .payloadFeedback(let feedback):
            // A request for full pictures names the sources itself.
            var sources = [feedback.mediaSSRC]
            if case .fullIntraRequest(let requests) = feedback.content { sources = requests.map(\.ssrc) }
            for source in sources {
                guard let asked = entry(source, sentBy: received, session) else { continue }
                streams[asked.stream].reports.observe(feedback, at: place)
                subject = subject ?? asked
            }
        case .extendedReport(let report):
            for run in report.blocks.compactMap(\.losses) {
                guard let about = entry(run.ssrc, sentBy: received, session) else { continue }
                subject = subject ?? about
                // What was lost before the capture began is none of its packets.
                guard streams[about.stream].sequence.hasSeen(run.begin) else { continue }
                streams[about.stream].reports.observe(lost: run.lost, from: run.begin, to: run.end, at: place)
            }
        default: break
        }
        for block in packet.reportBlocks {
            guard let about = entry(block.ssrc, sentBy: received, session) else { continue }
            let latest = streams[about.stream].sequence.lastSequence
            streams[about.stream].reports.compare(block, latest: latest, at: place)
            streams[about.stream].reports.observe(block, at: place)
            subject = subject ?? about
        }
        return subject
    }

    /// The open stream of a source: of the same session, else one that comes from the same address, or goes to it when it
    /// is a group's.
    private func entry(_ ssrc: UInt32, sentBy address: IPAddress, _ session: Session?) -> MediaEntry? {
        guard let entries = bySSRC[ssrc] else { return nil }
        if let session, let own = entries.last(where: { $0.session === session }) { return own }
        return entries.last { $0.source.address == address || address.isMulticast && $0.destination.address == address }
    }
}
