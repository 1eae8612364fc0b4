package import WeirEngine
package import WeirPackets

/// Dissects WHIP and WHEP (RFC 9725) in HTTP messages: offers and answers, trickled candidates, and the end of
/// sessions.
///
/// Its events replace those of the HTTP messages, which are steps of a call.
package struct WHIPDissector: Dissector {
    /// Name, transports and recognition.
    package static let descriptor = DissectorDescriptor(
        name: "whip", carriers: [.message],
        recognition: "HTTP messages with application/sdp or trickle-ice-sdpfrag; DELETE of a URL that a response named"
    )

    private static let description = "application/sdp"
    private static let fragment = "application/trickle-ice-sdpfrag"

    /// A pending request.
    private struct Request {
        var http: HTTPMessage
        var purpose: WHIPMessage.Purpose
        var isPlayback: Bool
    }

    private let limitsReference: LimitsReference
    private var requests: [Request] = []

    /// Creates a dissector of a connection.
    package init(flow: FlowContext) {
        limitsReference = flow.limitsReference
    }

    /// Recognizes each message by itself.
    package static func probe(_ opening: borrowing FirstBytes) -> ProbeAnswer {
        guard opening.flow.carriage?.protocolName == "http" else { return .no }
        let messages = opening.flow.preface.compactMap { $0 as? HTTPMessage }
        let isOffer = messages.contains(where: HTTPInterest.isWHIPPost) && isDescription(opening.client)
        return isOffer || messages.contains(where: isStep) ? .yes : .no
    }

    /// Whether a body starts like a session description (RFC 8866 §5.1).
    private static func isDescription(_ body: RawSpan) -> Bool {
        body.byte(at: 0) == UInt8(ascii: "v") && body.byte(at: 1) == UInt8(ascii: "=")
            && body.byte(at: 2) == UInt8(ascii: "0")
    }

    /// Whether a body starts like an SDP fragment (RFC 8840 §9).
    private static func isFragment(_ body: RawSpan) -> Bool {
        (body.byte(at: 0) == UInt8(ascii: "a") || body.byte(at: 0) == UInt8(ascii: "m"))
            && body.byte(at: 1) == UInt8(ascii: "=")
    }

    private static func isStep(_ message: HTTPMessage) -> Bool {
        let type = HTTPInterest.mediaType(message)
        return type == description || type == fragment || HTTPInterest.isStep(message)
    }

    /// True: the HTTP messages are steps of the call.
    package static var emitsEnclosing: Bool { true }

    /// Dissects one message with the body `bytes`.
    package mutating func read(
        _ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet
    ) throws(DissectionError) -> Int {
        for (index, enclosing) in outlet.enclosing.enumerated() {
            guard let http = enclosing.message as? HTTPMessage else {
                outlet.message(enclosing)
                continue
            }
            let isLast = index == outlet.enclosing.count - 1
            let nothing: [UInt8] = []
            var message = message(http, isLast ? bytes : nothing.rawSpan)
            if http.isUnpaired, !http.isRequest { requests = [] }
            if http.isRequest { remember(message) } else { answer(&message) }
            if message.resource != nil { message.http.hidesResource = true }
            outlet.message(EnclosingMessage(message, enclosing.range, at: enclosing.place))
            if let content = message.content { outlet.message(content, 0..<bytes.byteCount) }
        }
        return bytes.byteCount
    }

    /// Discards pending requests after missing octets, which may contain requests or responses.
    package mutating func gap(_ direction: Direction, octets: Int, _ outlet: Outlet) {
        requests = []
    }

    private func message(_ http: HTTPMessage, _ body: RawSpan) -> WHIPMessage {
        var message = WHIPMessage(http: http, purpose: .other)
        message.bodyOctets = body.byteCount
        switch http.method {
        case "POST": message.purpose = .negotiation
        case "PATCH": message.purpose = .update
        case "DELETE": message.purpose = .end
        case "OPTIONS" where HTTPInterest.isPreflight(http): message.purpose = .preflight
        default: break
        }
        if http.isRequest, message.purpose == .update || message.purpose == .end {
            message.resource = http.target.map { HTTPMessage.path($0) }
        }
        guard body.byteCount > 0 else { return message }
        let limits = limitsReference.values
        // A fragment is one whatever its type: it is no description of a session.
        if !Self.isDescription(body), Self.isFragment(body), HTTPInterest.mediaType(http) == Self.description {
            message.fragment = SessionDescription(body, limits: limits)
            return message
        }
        switch HTTPInterest.mediaType(http) {
        case let type where type == Self.description || HTTPInterest.isWHIPPost(http) && Self.isDescription(body):
            message.content = SessionDescription(body, limits: limits, role: http.isRequest ? .offer : .answer)
            if http.isRequest { message.isPlayback = message.content?.isReceiveOnly ?? false }
        case Self.fragment: message.fragment = SessionDescription(body, limits: limits)
        default: break
        }
        return message
    }

    /// Returns the path of a URL, which may be relative to that of the endpoint (RFC 9725 §4.2, RFC 3986 §5.2).
    private static func resolve(_ location: String, base: String) -> String {
        let path = HTTPMessage.path(location)
        guard TextSyntax.endOfScheme(location) == nil, path.first != "/" else { return path }
        let folder = base.lastIndex(of: "/").map { base[...$0] } ?? "/"
        return String(folder) + path
    }

    private mutating func remember(_ message: WHIPMessage) {
        guard !message.http.isUnpaired else { return }
        if requests.count >= limitsReference.values.outstandingRequests { requests.removeFirst() }
        requests.append(Request(http: message.http, purpose: message.purpose, isPlayback: message.isPlayback))
    }

    /// Matches a response to its request, and records the URL of the session resource.
    private mutating func answer(_ message: inout WHIPMessage) {
        guard let status = message.http.status, status >= 200 else { return }
        guard !requests.isEmpty else {
            if message.content != nil { message.purpose = .negotiation }
            return
        }
        let request = requests.removeFirst()
        message.request = request.http
        message.purpose = request.purpose
        message.isPlayback = request.isPlayback
        if request.purpose == .negotiation, status == 201 {
            let base = request.http.target.map { HTTPMessage.path($0) } ?? "/"
            message.resource = message.http.headers.first("location").map { Self.resolve($0, base: base) }
        } else if request.purpose != .negotiation {
            message.resource = request.http.target.map { HTTPMessage.path($0) }
        }
        // Only an offer has an answer; other descriptions are presentations.
        if request.purpose == .other { message.content?.role = .presentation }
    }
}

extension SessionDescription {
    /// Whether all its media are receive-only.
    var isReceiveOnly: Bool { !media.isEmpty && media.allSatisfy { ($0.direction ?? direction) == .recvonly } }
}
