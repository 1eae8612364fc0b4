package import WeirEngine
package import WeirPackets

/// Reads WebSocket (RFC 6455) from a connection that HTTP agreed to give up, or of which the capture lacks the beginning.
///
/// What messages carry is a conversation of its own: the flow's carried one.
package struct WebSocketDissector: Dissector {
    /// Name, carriers and how it is recognised.
    package static let descriptor = DissectorDescriptor(
        name: "websocket", carriers: [.tcp],
        recognition: "an upgrade in HTTP; where the capture lacks that, a chain of frames, a short one if there is text"
    )

    private let limitsReference: LimitsReference
    private let messageBudget: SharedOctetBudget
    private var upgrade: WebSocketUpgrade?
    private var isOpen: Bool
    /// Whether the client's first octets may be the request that the answer was to: the capture did not have it before.
    private var mayRequest: Bool
    /// The request of which the capture did not have the answer before: the server's first octets may be it.
    private var unanswered: HTTPMessage?
    private var fromClient: WebSocketSide
    private var fromServer: WebSocketSide

    /// Begins reading a connection, as the messages before it agreed.
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
            .clientToServer, flow, isSynchronised: isKnown || unanswered != nil,
            inflater: Self.inflater(isKnown, parameters, "client_no_context_takeover"))
        fromServer = WebSocketSide(
            .serverToClient, flow, isSynchronised: isKnown,
            inflater: Self.inflater(isKnown, parameters, "server_no_context_takeover"))
    }

    /// What decompresses a side's messages (RFC 7692 §7.1.1). Where the agreement was not seen, a message may refer to those
    /// before it.
    private static func inflater(_ isKnown: Bool, _ parameters: [String]?, _ word: String) -> Inflater? {
        guard let parameters else { return isKnown ? nil : Inflater(keepsWindow: true) }
        return Inflater(keepsWindow: !parameters.contains(word))
    }

    /// Recognises a connection of which the beginning was missed; all others begin as HTTP.
    package static func probe(_ opening: borrowing FirstBytes) -> ProbeAnswer {
        guard opening.flow.startsLate else { return .no }
        return WebSocketChain.probe(opening)
    }

    /// Reads as many frames as are complete.
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
            if !side.isSynchronised {
                guard let start = WebSocketChain.start(bytes, from: offset, isMasked: direction == .clientToServer)
                else {
                    outlet.need(side.searches.note(count &- offset))
                    break
                }
                offset = start
                side.synchronise()
            }
            guard let frame = WebSocketFrame(bytes, at: offset) else { break }
            guard side.believes(frame) else {
                // The search was mistaken.
                side.miss(0, messageBudget)
                offset &+= 1
                continue
            }
            let end = offset &+ frame.octets
            guard end <= count else {
                side.awaited = end &- count
                if frame.octets > limitsReference.values.messageOctets {
                    // Too long to be kept: it is counted, and passed over.
                    let firstFrame = outlet.frame(at: offset)
                    if let message = side.passOver(frame, limitsReference.values, messageBudget, firstFrame) {
                        tell(message, offset..<count, side.direction, outlet)
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

    /// Octets of requests, which stand behind their answers where the capture has packets in the wrong order; the last of
    /// them asks for WebSocket. No frame begins with the letters of a method: the first octet would have an opcode without a
    /// meaning (RFC 6455 §5.2).
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
                // Where its body ends is searched for.
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

    /// Octets of the answer that agrees on WebSocket, where it stands behind frames of the client. No frame begins with the
    /// letters of HTTP: the first octet would have an opcode without a meaning (RFC 6455 §5.2).
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
        fromServer.synchronise()
        return step.used
    }

    private func take(
        _ frame: WebSocketFrame, _ bytes: RawSpan, _ range: Range<Int>, _ side: inout WebSocketSide, _ outlet: Outlet
    ) {
        let limits = limitsReference.values
        guard let message = side.take(frame, bytes, range, limits, messageBudget, outlet) else { return }
        tell(message, range, side.direction, outlet)
    }

    private func tell(
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

    /// It does, by the chain of frames.
    package static var findsStarts: Bool { true }

    /// The start of a frame that leads to a further one.
    package func resynchronise(_ bytes: RawSpan, from start: Int, _ direction: Direction) -> Int? {
        WebSocketChain.start(bytes, from: start, isMasked: direction == .clientToServer)
    }

    /// Forgets the message at hand. When all that is missing belongs to one frame, the start of the next one is known.
    package mutating func gap(_ direction: Direction, octets: Int, _ outlet: Outlet) {
        var side = direction == .clientToServer ? fromClient : fromServer
        if direction == .clientToServer { mayRequest = false }
        side.miss(octets, messageBudget)
        if direction == .clientToServer { fromClient = side } else { fromServer = side }
        outlet.carriedGap(direction, octets: octets)
    }

    /// Takes note of how much of the frame at hand was still to come.
    package mutating func readCut(_ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet) {
        var side = direction == .clientToServer ? fromClient : fromServer
        guard side.isSynchronised, let frame = WebSocketFrame(bytes) else { return }
        side.awaited = max(0, frame.octets &- bytes.byteCount)
        if direction == .clientToServer { fromClient = side } else { fromServer = side }
    }
}
