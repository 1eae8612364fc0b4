import WeirEngine
import WeirPackets

/// Masks what must not be shown of a signaling message: passwords of ICE, keys, tokens, credentials of TURN servers.
enum SignalingSecrets {
    /// A text as reports write it.
    ///
    /// - Parameter masked: a text without what was told before.
    static func field(
        _ json: JSONNode, _ secrets: SecretPolicy, masked: (String) -> String = { $0 }
    ) -> FieldValue {
        guard secrets == .masked else { return json.field(hides: { _ in false }, shown: { $0 }) }
        return withoutSession(json).field(hides: isSecret, shown: { masked(shown($0, depth: 0)) })
    }

    /// The id of a session that Janus tells without its name.
    static func session(of json: JSONNode) -> String? {
        guard json["janus"]?.string == "success", json["session_id"] == nil else { return nil }
        return json["data"]?["id"]?.word
    }

    /// Janus tells the id of a new session as `data.id`, as it tells those of handles; only the answers to what is done in
    /// a session name it beside them.
    private static func withoutSession(_ json: JSONNode) -> JSONNode {
        guard session(of: json) != nil else { return json }
        return json.replacing("data", by: { $0.replacing("id", by: { _ in JSONNode(.string(SecretPolicy.mask)) }) })
    }

    /// Names that hold a secret, and not those that only look like it.
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
            // What is encoded cannot be masked in part, and JSON Web Tokens begin like that.
            if text.hasPrefix("eyJ"), text.utf8.count >= 32 { return SecretPolicy.mask }
        default: break
        }
        if text.hasPrefix("candidate:") { return SDPAttribute.candidate(text, .masked) }
        if text.utf8.contains(ASCII.colon), let line = attribute(text) { return line }
        return StreamAddresses.hidePaths(in: SecretPolicy.masked.apply(text: text))
    }

    /// A description with the values of secret lines masked, its line ends as they are.
    private static func description(_ text: String) -> String {
        let octets = Array(text.utf8)
        // Line ends, or what stands for them where they were escaped twice.
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

    /// A line `a=name:value`, its value masked where it is a secret; nil for other texts.
    private static func attribute(_ text: String) -> String? {
        guard text.hasPrefix("a=") else { return nil }
        let (name, value) = TextSyntax.pair(String(text.dropFirst(2)), at: ASCII.colon)
        let attribute = SDPAttribute(name: name, value: value, line: 0)
        return "a=\(name)" + (attribute.shown(.masked).map { ":\($0)" } ?? "")
    }

    /// JSON that stood in a string, written anew with its secrets masked.
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
