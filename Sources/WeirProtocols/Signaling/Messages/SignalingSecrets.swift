import WeirEngine
import WeirPackets

/// Masks secrets in a signaling message: ICE passwords, keys, tokens, credentials of TURN servers.
enum SignalingSecrets {
    /// Returns a text as it appears in reports.
    ///
    /// - Parameter masked: Masks the secrets known so far in a text.
    static func field(
        _ json: JSONNode, _ secrets: SecretPolicy, masked: (String) -> String = { $0 }
    ) -> FieldValue {
        guard secrets == .masked else { return json.field(hides: { _ in false }, shown: { $0 }) }
        return withoutSession(json).field(hides: isSecret, shown: { masked(shown($0, depth: 0)) })
    }

    /// Returns the session ID in a Janus message, where its member has another name.
    static func session(of json: JSONNode) -> String? {
        guard json["janus"]?.string == "success", json["session_id"] == nil else { return nil }
        return json["data"]?["id"]?.word
    }

    /// Janus returns the ID of a new session as `data.id`, like those of handles; only responses within a session also
    /// contain its ID.
    private static func withoutSession(_ json: JSONNode) -> JSONNode {
        guard session(of: json) != nil else { return json }
        return json.replacing("data", by: { $0.replacing("id", by: { _ in JSONNode(.string(SecretPolicy.mask)) }) })
    }

    /// Whether a name denotes a secret, and not only resembles one that does.
    static func isSecret(_ name: String) -> Bool {
        SecretNames.isSecret(name) && !harmless.contains(TextSyntax.lowercased(name))
    }

    private static let harmless: Set<String> = ["author", "authors", "bypass", "compass"]

    private static func shown(_ text: String, depth: Int) -> String {
        guard let first = text.utf8.first(where: { !JSONReader.isBlank($0) }) else { return text }
        switch first {
        case UInt8(ascii: "v"):
            if SignalingContents.description(in: text) != nil { return description(text) }
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard depth < 4 else { return SecretPolicy.mask }
            let inner = JSONText(text)
            guard inner.isWhole, let value = inner.value else { break }
            return written(value, depth: depth + 1)
        case UInt8(ascii: "e"):
            // Encoded text cannot be masked in part, and JSON Web Tokens have this prefix.
            if text.hasPrefix("eyJ"), text.utf8.count >= 32 { return SecretPolicy.mask }
        default: break
        }
        if text.hasPrefix("candidate:") { return SDPAttribute.candidate(text, .masked) }
        if text.utf8.contains(ASCII.colon), let line = attribute(text) { return line }
        return StreamAddresses.hidePaths(in: SecretPolicy.masked.apply(text: text))
    }

    /// Returns a description with the values of secret lines masked, and its line ends unchanged.
    private static func description(_ text: String) -> String {
        let octets = Array(text.utf8)
        // Line ends, or their doubly escaped form.
        var shown: [UInt8] = []
        var line: [UInt8] = []
        var index = 0
        while index < octets.count {
            let octet = octets[index]
            let isEscape =
                octet == 0x5C && index + 1 < octets.count
                && (octets[index + 1] == UInt8(ascii: "r") || octets[index + 1] == UInt8(ascii: "n"))
            guard octet == ASCII.carriageReturn || octet == ASCII.lineFeed || isEscape else {
                line.append(octet)
                index += 1
                continue
            }
            shown += masked(line: line)
            line = []
            shown.append(octet)
            if isEscape { shown.append(octets[index + 1]) }
            index += isEscape ? 2 : 1
        }
        return String(decoding: shown + masked(line: line), as: UTF8.self)
    }

    private static func masked(line: [UInt8]) -> [UInt8] {
        if line.starts(with: "k=".utf8) { return Array("k=\(SecretPolicy.mask)".utf8) }
        guard line.starts(with: "a=".utf8) else { return line }
        let text = String(decoding: line, as: UTF8.self)
        return Array((attribute(text) ?? text).utf8)
    }

    /// Returns a line `a=name:value` with its value masked if secret, or nil for other texts.
    private static func attribute(_ text: String) -> String? {
        guard text.hasPrefix("a=") else { return nil }
        let (name, value) = TextSyntax.pair(String(text.dropFirst(2)), at: ASCII.colon)
        let attribute = SDPAttribute(name: name, value: value, line: 0)
        return "a=\(name)" + (attribute.shown(.masked).map { ":\($0)" } ?? "")
    }

    /// Returns JSON from a string, serialized again with its secrets masked.
    private static func written(_ node: JSONNode, depth: Int) -> String {
        switch node.content {
        case .null: return "null"
        case .bool(let value): return value ? "true" : "false"
        case .number(let text): return text
        case .string(let text): return quoted(shown(text, depth: depth))
        case .array(let elements):
            return "[" + elements.map { written($0, depth: depth) }.joined(separator: ",") + "]"
        case .object(let members):
            let named = node.hidesValue(isSecret)
            let parts = members.map { member in
                let isHidden = isSecret(member.name) || named && JSONNode.values.contains(member.name)
                let value = isHidden ? quoted(SecretPolicy.mask) : written(member.value, depth: depth)
                return "\(quoted(member.name)):\(value)"
            }
            return "{" + parts.joined(separator: ",") + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var octets: [UInt8] = []
        octets.appendJSON(text)
        return String(decoding: octets, as: UTF8.self)
    }
}
