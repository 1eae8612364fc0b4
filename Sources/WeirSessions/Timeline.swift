import WeirDissectors
import WeirPackets

/// Where and when something happened: the frame at hand, and the flow it belongs to.
struct Moment {
    var frame: Int
    var time: Timestamp
    var flow: Int
    var direction: Direction
    var source: Endpoint
    var destination: Endpoint
}

/// Numbers the events and hands everything on to the sink.
final class Timeline {
    private let sink: any TimelineSink
    private var lastEvent = 0
    /// Time of the first packet of the capture.
    private(set) var start: Timestamp?
    /// How many events there were.
    var eventCount: Int { lastEvent }

    init(sink: any TimelineSink) {
        self.sink = sink
    }

    func begin(_ capture: CaptureRecord) {
        lastEvent = 0
        start = nil
        sink.begin(capture)
    }

    /// Notes the time of the first packet.
    @inline(__always)
    func observe(_ time: Timestamp) {
        if start == nil { start = time }
    }

    /// A new event, not yet handed on: the caller may link it first.
    func event(_ message: any Message, at moment: Moment) -> Event {
        lastEvent += 1
        return Event(
            id: lastEvent,
            frame: moment.frame,
            firstFrame: nil,
            time: moment.time,
            offset: moment.time.nanoseconds &- (start ?? moment.time).nanoseconds,
            flow: moment.flow,
            direction: moment.direction,
            source: moment.source,
            destination: moment.destination,
            message: message
        )
    }

    /// Hands an event on, counting it into its session's phase.
    func emit(_ event: consuming Event, session: Session?) {
        if let session {
            event.session = session.id
            if event.phase == nil { event.phase = session.phase }
            session.note(event)
        }
        sink.event(event, session: session)
    }

    func flow(_ record: FlowRecord) { sink.flow(record) }
    func stream(_ record: StreamRecord, session: Session?) { sink.stream(record, session: session) }
    func session(_ record: SessionRecord, session: Session) { sink.session(record, session: session) }
    func end(_ summary: SummaryRecord) { sink.end(summary) }
}
