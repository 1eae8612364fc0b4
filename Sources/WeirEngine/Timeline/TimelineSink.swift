/// Receives the timeline as it happens. Calls come in capture order; nothing that was handed over is kept by the
/// analyzer.
package protocol TimelineSink: AnyObject {
    /// Reading a capture begins.
    func begin(_ capture: CaptureRecord)
    /// A step happened; `session` is the live state of the session it belongs to, after the step.
    func event(_ event: Event, session: Session?)
    /// A flow ended.
    func flow(_ flow: FlowRecord)
    /// A media stream ended.
    func stream(_ stream: StreamRecord, session: Session?)
    /// A session ended; its flows' and streams' records came before.
    func session(_ record: SessionRecord, session: Session)
    /// The capture ended.
    func end(_ summary: SummaryRecord)
}
