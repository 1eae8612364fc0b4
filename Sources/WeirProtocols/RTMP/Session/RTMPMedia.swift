import WeirEngine
import WeirPackets

// Conversion of messages to steps of a session; audio and video are also counted in their streams.

extension RTMPSession {
    /// Updates whether only one side was captured, which holds until data of the other side arrives.
    private func look(_ context: MessageContext, _ outlet: SessionOutlet) {
        // The connections of a tunnel do not indicate which side of the conversation was captured.
        noteOneSided(
            isTunneled
                ? context.flow.bytesReceived(context.at.direction.opposite) == 0 : outlet.isOneSided(context.flow))
        outlet.showConnection(of: context.flow, self)
    }

    /// Processes a part of the handshake.
    func take(_ part: RTMPHandshakePart, _ context: MessageContext, _ outlet: SessionOutlet) {
        look(context, outlet)
        var part = part
        if completeness.hasGap { part.prematureOf = nil }
        outlet.emit(event(part, context, outlet), self)
    }

    // Functions return events, since a variable would be copied when it is emitted.

    private func event(_ part: RTMPHandshakePart, _ context: MessageContext, _ outlet: SessionOutlet) -> Event {
        var event = outlet.event(part, context)
        event.isCut = part.isCut
        observe(part, &event)
        return event
    }

    /// Processes a message of any type.
    func take(_ message: RTMPMessage, _ context: MessageContext, _ outlet: SessionOutlet) {
        let direction = context.at.direction
        count(
            direction, context.flow.octetsUsed(direction) &+ context.range.upperBound,
            other: context.flow.bytesReceived(direction.opposite))
        if !context.remarks.isEmpty { marks.note(context.remarks, context.at) }
        if message.isMedia {
            media(message, context, outlet)
            return
        }
        if RTMPCauseMarks.concerns(message) { marks.note(message, context.at) }
        if message.body != nil { recordMetadata(message, context, outlet) }
        look(context, outlet)
        var message = message
        if completeness.hasGap { message.framing.prematureOf = nil }
        outlet.emit(event(message, context, outlet), self)
        endTaken(outlet)
    }

    /// Returns the event of a message that is not media.
    private func event(_ message: RTMPMessage, _ context: MessageContext, _ outlet: SessionOutlet) -> Event {
        var event = outlet.event(message, context)
        event.isCut = message.isCut
        event.isInferred = message.framing.isInferred
        event.answers = observe(message, &event)
        if let latency = event.answers?.latency {
            let asked = Timestamp(nanoseconds: event.time.nanoseconds &- latency)
            event.remarks += outlet.delays(context.flow, since: asked, until: event.time)
        }
        return event
    }

    /// Processes audio or video: counts it, and shows it if it starts a stream, configures a decoder, is a key frame or
    /// follows a gap.
    @inline(__always)
    private func media(_ message: RTMPMessage, _ context: MessageContext, _ outlet: SessionOutlet) {
        if RTMPCauseMarks.concerns(message) { marks.note(message, context.at) }
        if message.hasSeveralTracks {
            severalTracks(message, context, outlet)
            return
        }
        guard let index = track(of: message, context.at.direction) ?? begin(message, context, outlet) else { return }
        let codecs = tracks[index].codecChanges
        let changes = tracks[index].observe(RTMPMediaFacts(message), time: context.at.time, frame: context.at.frame)
        noteMedia(index, changes, context.at.direction, context.at.time)
        if message.body != nil { record(message, index, context, outlet) }
        // The first message of a codec in enhanced FLV shows whether that was announced.
        let isNewCodec = message.isEnhanced && (changes.contains(.started) || tracks[index].codecChanges != codecs)
        let isOdd = showsOddity(of: message, context.at.direction) || isNewCodec
        let showsAll = outlet.options.packets
        if changes.isEmpty, !isOdd, !showsAll, context.remarks.isEmpty { return }
        let isNews = isOdd || !context.remarks.isEmpty || !changes.isDisjoint(with: [.configuration, .fault])
        let isShown = isNews || message.isBroken || showsAll
        emit(
            changes, of: message, shownIn: isShown ? context : nil, isOneOfMany: !isNews && message.isUsualFrame, index,
            context.flow, context.at, outlet)
    }

    /// Processes a multitrack message: counts each track as a separate message, but shows the message once.
    @inline(never)
    private func severalTracks(_ message: RTMPMessage, _ context: MessageContext, _ outlet: SessionOutlet) {
        let isOdd = showsOddity(of: message, context.at.direction)
        var isReported = false
        var isRecorded = false
        for part in message.tracks {
            guard let index = track(of: part, context.at.direction) ?? begin(part, context, outlet) else { continue }
            let changes = tracks[index].observe(RTMPMediaFacts(part), time: context.at.time, frame: context.at.frame)
            noteMedia(index, changes, context.at.direction, context.at.time)
            // The message is written to the file once.
            if message.body != nil, !isRecorded { record(message, index, context, outlet) }
            isRecorded = true
            let isShown =
                isOdd || outlet.options.packets || !context.remarks.isEmpty || message.isBroken
                || !changes.isDisjoint(with: [.configuration, .fault])
            emit(
                changes, of: message, shownIn: isShown && !isReported ? context : nil, isOneOfMany: false, index,
                context.flow, context.at, outlet)
            isReported = isReported || isShown
        }
    }

    private func begin(_ message: RTMPMessage, _ context: MessageContext, _ outlet: SessionOutlet) -> Int? {
        look(context, outlet)
        if let known = trackAcrossGap(of: message, context.at.direction) { return known }
        guard tracks.count < limits.streamsPerFlow else {
            outlet.reach("limit.streams", of: self)
            return nil
        }
        return begin(message, outlet.newStream(), context.at)
    }

    /// Emits the changes caused by a message; nil for a frame.
    ///
    /// - Parameter context: Where the message was read, if it is shown itself.
    @inline(never)
    func emit(
        _ changes: RTMPTrack.Changes, of message: RTMPMessage?, shownIn context: MessageContext?, isOneOfMany: Bool,
        _ index: Int, _ flow: FlowState, _ place: EventContext, _ outlet: SessionOutlet
    ) {
        let stream = tracks[index].id
        func emit(_ message: any Message, _ remarks: [Remark] = []) {
            outlet.emit(event(message, of: stream, remarks, at: place, outlet), self)
        }
        // Tracks are read in place: each has many references.
        if changes.contains(.started), let message { emit(update(track: index) { RTMPStart($0, message) }) }
        if changes.contains(.gap), let gap = tracks[index].latestGap {
            let before = Timestamp(nanoseconds: place.time.nanoseconds &- Int64(min(gap.seconds, 1e9) * 1e9))
            emit(gap, outlet.delays(flow, since: before, until: place.time))
            marks.noteJump(
                of: gap.milliseconds, in: gap.seconds, isVideo: tracks[index].typeID == 9, frame: place.frame)
        }
        if changes.contains(.back), let back = tracks[index].latestBack { emit(back) }
        if let message, let context {
            outlet.emit(event(message, context, of: stream, isOneOfMany: isOneOfMany, outlet), self)
        }
        if changes.contains(.keyframe) { emit(update(track: index) { RTMPKeyframe($0) }) }
    }

    /// Returns an event about a stream.
    private func event(
        _ message: any Message, of stream: Int, _ remarks: [Remark] = [], at place: EventContext,
        _ outlet: SessionOutlet
    ) -> Event {
        var event = outlet.event(message, at: place)
        (event.stream, event.phase) = (stream, .media)
        if !remarks.isEmpty { event.remarks = remarks }
        return event
    }

    /// Returns the event of an audio or video message.
    private func event(
        _ message: RTMPMessage, _ context: MessageContext, of stream: Int, isOneOfMany: Bool, _ outlet: SessionOutlet
    ) -> Event {
        var event = outlet.event(message, context)
        event.isCut = message.isCut
        event.isInferred = message.framing.isInferred
        (event.stream, event.phase) = (stream, .media)
        event.isOneOfMany = isOneOfMany
        return event
    }

    /// The number of video frames required to compare audio and video timestamps.
    private static let framesToCompare = 25

    /// Reports the streams that have ended.
    func endTaken(_ outlet: SessionOutlet) {
        guard !ended.isEmpty else { return }
        let over = takeEnded()
        // By a span, of which elements are not copied: a track has many references.
        let tracks = over.span
        for index in tracks.indices { end(tracks[index], outlet) }
    }

    /// Reports a stream that has ended.
    private func end(_ track: RTMPTrack, _ outlet: SessionOutlet) {
        endRecording(of: track)
        // A few messages at the start are not significant.
        if track.frames >= Self.framesToCompare, let offsets = track.steadyOffsets {
            marks.noteOffsets(from: offsets.smallest, to: offsets.largest, frame: track.lastFrame)
        }
        if let standstill = track.standstill { marks.note(standstill, isVideo: track.typeID == 9) }
        outlet.shared(PieceTaps.self).tap?.end(
            piecesOf: track.id, lacksOctets: completeness.lacksOctets || completeness.isCut)
        let place = EventContext(
            frame: track.lastFrame, time: track.endTime, flow: track.flow, direction: track.direction,
            source: track.source, destination: track.destination)
        outlet.emit(event(RTMPEnd(track), of: track.id, at: place, outlet), self)
        outlet.emit(track.record(self), self)
    }
}
