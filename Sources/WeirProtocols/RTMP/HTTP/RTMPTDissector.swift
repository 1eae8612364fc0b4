package import WeirEngine
package import WeirPackets

/// Unwraps RTMPT: RTMP in the bodies of HTTP requests and their answers, for networks that let nothing else through.
///
/// No specification defines it; Flash Player and Flash Media Server brought it, and Red5's developers wrote it down. The
/// client asks by POST for `/open/1`, and the answer's body names the session. `/send/SESSION/NUMBER` carries what the client
/// says; `/idle/SESSION/NUMBER` only asks. What the server has to say stands in the answers of both, behind one octet that
/// says how long the client may wait until it asks again. `/close/SESSION` ends it. Any connection may carry any request.
package struct RTMPTDissector: Dissector {
    /// Name, carriers, ports and how it is recognised.
    package static let descriptor = DissectorDescriptor(
        name: "rtmpt", carriers: [.tcp], ports: [80, 8080],
        recognition: "HTTP POST of /open, /send, /idle, /close or /fcs/ident2, or an answer of type application/x-fcs")

    private let limitsReference: LimitsReference
    private var limits: Limits { _read { yield limitsReference.values } }
    private let server: String
    /// Whether the capture lacks the beginning of the connection, and so perhaps requests.
    private let startsLate: Bool
    private var fromClient: RTMPTSide
    private var fromServer: RTMPTSide
    /// Requests that wait for their answers, in order.
    private var waiting: [RTMPTRequest] = []
    /// Answers that were read before their requests, and what they carried that nobody was known to own.
    private var hasty = (answers: 0, octets: 0)
    /// Whether an answer without a request is one whose request stands behind it in the capture: who begins with the connection
    /// misses none.
    private var waitsForRequests: Bool
    /// Something else is spoken: nothing more is read.
    private var isOther = false

    /// Begins reading a connection.
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

    /// Recognises the first request, or the first answer where the requests are not in the capture.
    package static func probe(_ opening: borrowing FirstBytes) -> ProbeAnswer {
        let isClients = opening.client.byteCount > 0
        let limits = opening.flow.limits
        let answer = begins(isClients ? opening.client : opening.server, isClients: isClients, limits)
        guard opening.flow.startsLate, case .no = answer else { return answer }
        // What comes first may be the rest of a body: the next head shows what it was.
        for start in opening.clientStarts {
            if case .yes = begins(opening.client.clamped(start), isClients: true, limits) { return .yes }
        }
        for start in opening.serverStarts {
            if case .yes = begins(opening.server.clamped(start), isClients: false, limits) { return .yes }
        }
        return max(opening.client.byteCount, opening.server.byteCount) < limits.lateProbeOctets ? .needMore : .no
    }

    /// Where the next head begins on a side of which the beginning was missed: behind all octets that are none, but for the last
    /// ones, which may begin one.
    private static func nextHead(_ bytes: RawSpan, isClients: Bool, _ limits: Limits) -> (offset: Int, isFound: Bool) {
        let first = UInt8(ascii: isClients ? "P" : "H")
        var offset = 0
        while let octet = bytes.byte(at: offset) {
            if octet == first {
                switch begins(bytes.clamped(offset), isClients: isClients, limits) {
                case .yes: return (offset, true)
                case .needMore: return (offset, false)
                case .no, .hidden: break
                }
            }
            offset &+= 1
        }
        return (offset, false)
    }

    private static let contentType = "application/x-fcs"

    /// Whether a request or an answer of it begins here.
    static func begins(_ bytes: RawSpan, isClients: Bool, _ limits: Limits) -> ProbeAnswer {
        let word = isClients ? "POST /" : "HTTP/1."
        for (offset, octet) in word.utf8.enumerated() {
            if let there = bytes.byte(at: offset), there != octet { return .no }
        }
        switch HTTPReader.head(bytes, limits: limits) {
        case nil: return bytes.byteCount < limits.probeOctets ? .needMore : .no
        case .head(let message):
            // Others have such paths, too; some clients name no type.
            let type = message.headers.first("content-type").map { TextSyntax.lowercased($0).contains(contentType) }
            if let target = message.target { return RTMPTRequest(target) != nil && type ?? true ? .yes : .no }
            return type == true ? .yes : .no
        default: return .no
        }
    }

    /// Reads as many requests, answers and parts of their bodies as are there.
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

    /// Whether the answer that comes next waits for its request, which the file has behind it; not for longer than it takes to
    /// find out whose something is.
    private mutating func awaitsRequest(_ octets: Int) -> Bool {
        guard waitsForRequests, waiting.isEmpty, fromServer.reader.isAtHead else { return false }
        if octets > limits.carriedOctets { waitsForRequests = false }
        return waitsForRequests
    }

    /// Answers whose requests never came are nobody's.
    package mutating func readCut(_ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet) {
        guard direction == .serverToClient, waitsForRequests else { return }
        waitsForRequests = false
        _ = try? read(bytes, direction, outlet)
    }

    /// Octets that are missing from a body are missing from the conversation; missing elsewhere, the place of the next
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
        // An answer that goes on to the end of the connection leaves no room for the next one; one that says that the
        // request may be sent is none yet.
        if fromServer.reader.framing == .untilClose { return giveUp("no Content-Length", outlet) }
        if message.status != 100 { answer(message, length ?? 0, range, outlet) }
    }

    private mutating func request(_ message: HTTPMessage, _ length: Int, _ range: Range<Int>, _ outlet: Outlet) {
        let request = message.target.flatMap { RTMPTRequest($0) } ?? RTMPTRequest()
        guard waiting.count < limits.outstandingRequests else {
            // Which answer belongs to which request is no longer known.
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
            // It may come on a connection of its own.
            outlet.join(key: key(request.session), protocolName: "rtmp")
            show(message, "rtmpt.close", length, range, outlet)
        case .ident: show(message, "rtmpt.ident", length, range, outlet)
        case .send, .idle: break
        case nil: show(message, "rtmpt.other", length, range, outlet)
        }
    }

    /// The answer to a request was read before it, and what it carried is not known any more.
    private mutating func miss(_ request: RTMPTRequest, _ outlet: Outlet) {
        guard request.command == .send || request.command == .idle, hasty.octets > 0 else { return }
        outlet.streamGap(
            key: key(request.session), protocolName: "rtmp", direction: .serverToClient, octets: hasty.octets)
        hasty.octets = 0
    }

    private mutating func answer(_ message: HTTPMessage, _ length: Int, _ range: Range<Int>, _ outlet: Outlet) {
        // Where the requests are not in the capture, the octets of an answer belong to nobody who is known.
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

    /// Where the next message begins is not known, nor what it answers.
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

    /// A body is there to its end: that of an answer may have named the session.
    private mutating func end(_ direction: Direction, _ outlet: Outlet) {
        guard direction == .serverToClient, let name = fromServer.named, let session = RTMPTRequest.session(name)
        else { return }
        fromServer.named = nil
        outlet.join(key: key(session), protocolName: "rtmp")
    }

    /// Sessions of several servers may have the same number.
    private func key(_ session: String) -> String { "rtmpt \(server) \(session)" }
}

/// One direction of a connection: what the body at hand is.
private struct RTMPTSide {
    private static let longestName = 64

    var reader: HTTPReader
    /// Whether it is not known where a head begins.
    var isLost = false
    private(set) var isAtStart = false
    /// The conversation that the body belongs to.
    private(set) var key: String?
    /// Whether its first octet is the time to wait.
    var isInterval = false
    /// The beginning of a body that names the session.
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
