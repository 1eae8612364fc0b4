import WeirEngine
import WeirPackets

// Emits the events of packets.

extension MediaStreams {
    func emit(_ message: any Message, _ entry: MediaEntry, _ place: EventContext, since first: Int? = nil) {
        // Not a variable here, which would be copied.
        outlet.emit(event(message, entry, place, since: first), entry.session)
    }

    private func event(
        _ message: any Message, _ entry: MediaEntry, _ place: EventContext, since first: Int?
    ) -> Event {
        var event = outlet.event(message, at: place)
        if let first, first != place.frame, first > 0 { event.firstFrame = first }
        event.stream = entry.id
        if let decryption = entry.decryption { event.decryption = decryption }
        return event
    }

    /// Maximum numbers skipped by servers when media is stopped, restarted or seeked.
    private static let mostSkipped = 3

    /// The evidence that media was stopped, restarted or seeked at a gap.
    private enum Turn {
        /// Signaled by the session.
        case reported
        /// Inferred from a pause or a timestamp jump, if the signaling may not have been captured.
        case guessed
    }

    private func turn(_ gap: RTPGap, _ hole: SequenceGaps.Place, _ entry: MediaEntry) -> Turn? {
        // The packets may have been in octets that were not captured.
        guard !lacksOctets(entry) else { return nil }
        let next = gap.firstSequence &+ UInt16(truncatingIfNeeded: gap.count)
        if let owner = entry.owner, owner.isTurn(of: entry.medium, to: next, between: hole.timeBefore, and: hole.time) {
            return .reported
        }
        if entry.owner == nil, unsignaledTurns.mayHold(of: entry, between: hole.timeBefore, and: hole.time) {
            return .guessed
        }
        let mayLack = entry.session.map { !$0.completeness.isComplete } ?? true
        return mayLack && (hole.leaps || isPause(hole, of: entry.stream)) ? .guessed : nil
    }

    /// Returns whether media paused at a gap: for long enough, and longer than one lost packet of a slow stream
    /// explains.
    private func isPause(_ hole: SequenceGaps.Place, of stream: Int32) -> Bool {
        let seconds = hole.time.seconds(since: hole.timeBefore)
        guard seconds >= Self.secondsOfPause else { return false }
        return seconds >= streams.update(stream) { $0.usualSeconds } * Self.distancesOfPause
    }

    /// Minimum length of a pause in packet intervals.
    private static let distancesOfPause = 6.0

    /// Minimum length of a pause, in seconds.
    private static let secondsOfPause = 0.5

    /// Emits a gap at its position.
    func emit(_ gap: RTPGap, at hole: SequenceGaps.Place?, _ entry: MediaEntry, _ now: EventContext) {
        guard streams[entry.stream].retransmission != .same else { return }
        var gap = gap
        let turn = hole.flatMap { self.turn(gap, $0, entry) }
        let isSkip = turn != nil && gap.count <= Self.mostSkipped
        if !isSkip {
            // Queried first: the stream cannot be accessed while it is modified.
            let came = Set(
                entry.paths.isEmpty
                    ? []
                    : (0..<gap.count).map { gap.firstSequence &+ UInt16(truncatingIfNeeded: $0) }
                        .filter { relations.isElsewhere($0, entry) })
            streams[entry.stream].noteLost(gap, at: hole, but: came)
        }
        if !entry.paths.isEmpty {
            let (count, isTwin) = relations.elsewhere(gap, entry)
            streams[entry.stream].note(elsewhere: count, isTwin: isTwin)
            if isTwin { gap.recovered += count } else { gap.count -= count }
            guard gap.count > 0 else { return }
        }
        guard let hole else { return emit(gap, entry, now) }
        if isSkip { streams[entry.stream].skips.note(gap.count, hole, isInferred: turn == .guessed) }
        if gap.count > gap.recovered &+ gap.undecided, turn == nil { streams[entry.stream].noteDamage(gap, hole) }
        emit(gap, entry, entry.place(frame: hole.frame, time: hole.time), since: hole.before)
    }

    /// Emits the events of a packet.
    @inline(never)
    func emit(_ news: StreamChanges, _ header: RTPHeader, _ entry: MediaEntry, _ place: EventContext) {
        let stream = entry.stream
        if news.contains(.started) { started(header, entry, place) }
        if news.contains(.repair) { relations.repair(entry) }
        if news.contains(.resumed), let medium = entry.medium {
            entry.owner?.mediaResumed(medium, header.sequenceNumber, header.timestamp, frame: place.frame)
        }
        if news.contains(.silence) { silence(header, entry, place) }
        if news.contains(.restart) {
            // Two packets confirm the restart; the first of them is its start.
            let change = RTPSourceChange(
                previous: entry.ssrc, ssrc: entry.ssrc,
                previousSequence: streams[stream].sequence.sequenceBeforeRestart,
                sequence: header.sequenceNumber &- 1)
            emit(change, entry, place, since: streams[stream].places.stray.frame)
            judgeRestart(of: entry, place)
        }
        if news.contains(.gap) {
            while let (gap, hole) = streams[stream].takeGap(at: place.time) { emit(gap, at: hole, entry, place) }
        }
        if news.contains(.telephoneEvent) { emitTelephoneEvent(entry, place) }
        if news.contains(.payloadTypeChange), !isInterlude(header.payloadType, entry) {
            let change = RTPPayloadTypeChange(
                ssrc: entry.ssrc, sequence: header.sequenceNumber, previous: entry.payloadTypeBefore,
                payloadType: header.payloadType)
            emit(change, entry, place)
        }
        entry.payloadTypeBefore = header.payloadType
        guard news.contains(.keyframe) else { return }
        let since = streams[stream].keyframes.previous.map { place.time.seconds(since: $0) }
        let keyframe = RTPKeyframe(
            ssrc: entry.ssrc, sequence: header.sequenceNumber, timestamp: header.timestamp,
            number: streams[stream].keyframes.count, secondsSincePrevious: since)
        emit(keyframe, entry, place)
    }

    /// Returns whether a change to or from a payload type is a temporary one, for FEC or telephone events, which are
    /// reported separately.
    private func isInterlude(_ type: UInt8, _ entry: MediaEntry) -> Bool {
        type == entry.payloadTypeBefore
            || [type, entry.payloadTypeBefore].contains { type in
                guard let format = streams[entry.stream].formats[type] else { return false }
                return format.isRepair || format.payload == .telephoneEvent
            }
    }

    /// Emits a completed telephone event.
    func emitTelephoneEvent(_ entry: MediaEntry, _ place: EventContext) {
        guard let event = streams[entry.stream].content.latestTelephoneEvent else { return }
        let rate = streams[entry.stream].jitter?.clockRate ?? streams[entry.stream].telephoneClockRate
        emit(
            RTPTelephoneEvent(ssrc: entry.ssrc, event: event, clockRate: rate), entry, place, since: event.frame)
    }

    /// Emits a silence that was not requested.
    private func silence(_ header: RTPHeader, _ entry: MediaEntry, _ place: EventContext) {
        let nanoseconds = streams[entry.stream].silence.latest
        let silence = RTPSilence(
            ssrc: entry.ssrc, previousSequence: streams[entry.stream].silence.sequenceBefore,
            sequence: header.sequenceNumber, seconds: Double(nanoseconds) / 1_000_000_000)
        let before = Timestamp(nanoseconds: place.time.nanoseconds &- nanoseconds)
        if let owner = entry.owner {
            guard owner.noteSilence(silence.seconds, since: before, frame: place.frame) else { return }
        }
        var event = outlet.event(silence, at: place)
        event.stream = entry.id
        if entry.channel != nil, let flow = entry.packets?.flow {
            event.remarks = outlet.delays(flow, since: before, until: place.time)
        }
        outlet.emit(event, entry.session)
    }

    private func started(_ header: RTPHeader, _ entry: MediaEntry, _ place: EventContext) {
        guard let packets = entry.packets else { return }
        sourceChanges.resolve(packets, place)
        let format = streams.update(entry.stream) { $0.formats[header.payloadType] }
        // The announcement refers to the original stream, not to the one that repairs it.
        let medium = format?.isRepair == true ? nil : entry.medium
        let announced = entry.owner?.mediaBegan(medium, time: place.time)
        let start = RTPStart(
            ssrc: header.ssrc, payloadType: header.payloadType, sequence: header.sequenceNumber,
            timestamp: header.timestamp, mediaType: format?.mediaType, encoding: format?.encoding,
            clockRate: format?.clockRate, announcedSequence: announced ?? nil,
            recognizedFrame: packets.firstRecognizedFrame)
        entry.isEncrypted = format?.isEncrypted ?? packets.hasSecureReports
        outlet.emit(event(start, entry, place, hasExtension: header.hasExtension), entry.session)
    }

    /// Returns the event of the first packet of a stream, with remarks about its recognition and protection.
    private func event(
        _ start: RTPStart, _ entry: MediaEntry, _ place: EventContext, hasExtension: Bool
    ) -> Event {
        var event = outlet.event(start, at: place)
        event.stream = entry.id
        if let because = because(entry) { event.remarks.append(Remark(because, isEvidence: true)) }
        if let source = entry.decryptedWith {
            event.decryption = entry.decryption
            event.remarks.append(
                Remark(Text("rtp.remark.decrypted", .string(source.name)), reference: "RFC 3711 §3.1"))
        } else if entry.hasClearPayload {
            event.remarks.append(Remark(Text("rtp.remark.verified"), reference: "RFC 4568 §6.3.2"))
        } else if entry.isEncrypted {
            let isClear = streams.update(entry.stream) { $0.agreement.hasClearPayload }
            event.remarks.append(
                isClear
                    ? Remark(Text("rtp.remark.authenticated"), reference: "RFC 4568 §6.3.2")
                    : Remark(Text("rtp.remark.encrypted"), reference: "RFC 3711 §3.1"))
        }
        if streams[entry.stream].agreement.hasHiddenExtensions, hasExtension {
            event.remarks.append(Remark(Text("rtp.remark.hiddenExtensions"), reference: "RFC 6904 §3"))
        }
        return event
    }

    /// Returns why a flow or channel was recognized as media.
    private func because(_ entry: MediaEntry) -> Text? {
        guard let channel = entry.channel else { return entry.because ?? entry.identity?.because }
        guard let medium = entry.medium, let owner = entry.owner else {
            return Text("expect.interleavedUngranted", .integer(channel))
        }
        return Text("expect.interleaved", .integer(channel), .integer(owner.agreementFrame(of: medium)))
    }
}
