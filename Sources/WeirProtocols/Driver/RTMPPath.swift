import WeirEngine
import WeirPackets

// RTMP: messages become steps of a session; those of audio and video are counted into its streams.

extension Analyzer {
    /// The session of a connection: its own, or that of the conversation that several HTTP requests carry together.
    func rtmpSession(_ state: FlowState) -> RTMPSession {
        if let joined = state.joined, let session = session(state, joined) as? RTMPSession { return session }
        if let session = state.session as? RTMPSession { return session }
        return openRTMP(state)
    }

    /// The session of a connection on which RTMPT is asked for, before the server has given it a name: one that the same
    /// client began on another connection, if it has none yet either.
    func openTunnel(_ state: FlowState) {
        let begun = sessions.suffix(64).last { session in
            guard let session = session as? RTMPSession else { return false }
            return session.isTunnelled && session.conversation == nil
                && session.client.address == state.client.address && session.server == state.server
        }
        if let begun { attach(state, to: begun) } else { openRTMP(state).isTunnelled = true }
    }

    /// Whether one side is missing from the capture is known only as long as nothing of it comes.
    private func look(_ session: RTMPSession, _ state: FlowState) {
        if !session.isTunnelled { session.evidence.isOneSided = isOneSided(state) }
    }

    func openRTMP(_ state: FlowState) -> RTMPSession {
        open(state) { RTMPSession(id: $0, client: state.client, server: state.server, limits: options.limits) }
    }

    /// A part of the handshake.
    func rtmp(_ part: RTMPHandshakePart, _ said: Said, _ state: FlowState, _ moment: Moment) {
        let session = rtmpSession(state)
        session.evidence.mayHaveGap = mayLackOctets(state, moment.direction)
        look(session, state)
        showConnect(state, session)
        var part = part
        if session.evidence.mayHaveGap { part.hurriesAhead = nil }
        var event = located(part, said, moment)
        event.isCut = part.isCut
        session.observe(part, &event)
        timeline.emit(event, session: session)
        session.evidence.mayHaveGap = false
    }

    /// A message of any type.
    func rtmp(_ message: RTMPMessage, _ said: Said, _ state: FlowState, _ moment: Moment) {
        let session = rtmpSession(state)
        session.count(state, moment.direction, upTo: said.range.upperBound)
        if message.isMedia {
            media(message, said, session, state, moment)
            return
        }
        session.evidence.mayHaveGap = mayLackOctets(state, moment.direction)
        look(session, state)
        showConnect(state, session)
        var message = message
        if session.evidence.mayHaveGap { message.framing.hurriesAhead = nil }
        var event = located(message, said, moment)
        event.isCut = message.isCut
        event.answers = session.observe(message, &event)
        timeline.emit(event, session: session)
        session.evidence.mayHaveGap = false
        for track in session.takeEnded() { end(track, session, moment) }
    }

    /// Audio or video: counted, and shown where it begins, configures a decoder, is a key frame, or follows a gap.
    @inline(__always)
    private func media(
        _ message: RTMPMessage, _ said: Said, _ session: RTMPSession, _ state: FlowState, _ moment: Moment
    ) {
        if message.hasSeveralTracks {
            severalTracks(message, said, session, state, moment)
            return
        }
        guard let index = session.track(of: message, moment.direction) ?? begin(message, session, state, moment) else {
            return
        }
        let news = session.tracks[index].observe(
            RTMPMediaPiece(message), time: moment.time, frame: moment.frame)
        session.noteMedia(index, news, moment)
        let isOdd = session.showsOddity(of: message)
        if news.isEmpty, !isOdd, !options.packets, said.remarks.isEmpty { return }
        let isNews = isOdd || !said.remarks.isEmpty || !news.isDisjoint(with: [.configuration, .fault])
        let isShown = isNews || message.isBroken || options.packets
        report(news, (message, said, isShown, isOneOfMany: !isNews && message.isUsualFrame), index, session, moment)
    }

    /// A message with several tracks: each is counted as if it had come alone, and the message is shown once.
    @inline(never)
    private func severalTracks(
        _ message: RTMPMessage, _ said: Said, _ session: RTMPSession, _ state: FlowState, _ moment: Moment
    ) {
        let isOdd = session.showsOddity(of: message)
        var isTold = false
        for part in message.tracks {
            guard let index = session.track(of: part, moment.direction) ?? begin(part, session, state, moment) else {
                continue
            }
            let news = session.tracks[index].observe(RTMPMediaPiece(part), time: moment.time, frame: moment.frame)
            session.noteMedia(index, news, moment)
            let isShown =
                isOdd || options.packets || !said.remarks.isEmpty || message.isBroken
                || !news.isDisjoint(with: [.configuration, .fault])
            report(news, (message, said, isShown && !isTold, isOneOfMany: false), index, session, moment)
            isTold = isTold || isShown
        }
    }

    private func begin(
        _ message: RTMPMessage, _ session: RTMPSession, _ state: FlowState, _ moment: Moment
    ) -> Int? {
        look(session, state)
        showConnect(state, session)
        guard session.tracks.count < options.limits.streamsPerFlow else {
            reach("limit.streams")
            return nil
        }
        streamCount += 1
        return session.begin(message, streamCount, moment)
    }

    /// Tells the timeline what a message changed, which was `said`; nil for a frame that is not to be shown itself.
    @inline(never)
    func report(
        _ news: RTMPTrack.News, _ said: (message: RTMPMessage, said: Said, isShown: Bool, isOneOfMany: Bool)?,
        _ index: Int, _ session: RTMPSession, _ moment: Moment
    ) {
        func emit(_ message: any Message) {
            var event = timeline.event(message, at: moment)
            event.stream = session.tracks[index].id
            event.phase = .media
            timeline.emit(event, session: session)
        }
        let track = session.tracks[index]
        if news.contains(.started), let message = said?.message { emit(RTMPStart(track, message)) }
        if news.contains(.gap), let gap = track.latestGap { emit(gap) }
        if news.contains(.back), let back = track.latestBack { emit(back) }
        if let (message, said, isShown, isOneOfMany) = said, isShown {
            var event = located(message, said, moment)
            event.isCut = message.isCut
            event.stream = track.id
            event.phase = .media
            event.isOneOfMany = isOneOfMany
            timeline.emit(event, session: session)
        }
        if news.contains(.keyframe) { emit(RTMPKeyframe(track)) }
    }

    /// Reports a stream that is over.
    private func end(_ track: RTMPTrack, _ session: RTMPSession, _ moment: Moment) {
        let moment = Moment(
            frame: moment.frame, time: moment.time, flow: track.flow, direction: track.direction,
            source: track.source, destination: track.destination)
        var event = timeline.event(RTMPEnd(track), at: moment)
        event.stream = track.id
        event.phase = session.phase == .close ? .close : .media
        timeline.emit(event, session: session)
        timeline.stream(track.record(session), session: session)
    }

    /// Ends the streams of a session that is over.
    func release(_ session: RTMPSession, at info: FrameInfo) {
        let moment = Moment(
            frame: info.number, time: info.time, flow: session.flows.first ?? 0, direction: .clientToServer,
            source: session.client, destination: session.server)
        session.endAllTracks()
        for track in session.takeEnded() { end(track, session, moment) }
        let forgotten = session.forgotten + session.pings.forgotten
        if forgotten > 0 { reach("limit.requests", times: forgotten) }
        if session.forgottenStatuses > 0 { reach("limit.statuses", times: session.forgottenStatuses) }
        if session.hiddenOddities > 0 { reach("limit.oddMessages", times: session.hiddenOddities) }
    }
}

/// Where and how a message was said: its octets in those that were read, and what is odd about them.
struct Said {
    var range: Range<Int>
    var remarks: [Remark]
    var place: Place?
}
