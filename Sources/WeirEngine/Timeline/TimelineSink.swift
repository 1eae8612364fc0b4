/// Receives the timeline incrementally, in capture order. The analyzer does not retain what it passes.
package protocol TimelineSink: AnyObject {
    /// Called when the capture starts.
    func begin(_ capture: CaptureRecord)
    /// Called for each event; `session` is the live session after the event.
    func event(_ event: consuming Event, session: Session?)
    /// Whether the records of routine messages are copied from similar ones at the moment; otherwise `routine` returns
    /// false.
    var copiesRecords: Bool { get }
    /// Called for a routine message instead of `event`; rules do not observe it. Returns false if nothing was
    /// done, and the event is needed.
    func routine(_ event: RoutineEvent, _ outline: borrowing RecordOutline, session: Session?) -> Bool
    /// Whether steps may be passed on without their events at the moment; otherwise `brief` returns false.
    var countsSteps: Bool { get }
    /// Called for a step of a session without its event. Returns false if nothing was done, and the event is needed.
    func brief(
        _ step: BriefStep, _ origin: BriefOrigin, _ answers: inout RepeatedAnswers?, _ event: () -> Event
    ) -> Bool
    /// Called for steps of one frame that are equal to earlier ones. Returns false if nothing was done.
    func repeats(
        _ step: BriefStep, countedAs names: (String, others: [String]), offset: Int64, _ answers: RepeatedAnswers
    ) -> Bool
    /// Whether all flows are passed on when they end.
    var listsFlows: Bool { get }
    /// Whether a flow is passed on when it ends; its record takes long to make.
    func needsRecord(ofFlow id: Int) -> Bool
    /// Called when a flow ends whose record is needed.
    func flow(_ flow: FlowRecord)
    /// Called when a media stream ends.
    func stream(_ stream: StreamRecord, session: Session?)
    /// Called when a session ends, after the records of its flows and streams.
    func session(_ record: SessionRecord, session: Session)
    /// Called when the capture ends.
    func end(_ summary: SummaryRecord)
}

extension TimelineSink {
    /// The default: false.
    package var copiesRecords: Bool { false }
    /// The default: false.
    package func routine(_ event: RoutineEvent, _ outline: borrowing RecordOutline, session: Session?) -> Bool { false }
    /// The default: false.
    package var countsSteps: Bool { false }
    /// The default: false.
    package func brief(
        _ step: BriefStep, _ origin: BriefOrigin, _ answers: inout RepeatedAnswers?, _ event: () -> Event
    ) -> Bool { false }
    /// The default: false.
    package func repeats(
        _ step: BriefStep, countedAs names: (String, others: [String]), offset: Int64, _ answers: RepeatedAnswers
    ) -> Bool { false }
    /// The default: true.
    package var listsFlows: Bool { true }
    /// The default: true.
    package func needsRecord(ofFlow id: Int) -> Bool { true }
}
