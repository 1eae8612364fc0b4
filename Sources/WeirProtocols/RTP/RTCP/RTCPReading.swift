import WeirEngine
import WeirPackets

// RTCP: reports tied to the streams they are about.

extension MediaStreams {
    @inline(never)
    func readRTCP(_ bytes: RawSpan, _ channel: Int?, _ packets: MediaFlow, _ place: EventContext) {
        let session: Session? = packets.owner ?? packets.flow.session
        let owner = channel == nil ? packets.owner : session as? any MediaOwner
        if let channel, let owner, let medium = owner.medium(ofChannel: channel), !owner.isRTP(medium) { return }
        let isSecure = packets.hasSecureReports
        let compound = RTCPCompound(bytes, isEncrypted: isSecure)
        guard !compound.elements.isEmpty else { return }
        packets.noteRTCP()
        if !isSecure { packets.noteReport(isEncrypted: compound.isEncrypted) }
        if let channel { owner?.noteChannel(channel, isRTCP: true, frame: place.frame) }
        let subjects = compound.elements.map { associate($0.packet, session, place) }
        // One datagram is about one thing, whatever its parts name; and that of a group is nobody's own.
        let about = subjects.lazy.compactMap { $0 }.first
        for (index, element) in compound.elements.enumerated() {
            let subject = subjects[index]
            var event = outlet.event(element.packet.message, at: place)
            event.stream = subject?.id
            if index == compound.elements.count - 1, let problem = compound.problem {
                event.remarks.append(Remark(Text("rtcp.broken", .string(problem.description))))
            }
            outlet.tell(event, subject?.session ?? about?.session ?? session)
        }
    }

    /// Ties a packet to the streams it is about, and returns the one it is mainly about.
    private func associate(_ packet: RTCPPacket, _ session: Session?, _ place: EventContext) -> MediaEntry? {
        let sent = place.source.address
        let received = place.destination.address
        var subject: MediaEntry?
        switch packet {
        case .senderReport(let report):
            subject = entry(report.ssrc, sentBy: sent, session)
            if let subject {
                let packets = streams[subject.stream].packets
                let octets = streams[subject.stream].payloadOctets
                streams[subject.stream].reports.observe(
                    report, at: place.time, packetsSeen: packets, octetsSeen: octets)
            }
        case .bye(let bye):
            for source in bye.sources {
                guard let left = entry(source, sentBy: sent, session) else { continue }
                streams[left.stream].reports.observeBye()
                subject = subject ?? left
            }
        case .sourceDescription(let description):
            for chunk in description.chunks { subject = subject ?? entry(chunk.ssrc, sentBy: sent, session) }
        case .transportFeedback(let feedback):
            subject = entry(feedback.mediaSSRC, sentBy: received, session)
            if let subject { streams[subject.stream].reports.observe(feedback) }
        case .payloadFeedback(let feedback):
            subject = entry(feedback.mediaSSRC, sentBy: received, session)
            if let subject { streams[subject.stream].reports.observe(feedback) }
        default: break
        }
        for block in packet.reportBlocks {
            guard let about = entry(block.ssrc, sentBy: received, session) else { continue }
            streams[about.stream].reports.observe(block, at: place.time)
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
