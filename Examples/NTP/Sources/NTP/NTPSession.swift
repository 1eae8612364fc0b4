import WeirKit

/// What a client and a server say to each other about the time: questions that come from a new port each belong together.
public final class NTPSession: Session {
    /// A question that waits for its answer.
    private struct Question {
        let event: Int
        let message: NTPMessage
        let time: Timestamp
    }

    private let limits: NTPLimits
    /// The open questions, oldest first, by the flow that they came on.
    private var asked: [(flow: Int, question: Question)] = []
    private var clock: NTPClock
    private var stream: Int?
    /// Questions beyond those that are kept.
    private var forgotten = 0
    private var questions = 0
    private var kisses: [String] = []

    public override class var kind: String { "ntp" }

    /// The same client asks the same server from another port.
    public override class func name(of message: any Message, on flow: FlowState) -> ClaimKey? {
        name(flow.client, flow.server)
    }

    private static func name(_ client: Endpoint, _ server: Endpoint) -> ClaimKey {
        .name(space: "ntp", "\(client.address) \(server)")
    }

    /// Begins a session, and lays claim to what its client will ask.
    public required init(_ context: StoryContext) {
        limits = context.limits[NTPLimits.self]
        clock = NTPClock()
        super.init(context)
        context.outlet.claim(Claim(Self.name(context.client, context.server)), for: self)
    }

    public override func take(_ message: any Message, _ context: MessageContext, _ outlet: StoryOutlet) {
        guard let message = message as? NTPMessage else { return super.take(message, context, outlet) }
        var event = outlet.event(message, context)
        if message.header.isQuestion {
            enter(.question)
            ask(message, event)
        } else if let exchange = answer(message, event, outlet) {
            event.answers = exchange
        }
        event.stream = stream
        outlet.tell(event, self)
    }

    private func ask(_ message: NTPMessage, _ event: Event) {
        questions += 1
        if asked.count >= limits.openQuestions {
            asked.removeFirst()
            forgotten += 1
            // An answer to it would find no question: rules must not hold that against anybody.
            noteLimit()
        }
        asked.append((event.flow, Question(event: event.id, message: message, time: event.time)))
    }

    private func answer(_ message: NTPMessage, _ event: Event, _ outlet: StoryOutlet) -> Event.Exchange? {
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

    /// The server's clock is reported like a stream: what was measured of it, and when.
    public override func finish(at frame: FrameInfo, _ outlet: StoryOutlet) {
        if forgotten > 0 { outlet.reach("limit.ntp.openQuestions", times: forgotten) }
        guard let stream, let start = clock.start, let end = clock.end else { return }
        add(stream: stream)
        outlet.tell(
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
    /// The client asks.
    static let question: Phase = "ntpQuestion"
    /// The server tells the time.
    static let time: Phase = "ntpTime"
    /// The server tells the client to go away.
    static let refusal: Phase = "ntpRefusal"
}

/// The bounds that only NTP needs.
public struct NTPLimits: LimitSet {
    /// Questions of a session that wait for their answers.
    public var openQuestions = 64

    /// The defaults.
    public init() {}
}
