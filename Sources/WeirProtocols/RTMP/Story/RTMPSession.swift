package import WeirEngine
package import WeirPackets

/// One RTMP connection: handshake, commands and their answers, message streams and the media on them, accounting.
package final class RTMPSession: Session {
    /// When and where something was said.
    package struct Mark: Sendable, Hashable {
        /// Its event.
        package var event: Int
        /// Its frame.
        package var frame: Int
        /// When.
        package var time: Timestamp

        init(_ event: Event) {
            (self.event, frame, time) = (event.id, event.frame, event.time)
        }
    }

    /// A command that waits for its answer.
    package struct PendingCommand: Sendable {
        /// The message that carried it.
        package var message: RTMPMessage
        /// The command.
        package var command: RTMPCommandView
        /// Who sent it.
        package var direction: Direction
        /// When and where.
        package var mark: Mark
    }

    /// The answer of the server to `connect`, or to anything else, in its own words.
    package struct Status: Sendable, Hashable {
        /// `_result`, `_error` or `onStatus`.
        package var name: String
        /// `status`, `warning` or `error` (RTMP §7.2.2).
        package var level: String?
        /// Such as `NetStream.Publish.Start`.
        package var code: String?
        /// In words for people.
        package var description: String?
        /// When and where.
        package var mark: Mark

        /// Whether it says that something failed.
        package var isError: Bool { name == "_error" || level == "error" }
    }

    /// The parts of the handshake that were seen.
    package private(set) var handshake: [RTMPHandshakePart.Packet: (part: RTMPHandshakePart, mark: Mark)] = [:]
    /// `connect`: the client asks for an application.
    package internal(set) var connect: PendingCommand?
    /// What the server answered to `connect`.
    package internal(set) var connectAnswer: Status?
    /// The application: the member `app` of `connect`.
    package internal(set) var app: String?
    /// The URL: the member `tcUrl` of `connect`.
    package internal(set) var url: String? { didSet { noteSubject() } }
    /// The client's program, as `flashVer` of `connect` says.
    package internal(set) var flashVersion: String?
    /// The server's program, as `fmsVer` of the answer to `connect` says.
    package internal(set) var serverVersion: String?
    /// The program that made the media, as its metadata says.
    package internal(set) var encoder: String?
    /// What else the server says of itself.
    var serverWords: [String] = []
    /// Commands without an answer, oldest first.
    package internal(set) var pending: [PendingCommand] = []
    /// Message streams, in the order in which they were made or first used.
    package internal(set) var netStreams: [RTMPNetStream] = []
    /// The media tracks that are open, in order.
    package internal(set) var tracks: [RTMPTrack] = []
    /// What the client sent, and how the server acknowledged it.
    package internal(set) var fromClient = RTMPAccount()
    /// What the server sent, and how the client acknowledged it.
    package internal(set) var fromServer = RTMPAccount()
    /// Pings of the server, and the answers.
    package internal(set) var pings = RTMPPings()
    /// The first message that asked for the end: `deleteStream`, `closeStream` or `FCUnpublish`.
    package internal(set) var goodbye: Mark?
    /// The last answer that says that something failed, and the command it answers.
    package internal(set) var lastFailure: (command: String, status: Status)?
    /// Who said first that it sends no more, and in which frame.
    package private(set) var firstToFinish: (direction: Direction, frame: Int)?
    /// Whether the connection was closed, and the capture does not show by whom first.
    private(set) var isFinishUnknown = false
    /// Who broke the connection off, and in which frame.
    package private(set) var resetBy: (direction: Direction, frame: Int)?
    /// When the first FIN or RST of the connection came.
    private(set) var hungUp: Timestamp?
    /// What may explain the end.
    package internal(set) var marks = RTMPCauseMarks()
    /// Messages of any kind that were seen.
    package private(set) var messages = 0
    /// Messages of the client among them.
    package private(set) var messagesOfClient = 0
    /// Media messages with something odd in their chunks that were shown.
    private var oddMessages = 0
    /// Sides of whose extended timestamps one was shown that was not needed.
    private var needlesslyExtended: Set<Direction> = []
    /// Commands and streams that went beyond what a session may keep.
    var forgotten = 0 { didSet { noteLimit() } }
    /// Statuses of streams beyond those that are kept.
    var forgottenStatuses = 0
    /// Media messages with something odd in their chunks beyond those that are shown.
    var hiddenOddities: Int { max(0, oddMessages - limits[RTMPLimits.self].oddMessages) }
    /// Streams of media that ended and are still to be reported.
    var ended: [RTMPTrack] = []
    /// What is shown of its media to who writes that into files.
    var recording = RTMPRecording()
    /// Media of all tracks of either side.
    var fromClientMedia = RTMPFlowed()
    var fromServerMedia = RTMPFlowed()
    /// The last thing that the client said that was neither media nor control.
    var lastCommand: (name: String, mark: Mark)?
    /// The names of streams that were said so far; nil when there were more than are remembered.
    private var streamKeys: [String]? = []
    /// Whether the latest message may repeat a name that the capture does not hold.
    private var mayLackName = false
    private let limitsReference: LimitsReference
    var limits: Limits { _read { yield limitsReference.values } }

    package override class var kind: String { "rtmp" }

    /// Begins a session.
    package required init(_ context: StoryContext) {
        limitsReference = context.limitsReference
        super.init(context)
    }

    /// The URL, which is said by `connect`.
    package override func subject(_ secrets: SecretPolicy) -> String? {
        url.map { hide(application: $0, secrets) }
    }

    /// The session's own members of its record.
    package override func facts(_ secrets: SecretPolicy) -> [Field] { told(secrets) }

    package override var isTornDown: Bool { goodbye != nil && !netStreams.contains(where: \.isActive) }

    package override func finished(_ direction: Direction, frame: Int) {
        if firstToFinish == nil { firstToFinish = (direction, frame) }
        hungUp = hungUp ?? latestTime
    }

    package override func corrected(finishIn frame: Int, by first: (direction: Direction, frame: Int)?) {
        guard firstToFinish?.frame == frame else { return }
        firstToFinish = first
        isFinishUnknown = first == nil
    }

    package override func closed(_ step: TCPEvent.Step, _ direction: Direction, frame: Int) {
        let before = phase
        super.closed(step, direction, frame: frame)
        // Any connection may carry any request of RTMPT: the end of one ends nothing else.
        if isTunnelled, goodbye == nil { phase = before }
        if step == .reset { resetBy = (direction, frame) }
        hungUp = hungUp ?? latestTime
    }

    package override func take(_ message: any Message, _ context: MessageContext, _ outlet: StoryOutlet) {
        if let message = message as? RTMPMessage {
            take(message, context, outlet)
        } else if let part = message as? RTMPHandshakePart {
            take(part, context, outlet)
        } else {
            super.take(message, context, outlet)
        }
    }

    package override func observe(_ remarks: [Remark], at place: EventContext) { marks.note(remarks, place) }

    package override func finish(at frame: FrameInfo, _ outlet: StoryOutlet) {
        endAllTracks()
        for track in takeEnded() { end(track, outlet) }
        let forgotten = forgotten + pings.forgotten
        if forgotten > 0 { outlet.reach("limit.requests", times: forgotten, of: self) }
        if forgottenStatuses > 0 { outlet.reach("limit.statuses", times: forgottenStatuses) }
        if hiddenOddities > 0 { outlet.reach("limit.oddMessages", times: hiddenOddities) }
    }

    package override func keepsPhase(throughConnectionOf flow: FlowState) -> Bool { flows.first != flow.id }

    package override func outcome() -> [Text] { outcomeTexts() }

    package override func causes() -> [Cause] { foundCauses() }

    package override func peers() -> [Text] {
        let client = clientPeer.map { Text("peer.client", name(of: $0), evidence(of: $0)) }
        let server = serverPeer.map { Text("peer.server", name(of: $0), evidence(of: $0)) }
        return [client, server].compactMap { $0 }
    }

    private func name(of peer: RTMPPeer) -> Text.Argument {
        peer.isOwnName ? spoken(peer.name) : .text(Text(peer.name, arguments: []))
    }

    private func evidence(of peer: RTMPPeer) -> Text.Argument {
        guard peer.lacksVersion else { return spoken(peer.quotes) }
        return peer.quotes.isEmpty ? .text(Text("no flashVer")) : .text(Text("no flashVer, {0}", spoken(peer.quotes)))
    }

    /// Whether all behind the handshake is encrypted: RTMPE.
    package var isEncrypted: Bool {
        handshake[.s0]?.part.isEncrypting ?? handshake[.c0]?.part.isEncrypting ?? false
    }

    /// Whether it is not known how many octets each side has sent: the capture begins late, or the way was HTTP.
    package var isCountUncertain: Bool { completeness.startsLate || isTunnelled }

    /// Whether a media message is shown for what its chunks are like; only the first ones are.
    /// An extended timestamp that was not needed is shown once: who writes one writes it in all.
    func showsOddity(of message: RTMPMessage, _ sender: Direction) -> Bool {
        guard message.framing.isOdd else {
            guard message.framing.isExtendedNeedlessly, message.framing.format != 3 else { return false }
            return needlesslyExtended.insert(sender).inserted
        }
        oddMessages += 1
        return oddMessages <= limits[RTMPLimits.self].oddMessages
    }

    /// The account of one side's octets.
    package func account(_ sender: Direction) -> RTMPAccount {
        sender == .clientToServer ? fromClient : fromServer
    }

    /// Text of the session with the names of its streams and all tokens masked.
    func hide(_ text: String, _ secrets: SecretPolicy) -> String {
        RTMPSecrets.hide(text, streamKeys, secrets)
    }

    /// Name or URL of the application with what may be a key masked.
    func hide(application text: String, _ secrets: SecretPolicy) -> String {
        RTMPSecrets.hide(application: text, streamKeys, secrets)
    }

    /// Words of a peer for a sentence: as a secret where a name is among them.
    ///
    /// - Parameter code: that of the status which has them. A stream's name that the capture does not hold may be anything.
    func spoken(_ words: String, about code: String? = nil) -> Text.Argument {
        let isHeard = !mayLackName || words.isEmpty
        if !isHeard, RTMPSecrets.isAboutStream(code: code) { return .secret(words) }
        return hide(words, .masked) == SecretPolicy.masked.apply(text: words) ? .string(words) : .secret(words)
    }
}

// MARK: - Steps

extension RTMPSession {
    /// Takes note of a part of the handshake.
    func observe(_ part: RTMPHandshakePart, _ event: inout Event) {
        if handshake[part.packet] == nil { handshake[part.packet] = (part, Mark(event)) }
        if phase == .connect { phase = .handshake }
        event.phase = .handshake
    }

    /// Counts a message: so many octets its side has sent by its end, and so many the other one.
    func count(_ direction: Direction, _ octets: Int, other: Int) {
        messages &+= 1
        if direction == .clientToServer {
            messagesOfClient &+= 1
            fromClient.sent(octets)
            fromServer.sent(other)
        } else {
            fromServer.sent(octets)
            fromClient.sent(other)
        }
    }

    /// Follows a message that is no media; returns what it answers.
    func observe(_ message: RTMPMessage, _ event: inout Event) -> Event.Exchange? {
        if phase == .connect || phase == .handshake, handshake.isEmpty { phase = .media }
        defer { if event.phase == nil { event.phase = phase } }
        // Control messages carry none.
        if message.streamKeys?.isEmpty != true { streamKeys = message.streamKeys }
        mayLackName = message.mayLackName
        if case .command(let command) = message.payload, command.flaws.contains(where: \.isLimit) { noteLimit() }
        switch message.payload {
        case .command(let command): return observe(RTMPCommandView(command, isData: false), message, &event)
        case .data(let data):
            let said = RTMPCommandView(data, isData: true)
            if said.isCommand { return observe(said, message, &event) }
            metadata(data)
            if netStreams.contains(where: { $0.role != nil }) { phase = .media }
        case .acknowledgement(let octets):
            if event.direction == .clientToServer {
                fromServer.acknowledge(octets, Mark(event))
            } else {
                fromClient.acknowledge(octets, Mark(event))
            }
        case .windowAckSize(let size):
            if event.direction == .clientToServer {
                fromClient.announce(window: size, Mark(event))
                fromServer.answerBandwidth(size)
            } else {
                fromServer.announce(window: size, Mark(event))
                fromClient.answerBandwidth(size)
            }
        case .setPeerBandwidth(let size, let type):
            if event.direction == .clientToServer {
                fromClient.limitPeer(size, type, otherWindow: fromServer.window, Mark(event))
            } else {
                fromServer.limitPeer(size, type, otherWindow: fromClient.window, Mark(event))
            }
        case .setChunkSize(let size): marks.announce(size, event.frame, isClients: event.direction == .clientToServer)
        case .userControl(let control): return pings.observe(control, message, event, most: limits.outstandingRequests)
        default: break
        }
        return nil
    }

    private func metadata(_ data: RTMPCommand) {
        if let program = data.metadata?.encoder, !program.isEmpty { encoder = program }
    }
}
