import WeirKit

/// The exchanges between a client and a server. Requests from changing client ports belong to one session.
public final class NTPSession: Session {
    /// A pending request.
    private struct Question {
        let event: Int
        let message: NTPMessage
        let time: Timestamp
    }

    private let limits: NTPLimits
    /// Pending requests, oldest first, with their flows.
    private var asked: [(flow: Int, question: Question)] = []
    private var clock: NTPClock
    private var stream: Int?
    /// Number of requests dropped because of the limit.
    private var forgotten = 0
    private var questions = 0
    private var kisses: [String] = []

    public override class var kind: String { "ntp" }

    /// Identifies a session by its addresses: the same client may ask the same server from another port.
    public override class func name(of message: any Message, on flow: FlowState) -> ClaimKey? {
        name(flow.client, flow.server)
    }

    private static func name(_ client: Endpoint, _ server: Endpoint) -> ClaimKey {
        .name(space: "ntp", "\(client.address) \(server)")
    }

    /// Creates a session and claims further requests of its client.
    public required init(_ context: SessionContext) {
        limits = context.limits[NTPLimits.self]
        clock = NTPClock()
        super.init(context)
        context.outlet.claim(Claim(Self.name(context.client, context.server)), for: self)
    }

    public override func take(_ message: any Message, _ context: MessageContext, _ outlet: SessionOutlet) {
        guard let message = message as? NTPMessage else { return super.take(message, context, outlet) }
        var event = outlet.event(message, context)
        if message.header.isQuestion {
            enter(.question)
            ask(message, event)
        } else if let exchange = answer(message, event, outlet) {
            event.answers = exchange
        }
        event.stream = stream
        outlet.emit(event, self)
    }

    private func ask(_ message: NTPMessage, _ event: Event) {
        questions += 1
        if asked.count >= limits.openQuestions {
            asked.removeFirst()
            forgotten += 1
            // The answer will have no request; the limit is recorded so that rules do not report it.
            noteLimit()
        }
        asked.append((event.flow, Question(event: event.id, message: message, time: event.time)))
    }

    private func answer(_ message: NTPMessage, _ event: Event, _ outlet: SessionOutlet) -> Event.Exchange? {
        guard message.header.isAnswer,
            let index = asked.lastIndex(where: {
                $0.flow == event.flow && $0.question.message.header.transmit == message.header.origin
            })
        else { return nil }
        let question = asked.remove(at: index).question
        if let code = message.header.kissCode {
            enter(.refusal)
            kisses.append(code)
        } else if message.header.isSynchronized {
            enter(.time)
            if stream == nil { stream = outlet.newStream() }
            clock.measure(message.header, asked: question.time, answered: event.time, frame: event.frame)
        }
        return Event.Exchange(
            requestEvent: question.event, request: question.message,
            latency: event.time.nanoseconds &- question.time.nanoseconds, pairing: .number)
    }

    /// Reports the server's clock like a stream, with measured values and times.
    public override func finish(at frame: FrameInfo, _ outlet: SessionOutlet) {
        if forgotten > 0 { outlet.reach("limit.ntp.openQuestions", times: forgotten) }
        guard let stream, let start = clock.start, let end = clock.end else { return }
        add(stream: stream)
        outlet.emit(
            StreamRecord(
                id: stream, kind: "clock", flow: flows.first ?? 0, direction: .serverToClient, source: server,
                destination: client, session: id, startTime: start, endTime: end, lastFrame: clock.lastFrame,
                details: clock),
            self)
    }

    public override func facts(_ secrets: SecretPolicy) -> [Field] {
        var facts: [Field] = []
        facts.add("questions", questions)
        facts.add("answered", clock.exchanges)
        facts.add("offsetMs", clock.offset.map { $0 * 1_000 })
        return facts
    }

    public override func outcome() -> [Text] {
        if let code = kisses.last { return [Text("ntp.outcome.refused", .string(code))] }
        guard let offset = clock.offset else { return [Text("ntp.outcome.nothing", .integer(questions))] }
        return [
            Text(
                "ntp.outcome.time", .integer(clock.exchanges), .integer(questions), .decimal(offset * 1_000, places: 3))
        ]
    }
}

extension Phase {
    /// A client request.
    static let question: Phase = "ntpQuestion"
    /// A server response with the time.
    static let time: Phase = "ntpTime"
    /// A server response with a kiss code.
    static let refusal: Phase = "ntpRefusal"
}

/// The limits of NTP sessions.
public struct NTPLimits: LimitSet {
    /// Pending requests per session.
    public var openQuestions = 64

    /// Creates the default limits.
    public init() {}
}
