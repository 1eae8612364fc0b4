package import WeirEngine
package import WeirPackets

/// Dissects HTTP/1.1 connections and reports what relates to streaming: upgrades to WebSocket, and bodies with
/// descriptions, candidates or signaling. Other messages are not reported unless every packet is shown.
///
/// Bodies are dissected by others: each message is passed to the flow's carried conversation, and a transport stream, if
/// every packet is shown or media is extracted, as it arrives.
package struct HTTPDissector: Dissector {
    /// The name, carriers and recognition of the dissector.
    package static let descriptor = DissectorDescriptor(
        name: "http", carriers: [.tcp],
        recognition: "HTTP/1 request or response; reported if it leads to WebSocket, or carries SDP or signaling")

    /// A pending request.
    private struct Exchange {
        var request: HTTPMessage
        var range: Range<Int>
        var place: ReadingPlace?
        /// Whether the request was reported or passed on.
        var isReported: Bool
        var asksForWebSocket: Bool
    }

    private let limitsReference: LimitsReference
    private var limits: Limits { _read { yield limitsReference.values } }
    private let signalsAll: Bool
    private var fromClient: HTTPSide
    private var fromServer: HTTPSide
    private var exchanges: [Exchange] = []
    /// Whether responses can be matched to requests.
    private var isPaired = true
    /// A WebSocket upgrade request whose response may not be captured.
    private var unanswered: HTTPMessage?
    /// The path of the latest resource that the server created for an offer.
    private var resource: String?
    /// Whether the current request was already answered: servers reject some before their end, and the rest of others
    /// is missing.
    private var isAnswered = false
    private var expansion: ExpansionBudget
    /// Number of consecutive exchanges unrelated to streaming.
    private var idleExchanges = 0
    private var hasReported = false

    /// Creates a dissector for one connection.
    package init(flow: FlowContext) {
        limitsReference = flow.limitsReference
        signalsAll = flow.showsPackets || flow.keepsMedia
        expansion = ExpansionBudget(flow)
        fromClient = HTTPSide(flow)
        fromServer = HTTPSide(flow)
        fromClient.isLost = flow.startsLate
        fromServer.isLost = flow.startsLate
    }

    /// True: most HTTP is unrelated to streaming.
    package static var isQuiet: Bool { true }

    /// The first letters of the methods and of a response.
    package static func firstOctets(onUsualPort isUsual: Bool) -> FirstOctets { FirstOctets(ascii: "GPDOH") }

    /// Recognizes a request, or a response if the request is not captured. Connections that close after one request are
    /// ignored unless every packet is shown.
    package static func probe(_ opening: borrowing FirstBytes) -> ProbeAnswer {
        let isClients = opening.client.byteCount > 0
        let answer = look(isClients ? opening.client : opening.server, isClients: isClients, opening.flow)
        guard case .no = answer, opening.flow.startsLate else { return answer }
        // The capture starts within a message; a later segment starts with the next one.
        for start in opening.clientStarts {
            if case .yes = look(opening.client.clamped(start), isClients: true, opening.flow) { return .yes }
        }
        for start in opening.serverStarts {
            if case .yes = look(opening.server.clamped(start), isClients: false, opening.flow) { return .yes }
        }
        let known = max(opening.client.byteCount, opening.server.byteCount)
        return known < opening.flow.limits.probeOctets ? .needMore : .no
    }

    private static func look(_ bytes: RawSpan, isClients: Bool, _ flow: FlowContext) -> ProbeAnswer {
        guard let head = HTTPOpening(bytes) else { return .no }
        guard head.isComplete else { return bytes.byteCount < flow.limits.probeOctets ? .needMore : .no }
        let fetches = bytes.byte(at: 0) == UInt8(ascii: "G") || bytes.byte(at: 0) == UInt8(ascii: "H")
        if isClients, fetches, head.closes, !head.upgrades, !flow.showsPackets, !flow.keepsMedia, !flow.isKnownServer {
            return .no
        }
        guard case .head(let message)? = HTTPReader.head(bytes, limits: flow.limits) else { return .no }
        return message.isRequest == isClients ? .yes : .no
    }

    /// Reads as much as is available.
    package mutating func read(
        _ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet
    ) throws(DissectionError) -> Int {
        var offset = 0
        if direction == .clientToServer, becomesWebSocket(bytes, outlet) { return 0 }
        // The response decides how data after an upgrade request is read.
        while !(direction == .clientToServer && waitsForUpgrade) {
            let method = direction == .serverToClient ? exchanges.first?.request.method : nil
            let start = offset
            guard let step = self[direction].reader.next(bytes, at: offset, answering: method) else { break }
            offset &+= step.used
            switch step.item {
            case .head(let message):
                let keeps = keepsBody(message, direction)
                self[direction].begin(message, start, outlet, keeps: keeps)
            case .content(let range):
                self[direction].keep(bytes, range, outlet)
                if signalsAll { self[direction].passTransportStream(bytes, range, outlet) }
            case .end:
                let ended = self[direction].end(offset)
                if complete(ended, direction, outlet) { return offset }
            case .malformed(let reason): return giveUp(reason, bytes.byteCount, outlet)
            }
            if isIrrelevant(direction) {
                outlet.leave()
                return bytes.byteCount
            }
        }
        self[direction].used(offset)
        return offset
    }

    /// One side, modified in place: a copy would copy the current body.
    private subscript(direction: Direction) -> HTTPSide {
        _read { if direction == .clientToServer { yield fromClient } else { yield fromServer } }
        _modify { if direction == .clientToServer { yield &fromClient } else { yield &fromServer } }
    }

    private var waitsForUpgrade: Bool { exchanges.last?.asksForWebSocket ?? false }

    /// Switches to WebSocket if frames follow the client's request. A client sends frames only after the accepting
    /// response (RFC 6455 §4.1), so that response is missing from the capture, or comes later in it.
    private func becomesWebSocket(_ bytes: RawSpan, _ outlet: Outlet) -> Bool {
        let waiting = waitsForUpgrade ? exchanges.last?.request : unanswered
        guard let waiting, !fromClient.isLost, fromClient.reader.isAtHead, HTTPInterest.isClientFrame(bytes) else {
            return false
        }
        outlet.become(HTTPInterest.webSocket, agreement: [waiting])
        return true
    }

    /// Stops dissection. What was reported remains valid.
    private mutating func giveUp(_ reason: String, _ octets: Int, _ outlet: Outlet) -> Int {
        if hasReported {
            let isLimit = reason == HeaderBlock.tooLong
            outlet.remark(Remark(isLimit ? Text("limit.header") : Text("http.remark.malformed", .string(reason))))
        }
        outlet.leave()
        return octets
    }

    // MARK: - Messages

    private func keepsBody(_ message: HTTPMessage, _ direction: Direction) -> Bool {
        let mayFit =
            message.headers.first("content-length").flatMap { TextSyntax.decimal($0) }
            .map { $0 <= limits.messageOctets } ?? true
        return mayFit && (HTTPInterest.mayCarry(message) || (direction == .serverToClient && answersReported))
    }

    private var answersReported: Bool { exchanges.first?.isReported ?? false }

    /// Handles a complete message; returns true if the connection switches to another protocol.
    private mutating func complete(_ ended: HTTPSide.Ended?, _ direction: Direction, _ outlet: Outlet) -> Bool {
        guard let ended else { return false }
        if direction == .clientToServer {
            request(ended, outlet)
            return false
        }
        return answer(ended, outlet)
    }

    private mutating func request(_ ended: HTTPSide.Ended, _ outlet: Outlet) {
        let ended = hiding(ended)
        let message = ended.message
        guard exchanges.count < limits.outstandingRequests else {
            // Responses can no longer be matched to requests.
            if hasReported { outlet.remark(Remark(Text("limit.requests"))) }
            return outlet.leave()
        }
        var exchange = Exchange(
            request: message, range: ended.range, place: outlet.place, isReported: false,
            asksForWebSocket: HTTPInterest.asksForWebSocket(message))
        if exchange.asksForWebSocket {
            exchange.isReported = true
            emit(ended, "http.upgrade", outlet)
        } else if (!ended.content.isEmpty && HTTPInterest.mayCarry(message)) || HTTPInterest.isStep(message) {
            exchange.isReported = true
            hand(on: ended, [], .clientToServer, outlet)
        } else if signalsAll {
            emit(ended, nil, outlet)
        }
        if (isPaired && !isAnswered) || exchange.asksForWebSocket { exchanges.append(exchange) }
        isAnswered = false
    }

    /// Returns the message, marked if its URL is that of a resource created for one client (RFC 9725 §4.2).
    private mutating func hiding(_ ended: HTTPSide.Ended) -> HTTPSide.Ended {
        let location = ended.message.headers.first("location").map { HTTPMessage.path($0) }
        if ended.message.status == 201, HTTPInterest.mediaType(ended.message) == "application/sdp" {
            resource = location ?? resource
        }
        guard let resource, [location, ended.message.target.map { HTTPMessage.path($0) }].contains(resource) else {
            return ended
        }
        var ended = ended
        ended.message.hidesResource = true
        return ended
    }

    private mutating func answer(_ ended: HTTPSide.Ended, _ outlet: Outlet) -> Bool {
        let ended = hiding(ended)
        let message = ended.message
        let status = message.status ?? 0
        if exchanges.isEmpty, status >= 200, !fromClient.reader.isAtHead { isAnswered = true }
        // After a gap, only a response that switches protocols can be matched to its request.
        let exchange = isPaired || status == 101 ? exchanges.first : nil
        if status == 101 || (isPaired && status >= 200), !exchanges.isEmpty { exchanges.removeFirst() }
        if HTTPInterest.becomesWebSocket(message) {
            var ended = ended
            ended.message.offeredSubprotocols = Self.subprotocols(exchange?.request)
            emit(ended, "http.upgraded", outlet)
            outlet.become(HTTPInterest.webSocket, agreement: [exchange?.request, ended.message].compactMap { $0 })
            return true
        }
        if exchange?.asksForWebSocket ?? false {
            emit(ended, "http.notUpgraded", outlet)
        } else if let exchange, exchange.isReported {
            var ended = ended
            if status >= 400 { ended.message.refused = RefusedRequest(exchange.request) }
            hand(on: ended, [], .serverToClient, request: exchange.request, outlet)
        } else if (!ended.content.isEmpty && HTTPInterest.mayCarry(message)) || HTTPInterest.isStep(message) {
            let request = exchange.flatMap { exchange in
                signalsAll ? nil : EnclosingMessage(exchange.request, exchange.range, at: exchange.place)
            }
            hand(on: ended, [request].compactMap { $0 }, .serverToClient, request: exchange?.request, outlet)
        } else {
            if signalsAll { emit(ended, nil, outlet) }
            idleExchanges &+= 1
            // A tunnel through a proxy or an unknown protocol is no longer HTTP.
            if status == 101 || (exchange?.request.method == "CONNECT" && (200..<300).contains(status)) {
                outlet.leave()
            }
            return false
        }
        idleExchanges = 0
        return false
    }

    /// Returns the WebSocket subprotocols of a request (RFC 6455 §11.3.4).
    static func subprotocols(_ request: HTTPMessage?) -> [String] {
        (request?.headers.all("sec-websocket-protocol") ?? []).flatMap { TextSyntax.split($0, at: ASCII.comma) }
            .map { TextSyntax.trim($0) }.filter { !$0.isEmpty }
    }

    private mutating func emit(_ ended: HTTPSide.Ended, _ note: String?, _ outlet: Outlet) {
        hasReported = true
        var message = ended.message
        message.note = note.map { Text($0) }
        if let place = ended.place {
            outlet.message(EnclosingMessage(message, ended.range, at: place))
        } else {
            outlet.message(message, ended.range)
        }
    }

    /// Passes a message to the dissector that recognizes its content.
    private mutating func hand(
        on ended: HTTPSide.Ended, _ before: [EnclosingMessage], _ direction: Direction, request: HTTPMessage? = nil,
        _ outlet: Outlet
    ) {
        let codings = ended.message.headers.all("content-encoding")
        let limit = codings.isEmpty ? .max : expansion.allow(ended.content.count, upTo: limits.messageOctets)
        let decoded = HTTPContentCoding.decode(ended.content, codings, upTo: limit)
        if !codings.isEmpty {
            expansion.spend(decoded?.count ?? limit)
            if decoded == nil, limit < limits.messageOctets { outlet.remark(Remark(Text("limit.expansion"))) }
        }
        let octets = decoded ?? []
        var message = ended.message
        message.isUnpaired = !isPaired || (message.isRequest && isAnswered)
        var carried = CarriedMessage(
            octets, direction,
            in: Carriage(
                protocolName: "http", contentType: HTTPInterest.mediaType(ended.message),
                path: (message.isRequest ? message : request)?.target.map { HTTPMessage.path($0) }),
            enclosing: before + [EnclosingMessage(message, ended.range, at: ended.place)],
            firstFrame: ended.message.firstFrame, range: codings.isEmpty ? ended.contentRange : nil)
        carried.place = ended.place
        outlet.carried(carried)
    }

    // MARK: - Unrelated traffic

    /// Whether the connection has carried unrelated traffic for long enough to be ignored.
    private func isIrrelevant(_ direction: Direction) -> Bool {
        guard !signalsAll, !hasReported else { return false }
        let http = limits[HTTPLimits.self]
        return idleExchanges > http.idleExchanges
            || (!self[direction].keeps && self[direction].contentOctets > http.idleOctets)
    }

    /// Skips missing bytes: within a body the start of the next message stays known; otherwise it is searched for.
    package mutating func gap(_ direction: Direction, octets: Int, _ outlet: Outlet) {
        self[direction].spoil()
        self[direction].loseTransportStream(octets: octets, outlet)
        guard !self[direction].reader.skip(octets) else { return }
        self[direction].drop()
        self[direction].reader.restart()
        self[direction].isLost = true
        if direction == .serverToClient, waitsForUpgrade { unanswered = exchanges.last?.request }
        exchanges = []
        isPaired = false
        outlet.carriedGap(direction, octets: octets)
    }

    /// Stops matching responses to requests, which relies on their order alone, except for protocol switches.
    package mutating func disordered() {
        exchanges.removeAll { !$0.asksForWebSocket }
        isPaired = false
    }

    /// Returns the next start: any byte within a body, otherwise the first line of a message.
    package func resynchronize(_ bytes: RawSpan, from start: Int, _ direction: Direction) -> Int? {
        guard self[direction].isLost else {
            return start < bytes.byteCount ? start : nil
        }
        return HTTPOpening.firstStart(bytes, from: start)
    }

    /// Completes a body delimited by the end of the connection.
    package mutating func finish(_ outlet: Outlet) {
        guard let ended = fromServer.close() else { return }
        _ = complete(ended, .serverToClient, outlet)
    }
}

extension RefusedRequest {
    /// Creates the summary of `request`; returns nil if it is a response.
    init?(_ request: HTTPMessage) {
        guard let method = request.method else { return nil }
        self.method = method
        path = request.target.map { HTTPMessage.path($0) } ?? ""
        mediaType = HTTPInterest.mediaType(request)
        hasCredentials = request.headers.first("authorization") != nil
        firstFrame = request.firstFrame
    }
}
