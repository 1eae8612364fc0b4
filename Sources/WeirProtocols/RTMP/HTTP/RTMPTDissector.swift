package import WeirEngine
package import WeirPackets

/// Unwraps RTMPT: RTMP in the bodies of HTTP requests and responses, for networks that permit nothing else.
///
/// Not specified; introduced by Flash Player and Flash Media Server and documented by the Red5 developers. The client
/// sends a POST for `/open/1`, and the response body contains the session ID. `/send/SESSION/NUMBER` carries client
/// data; `/idle/SESSION/NUMBER` only polls. Server data is in the responses to both, after one octet with the polling
/// interval. `/close/SESSION` ends the session. Any connection may carry any request.
package struct RTMPTDissector: Dissector {
    /// The name, carriers, ports and recognition.
    package static let descriptor = DissectorDescriptor(
        name: "rtmpt", carriers: [.tcp], ports: [80, 8080],
        recognition: "HTTP POST of /open, /send, /idle, /close or /fcs/ident2, or a response of type application/x-fcs")

    private let limitsReference: LimitsReference
    private var limits: Limits { _read { yield limitsReference.values } }
    private let server: String
    /// Whether the start of the connection, and possibly requests, were not captured.
    private let startsLate: Bool
    private var fromClient: RTMPTSide
    private var fromServer: RTMPTSide
    /// Pending requests, in order.
    private var waiting: [RTMPTRequest] = []
    /// Responses read before their requests, and their octets that could not be attributed.
    private var hasty = (answers: 0, octets: 0)
    /// Whether a response without a request is assumed to precede its request in the capture; if captured from the
    /// start of the connection, no request is missing.
    private var waitsForRequests: Bool
    /// Whether another protocol is in use, so that nothing more is parsed.
    private var isOther = false

    /// Creates a dissector for a connection.
    package init(flow: FlowContext) {
        limitsReference = flow.limitsReference
        fromClient = RTMPTSide(flow.limitsReference)
        fromServer = RTMPTSide(flow.limitsReference)
        server = "\(flow.server.address)"
        startsLate = flow.startsLate
        fromClient.isLost = startsLate
        fromServer.isLost = startsLate
        waitsForRequests = !startsLate
    }

    /// The first letters of a POST request and of a response.
    package static func firstOctets(onUsualPort isUsual: Bool) -> FirstOctets { FirstOctets(ascii: "PH") }

    /// Recognizes the first request, or the first response if the requests were not captured.
    package static func probe(_ opening: borrowing FirstBytes) -> ProbeAnswer {
        let isClients = opening.client.byteCount > 0
        let limits = opening.flow.limits
        let answer = begins(isClients ? opening.client : opening.server, isClients: isClients, limits)
        guard opening.flow.startsLate, case .no = answer else { return answer }
        // The first octets may be the rest of a body; the next header identifies the protocol.
        for start in opening.clientStarts {
            if case .yes = begins(opening.client.clamped(start), isClients: true, limits) { return .yes }
        }
        for start in opening.serverStarts {
            if case .yes = begins(opening.server.clamped(start), isClients: false, limits) { return .yes }
        }
        return max(opening.client.byteCount, opening.server.byteCount) < limits.lateProbeOctets ? .needMore : .no
    }

    /// Finds the next header on a side whose start was missed; returns the offset of a header or of an incomplete one.
    private static func nextHead(_ bytes: RawSpan, isClients: Bool, _ limits: Limits) -> (offset: Int, isFound: Bool) {
        let first = UInt8(ascii: isClients ? "P" : "H")
        var offset = 0
        while let octet = bytes.byte(at: offset) {
            if octet == first {
                switch begins(bytes.clamped(offset), isClients: isClients, limits) {
                case .yes: return (offset, true)
                case .needMore: return (offset, false)
                case .no, .hidden, .wait: break
                }
            }
            offset &+= 1
        }
        return (offset, false)
    }

    private static let contentType = "application/x-fcs"

    /// Returns whether an RTMPT request or response starts here.
    static func begins(_ bytes: RawSpan, isClients: Bool, _ limits: Limits) -> ProbeAnswer {
        let word = isClients ? "POST /" : "HTTP/1."
        for (offset, octet) in word.utf8.enumerated() {
            if let there = bytes.byte(at: offset), there != octet { return .no }
        }
        switch HTTPReader.head(bytes, limits: limits) {
        case nil: return bytes.byteCount < limits.probeOctets ? .needMore : .no
        case .head(let message):
            // Other protocols use such paths, too; some clients send no content type.
            let type = message.headers.first("content-type").map { TextSyntax.lowercased($0).contains(contentType) }
            if let target = message.target { return RTMPTRequest(target) != nil && type ?? true ? .yes : .no }
            return type == true ? .yes : .no
        default: return .no
        }
    }

    /// Reads all available requests, responses and parts of their bodies.
    package mutating func read(
        _ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet
    ) throws(DissectionError) -> Int {
        guard !isOther else { return bytes.byteCount }
        var offset = 0
        if direction == .clientToServer ? fromClient.isLost : fromServer.isLost {
            let head = Self.nextHead(bytes, isClients: direction == .clientToServer, limits)
            guard head.isFound else { return head.offset }
            offset = head.offset
            if direction == .clientToServer { fromClient.isLost = false } else { fromServer.isLost = false }
        }
        while true {
            if direction == .serverToClient, awaitsRequest(bytes.byteCount &- offset) { return offset }
            guard
                let step = direction == .clientToServer
                    ? fromClient.reader.next(bytes, at: offset) : fromServer.reader.next(bytes, at: offset)
            else { return offset }
            switch step.item {
            case .head(let message): header(message, offset..<offset &+ step.used, direction, outlet)
            case .content(let range): body(bytes, range, direction, outlet)
            case .end: end(direction, outlet)
            case .malformed(let reason): giveUp(reason, outlet)
            }
            offset &+= step.used
            if isOther { return bytes.byteCount }
        }
    }

    /// Whether the next response waits for its request, which follows in the file, for a limited number of octets.
    private mutating func awaitsRequest(_ octets: Int) -> Bool {
        guard waitsForRequests, waiting.isEmpty, fromServer.reader.isAtHead else { return false }
        if octets > limits.carriedOctets { waitsForRequests = false }
        return waitsForRequests
    }

    /// Reads responses whose requests never arrived, without attributing them.
    package mutating func readCut(_ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet) {
        guard direction == .serverToClient, waitsForRequests else { return }
        waitsForRequests = false
        _ = try? read(bytes, direction, outlet)
    }

    /// Handles missing octets: within a body they are missing from the conversation; elsewhere the position of the next
    /// message is lost.
    package mutating func gap(_ direction: Direction, octets: Int, _ outlet: Outlet) {
        let isClients = direction == .clientToServer
        let side = isClients ? fromClient : fromServer
        guard !isOther, octets <= side.reader.left, side.named == nil else { return stop(outlet) }
        let isInterval = side.isInterval && side.isAtStart
        if let key = side.key {
            let missing = octets &- (isInterval ? 1 : 0)
            if missing > 0 { outlet.streamGap(key: key, protocolName: "rtmp", direction: direction, octets: missing) }
        }
        if isClients {
            fromClient.pass(octets)
            _ = fromClient.reader.skip(octets)
        } else {
            fromServer.pass(octets)
            _ = fromServer.reader.skip(octets)
        }
    }

    // MARK: - Headers

    private mutating func header(
        _ message: HTTPMessage, _ range: Range<Int>, _ direction: Direction, _ outlet: Outlet
    ) {
        let length = message.headers.first("content-length").flatMap { TextSyntax.decimal($0) }
        if direction == .clientToServer {
            return request(message, length ?? 0, range, outlet)
        }
        // A response without a length permits no further one; status 100 is not a final response.
        if fromServer.reader.framing == .untilClose { return giveUp("no Content-Length", outlet) }
        if message.status != 100 { answer(message, length ?? 0, range, outlet) }
    }

    private mutating func request(_ message: HTTPMessage, _ length: Int, _ range: Range<Int>, _ outlet: Outlet) {
        let request = message.target.flatMap { RTMPTRequest($0) } ?? RTMPTRequest()
        guard waiting.count < limits.outstandingRequests else {
            // The matching of responses and requests is lost.
            stop(outlet)
            outlet.remark(Remark(Text("rtmpt.remark.waiting", .integer(limits.outstandingRequests))))
            return
        }
        if hasty.answers > 0 {
            hasty.answers &-= 1
            miss(request, outlet)
        } else {
            waiting.append(request)
        }
        fromClient.begin(key: request.command == .send ? key(request.session) : nil)
        switch request.command {
        case .open: show(message, "rtmpt.open", length, range, outlet)
        case .close:
            // It may be on a connection of its own.
            outlet.join(key: key(request.session), protocolName: "rtmp")
            show(message, "rtmpt.close", length, range, outlet)
        case .ident: show(message, "rtmpt.ident", length, range, outlet)
        case .send, .idle: break
        case nil: show(message, "rtmpt.other", length, range, outlet)
        }
    }

    /// Records missing octets: the response to this request was read earlier, and its content was not kept.
    private mutating func miss(_ request: RTMPTRequest, _ outlet: Outlet) {
        guard request.command == .send || request.command == .idle, hasty.octets > 0 else { return }
        outlet.streamGap(
            key: key(request.session), protocolName: "rtmp", direction: .serverToClient, octets: hasty.octets)
        hasty.octets = 0
    }

    private mutating func answer(_ message: HTTPMessage, _ length: Int, _ range: Range<Int>, _ outlet: Outlet) {
        // If the requests were not captured, the octets of a response cannot be attributed.
        let isHasty = waiting.isEmpty
        let request = isHasty ? RTMPTRequest() : waiting.removeFirst()
        if isHasty, !startsLate { hasty.answers &+= 1 }
        let isAccepted = message.status.map { (200..<300).contains($0) } ?? false
        let carries = isAccepted && (request.command == .send || request.command == .idle)
        fromServer.begin(key: carries ? key(request.session) : nil)
        fromServer.isInterval = carries
        guard isAccepted else {
            let note = request.command == nil ? "other" : request.command == .ident ? "identUnknown" : "refused"
            show(message, "rtmpt.\(note)", length, range, outlet)
            return
        }
        switch request.command {
        case .open:
            fromServer.named = []
            show(message, "rtmpt.opened", length, range, outlet)
        case .close: show(message, "rtmpt.closed", length, range, outlet)
        case .ident: show(message, "rtmpt.identified", length, range, outlet)
        case .send, .idle: break
        case nil: show(message, "rtmpt.answer", length, range, outlet)
        }
    }

    private func show(
        _ message: HTTPMessage, _ note: String, _ length: Int, _ range: Range<Int>, _ outlet: Outlet
    ) {
        var message = message
        message.note = Text(note)
        message.bodyLength = length
        if message.isRequest { outlet.tunnel("rtmp") }
        outlet.message(message, range)
    }

    /// Stops parsing: the position of the next message and its request are unknown.
    private mutating func stop(_ outlet: Outlet) {
        guard !isOther else { return }
        isOther = true
        outlet.stop()
    }

    private mutating func giveUp(_ reason: String, _ outlet: Outlet) {
        stop(outlet)
        outlet.remark(Remark(Text("rtmpt.remark.malformed", .string(reason))))
    }

    // MARK: - Bodies

    private mutating func body(_ bytes: RawSpan, _ range: Range<Int>, _ direction: Direction, _ outlet: Outlet) {
        let side = direction == .clientToServer ? fromClient : fromServer
        let start = range.lowerBound &+ (side.isInterval && side.isAtStart ? 1 : 0)
        if let key = side.key, start < range.upperBound {
            for piece in outlet.pieces(of: start..<range.upperBound) {
                outlet.stream(
                    key: key, protocolName: "rtmp", direction: direction,
                    bytes: bytes.clamped(piece.lowerBound, piece.upperBound).array(), range: piece)
            }
        }
        if direction == .clientToServer {
            fromClient.pass(range.count)
        } else {
            if side.key == nil, hasty.answers > 0 { hasty.octets &+= range.count }
            fromServer.keepName(bytes.clamped(range.lowerBound, range.upperBound))
            fromServer.pass(range.count)
        }
    }

    /// Ends a body; the body of a response may have contained the session ID.
    private mutating func end(_ direction: Direction, _ outlet: Outlet) {
        guard direction == .serverToClient, let name = fromServer.named, let session = RTMPTRequest.session(name)
        else { return }
        fromServer.named = nil
        outlet.join(key: key(session), protocolName: "rtmp")
    }

    /// Returns the session key, which includes the server because IDs are only unique per server.
    private func key(_ session: String) -> String { "rtmpt \(server) \(session)" }
}

/// The state of one direction of a connection: the current body.
private struct RTMPTSide {
    private static let longestName = 64

    var reader: HTTPReader
    /// Whether the position of the next header is unknown.
    var isLost = false
    private(set) var isAtStart = false
    /// The conversation that the body belongs to.
    private(set) var key: String?
    /// Whether the first octet of the body is the polling interval.
    var isInterval = false
    /// The start of a body that contains the session ID.
    var named: [UInt8]?

    init(_ limits: LimitsReference) {
        reader = HTTPReader(limits)
    }

    mutating func begin(key: String?) {
        isAtStart = true
        self.key = key
        isInterval = false
        named = nil
    }

    mutating func pass(_ octets: Int) {
        if octets > 0 { isAtStart = false }
    }

    mutating func keepName(_ bytes: RawSpan) {
        guard var name = named, name.count < Self.longestName else { return }
        bytes.clamped(0, Self.longestName &- name.count).append(to: &name)
        named = name
    }
}
