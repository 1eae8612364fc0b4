import WeirEngine
import WeirPackets

// RTCP: reports tied to the streams they are about.

extension Analyzer {
    @inline(never)
    func rtcp(_ bytes: RawSpan, _ channel: Int?, _ state: FlowState, _ moment: Moment) {
        let session: Session? = state.link?.session ?? state.session
        if let channel, let rtsp = session as? RTSPSession, let setup = rtsp.setupIndex(forChannel: channel),
            !rtsp.setups[setup].isRTP
        {
            return
        }
        let isSecure = state.hasSecureReports
        let compound = RTCPCompound(bytes, isEncrypted: isSecure)
        guard !compound.elements.isEmpty else { return }
        if !state.hasReports {
            state.hasReports = true
            state.addProtocol(RTCPDissector.descriptor.name)
        }
        if !isSecure { state.noteReport(isEncrypted: compound.isEncrypted) }
        if let channel { (session as? RTSPSession)?.noteChannel(channel, isRTCP: true, frame: moment.frame) }
        let subjects = compound.elements.map { associate($0.packet, session, moment) }
        // One datagram is about one thing, whatever its parts name; and that of a group is nobody's own.
        let about = subjects.lazy.compactMap { $0 }.first
        for (index, element) in compound.elements.enumerated() {
            let subject = subjects[index]
            var event = timeline.event(element.packet.message, at: moment)
            event.stream = subject?.id
            if index == compound.elements.count - 1, let problem = compound.problem {
                event.remarks.append(Remark(Text("rtcp.broken", .string(problem.description))))
            }
            timeline.emit(event, session: subject?.session ?? about?.session ?? session)
        }
    }

    /// Ties a packet to the streams it is about, and returns the one it is mainly about.
    private func associate(_ packet: RTCPPacket, _ session: Session?, _ moment: Moment) -> MediaEntry? {
        let sent = moment.source.address
        let received = moment.destination.address
        var subject: MediaEntry?
        switch packet {
        case .senderReport(let report):
            subject = entry(report.ssrc, sentBy: sent, session)
            if let subject {
                let packets = intake.streams[subject.stream].packets
                let octets = intake.streams[subject.stream].payloadOctets
                intake.streams[subject.stream].reports.observe(
                    report, at: moment.time, packetsSeen: packets, octetsSeen: octets)
            }
        case .bye(let bye):
            for source in bye.sources {
                guard let left = entry(source, sentBy: sent, session) else { continue }
                intake.streams[left.stream].reports.observeBye()
                subject = subject ?? left
            }
        case .sourceDescription(let description):
            for chunk in description.chunks { subject = subject ?? entry(chunk.ssrc, sentBy: sent, session) }
        case .transportFeedback(let feedback):
            subject = entry(feedback.mediaSSRC, sentBy: received, session)
            if let subject { intake.streams[subject.stream].reports.observe(feedback) }
        case .payloadFeedback(let feedback):
            subject = entry(feedback.mediaSSRC, sentBy: received, session)
            if let subject { intake.streams[subject.stream].reports.observe(feedback) }
        default: break
        }
        for block in packet.reportBlocks {
            guard let about = entry(block.ssrc, sentBy: received, session) else { continue }
            intake.streams[about.stream].reports.observe(block, at: moment.time)
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
