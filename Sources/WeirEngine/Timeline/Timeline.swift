import WeirPackets

/// Numbers the events and forwards everything to the sink.
package final class Timeline {
    private let sink: any TimelineSink
    /// Whether the report copies the records of routine messages from similar ones: then `routine` is worth a call.
    package let copiesRecords: Bool
    private var lastEvent = 0
    private var firstTime: Timestamp?
    /// The time of the first packet of the capture.
    package var start: Timestamp? { firstTime }
    /// The flows whose stream is decoded, and how.
    private var decoded: [Int: Decryption] = [:]
    /// Whether there was any.
    private var hasDecoded = false
    /// Those that have ended, the latest ones: media may be reported later.
    private var endedDecoded: [Int] = []
    private static let mostEnded = 4_096
    /// The number of events so far.
    package var eventCount: Int { lastEvent }

    package init(sink: any TimelineSink) {
        self.sink = sink
        copiesRecords = sink.copiesRecords
    }

    package func begin(_ capture: CaptureRecord) {
        lastEvent = 0
        firstTime = nil
        sink.begin(capture)
    }

    /// Records the time of the first packet.
    @inline(__always)
    package func observe(_ time: Timestamp) {
        if firstTime == nil { firstTime = time }
    }

    /// Creates an event without emitting it, so that the caller can link it first.
    package func event(_ message: any Message, at moment: EventContext) -> Event {
        lastEvent += 1
        var event = Event(
            id: lastEvent,
            frame: moment.frame,
            firstFrame: nil,
            time: moment.time,
            offset: moment.time.nanoseconds &- (firstTime ?? moment.time).nanoseconds,
            flow: moment.flow,
            direction: moment.direction,
            source: moment.source,
            destination: moment.destination,
            message: message
        )
        if hasDecoded { mark(&event) }
        return event
    }

    /// Marks an event out of decoded octets: all of the flow but those of the connection and of the layer itself.
    private func mark(_ event: inout Event) {
        guard let layer = decoded[event.flow] else { return }
        let name = event.message.protocolName
        if name != layer.protocolName, name != "tcp", name != "icmp" { event.decryption = layer }
    }

    /// Records that the stream of a flow is decoded, and with the keys of which source, once they are known.
    func noteDecoded(flow: Int, by name: String, source: String? = nil) {
        decoded[flow] = Decryption(name, source: source)
        hasDecoded = true
    }

    /// Records that such a flow has ended.
    func noteEnd(ofDecoded flow: Int) {
        endedDecoded.append(flow)
        guard endedDecoded.count > 2 * Self.mostEnded else { return }
        for flow in endedDecoded.prefix(Self.mostEnded) { decoded[flow] = nil }
        endedDecoded.removeFirst(Self.mostEnded)
    }

    /// Emits an event, and adds it to its session's phase.
    package func emit(_ event: consuming Event, session: Session?) {
        if let session {
            event.session = session.id
            event.phase = session.enter(event.phase, event: event.id, at: event.time)
        }
        sink.event(event, session: session)
    }

    /// Whether the report counts steps without their events at the moment. Events out of decoded octets say so.
    package var countsSteps: Bool { !hasDecoded && sink.countsSteps }

    /// Emits a step of a session without its event, if the report and the rules need none or find something in it. Returns
    /// false if the event is needed.
    ///
    /// - Parameters:
    ///   - name: The name under which the report counts it.
    ///   - sorts: The sorts of the message.
    ///   - answers: The answers of rules to an equal step, if known; afterwards those to this one, if nothing was found.
    ///   - message: Returns the message.
    package func brief(
        _ step: BriefStep, countedAs name: String, _ sorts: MessageSorts, stream: Int?, answers: inout RepeatedAnswers?,
        _ message: () -> any Message
    ) -> Bool {
        guard countsSteps, let session = step.session else { return false }
        let place = step.place
        let origin = BriefOrigin(
            event: lastEvent + 1, offset: place.time.nanoseconds &- (firstTime ?? place.time).nanoseconds,
            stream: stream, name: name, sorts: sorts)
        // An event that is needed is added again, which changes nothing.
        let phase = session.enter(nil, event: origin.event, at: place.time)
        let isDone = sink.brief(step, origin, &answers) {
            var event = Event(
                id: origin.event, frame: place.frame, firstFrame: nil, time: place.time, offset: origin.offset,
                flow: place.flow, direction: place.direction, source: place.source, destination: place.destination,
                message: message())
            (event.session, event.phase, event.stream, event.whole) = (session.id, phase, stream, step.whole)
            return event
        }
        if isDone { lastEvent = origin.event }
        return isDone
    }

    /// Emits steps of one frame and session that are equal to earlier ones, without their events. Returns false if events are needed.
    ///
    /// - Parameters:
    ///   - step: The first of them.
    ///   - names: The names under which the report counts them: one, or more.
    ///   - answers: The answers of rules to them.
    package func repeats(_ step: BriefStep, countedAs names: (String, others: [String]), _ answers: RepeatedAnswers)
        -> Bool
    {
        guard countsSteps, let session = step.session else { return false }
        let (first, last) = (lastEvent &+ 1, lastEvent &+ 1 &+ names.others.count)
        let time = step.place.time
        // Events that are needed are added again, which changes nothing.
        session.enter(event: first, at: time)
        session.enter(event: last, at: time)
        let offset = time.nanoseconds &- (firstTime ?? time).nanoseconds
        guard sink.repeats(step, countedAs: names, offset: offset, answers) else { return false }
        lastEvent = last
        return true
    }

    /// Emits a routine message, given its outline. Returns false if nothing was done, and its event is needed.
    package func routine(
        _ type: any Message.Type, _ outline: borrowing RecordOutline, at moment: EventContext, session: Session?,
        stream: Int
    ) -> Bool {
        guard !hasDecoded else { return false }
        let event = RoutineEvent(
            type: ObjectIdentifier(type), id: lastEvent + 1, frame: moment.frame, firstFrame: nil, time: moment.time,
            offset: moment.time.nanoseconds &- (firstTime ?? moment.time).nanoseconds, flow: moment.flow,
            direction: moment.direction, source: moment.source, destination: moment.destination, session: session?.id,
            stream: stream)
        guard sink.routine(event, outline, session: session) else { return false }
        lastEvent = event.id
        session?.enter(event: event.id, at: event.time)
        return true
    }

    package var listsFlows: Bool { sink.listsFlows }
    package func needsRecord(ofFlow id: Int) -> Bool { sink.needsRecord(ofFlow: id) }
    package func flow(_ record: FlowRecord) { sink.flow(record) }
    package func stream(_ record: StreamRecord, session: Session?) { sink.stream(record, session: session) }
    package func session(_ record: SessionRecord, session: Session) { sink.session(record, session: session) }
    package func end(_ summary: SummaryRecord) { sink.end(summary) }
}
