package import WeirEngine
package import WeirPackets

/// Dissects WebSocket (RFC 6455) on a connection upgraded from HTTP, or one whose upgrade was not captured.
///
/// Message payloads are dissected as the flow's carried protocol.
package struct WebSocketDissector: Dissector {
    /// Name, transports and recognition.
    package static let descriptor = DissectorDescriptor(
        name: "websocket", carriers: [.tcp],
        recognition: "an HTTP upgrade; if it was not captured, several consecutive frames, fewer with text"
    )

    private let limitsReference: LimitsReference
    private let messageBudget: SharedOctetBudget
    private var upgrade: WebSocketUpgrade?
    private var isOpen: Bool
    /// Whether the client's first octets may be the upgrade request, captured after its response.
    private var mayRequest: Bool
    /// The upgrade request whose response may be captured after the client's first frames.
    private var unanswered: HTTPMessage?
    private var fromClient: WebSocketSide
    private var fromServer: WebSocketSide

    /// Creates a dissector of a connection, configured by its upgrade.
    package init(flow: FlowContext) {
        limitsReference = flow.limitsReference
        messageBudget = flow.messageBudget
        upgrade = WebSocketUpgrade(flow.preface)
        isOpen = upgrade == nil
        mayRequest = upgrade?.hasRequest == false
        unanswered = upgrade == nil ? flow.preface.lazy.compactMap { $0 as? HTTPMessage }.last : nil
        let isKnown = upgrade != nil || !flow.startsLate && unanswered == nil
        let parameters = upgrade?.compression
        fromClient = WebSocketSide(
            .clientToServer, flow, isSynchronized: isKnown || unanswered != nil,
            inflater: Self.inflater(isKnown, parameters, "client_no_context_takeover"))
        fromServer = WebSocketSide(
            .serverToClient, flow, isSynchronized: isKnown,
            inflater: Self.inflater(isKnown, parameters, "server_no_context_takeover"))
    }

    /// Returns the decompressor of a direction (RFC 7692 §7.1.1). If the upgrade was not captured, a message may refer
    /// to earlier ones.
    private static func inflater(_ isKnown: Bool, _ parameters: [String]?, _ word: String) -> Inflater? {
        guard let parameters else { return isKnown ? nil : Inflater(keepsWindow: true) }
        return Inflater(keepsWindow: !parameters.contains(word))
    }

    /// None: a connection that is captured from its start begins as HTTP.
    package static func firstOctets(onUsualPort isUsual: Bool) -> FirstOctets { FirstOctets() }

    /// Recognizes a connection whose start was not captured; all others start as HTTP.
    package static func probe(_ opening: borrowing FirstBytes) -> ProbeAnswer {
        guard opening.flow.startsLate else { return .no }
        return WebSocketChain.probe(opening)
    }

    /// Dissects all complete frames.
    package mutating func read(
        _ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet
    ) throws(DissectionError) -> Int {
        if !isOpen, let upgrade {
            isOpen = true
            outlet.message(upgrade, 0..<0)
        }
        var offset = mayRequest && direction == .clientToServer ? requests(bytes, outlet) : 0
        if mayRequest, direction == .clientToServer { return offset }
        if direction == .serverToClient, let request = unanswered {
            offset = answer(to: request, bytes, outlet)
            if unanswered != nil { return offset }
        }
        var side = direction == .clientToServer ? fromClient : fromServer
        defer { if direction == .clientToServer { fromClient = side } else { fromServer = side } }
        let count = bytes.byteCount
        let ignored = min(side.ignored, count &- offset)
        side.ignored &-= ignored
        offset &+= ignored
        side.awaited = 0
        while offset < count {
            if !side.isSynchronized {
                guard let start = WebSocketChain.start(bytes, from: offset, isMasked: direction == .clientToServer)
                else {
                    outlet.need(side.searches.note(count &- offset))
                    break
                }
                offset = start
                side.synchronize()
            }
            guard let frame = WebSocketFrame(bytes, at: offset) else { break }
            guard side.believes(frame) else {
                // The search result was wrong.
                side.miss(0, messageBudget)
                offset &+= 1
                continue
            }
            let end = offset &+ frame.octets
            guard end <= count else {
                side.awaited = end &- count
                if frame.octets > limitsReference.values.messageOctets {
                    // Too long to buffer: counted, and skipped.
                    let firstFrame = outlet.frame(at: offset)
                    if let message = side.skipOver(frame, limitsReference.values, messageBudget, firstFrame) {
                        emit(message, offset..<count, side.direction, outlet)
                    }
                    offset = count
                } else {
                    outlet.need(frame.octets)
                }
                break
            }
            take(frame, bytes, offset..<end, &side, outlet)
            offset = end
        }
        return offset
    }

    /// Returns the length of requests that were captured after their responses; the last of them is the upgrade. No
    /// frame starts with the letters of a method: the first octet would contain a reserved opcode (RFC 6455 §5.2).
    private mutating func requests(_ bytes: RawSpan, _ outlet: Outlet) -> Int {
        var offset = 0
        while mayRequest, offset < bytes.byteCount {
            guard HTTPOpening.isStart(bytes, at: offset) else {
                mayRequest = false
                break
            }
            var reader = HTTPReader(limitsReference)
            guard let step = reader.next(bytes, at: offset) else { break }
            guard case .head(var message) = step.item, reader.left == 0, reader.framing != .chunked else {
                // Search for the end of its body.
                mayRequest = false
                fromClient.miss(0, messageBudget)
                break
            }
            if HTTPInterest.asksForWebSocket(message) {
                message.note = Text("http.upgrade")
                outlet.message(message, offset..<offset &+ step.used)
                mayRequest = false
            }
            offset &+= step.used
        }
        return offset
    }

    /// Returns the length of the upgrade response if it was captured after frames of the client. No frame starts with
    /// the letters of HTTP: the first octet would contain a reserved opcode (RFC 6455 §5.2).
    private mutating func answer(to request: HTTPMessage, _ bytes: RawSpan, _ outlet: Outlet) -> Int {
        var reader = HTTPReader(limitsReference)
        guard HTTPOpening.isStart(bytes, at: 0) else {
            unanswered = nil
            return 0
        }
        guard let step = reader.next(bytes, at: 0) else { return 0 }
        unanswered = nil
        guard case .head(var message) = step.item, HTTPInterest.becomesWebSocket(message) else { return 0 }
        message.note = Text("http.upgraded")
        message.offeredSubprotocols = HTTPDissector.subprotocols(request)
        outlet.message(message, 0..<step.used)
        if let agreed = WebSocketUpgrade([request, message]) { outlet.message(agreed, 0..<step.used) }
        fromServer.synchronize()
        return step.used
    }

    private func take(
        _ frame: WebSocketFrame, _ bytes: RawSpan, _ range: Range<Int>, _ side: inout WebSocketSide, _ outlet: Outlet
    ) {
        let limits = limitsReference.values
        guard let message = side.take(frame, bytes, range, limits, messageBudget, outlet) else { return }
        emit(message, range, side.direction, outlet)
    }

    private func emit(
        _ message: WebSocketSide.Ended, _ range: Range<Int>, _ direction: Direction, _ outlet: Outlet
    ) {
        outlet.message(message.description, range)
        guard message.isData else { return }
        if message.isTooLong { outlet.remark(Remark(Text("limit.body"))) }
        if message.isTooExpansive { outlet.remark(Remark(Text("limit.expansion"))) }
        guard let octets = message.octets else {
            return outlet.carriedGap(direction, octets: message.description.wireLength)
        }
        var carried = CarriedMessage(
            octets, direction, in: Carriage(protocolName: "websocket", contentType: upgrade?.subprotocol),
            firstFrame: message.description.firstFrame, range: message.place)
        carried.place = outlet.place(endingAt: range.upperBound)
        outlet.carried(carried)
    }

    /// True: chains of frames mark the start.
    package static var findsStarts: Bool { true }

    /// Returns the start of a frame that is followed by another.
    package func resynchronize(_ bytes: RawSpan, from start: Int, _ direction: Direction) -> Int? {
        WebSocketChain.start(bytes, from: start, isMasked: direction == .clientToServer)
    }

    /// Discards the pending message. If only octets of one frame are missing, the start of the next one is known.
    package mutating func gap(_ direction: Direction, octets: Int, _ outlet: Outlet) {
        var side = direction == .clientToServer ? fromClient : fromServer
        if direction == .clientToServer { mayRequest = false }
        side.miss(octets, messageBudget)
        if direction == .clientToServer { fromClient = side } else { fromServer = side }
        outlet.carriedGap(direction, octets: octets)
    }

    /// Records how many octets of the pending frame are missing.
    package mutating func readCut(_ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet) {
        var side = direction == .clientToServer ? fromClient : fromServer
        guard side.isSynchronized, let frame = WebSocketFrame(bytes) else { return }
        side.awaited = max(0, frame.octets &- bytes.byteCount)
        if direction == .clientToServer { fromClient = side } else { fromServer = side }
    }
}
