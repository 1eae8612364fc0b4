import WeirEngine
import WeirPackets

/// An SRT connection: handshake, data in both directions, shutdown.
final class SRTSession: Session {
    /// What the handshakes said; the caller is the sender of requests.
    struct Setup {
        var inductions = 0
        var firstInduction = 0
        var lastInduction = 0
        var isAnswered = false
        var isEstablished = false
        var isRendezvous = false
        var request: SRTHandshake?
        var requestFrame: Int?
        var response: SRTHandshake?
        var rejection: (code: UInt32, frame: Int)?
        var keyFailure: (state: SRTKeyMaterial.State, frame: Int)?
        var startTime: Timestamp?
        var endTime: Timestamp?
        /// Whether there is anything but handshakes and shutdowns, so that the connection was established.
        var hasOthers = false
        var conclusions = SRTConclusions()
    }

    private(set) var setup = Setup()
    private(set) var sending: (client: SRTStream?, server: SRTStream?)
    private var counts: (client: Int, server: Int) = (0, 0)
    private(set) var shutdown: (direction: Direction, frame: Int, time: Timestamp)?
    /// The first report that a port is closed.
    private(set) var refusal: (endpoint: Endpoint, frame: Int)?
    private var keys: SRTKeys?
    private(set) var checks = SRTChecks()
    private(set) var silence = SRTSilence()
    /// The socket IDs of both sides.
    private var sockets: Set<UInt32> = []
    /// The handshakes sent so far, by direction and type; the repetitions are of these.
    private var handshakes: Set<Int> = []
    private var tap: (any PieceTap)?

    override class var kind: String { "srt" }

    required init(_ context: SessionContext) {
        tap = context.outlet.shared(PieceTaps.self).tap
        keys = SRTKeys(context.outlet.options.limits[SRTSettings.self])
        super.init(context)
    }

    /// Returns the session of a packet: connections on the same ports follow each other, or are told apart by their socket
    /// IDs.
    override class func choose(
        for message: any Message, on flow: FlowState, _ outlet: SessionOutlet
    ) -> SessionChoice {
        guard let packet = message as? SRTPacket, let latest = flow.latestSession as? SRTSession else {
            return .byFlowOrName
        }
        if latest.isFollowed(by: packet) { return .new }
        guard packet.socket != 0, !latest.sockets.contains(packet.socket), let previous = latest.previous,
            previous.sockets.contains(packet.socket)
        else { return .known(latest) }
        return .known(previous)
    }

    /// The session on the same ports before this one, which may still be open.
    private weak var previous: SRTSession?

    /// Whether a packet is the first of another connection: a request of a new socket, after this one was established or
    /// closed.
    private func isFollowed(by packet: SRTPacket) -> Bool {
        guard case .handshake(let handshake) = packet.content, !sockets.isEmpty, !sockets.contains(handshake.socket)
        else { return false }
        switch handshake.kind {
        case .induction: return handshake.isCallers == true && (setup.isEstablished || shutdown != nil)
        case .waveAHand: return shutdown != nil
        default: return false
        }
    }

    private subscript(_ direction: Direction) -> SRTStream? {
        _read { yield direction == .clientToServer ? sending.client : sending.server }
        _modify {
            if direction == .clientToServer { yield &sending.client } else { yield &sending.server }
        }
    }

    override func take(_ message: any Message, _ context: MessageContext, _ outlet: SessionOutlet) {
        guard var packet = message as? SRTPacket else { return super.take(message, context, outlet) }
        let place = context.at
        let isOfFilter = isOfFilter(packet, place.direction)
        if !isOfFilter { checks.take(packet, at: place) }
        silence.take(place)
        switch packet.content {
        case .handshake(let handshake):
            enter(.srtHandshake)
            if sockets.isEmpty { previous = context.flow.sessions.dropLast().last as? SRTSession }
            packet.isRepetition = isRepeated(handshake, place.direction)
            if let material = handshake.keys { take(material, at: place, isHandshake: true) }
            take(handshake, to: packet.socket, at: place)
        case .data(let data) where isOfFilter: self[place.direction]?.countFilterPacket(data)
        case .data(let data): take(data, packet.timestamp, at: place, outlet)
        case .ack(let ack): self[place.direction.opposite]?.take(ack, at: place)
        case .nak(let ranges): self[place.direction.opposite]?.take(lost: ranges, at: place.time)
        case .dropRequest(_, let first, let last): self[place.direction]?.takeDropRequest(first: first, last: last)
        case .keyExchange(let material):
            take(material, at: place, isHandshake: false)
            note(material, frame: place.frame)
        case .shutdown:
            enter(.close)
            if shutdown == nil { shutdown = (place.direction, place.frame, place.time) }
        case .keepAlive, .ackAck, .congestionWarning, .peerError, .other: break
        }
        switch packet.content {
        case .handshake, .shutdown: break
        default: setup.hasOthers = true
        }
        guard !packet.isShownWithPacketsOnly || outlet.options.packets else { return }
        var event = outlet.event(packet, context)
        event.stream = stream(of: packet, place.direction)
        outlet.emit(event, self)
    }

    /// The stream that a packet belongs to: loss reports are about that of the other direction.
    private func stream(of packet: SRTPacket, _ direction: Direction) -> Int? {
        switch packet.content {
        case .data, .dropRequest: self[direction]?.id
        case .nak, .ack: self[direction.opposite]?.id
        default: nil
        }
    }

    /// Returns whether a data packet is one of the packet filter, which repairs loss with redundant packets: these have
    /// the message number 0, and repeat the sequence number of a packet that they protect.
    private func isOfFilter(_ packet: SRTPacket, _ direction: Direction) -> Bool {
        guard case .data(let data) = packet.content, data.message == 0 else { return false }
        return hasFilter || self[direction]?.isBehind(data.sequence) == true
    }

    /// The flag of the handshake extension by which both sides mark retransmissions (§3.2.1.1.1).
    private static let retransmissionFlag: UInt32 = 0x20

    /// Whether retransmissions are marked, as far as the handshakes show.
    private var marksRetransmissions: Bool {
        [setup.request, setup.response].compactMap { $0?.parameters?.flags }.allSatisfy {
            $0 & Self.retransmissionFlag != 0
        }
    }

    /// Whether a packet filter was agreed on.
    private var hasFilter: Bool { setup.request?.filter != nil || setup.response?.filter != nil }

    /// The socket IDs and handshakes that are remembered.
    private static let mostRemembered = 16

    /// Records a handshake, and returns whether its side sent the same before.
    private func isRepeated(_ handshake: SRTHandshake, _ direction: Direction) -> Bool {
        if handshake.socket != 0, sockets.count < Self.mostRemembered { sockets.insert(handshake.socket) }
        guard handshakes.count < Self.mostRemembered else { return false }
        var hasher = Hasher()
        hasher.combine(direction)
        hasher.combine(handshake.kind)
        hasher.combine(handshake.socket)
        hasher.combine(handshake.cookie)
        hasher.combine(handshake.extensions)
        return !handshakes.insert(hasher.finalize()).inserted
    }

    private func take(_ handshake: SRTHandshake, to socket: UInt32, at place: EventContext) {
        if setup.startTime == nil { setup.startTime = place.time }
        let isFromClient = place.direction == .clientToServer
        if isFromClient {
            setup.conclusions.take(request: handshake, to: socket, at: place)
        } else {
            setup.conclusions.take(response: handshake, at: place)
        }
        switch handshake.kind {
        case .induction where isFromClient:
            setup.inductions += 1
            if setup.inductions == 1 { setup.firstInduction = place.frame }
            setup.lastInduction = place.frame
        case .induction: setup.isAnswered = true
        case .waveAHand: setup.isRendezvous = true
        case .conclusion, .agreement, .done:
            setup.isAnswered = setup.isAnswered || !isFromClient || setup.isRendezvous
            if handshake.parameters?.isResponse == true {
                setup.response = handshake
                establish(at: place.time)
            } else if handshake.parameters != nil {
                setup.request = handshake
                setup.requestFrame = place.frame
                noteSubject()
            }
            if handshake.kind == .agreement { establish(at: place.time) }
        case .rejection(let code):
            setup.isAnswered = true
            if setup.rejection == nil { setup.rejection = (code, place.frame) }
        }
        if let keys = handshake.keys { note(keys, frame: place.frame) }
    }

    private func establish(at time: Timestamp) {
        setup.isEstablished = true
        if setup.endTime == nil { setup.endTime = time }
    }

    private func note(_ keys: SRTKeyMaterial, frame: Int) {
        guard let state = keys.state, setup.keyFailure == nil,
            [.noSecret, .badSecret, .badCryptoMode].contains(state)
        else { return }
        setup.keyFailure = (state, frame)
    }

    private func take(_ material: SRTKeyMaterial, at place: EventContext, isHandshake: Bool) {
        guard keys != nil else { return }
        keys?.take(material, of: place.direction, isHandshake: isHandshake)
    }

    /// Decrypts a packet whose key is known.
    private func decrypted(_ data: SRTPacket.Payload, _ direction: Direction) -> SRTPacket.Payload {
        guard let keys, data.key != 0, data.octets.count == data.length,
            let octets = keys.decrypt(data, of: direction)
        else { return data }
        if let source = keys.source { note(decryptedWith: source) }
        var data = data
        data.octets = octets
        data.isDecrypted = true
        return data
    }

    /// The latency agreed, the greater of both sides' (§4.3.1.2.2), in milliseconds.
    var latency: Int? {
        guard let response = setup.response?.parameters, response.isTimed else { return nil }
        return Int(max(response.receiverDelay, response.senderDelay))
    }

    private func take(
        _ data: SRTPacket.Payload, _ timestamp: UInt32, at place: EventContext, _ outlet: SessionOutlet
    ) {
        enter(.media)
        setup.isEstablished = true
        let data = decrypted(data, place.direction)
        if self[place.direction] == nil {
            var stream = SRTStream(outlet.newStream(), data, timestamp, at: place, outlet.options.limits)
            stream.latency = latency
            stream.hasFilter = hasFilter
            stream.marksRetransmissions = marksRetransmissions
            self[place.direction] = stream
            add(stream: stream.id)
            let isLate = setup.startTime == nil
            emit(SRTStreamEvent(isEnd: false, sequence: data.sequence, isLate: isLate), stream.id, place, outlet)
        }
        guard let payloads = self[place.direction]?.take(data, timestamp, at: place), let tap else { return }
        pass(payloads, of: place.direction, to: tap)
    }

    private func pass(_ payloads: [[UInt8]], of direction: Direction, to tap: any PieceTap) {
        guard let stream = self[direction], stream.transportStream != nil else { return }
        for octets in payloads {
            tap.take(MediaPiece(stream: stream.id, file: stream.id, encoding: "MP2T", ending: "ts", octets: octets))
        }
    }

    private func emit(_ message: SRTStreamEvent, _ stream: Int, _ place: EventContext, _ outlet: SessionOutlet) {
        var event = outlet.event(message, at: place)
        event.stream = stream
        outlet.emit(event, self)
    }

    /// Records that nothing is listening on the port of the server.
    override func noteUnreachable(
        _ endpoint: Endpoint, at time: Timestamp, isRefusal: Bool
    ) -> (purpose: String, isFirst: Bool)? {
        guard isRefusal else { return nil }
        return ("SRT", refusal == nil)
    }

    override func observe(_ error: ICMPEvent, frame: Int) {
        if refusal == nil { refusal = (error.quotedDestination, frame) }
    }

    override func finish(at frame: FrameInfo, _ outlet: SessionOutlet) {
        checks.finish()
        for direction in [Direction.clientToServer, .serverToClient] {
            guard let place = self[direction]?.last else { continue }
            let rest = self[direction]?.deliver(at: place, all: true) ?? []
            if let tap { pass(rest, of: direction, to: tap) }
            guard let stream = self[direction] else { continue }
            tap?.end(piecesOf: stream.id, lacksOctets: false)
            if stream.isLimited { outlet.reach("limit.srt.missingPackets", of: self) }
            if stream.transportStream?.hasMore == true { outlet.reach("limit.programs") }
            emit(
                SRTStreamEvent(isEnd: true, sequence: 0, packets: stream.packets, seconds: stream.seconds), stream.id,
                place, outlet)
            let isTransportStream = stream.transportStream != nil
            outlet.emit(
                StreamRecord(
                    id: stream.id, kind: "srt", flow: place.flow, direction: direction, source: place.source,
                    destination: place.destination, session: id, mediaType: isTransportStream ? "video" : "data",
                    encoding: isTransportStream ? "MP2T" : nil, startTime: stream.startTime, endTime: place.time,
                    lastFrame: place.frame, sawDrops: outlet.sawDrops(since: stream.startTime), details: stream),
                self)
            if direction == .clientToServer { counts.client = stream.packets } else { counts.server = stream.packets }
        }
    }

    override func subject(_ secrets: SecretPolicy) -> String? { setup.request?.streamID?.text(secrets) }

    override func facts(_ secrets: SecretPolicy) -> [Field] {
        var facts: [Field] = []
        if setup.inductions > 0 || setup.isRendezvous || setup.request != nil {
            facts.add("mode", setup.isRendezvous ? "rendezvous" : "caller")
        }
        facts.add("streamId", setup.request?.streamID?.text(secrets))
        facts.add("callerVersion", setup.request?.parameters?.release)
        facts.add("listenerVersion", setup.response?.parameters?.release)
        facts.add(
            "requestedLatencyMs",
            setup.request?.parameters.flatMap { $0.isTimed ? Int(max($0.receiverDelay, $0.senderDelay)) : nil })
        facts.add("latencyMs", latency)
        facts.add("latencyPerRtt", [sending.client, sending.server].compactMap { $0?.latencyPerRoundTrip }.min())
        facts.add("keyLength", setup.request?.keys?.keyLength)
        facts.add("setupTimeMs", setupTime)
        facts.add("rejectionCode", setup.rejection.map { Int($0.code) })
        return facts
    }

    private var setupTime: Double? {
        guard let start = setup.startTime, let end = setup.endTime else { return nil }
        return end.seconds(since: start) * 1_000
    }

    override var isTornDown: Bool { shutdown != nil }
    override var worksWithoutMedia: Bool { setup.isEstablished }

    /// Repetitions of the induction request after which an answer is overdue; libsrt sends one every 250 ms.
    private static let overdue = 4

    /// Whether the caller received no answer: otherwise it would have gone on, also in a capture of its packets alone.
    var hasNoAnswer: Bool {
        (setup.inductions >= Self.overdue || refusal != nil && setup.inductions > 0) && !setup.isAnswered
            && setup.request == nil && !setup.isEstablished
    }

    /// Whether the listener answered the induction, but no conclusion request, and nothing shows that it went on.
    var hasNoConclusion: Bool {
        setup.conclusions.areUnanswered && !setup.isEstablished && !setup.isRendezvous && !setup.hasOthers
            && !completeness.hasDrops
    }

    override func outcome() -> [Text] {
        if let rejection = setup.rejection {
            return [
                Text(
                    "outcome.srt.rejected", .integer(Int(rejection.code)),
                    .string(SRTHandshake.reason(rejection.code)))
            ]
        }
        if hasNoAnswer { return [Text("outcome.srt.noAnswer", .integer(setup.inductions))] }
        var lines: [Text] = []
        if counts.client + counts.server > 0 {
            lines.append(Text("outcome.srt.data", .integer(counts.client), .integer(counts.server)))
        } else if setup.isEstablished {
            lines.append(Text("outcome.srt.idle"))
        } else if hasNoConclusion {
            lines.append(Text("outcome.srt.noConclusion", .integer(setup.conclusions.count)))
        } else if shutdown != nil, !setup.hasOthers, silence.unseen == nil {
            lines.append(Text("outcome.srt.notConnected"))
        } else {
            lines.append(Text("outcome.srt.unfinished"))
        }
        if let silent { lines.append(silent.outcome) }
        if counts.client + counts.server > 0, let side = silence.unseen {
            lines.append(Text(side == .clientToServer ? "outcome.srt.noneOfClient" : "outcome.srt.noneOfServer"))
        }
        if setup.keyFailure != nil { lines.append(Text("outcome.srt.undecryptable")) }
        if let shutdown {
            let isClient = shutdown.direction == .clientToServer
            lines.append(Text(isClient ? "outcome.srt.closedByClient" : "outcome.srt.closedByServer"))
        }
        return lines
    }

    override func causes() -> [Cause] { foundCauses }
}

extension Phase {
    /// The handshake.
    static let srtHandshake: Phase = "srtHandshake"
}
