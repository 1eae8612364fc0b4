package import WeirEngine
package import WeirPackets

/// Dissects RTSP tunneled in two HTTP connections joined by a cookie: the response to GET carries the server's messages
/// unencoded; the body of POST carries the client's, in base64.
///
/// No RFC defines it; QuickTime introduced it, and servers and cameras implement it. Both requests identify the
/// conversation in `x-sessioncookie`, and `Content-Length` is meaningless in both.
package struct HTTPTunnelDissector: Dissector {
    /// The name, carriers, ports and recognition of the dissector.
    package static let descriptor = DissectorDescriptor(
        name: "rtsp-http", carriers: [.tcp], ports: [80, 8080, 554, 8554],
        recognition: "HTTP GET or POST with an x-sessioncookie header")

    /// The role of a connection, known once its request is read.
    private enum Purpose {
        /// The request has not been read yet.
        case unknown
        /// Carries server to client data.
        case get(cookie: String)
        /// Carries client to server data.
        case post(cookie: String)
        /// Not a tunnel; not dissected further.
        case other
    }

    private let limitsReference: LimitsReference
    private var limits: Limits { _read { yield limitsReference.values } }
    private var purpose = Purpose.unknown
    private var isAnswered = false
    private var base64 = Base64()
    private var invalidCharacters = 0
    /// Whether the request is not captured, or captured after its response.
    private var lacksRequest: Bool

    /// Creates a dissector for one connection.
    package init(flow: FlowContext) {
        limitsReference = flow.limitsReference
        lacksRequest = flow.startsLate
    }

    /// The first letters of the two requests and of a response.
    package static func firstOctets(onUsualPort isUsual: Bool) -> FirstOctets { FirstOctets(ascii: "GPH") }

    /// Recognizes the request that opens one of the two connections.
    package static func probe(_ opening: borrowing FirstBytes) -> ProbeAnswer {
        let bytes = opening.client
        guard bytes.byteCount > 0 else {
            return opening.server.byteCount > 0 ? answers(opening.server, opening.flow.limits) : .needMore
        }
        guard methods.contains(where: { mayBegin(bytes, $0) }) else { return .no }
        if lacksCookie(bytes) { return .no }
        switch HTTPReader.head(bytes, limits: opening.flow.limits) {
        case nil: return bytes.byteCount < opening.flow.limits.probeOctets ? .needMore : .no
        case .head(let message): return message.headers.first("x-sessioncookie") != nil ? .yes : .no
        default: return .no
        }
    }

    /// Returns `.yes` for a response with the tunnel media type; its GET request is not captured.
    private static func answers(_ bytes: RawSpan, _ limits: Limits) -> ProbeAnswer {
        guard mayBegin(bytes, version) else { return .no }
        switch HTTPReader.head(bytes, limits: limits) {
        case nil: return bytes.byteCount < limits.probeOctets ? .needMore : .no
        case .head(let message): return isTunnel(message) ? .yes : .no
        default: return .no
        }
    }

    private static func isTunnel(_ message: HTTPMessage) -> Bool {
        let type = message.headers.first("Content-Type") ?? ""
        return message.status == 200 && ASCII.equalIgnoringCase(type, "application/x-rtsp-tunnelled")
    }

    private static let version = Array("HTTP/1.".utf8)
    private static let methods = [Array("GET ".utf8), Array("POST ".utf8)]
    private static let cookie = Array("x-sessioncookie".utf8)

    /// Whether the available bytes match the method.
    private static func mayBegin(_ bytes: RawSpan, _ method: [UInt8]) -> Bool {
        for index in 0..<min(method.count, bytes.byteCount) where bytes.byte(at: index) != method[index] {
            return false
        }
        return true
    }

    /// Whether the headers are complete and contain no cookie: true of nearly all HTTP, which needs no full parse.
    private static func lacksCookie(_ bytes: RawSpan) -> Bool {
        var offset = bytes.nextControl(from: 0)
        while let octet = bytes.byte(at: offset) {
            offset &+= 1
            defer { offset = bytes.nextControl(from: offset) }
            // Lines with other endings are left to the parser.
            if octet == ASCII.carriageReturn, bytes.byte(at: offset) != ASCII.lineFeed { return false }
            guard octet == ASCII.lineFeed else { continue }
            if bytes.byte(at: offset) == ASCII.lineFeed || bytes.uint16(at: offset) == 0x0D0A { return true }
            let isCookie = cookie.indices.allSatisfy { index in
                bytes.byte(at: offset &+ index).map { ASCII.lowercased($0) == cookie[index] } ?? false
            }
            if isCookie { return false }
        }
        return false
    }

    /// Reads the request, the response, and the tunneled data.
    package mutating func read(
        _ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet
    ) throws(DissectionError) -> Int {
        let header = direction == .clientToServer ? request(bytes, outlet) : answer(bytes, outlet)
        guard let header else { return 0 }
        guard header < bytes.byteCount else { return bytes.byteCount }
        switch (purpose, direction) {
        case (.post(let cookie), .clientToServer):
            for piece in outlet.pieces(of: header..<bytes.byteCount) { decode(bytes, piece, cookie, outlet) }
        case (.get(let cookie), .serverToClient):
            for piece in outlet.pieces(of: header..<bytes.byteCount) {
                outlet.stream(
                    key: cookie, protocolName: "rtsp", direction: .serverToClient,
                    bytes: bytes.clamped(piece.lowerBound, piece.upperBound).array(), range: piece)
            }
        // The opposite directions carry nothing after the headers.
        case (.get, .clientToServer), (.post, .serverToClient), (.other, _), (.unknown, _): break
        }
        return bytes.byteCount
    }

    /// Reports the gap in the joined conversation, scaled for base64, which is decoded in groups of four. A gap in a
    /// header leaves the start of the tunneled data unknown.
    package mutating func gap(_ direction: Direction, octets: Int, _ outlet: Outlet) {
        switch (purpose, direction) {
        case (.post(let cookie), .clientToServer):
            base64.skip(octets)
            outlet.streamGap(
                key: cookie, protocolName: "rtsp", direction: direction, octets: max(1, octets / 4 &* 3))
        case (.get(let cookie), .serverToClient):
            outlet.streamGap(key: cookie, protocolName: "rtsp", direction: direction, octets: octets)
            // Data after the gap is searched for the next message.
            isAnswered = true
        case (.unknown, .clientToServer): lacksRequest = true
        case (.unknown, _): purpose = .other
        default: break
        }
    }

    /// Accepts a response without its request from here on.
    package mutating func disordered() { lacksRequest = true }

    /// Returns the length of the request at the start of `bytes`; 0 if already read, nil if more bytes are needed.
    private mutating func request(_ bytes: RawSpan, _ outlet: Outlet) -> Int? {
        if case .get(cookie: "") = purpose, lacksRequest {
            // The request follows its response; the other connection identifies client and server.
            let item = HTTPReader.head(bytes, limits: limits)
            if item != nil { lacksRequest = false }
            guard case .head(let message)? = item else { return item == nil ? nil : 0 }
            emit(message, "rtsp.tunnel.get", message.headers, outlet)
            return message.headers.octets
        }
        guard case .unknown = purpose else { return 0 }
        guard let (message, headers) = header(bytes, outlet) else { return purposeIsOther ? 0 : nil }
        switch (message.method, headers.first("x-sessioncookie")) {
        case ("GET"?, let cookie?):
            purpose = .get(cookie: cookie)
            outlet.join(key: cookie, protocolName: "rtsp", half: "GET")
            emit(message, "rtsp.tunnel.get", headers, outlet)
        case ("POST"?, let cookie?):
            purpose = .post(cookie: cookie)
            outlet.join(key: cookie, protocolName: "rtsp", half: "POST")
            emit(message, "rtsp.tunnel.post", headers, outlet)
        default:
            purpose = .other
            outlet.message(message, 0..<headers.octets)
        }
        return headers.octets
    }

    /// Returns the length of the response at the start of `bytes`; 0 if already read, nil if more bytes are needed.
    private mutating func answer(_ bytes: RawSpan, _ outlet: Outlet) -> Int? {
        if isAnswered || purposeIsOther { return 0 }
        let isAsked = if case .unknown = purpose { false } else { true }
        guard isAsked || lacksRequest else { return nil }
        guard let (message, headers) = header(bytes, outlet) else { return purposeIsOther ? 0 : nil }
        isAnswered = true
        if !isAsked {
            guard Self.isTunnel(message) else {
                purpose = .other
                return headers.octets
            }
            purpose = .get(cookie: "")
            outlet.join(key: "", protocolName: "rtsp", half: "GET")
        }
        let isAccepted = message.status.map { (200..<300).contains($0) } ?? false
        emit(message, isAccepted ? "rtsp.tunnel.answer" : "rtsp.tunnel.refused", headers, outlet)
        if !isAccepted { purpose = .other }
        return headers.octets
    }

    private var purposeIsOther: Bool {
        if case .other = purpose { true } else { false }
    }

    /// Returns the message at the start of `bytes`, or nil if more bytes are needed or there is no message, which stops
    /// dissection.
    private mutating func header(_ bytes: RawSpan, _ outlet: Outlet) -> (HTTPMessage, HeaderBlock)? {
        switch HTTPReader.head(bytes, limits: limits) {
        case nil: return nil
        case .head(let message): return (message, message.headers)
        case .malformed(let reason):
            outlet.remark(Remark(Text("rtsp.remark.malformed", .string(reason)), reference: "RFC 2068 §4.1"))
        case .content, .end: break
        }
        purpose = .other
        return nil
    }

    private func emit(_ message: HTTPMessage, _ note: String, _ headers: HeaderBlock, _ outlet: Outlet) {
        var message = message
        message.note = Text(note)
        outlet.message(message, 0..<headers.octets)
    }

    private mutating func decode(_ bytes: RawSpan, _ range: Range<Int>, _ cookie: String, _ outlet: Outlet) {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(range.count / 4 &* 3)
        for offset in range {
            if let octet = bytes.byte(at: offset) { base64.decode(octet, into: &decoded) }
        }
        if base64.invalidCharacters > 0, invalidCharacters == 0 {
            outlet.remark(Remark(Text("rtsp.remark.base64"), reference: "RFC 4648 §4"))
        }
        invalidCharacters = base64.invalidCharacters
        if !decoded.isEmpty {
            outlet.stream(
                key: cookie, protocolName: "rtsp", direction: .clientToServer, bytes: decoded, range: range)
        }
    }
}
