public import WeirEngine
import WeirPackets

extension RTSPMessage {
    /// The protocol name, `rtsp`.
    public var protocolName: String { "rtsp" }
    /// The session type, since the message is a step of a session.
    public var sessionType: Session.Type? { RTSPSession.self }
    /// The message kind, `request` or `response`.
    public var kind: String { isRequest ? "request" : "response" }

    /// A one-line summary of the message.
    public func wording(_ secrets: SecretPolicy) -> Wording {
        if let method, let uri {
            var line = Listing(text: Wording(verbatim: method + " " + secrets.apply(uri: uri)), separator: "  ")
            addRequestDetails(to: &line, secrets)
            return line.text
        }
        let (status, reason) = (status ?? 0, reason ?? "")
        let start = reason.isEmpty ? String(status) : "\(status) \(reason)"
        // Server capabilities follow a colon, stream properties follow a comma.
        if !publicMethods.isEmpty { return "\(start): \(publicMethods.joined(separator: ", "))" }
        var line = Listing(text: Wording(verbatim: start), separator: ", ")
        addResponseDetails(to: &line, secrets)
        return line.text
    }

    /// A line built up one detail at a time.
    private struct Listing {
        var text: Wording
        let separator: Wording

        mutating func add(_ detail: Wording) {
            text += separator
            text += detail
        }
    }

    private func addRequestDetails(to line: inout Listing, _ secrets: SecretPolicy) {
        if !transports.isEmpty {
            line.add(Wording(verbatim: transports.map { $0.value.shown(secrets) }.joined(separator: ", ")))
        }
        if let range { line.add("Range \(range.raw)") }
        if let scale = head.first(.scale) { line.add("Scale \(scale)") }
        if let speed = head.first(.speed) { line.add("Speed \(speed)") }
        if let authorization { line.add("\(authorization.shownScheme(secrets)) credentials") }
        let require = require
        if !require.isEmpty { line.add("requires \(require.joined(separator: ", "))") }
        if bodyLength > 0 { line.add(body) }
    }

    private func addResponseDetails(to line: inout Listing, _ secrets: SecretPolicy) {
        if let sessionWords { line.add(sessionWords) }
        for transport in transports { for fact in transport.value.facts(secrets) { line.add(fact) } }
        if let range { line.add("range \(range.raw)") }
        for entry in rtpInfo { line.add(Wording(verbatim: entry.shown(secrets))) }
        if let scale = head.first(.scale) { line.add("scale \(scale)") }
        if let speed = head.first(.speed) { line.add("speed \(speed)") }
        for challenge in challenges {
            var words: Wording = "\(challenge.scheme) required"
            if let realm = challenge.realm { words += " for \"\(realm)\"" }
            line.add(words)
        }
        let unsupported = unsupported
        if !unsupported.isEmpty { line.add("unsupported: \(unsupported.joined(separator: ", "))") }
        let allowed = allowedMethods
        if !allowed.isEmpty { line.add("allowed: \(allowed.joined(separator: ", "))") }
        if let location = head.first(.location) { line.add("at \(secrets.apply(uri: location))") }
        if bodyLength > 0 { line.add(body) }
    }

    /// The session identifier and timeout.
    private var sessionWords: Wording? {
        guard let session else { return nil }
        var words: Wording = "session \(session.identifier)"
        if let seconds = session.timeoutSeconds { words += " (timeout \(seconds) s)" }
        return words
    }

    /// The session identifier, identical in all responses of a session.
    public var shownOnce: Wording? { isRequest ? nil : sessionWords.map { ", " + $0 } }

    private var body: Wording {
        if contentType == "application/sdp" { return "description of \(bodyLength, "octet", "octets")" }
        guard let contentType else { return "\(bodyLength, "octet", "octets") of unknown type" }
        return "\(bodyLength, "octet", "octets") of \(contentType)"
    }

    /// An explanation of the step. A response does not know the method of its request; callers that do may replace the
    /// explanation.
    public var note: Text? {
        if let method {
            return knownMethod.map { Text($0.requestKey) } ?? Text("rtsp.request.unknown", .string(method))
        }
        guard let status else { return nil }
        if Self.explainedStatus.contains(status) { return Text("rtsp.response.\(status)") }
        return Text("rtsp.response.class\(max(1, min(5, status / 100)))", .integer(status), .string(reason ?? ""))
    }

    private static let explainedStatus: Set = [
        100, 200, 301, 302, 305, 400, 401, 403, 404, 405, 406, 407, 408, 415, 451, 453, 454, 455, 456, 457, 458, 459,
        460, 461, 462, 500, 501, 503, 505, 551,
    ]

    /// The members of `fields` in the report.
    public func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("method", method)
        fields.add("uri", uri.map { secrets.apply(uri: $0) })
        fields.add("version", version.text)
        fields.add("status", status)
        fields.add("reason", reason)
        fields.add("cseq", cseq.map { Int($0) })
        fields.add("sessionId", session?.identifier)
        fields.add("headers", .array(headers.fields.map { $0.shown(secrets) }))
        let transports = transports
        if let first = transports.first {
            fields.add(
                "transport",
                transports.count == 1 ? first.value.field(secrets) : .array(transports.map { $0.value.field(secrets) })
            )
        }
        fields.add("bodyLength", bodyLength)
        return fields
    }
}

extension RTPInfoEntry {
    /// The last path segment of the URL with sequence number and time: `track1 seq 18553 rtptime 3987283666`.
    func shown(_ secrets: SecretPolicy) -> String {
        let shown = secrets.apply(uri: url)
        let name = shown.utf8.split(separator: ASCII.slash).last.map { String(Substring($0)) } ?? shown
        var text = name.utf8.contains(0x40) ? shown : name
        if let sequence { text += " seq \(sequence)" }
        if let rtpTime { text += " rtptime \(rtpTime)" }
        return text
    }
}

extension TransportSpec {
    /// The value as sent, with secrets masked.
    func shown(_ secrets: SecretPolicy) -> String {
        secrets.apply(text: raw)
    }

    /// The granted transport as text.
    func facts(_ secrets: SecretPolicy) -> [Wording] {
        func text(_ range: ClosedRange<some FixedWidthInteger>) -> String {
            let (lower, upper) = (String(Int(range.lowerBound)), String(Int(range.upperBound)))
            return lower == upper ? lower : lower + "–" + upper
        }
        var facts: [Wording] = []
        if let interleaved { facts.append("interleaved on channels \(text(interleaved))") }
        if isMulticast { facts.append(destination.map { "multicast to \($0)" } ?? "multicast") }
        if let port { facts.append("ports \(text(port))") }
        if let clientPort { facts.append("client ports \(text(clientPort))") }
        if let serverPort { facts.append("server ports \(text(serverPort))") }
        if let first = sourceAddresses.first?.port { facts.append("server port \(first)") }
        if let ssrcText { facts.append("SSRC \(ssrcText)") }
        return facts.isEmpty ? [Wording(verbatim: shown(secrets))] : facts
    }

    /// The members of `transport` in the report.
    func field(_ secrets: SecretPolicy) -> FieldValue {
        // Once split at slashes, the value is no longer a URI in which a password can be recognized.
        let masked = shown(secrets)
        if masked != raw { return TransportSpec(masked).field(.revealed) }
        func ports<Number: BinaryInteger>(_ range: ClosedRange<Number>?) -> FieldValue? {
            range.map { .array([.integer(Int($0.lowerBound)), .integer(Int($0.upperBound))]) }
        }
        func addresses(_ list: [Address]) -> FieldValue? {
            guard !list.isEmpty else { return nil }
            return .array(
                list.map { address in
                    var members: [Field] = []
                    members.add("host", address.host)
                    members.add("port", address.port.map { Int($0) })
                    return .object(members)
                })
        }
        var fields: [Field] = []
        fields.add("protocol", protocolName)
        fields.add("profile", profile.isEmpty ? nil : profile)
        fields.add("lowerTransport", lowerTransportText)
        fields.add("delivery", delivery?.rawValue)
        fields.add("destination", destination.map { secrets.apply(uri: $0) })
        fields.add("source", source.map { secrets.apply(uri: $0) })
        fields.add("interleaved", ports(interleaved))
        fields.add("ttl", ttl)
        fields.add("layers", layers)
        fields.add("port", ports(port))
        fields.add("clientPort", ports(clientPort))
        fields.add("serverPort", ports(serverPort))
        fields.add("ssrc", ssrcText)
        if !modes.isEmpty { fields.add("mode", .array(modes.map { .string($0) })) }
        if append { fields.add("append", true) }
        fields.add("sourceAddresses", addresses(sourceAddresses))
        fields.add("destinationAddresses", addresses(destinationAddresses))
        fields.add("setup", setup)
        fields.add("connection", connection)
        if rtcpMux { fields.add("rtcpMux", true) }
        let names = Set(unknownParameters)
        let unknown = parameters.filter { names.contains($0.name) }
        if !unknown.isEmpty {
            fields.add("parameters", .object(unknown.map { $0.field(secrets) }))
        }
        return .object(fields)
    }
}

extension TransportSpec.Parameter {
    /// Name and value; values of secret parameters are always masked.
    fileprivate func field(_ secrets: SecretPolicy) -> Field {
        let value = value ?? ""
        return Field(name, .string(SecretNames.isSecret(name) ? secrets.apply(value) : secrets.apply(text: value)))
    }
}

extension RTSPMessage {
    /// The number that pairs request and response (RFC 2326 §12.17).
    public var pairedBy: String? { cseqText.map { "CSeq \($0)" } }
}
