package import WeirEngine
import WeirPackets

extension STUNMessage: Message {
    /// The protocol name, `stun`.
    package var protocolName: String { "stun" }
    /// The kind of message: `request`, `indication`, `success` or `error`.
    package var kind: String {
        switch messageClass {
        case .request: "request"
        case .indication: "indication"
        case .success: "success"
        case .error: "error"
        }
    }

    /// Returns the method and its main attributes.
    package func wording(_ secrets: SecretPolicy) -> Wording {
        var words: Wording = isICECheck ? "connectivity check" : "\(title) \(Wording(phrase: kind))"
        if isConsent {
            words = isRequest ? "consent check" : messageClass == .success ? "consent given" : "consent refused"
        }
        if isICECheck, let username { words += " \(username)" }
        if let errorCode {
            words += " \(errorCode.code)"
            let reason = errorCode.reason.prefix { $0 != "\0" }
            if !reason.isEmpty { words += " \(reason)" }
            if let realm { words += ", realm \(realm)" }
        }
        if let iceRole { words += ", \(Wording(phrase: iceRole))" }
        if let priority { words += ", priority \(priority)" }
        if let nomination {
            words += ", nominates the pair (nomination \(nomination))"
        } else if usesCandidate {
            words += ", nominates the pair"
        }
        if let peerAddress { words += ", peer \(peerAddress)" }
        if let channelNumber { words += ", channel 0x\(STUNAttribute.digits(channelNumber))" }
        if let lifetime { words += ", lifetime \(lifetime) s" }
        if let relayedAddress { words += ", relay address \(relayedAddress)" }
        if let mappedAddress { words += ", mapped address \(mappedAddress)" }
        if integrity == .invalid { words += ", wrong MESSAGE-INTEGRITY" }
        if fingerprint == .invalid { words += ", wrong FINGERPRINT" }
        if let relay { words += relay.peer.map { " (relayed, peer \($0))" } ?? " (relayed)" }
        if isRetransmission { words += " (retransmission)" }
        return words
    }

    /// The display name of the method.
    var title: Wording {
        switch method {
        case 0x001: "Binding"
        case 0x002: "Shared Secret"
        case 0x003: "Allocate"
        case 0x004: "Refresh"
        case 0x006: "Send"
        case 0x007: "Data"
        case 0x008: "CreatePermission"
        case 0x009: "ChannelBind"
        case 0x00A: "Connect"
        case 0x00B: "ConnectionBind"
        case 0x00C: "ConnectionAttempt"
        case 0x080: "GOOG-PING"
        default: "method 0x\(String(method, radix: 16))"
        }
    }

    /// An explanation of the step.
    package var note: Text? {
        if isConsent {
            if messageClass == .error { return Text("stun.consentRefused") }
            return isRequest ? Text("stun.consent") : nil
        }
        switch messageClass {
        case .request where isICECheck: return Text(nominates ? "stun.check.nominates" : "stun.check")
        case .request, .indication:
            // The realm indicates long-term credentials (RFC 8489 §9.2).
            if integrity == .present, realm != nil, isTURN { return Text("stun.request.signed") }
            let key = "stun.\(kind).\(methodName)"
            return Self.explained.contains(key) ? Text(key) : nil
        case .success:
            let key = "stun.success.\(methodName)"
            return Self.explained.contains(key) ? Text(key) : nil
        case .error:
            if errorCode?.code == 401, isBinding, realm == nil { return Text("stun.error.401.check") }
            if errorCode?.code == 401, answersSigned { return Text("stun.error.401.again") }
            guard let code = errorCode?.code, Self.explainedErrors.contains(code) else { return Text("stun.error") }
            return Text("stun.error.\(code)")
        }
    }

    /// Returns the name of an attribute in this message: one type has two uses.
    private func name(of attribute: STUNAttribute) -> String {
        attribute.type == STUNAttribute.nomination && nomination != nil ? "NOMINATION" : attribute.name
    }

    private static let explained: Set<String> = [
        "stun.request.binding", "stun.request.allocate", "stun.request.refresh", "stun.request.createPermission",
        "stun.request.channelBind", "stun.request.connect", "stun.request.connectionBind", "stun.request.sharedSecret",
        "stun.indication.binding", "stun.indication.send", "stun.indication.data", "stun.indication.connectionAttempt",
        "stun.success.binding", "stun.success.allocate", "stun.success.refresh", "stun.success.createPermission",
        "stun.success.channelBind",
    ]
    private static let explainedErrors: Set<Int> = [
        300, 400, 401, 403, 420, 437, 438, 440, 441, 442, 443, 446, 447, 486, 487, 500, 508,
    ]

    /// Checks of one kind are many: the first are steps, the others are counted.
    package var recurrence: String? {
        isConsent || isRetransmission || isICECheck || isBinding && isAnswer || messageClass == .indication
            ? "\(kind).\(methodName)" : nil
    }

    /// Returns the members of the report's `fields`.
    package func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("method", methodName)
        fields.add("transactionId", transaction.text)
        fields.add("attributes", .array(attributes.map { .object($0.fields(secrets, named: name(of: $0))) }))
        fields.add("mappedAddress", mappedAddress?.field)
        fields.add("relayedAddress", relayedAddress?.field)
        fields.add("peerAddress", peerAddress?.field)
        fields.add("channel", channelNumber.map { Int($0) })
        fields.add("lifetimeSeconds", lifetime.map { Int($0) })
        fields.add("username", username)
        fields.add("priority", priority.map { Int($0) })
        if usesCandidate { fields.add("useCandidate", true) }
        fields.add("nomination", nomination)
        fields.add("iceRole", iceRole)
        fields.add("errorCode", errorCode?.code)
        fields.add("integrity", integrity?.rawValue)
        fields.add("fingerprint", fingerprint?.rawValue)
        if isRetransmission { fields.add("retransmission", true) }
        if let relay {
            var members: [Field] = []
            members.add("channel", relay.channel.map { Int($0) })
            if relay.channel == nil { members.add("indication", true) }
            members.add("peer", relay.peer?.field)
            fields.add("relayed", .object(members))
        }
        return fields
    }
}

extension STUNAttribute {
    func fields(_ secrets: SecretPolicy, named name: String) -> [Field] {
        var fields = [Field("name", .string(name)), Field("length", .integer(length))]
        if isSecret {
            fields.add("value", SecretPolicy.mask)
            return fields
        }
        switch value {
        case .endpoint(let endpoint): fields.add("value", endpoint.description)
        case .text(let text): fields.add("value", text)
        case .number(let number):
            // Numbers of eight octets are random, and exceed the exact range of JSON parsers.
            if let small = UInt32(exactly: number) {
                fields.add("value", Int(small))
            } else {
                fields.add("value", "\(number)")
            }
        case .error(let code, let reason): fields.add("value", "\(code) \(reason)")
        case .types(let types): fields.add("value", .array(types.map { .string("0x" + Self.digits($0)) }))
        case .flag, .octets: break
        }
        return fields
    }
}

extension Endpoint {
    /// The endpoint as a field.
    var field: FieldValue {
        .object([Field("address", .string(address.description)), Field("port", .integer(Int(port)))])
    }
}
