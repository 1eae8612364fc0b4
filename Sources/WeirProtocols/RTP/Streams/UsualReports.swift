import WeirEngine
import WeirPackets

// Most RTCP is a report and a source description that only has other numbers than the one before.

extension RTCPReader {
    /// Reads a whole datagram or interleaved frame of a report and a source description that is like an earlier one, as `read` would.
    ///
    /// - Returns: Whether it was; if not, nothing was done.
    func readUsual(_ bytes: RawSpan, _ channel: Int?, _ packets: MediaFlow, _ place: EventContext) -> Bool {
        let media = packets.media
        let claimant = packets.owner
        guard media.outlet.countsSteps, !packets.hasSecureReports,
            let session = claimant ?? packets.flow.session, !(session is RISTSession),
            let report = UsualReport(bytes, packets.recentDescriptions(place.direction))
        else { return false }
        let owner = channel == nil ? claimant : session.mediaOwner
        if let channel, let medium = owner?.medium(ofChannel: channel), owner?.isRTP(medium) == false { return false }
        let subjects = subjects(of: report, session, place, media)
        let about = subjects.report ?? subjects.description
        guard report.sender == nil || subjects.sender != nil,
            let whole = packets.datagram(
                like: report, place.direction, agreement: agreement(about, packets, owner),
                isOnMediaPort: channel == nil && packets.hasMedia),
            channel != nil || misdirection(about, packets, place) == nil
        else { return false }
        packets.noteReport(isEncrypted: false)
        packets.noteRTCP()
        if let channel { owner?.noteChannel(channel, isRTCP: true, frame: place.frame) }
        if let sender = report.sender, let entry = subjects.sender { observe(sender, of: entry, place, media) }
        if let block = report.block, let entry = subjects.reported { observe(block, on: entry, place, media) }
        let names = (report.name, [SourceDescription.countedName])
        let sessionOfBoth = subjects.report?.session ?? about?.session ?? session
        if subjects.description == nil || subjects.description === subjects.report,
            let answers = whole.answers(describedBy: report.description.contents, sessionOfBoth),
            media.outlet.repeats(
                BriefStep("rtcp", at: place, in: sessionOfBoth, whole: whole.first, view: nil), countedAs: names,
                answers)
        {
            return true
        }
        emit(report, subjects, whole, session, place, media)
        return true
    }

    /// The streams that a datagram refers to.
    private struct Subjects {
        /// The stream of the sender report, and that of the report block.
        var sender: MediaEntry?
        var reported: MediaEntry?
        /// The main stream of the report.
        var report: MediaEntry? { sender ?? reported }
        /// The stream of the source description.
        var description: MediaEntry?
    }

    private func subjects(
        of report: borrowing UsualReport, _ session: Session, _ place: EventContext, _ media: MediaStreams
    ) -> Subjects {
        var subjects = Subjects()
        let sent = place.source.address
        if report.sender != nil { subjects.sender = entry(report.reporter, sentBy: sent, session, media) }
        if let block = report.block {
            subjects.reported = entry(block.ssrc, sentBy: place.destination.address, session, media)
        }
        let chunks = report.description.contents.all
        for index in chunks.indices where subjects.description == nil {
            subjects.description = entry(chunks[index].ssrc, sentBy: sent, session, media)
        }
        return subjects
    }

    /// Emits both packets of a datagram.
    @inline(never)
    private func emit(
        _ report: borrowing UsualReport, _ subjects: Subjects, _ whole: RepeatedDatagram, _ session: Session,
        _ place: EventContext,
        _ media: MediaStreams
    ) {
        let about = subjects.report ?? subjects.description
        emit(.report(of: report), whole, subjects.report, about, session, place, media) {
            report.message { clockRate($0, place, session, media) }
        }
        emit(.description(report.description), whole, subjects.description, about, session, place, media) {
            report.description
        }
    }

    /// Emits a packet, with its event if that is needed.
    private func emit(
        _ packet: PacketOutline, _ whole: RepeatedDatagram, _ subject: MediaEntry?, _ about: MediaEntry?,
        _ session: Session, _ place: EventContext, _ media: MediaStreams, _ message: () -> any Message
    ) {
        let session = subject?.session ?? about?.session ?? session
        guard !emit(packet, whole, stream: subject?.id, place, session, media.outlet, message) else { return }
        media.outlet.emit(
            event(
                message(), packet.index == 0 ? whole.first : whole.rest, nil, nil, stream: subject?.id, place,
                media.outlet),
            session)
    }
}

extension PacketOutline {
    /// The outline of a report, the first packet of its datagram.
    fileprivate static func report(of report: borrowing UsualReport) -> PacketOutline {
        PacketOutline(0, report.name, [.rtcpOther, .rtcpFirst], nil)
    }

    /// The outline of the source description behind it.
    fileprivate static func description(_ description: SourceDescription) -> PacketOutline {
        PacketOutline(1, SourceDescription.countedName, .rtcpDescription, description.contents)
    }
}
