package import WeirEngine
import WeirPackets

extension SignalingMessage: CandidateCarrier {
    /// Returns sender, recipient and contents, such as `offer 7 → 8  (sdp)  audio opus/48000/2`.
    package func wording(_ secrets: SecretPolicy) -> Wording {
        var text: Wording = purpose == .endOfCandidates ? "end of candidates" : Wording(phrase: kind)
        if let from = envelope.from { text += " \(plain(from, secrets))" }
        if let to = envelope.to {
            let shown = plain(to, secrets)
            text += envelope.from == nil ? " to \(shown)" : " → \(shown)"
        }
        if let type = envelope.type, SignalingKind(rawValue: type) != purpose { text += "  (\(plain(type, secrets)))" }
        if let description {
            text += "  "
            text += description.media.prefix(4).map { $0.brief }.joined(separator: ", ")
            if description.media.isEmpty { text += "no media" }
        }
        if let candidate { text += "  " + candidate.wording }
        if let brokenCandidate { text += "  malformed: \(secrets.apply(text: brokenCandidate))" }
        if let reason { text += "  \"\(secrets.apply(reason: shown(reason, secrets)))\"" }
        if let words { text += "  \"\(shown(words, secrets))\"" }
        if isCut { text += "  truncated" }
        return text
    }

    /// The reason of an error or of the end of a call: a number, text, or both, in any of the usual members.
    private var reason: String? {
        guard purpose == .error || purpose == .bye, let json else { return nil }
        let error = json["error"]
        let objects = [error, json["data"], json["content"], json].compactMap { $0 }.filter(\.isObject)
        func first<Value>(_ names: [String], _ value: (JSONNode) -> Value?) -> Value? {
            for object in objects {
                for name in names { if let found = object[name].flatMap(value) { return found } }
            }
            return nil
        }
        // A textual code may be one that grants access.
        let parts = [
            first(["code", "error_code", "errorCode"]) { $0.integer }.map(String.init),
            error?.string ?? first(["reason", "message", "description"]) { $0.string },
        ]
        let words = parts.compactMap { $0 }.filter { !$0.isEmpty && $0.utf8.count <= 256 }
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    /// An explanation of the step.
    package var note: Text? {
        if json == nil, words == nil, !flaws.isEmpty { return Text("signaling.broken") }
        if let candidate { return candidate.note }
        if purpose == .other, envelope.dialect == .janus, envelope.type == "webrtcup" { return Text("signaling.up") }
        if descriptionType == "pranswer" { return Text("signaling.pranswer") }
        return Text("signaling.\(kind)")
    }

    private func shown(_ words: String, _ secrets: SecretPolicy) -> String {
        let shown = secrets.apply(text: words)
        return secrets == .masked ? known?.masked(shown) ?? shown : shown
    }

    /// Returns a value of the envelope with known secrets masked.
    private func plain(_ word: String, _ secrets: SecretPolicy) -> String {
        secrets == .masked ? known?.masked(word) ?? word : word
    }

    /// Returns the members of the report's `fields`.
    package func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("carrier", carrier.rawValue)
        fields.add("framing", framing.name)
        fields.add("dialect", envelope.dialect?.rawValue)
        fields.add("from", envelope.from.map { plain($0, secrets) })
        fields.add("to", envelope.to.map { plain($0, secrets) })
        fields.add("type", envelope.type.map { plain($0, secrets) })
        fields.add(
            "call", secrets == .masked ? envelope.maskedCall ?? envelope.call.map { plain($0, secrets) } : envelope.call
        )
        if let json {
            // The text of an error may repeat secrets that were not captured under their names.
            let isError = purpose == .error || purpose == .bye
            let field = SignalingSecrets.field(json, secrets) { text in
                let shown = known?.masked(text) ?? text
                return isError && shown.utf8.contains(ASCII.space) ? secrets.apply(reason: shown) : shown
            }
            fields.add("json", field)
        } else {
            fields.add("json", words.map { shown($0, secrets) })
        }
        fields.add("candidate", candidate?.field)
        fields.add("httpEvent", httpEvent)
        let errors = flaws.map(\.kind.rawValue)
        if !errors.isEmpty { fields.add("flaws", .array(errors.map { .string($0) })) }
        return fields
    }
}

extension MediaDescription {
    /// A short description, such as `video VP8`.
    fileprivate var brief: Wording {
        let name = Wording(phrase: type)
        guard isRTP else { return port == 0 ? name + " rejected" : name }
        let known = payloadTypes.compactMap { rtpMap($0)?.encoding }.first { TextSyntax.lowercased($0) != "rtx" }
        let text = known.map { name + " \($0)" } ?? name
        return port == 0 && !attributes.has("bundle-only") ? text + " rejected" : text
    }
}

extension SignaledCandidate {
    /// The candidate in one line.
    var wording: Wording {
        var text: Wording = "\(content.type) \(TextSyntax.uppercased(content.transport))"
        if let tcp = content.tcpType { text += " \(tcp)" }
        text +=
            content.address.contains(":")
            ? " [\(content.address)]:\(content.port)" : " \(content.address):\(content.port)"
        if let mid { text += "  mid \(mid)" } else if let lineIndex { text += "  m-line \(lineIndex)" }
        return text
    }

    /// An explanation of the candidate's type.
    var note: Text {
        if content.isMDNS { return Text("signaling.candidate.mdns") }
        switch content.type {
        case "host", "srflx", "prflx", "relay": return Text("signaling.candidate.\(content.type)")
        default: return Text("signaling.candidate")
        }
    }

    /// The candidate as an object.
    var field: FieldValue {
        var fields: [Field] = []
        fields.add("foundation", content.foundation)
        fields.add("component", content.component)
        fields.add("transport", content.transport)
        fields.add("priority", Int(content.priority))
        fields.add("address", content.address)
        fields.add("port", Int(content.port))
        fields.add("type", content.type)
        fields.add("relatedAddress", content.relatedAddress)
        fields.add("relatedPort", content.relatedPort.map { Int($0) })
        fields.add("tcpType", content.tcpType)
        fields.add("mid", mid)
        fields.add("lineIndex", lineIndex)
        fields.add("ufrag", ufrag ?? content.ufrag)
        return .object(fields)
    }
}
