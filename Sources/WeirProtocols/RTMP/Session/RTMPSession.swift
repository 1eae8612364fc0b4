import WeirEngine
import WeirPackets

/// An RTMP connection: handshake, commands and their answers, message streams with their media, and accounting.
final class RTMPSession: Session {
    /// The event, frame and time of an occurrence.
    struct Mark: Sendable, Hashable {
        /// The event number.
        var event: Int
        /// The frame number.
        var frame: Int
        /// The time.
        var time: Timestamp

        init(_ event: Event) {
            (self.event, frame, time) = (event.id, event.frame, event.time)
        }
    }

    /// A pending command.
    struct PendingCommand: Sendable {
        /// The message that carried it.
        var message: RTMPMessage
        /// The command.
        var command: RTMPCommandView
        /// The direction in which it was sent.
        var direction: Direction
        /// The event, frame and time.
        var mark: Mark
    }

    /// A status sent by the server in response to `connect` or another command.
    struct Status: Sendable, Hashable {
        /// `_result`, `_error` or `onStatus`.
        var name: String
        /// `status`, `warning` or `error` (RTMP §7.2.2).
        var level: String?
        /// The status code, such as `NetStream.Publish.Start`.
        var code: String?
        /// The human-readable description.
        var description: String?
        /// The event, frame and time.
        var mark: Mark

        /// Whether it reports a failure.
        var isError: Bool { name == "_error" || level == "error" }
    }

    private var handshakeParts = Lent(RTMPHandshakeParts<Mark>())
    /// The captured parts of the handshake.
    var handshake: RTMPHandshakeParts<Mark> { handshakeParts.current }
    /// The `connect` command.
    var connect: PendingCommand?
    /// The server's answer to `connect`.
    var connectAnswer: Status?
    /// The first answer of the server that was read before any command, with its transaction.
    var earlyAnswer: (transaction: Double?, status: Status)?
    /// The application: the member `app` of `connect`.
    var app: String?
    /// The URL: the member `tcUrl` of `connect`.
    var url: String? { didSet { noteSubject() } }
    /// The client's software, from `flashVer` of `connect`.
    var flashVersion: String?
    /// The server's software, from `fmsVer` of the answer to `connect`.
    var serverVersion: String?
    /// The encoder, from the metadata.
    var encoder: String?
    /// Further identification sent by the server.
    var serverWords: [String] = []
    /// Unanswered commands, oldest first.
    var pending: [PendingCommand] = []
    /// Message streams in order of creation or first use.
    var netStreams: [RTMPNetStream] = []
    private var openTracks = Lent([RTMPTrack]())
    /// The open media tracks, in order.
    var tracks: [RTMPTrack] {
        @inline(__always) get { openTracks.current }
        _modify {
            var taken = openTracks.take()
            defer { openTracks.put(taken) }
            yield &taken
        }
    }
    /// The octets sent by the client, and their acknowledgement by the server.
    var fromClient: RTMPAccount {
        get { traffic.client }
        set { traffic.client = newValue }
    }
    /// The octets sent by the server, and their acknowledgement by the client.
    var fromServer: RTMPAccount {
        get { traffic.server }
        set { traffic.server = newValue }
    }
    /// Pings and their responses.
    var pings = RTMPPings()
    /// The first teardown command: `deleteStream`, `closeStream` or `FCUnpublish`.
    var teardownMark: Mark?
    /// The latest failure, and the command it answers.
    var lastFailure: (command: String, status: Status)?
    /// The side that sent the first FIN, and its frame.
    private(set) var firstToFinish: (direction: Direction, frame: Int)?
    /// Whether the connection was closed but the capture does not show which side closed first.
    private(set) var isFinishUnknown = false
    /// The side that reset the connection, and the frame.
    private(set) var resetBy: (direction: Direction, frame: Int)?
    /// The time of the first FIN or RST of the connection.
    private(set) var closeTime: Timestamp?
    /// Evidence for the cause of the end.
    var marks = RTMPCauseMarks()
    /// The number of messages of any type.
    var messages: Int { traffic.messages }
    /// The number of messages sent by the client.
    var messagesOfClient: Int { traffic.messagesOfClient }
    /// What each message changes, in one access.
    private var traffic = Traffic()
    /// The number of media messages shown because of irregular chunks.
    private var oddMessages = 0
    /// The sides for which an unneeded extended timestamp was already shown.
    private var needlesslyExtended: Set<Direction> = []
    /// Commands and streams dropped because the limit of a session was exceeded.
    var forgotten = 0 { didSet { noteLimit() } }
    /// Stream statuses dropped because the limit was exceeded.
    var forgottenStatuses = 0
    /// Media messages with irregular chunks beyond those shown.
    var hiddenOddities: Int { max(0, oddMessages - limits[RTMPLimits.self].oddMessages) }
    /// Media streams that have ended and are not yet reported.
    var ended: [RTMPTrack] = []
    /// State for the extraction of media.
    var recording = RTMPRecording()
    /// Media of all tracks by side.
    var fromClientMedia = RTMPMediaTotals()
    var fromServerMedia = RTMPMediaTotals()
    /// The client's latest message that was neither media nor control.
    var lastCommand: (name: String, mark: Mark)?
    /// The stream names sent so far, or nil if the limit was exceeded.
    private var streamKeys: [String]? = []
    /// Whether the latest message may repeat a name that is not in the capture.
    private var mayLackName = false
    private let limitsReference: LimitsReference
    var limits: Limits { _read { yield limitsReference.values } }

    /// Changes a track.
    @inline(__always)
    func update<Result>(track index: Int, _ body: (inout RTMPTrack) -> Result) -> Result {
        var taken = openTracks.take()
        let result = body(&taken[index])
        openTracks.put(consume taken)
        return result
    }

    override class var kind: String { "rtmp" }

    /// Creates a session.
    required init(_ context: SessionContext) {
        limitsReference = context.limitsReference
        super.init(context)
    }

    /// The URL sent in `connect`.
    override func subject(_ secrets: SecretPolicy) -> String? {
        url.map { hide(application: $0, secrets) }
    }

    /// Returns the RTMP members of the session record.
    override func facts(_ secrets: SecretPolicy) -> [Field] { reported(secrets) }

    override var isTornDown: Bool { teardownMark != nil && !netStreams.contains(where: \.isActive) }

    override func finished(_ direction: Direction, frame: Int) {
        if firstToFinish == nil { firstToFinish = (direction, frame) }
        closeTime = closeTime ?? latestTime
    }

    override func corrected(finishIn frame: Int, by first: (direction: Direction, frame: Int)?) {
        guard firstToFinish?.frame == frame else { return }
        firstToFinish = first
        isFinishUnknown = first == nil
    }

    override func closed(_ step: TCPEvent.Step, _ direction: Direction, frame: Int) {
        let before = phase
        super.closed(step, direction, frame: frame)
        // Any connection may carry any RTMPT request, so the end of one does not end the session.
        if isTunneled, teardownMark == nil { phase = before }
        if step == .reset { resetBy = (direction, frame) }
        closeTime = closeTime ?? latestTime
    }

    override func take(_ message: any Message, _ context: MessageContext, _ outlet: SessionOutlet) {
        if let message = RTMPMessage(message) {
            take(message, context, outlet)
        } else if let part = message as? RTMPHandshakePart {
            take(part, context, outlet)
        } else {
            super.take(message, context, outlet)
        }
    }

    override func observe(_ remarks: [Remark], at place: EventContext) { marks.note(remarks, place) }

    override func finish(at frame: FrameInfo, _ outlet: SessionOutlet) {
        endAllTracks()
        endTaken(outlet)
        let forgotten = forgotten + pings.forgotten
        if forgotten > 0 { outlet.reach("limit.requests", times: forgotten, of: self) }
        if forgottenStatuses > 0 { outlet.reach("limit.statuses", times: forgottenStatuses) }
        if hiddenOddities > 0 { outlet.reach("limit.oddMessages", times: hiddenOddities) }
    }

    override func keepsPhase(throughConnectionOf flow: FlowState) -> Bool { flows.first != flow.id }

    override func outcome() -> [Text] { outcomeTexts() }

    override func causes() -> [Cause] { foundCauses() }

    override func peers() -> [Text] {
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

    /// Whether everything after the handshake is encrypted (RTMPE).
    var isEncrypted: Bool {
        handshake[.s0]?.part.isEncrypting ?? handshake[.c0]?.part.isEncrypting ?? false
    }

    /// Whether the number of octets sent by each side is unknown: the capture starts late, or the transport is HTTP.
    var isCountUncertain: Bool { completeness.startsLate || isTunneled }

    /// Returns whether a media message is shown because of irregular chunks, up to a limit. An unneeded extended
    /// timestamp is shown once per side, since such senders write it in all messages.
    func showsOddity(of message: RTMPMessage, _ sender: Direction) -> Bool {
        guard message.framing.isOdd else {
            guard message.framing.isExtendedNeedlessly, message.framing.format != 3 else { return false }
            return needlesslyExtended.insert(sender).inserted
        }
        oddMessages += 1
        return oddMessages <= limits[RTMPLimits.self].oddMessages
    }

    /// Returns the accounting of one side.
    func account(_ sender: Direction) -> RTMPAccount {
        sender == .clientToServer ? fromClient : fromServer
    }

    /// Masks stream names and tokens in a text of the session.
    func hide(_ text: String, _ secrets: SecretPolicy) -> String {
        RTMPSecrets.hide(text, streamKeys, secrets)
    }

    /// Masks what may be a key in the name or URL of the application.
    func hide(application text: String, _ secrets: SecretPolicy) -> String {
        RTMPSecrets.hide(application: text, streamKeys, secrets)
    }

    /// Returns the text of a peer as an argument, as a secret if it contains a stream name.
    ///
    /// - Parameter code: The code of the status that contains the text. Any text may be an uncaptured stream name.
    func spoken(_ words: String, about code: String? = nil) -> Text.Argument {
        let isHeard = !mayLackName || words.isEmpty
        if !isHeard, RTMPSecrets.isAboutStream(code: code) { return .secret(words) }
        return hide(words, .masked) == SecretPolicy.masked.apply(text: words) ? .string(words) : .secret(words)
    }
}

// MARK: - Steps

extension RTMPSession {
    /// Records a part of the handshake.
    func observe(_ part: RTMPHandshakePart, _ event: inout Event) {
        var taken = handshakeParts.take()
        taken.add(part, Mark(event))
        handshakeParts.put(consume taken)
        if phase == .connect { phase = .handshake }
        event.phase = .handshake
    }

    /// Counts a message; `octets` were sent by its side up to its end, `other` by the other side.
    func count(_ direction: Direction, _ octets: Int, other: Int) {
        traffic.count(direction, octets, other)
    }

    /// The octets and messages of both sides.
    private struct Traffic {
        var client = RTMPAccount()
        var server = RTMPAccount()
        var messages = 0
        var messagesOfClient = 0

        @inline(__always)
        mutating func count(_ direction: Direction, _ octets: Int, _ other: Int) {
            messages &+= 1
            if direction == .clientToServer {
                messagesOfClient &+= 1
                client.sent(octets)
                server.sent(other)
            } else {
                server.sent(octets)
                client.sent(other)
            }
        }
    }

    /// Processes a message other than media; returns the exchange that it answers.
    func observe(_ message: RTMPMessage, _ event: inout Event) -> Event.Exchange? {
        if phase == .connect || phase == .handshake, handshake.isEmpty { phase = .media }
        defer { if event.phase == nil { event.phase = phase } }
        // Control messages carry no stream keys.
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
        case .setChunkSize(let size):
            marks.announce(size, event.frame, event.time, isClients: event.direction == .clientToServer)
        case .userControl(let control): return pings.observe(control, message, event, most: limits.outstandingRequests)
        default: break
        }
        return nil
    }

    private func metadata(_ data: RTMPCommand) {
        if let program = data.metadata?.encoder, !program.isEmpty { encoder = program }
    }
}
