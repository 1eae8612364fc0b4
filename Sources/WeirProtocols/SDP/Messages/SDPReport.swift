public import WeirEngine
import WeirPackets

extension SessionDescription {
    /// The protocol name, `sdp`.
    public var protocolName: String { "sdp" }
    /// The message kind, `description`.
    public var kind: String { "description" }

    /// A summary of each medium, such as `video H264/90000 (pt 96) control track1; audio PCMU/8000 (pt 0) control
    /// track2`.
    public func wording(_ secrets: SecretPolicy) -> Wording {
        // An answer that rejects a medium lists its formats without meaning (RFC 3264 §6).
        var parts = media.map { medium in
            role == .answer && isRejected(medium) ? Wording(phrase: medium.type) + " rejected" : medium.wording(secrets)
        }
        if media.isEmpty { parts.append(name.map { "\"\($0)\", no media" } ?? "no media") }
        let purpose: Wording = role == .offer ? "offer: " : role == .answer ? "answer: " : ""
        return purpose + parts.joined(separator: "; ")
    }

    /// Whether the description is part of an offer/answer exchange.
    var isNegotiated: Bool { role == .offer || role == .answer }

    /// Whether port 0 rejects the medium (RFC 3264 §6, §8.2). In a server's presentation it only leaves the choice to
    /// the client (RFC 2326 §C.1.2), and a bundle-only medium has no port of its own (RFC 9143 §6).
    func isRejected(_ medium: MediaDescription) -> Bool {
        isNegotiated && medium.port == 0 && !medium.attributes.has("bundle-only")
    }

    /// An explanation of the description's role.
    public var note: Text? { Text("sdp.\((role ?? .presentation).rawValue)", .integer(media.count)) }

    /// The members of `fields` in the report.
    public func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("origin", origin?.field)
        fields.add("name", name)
        fields.add("connection", connection?.field)
        if !attributes.isEmpty { fields.add("attributes", .array(attributes.map { $0.field(secrets) })) }
        fields.add("media", .array(media.map { .object($0.fields(secrets)) }))
        fields.add("role", role?.rawValue)
        return fields
    }
}

extension MediaDescription {
    func wording(_ secrets: SecretPolicy) -> Wording {
        var text = Wording(phrase: type)
        let known = payloadTypes
        if isRTP, !known.isEmpty {
            text += " \(known.prefix(4).map { format($0) }.joined(separator: ", "))"
            if known.count > 4 { text += " and \(known.count - 4) more" }
        } else {
            text += " \(proto) \(formats.joined(separator: " "))"
        }
        if let control { text += " control \(secrets.apply(uri: control))" }
        if let direction { text += " \(direction.rawValue)" }
        return text
    }

    private func format(_ payloadType: UInt8) -> String {
        guard let map = rtpMap(payloadType) else { return "pt \(payloadType)" }
        var text = map.encoding
        if let rate = map.clockRate { text += "/\(rate)" }
        if let parameters = map.parameters { text += "/\(parameters)" }
        return text + " (pt \(payloadType))"
    }

    func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("type", type)
        fields.add("port", port.map { Int($0) })
        fields.add("portCount", portCount.flatMap { $0 > 1 ? $0 : nil })
        fields.add("protocol", proto)
        fields.add("formats", .array(formats.map { .string($0) }))
        fields.add("title", title)
        addFormats(&fields)
        fields.add("control", control.map { secrets.apply(uri: $0) })
        fields.add("direction", direction?.rawValue)
        if let first = connections.first {
            fields.add("connection", connections.count == 1 ? first.field : .array(connections.map(\.field)))
        }
        if !bandwidths.isEmpty {
            fields.add(
                "bandwidth", .object(bandwidths.map { Field($0.type, $0.value.map { .integer($0) } ?? .string("")) }))
        }
        addTransport(&fields, secrets)
        let others = attributes.filter { !Self.reported.contains($0.name) }
        if !others.isEmpty { fields.add("attributes", .array(others.map { $0.field(secrets) })) }
        return fields
    }

    private func addFormats(_ fields: inout [Field]) {
        let maps = rtpMaps
        if !maps.isEmpty {
            fields.add(
                "rtpmap",
                .object(
                    maps.map { map in
                        var members = [Field("encoding", .string(map.encoding))]
                        members.add("clockRate", map.clockRate)
                        members.add("parameters", map.parameters)
                        return Field(String(map.payloadType), .object(members))
                    }))
        }
        let parameters = formatParameters
        if !parameters.isEmpty {
            fields.add("fmtp", .object(parameters.map { Field($0.format, .string($0.raw)) }))
        }
    }

    private func addTransport(_ fields: inout [Field], _ secrets: SecretPolicy) {
        fields.add("ptime", ptime)
        fields.add("mid", mid)
        fields.add("rtcpPort", rtcp.map { Int($0.port) })
        if rtcpMux { fields.add("rtcpMux", true) }
        if !rtcpFeedback.isEmpty { fields.add("rtcpFb", .array(attributes.all("rtcp-fb").map { .string($0) })) }
        if !extensionMaps.isEmpty { fields.add("extmap", .array(attributes.all("extmap").map { .string($0) })) }
        fields.add("iceUfrag", iceUfrag)
        fields.add("icePwd", icePwd.map { secrets.apply($0) })
        if attributes.has("candidate") {
            fields.add(
                "candidates",
                .array(
                    attributes.all("candidate").map { .string(SDPAttribute.candidate($0, secrets)) }))
        }
        if let fingerprint = fingerprints.first {
            fields.add(
                "fingerprint",
                .object([Field("hash", .string(fingerprint.hash)), Field("value", .string(fingerprint.value))]))
        }
        fields.add("setup", setup)
    }

    /// Attributes reported as separate members.
    private static let reported: Set<String> = [
        "rtpmap", "fmtp", "control", "sendrecv", "sendonly", "recvonly", "inactive", "ptime", "mid", "rtcp", "rtcp-mux",
        "rtcp-fb", "extmap", "ice-ufrag", "ice-pwd", "candidate", "fingerprint", "setup",
    ]
}

extension SDPAttribute {
    /// Returns `[name]` or `[name, value]`, with secrets masked.
    func field(_ secrets: SecretPolicy) -> FieldValue {
        .array([.string(name)] + (shown(secrets).map { [.string($0)] } ?? []))
    }

    /// Returns the value with secrets masked: `ice-pwd`, the keys of `crypto` (RFC 4568 §6.1) and `key-mgmt`, and
    /// passwords in URIs.
    func shown(_ secrets: SecretPolicy) -> String? {
        guard secrets == .masked, let value else { return value }
        if ASCII.equalIgnoringCase(name, "crypto") {
            guard let crypto = CryptoAttribute(value) else { return SecretPolicy.mask }
            let (key, material) = TextSyntax.pair(crypto.keyParameters, at: ASCII.colon)
            // After a space, the key would be parsed as a session parameter.
            guard material?.isEmpty == false else { return SecretPolicy.mask }
            return ([crypto.tag, crypto.suite, "\(key):\(SecretPolicy.mask)"] + crypto.sessionParameters)
                .joined(separator: " ")
        }
        if ASCII.equalIgnoringCase(name, "candidate") { return Self.candidate(value, secrets) }
        return SecretNames.isSecret(name) ? SecretPolicy.mask : secrets.apply(text: value)
    }

    /// Masks a candidate, whose extensions are name-value pairs (RFC 8839 §5.1): some programs put a password there.
    static func candidate(_ text: String, _ secrets: SecretPolicy) -> String {
        guard secrets == .masked else { return text }
        var hidesNext = false
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map { word in
            defer { hidesNext = SecretNames.isSecret(word) }
            return hidesNext ? SecretPolicy.mask : String(word)
        }
        return secrets.apply(text: words.joined(separator: " "))
    }
}

extension SDPOrigin {
    /// The members of the line.
    var field: FieldValue {
        var fields: [Field] = []
        fields.add("username", username)
        fields.add("sessionId", sessionId)
        fields.add("sessionVersion", sessionVersion)
        fields.add("netType", netType)
        fields.add("addrType", addrType)
        fields.add("address", address)
        return .object(fields)
    }
}

extension SDPConnection {
    /// The members of the line.
    var field: FieldValue {
        var fields: [Field] = []
        fields.add("netType", netType)
        fields.add("addrType", addrType)
        fields.add("address", address)
        fields.add("ttl", ttl)
        fields.add("count", count)
        return .object(fields)
    }
}
