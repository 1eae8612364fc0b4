import WeirDissectors
import WeirPackets

// RTMP: messages become steps of a session; those of audio and video are counted into its streams.

extension Analyzer {
    /// The session of a connection: its own, or that of the conversation that several HTTP requests carry together.
    func rtmpSession(_ state: FlowState) -> RTMPSession {
        if let session = state.session as? RTMPSession { return session }
        if let joined = state.joined, let session = session(state, joined) as? RTMPSession { return session }
        return openRTMP(state)
    }

    func openRTMP(_ state: FlowState) -> RTMPSession {
        open(state) { RTMPSession(id: $0, client: state.client, server: state.server, limits: options.limits) }
    }

    /// A part of the handshake.
    func rtmp(_ part: RTMPHandshakePart, _ said: Said, _ state: FlowState, _ moment: Moment) {
        let session = rtmpSession(state)
        session.evidence.mayHaveGap = mayLackOctets(state, moment.direction)
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
        guard let index = session.track(of: message, moment.direction) ?? begin(message, session, state, moment) else {
            return
        }
        let news = session.tracks[index].observe(message, time: moment.time, frame: moment.frame)
        session.noteMedia(index, news, moment)
        let isOdd = session.showsOddity(of: message)
        if news.isEmpty, !isOdd, !options.packets, said.remarks.isEmpty { return }
        report(news, message, said, index, session, moment, isShown: isOdd)
    }

    private func begin(
        _ message: RTMPMessage, _ session: RTMPSession, _ state: FlowState, _ moment: Moment
    ) -> Int? {
        showConnect(state, session)
        guard session.tracks.count < options.limits.streamsPerFlow else {
            reach("limit.streams")
            return nil
        }
        streamCount += 1
        return session.begin(message, streamCount, moment)
    }

    /// Tells the timeline what a message changed.
    @inline(never)
    private func report(
        _ news: RTMPTrack.News, _ message: RTMPMessage, _ said: Said, _ index: Int, _ session: RTMPSession,
        _ moment: Moment, isShown: Bool
    ) {
        func emit(_ message: any Message) {
            var event = timeline.event(message, at: moment)
            event.stream = session.tracks[index].id
            event.phase = .media
            timeline.emit(event, session: session)
        }
        let track = session.tracks[index]
        if news.contains(.started) { emit(RTMPStart(track, message)) }
        if news.contains(.gap), let gap = track.latestGap { emit(gap) }
        if news.contains(.back), let back = track.latestBack { emit(back) }
        if !news.isDisjoint(with: [.configuration, .fault]) || options.packets || isShown || !said.remarks.isEmpty
            || message.isBroken
        {
            var event = located(message, said, moment)
            event.isCut = message.isCut
            event.stream = track.id
            event.phase = .media
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
        if session.forgotten > 0 { reach("limit.requests", times: session.forgotten) }
    }
}

/// Where and how a message was said: its octets in those that were read, and what is odd about them.
struct Said {
    var range: Range<Int>
    var remarks: [Remark]
    var place: Place?
}
