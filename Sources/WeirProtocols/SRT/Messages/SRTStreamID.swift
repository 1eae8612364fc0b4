import WeirEngine

/// A stream ID (§3.2.1.3), free-form or of the access control syntax (appendix B).
struct SRTStreamID: Sendable, Hashable {
    /// The longest allowed ID in octets.
    static let most = 512

    /// The octets, without padding.
    let octets: [UInt8]
    /// The key-value pairs of the syntax `#!::`, or nil if the ID is free-form.
    let pairs: [(key: String, value: String)]?
    /// Whether the ID starts like the syntax, but does not follow it.
    let isMalformed: Bool

    init(octets: [UInt8]) {
        self.octets = octets
        let text = String(decoding: octets, as: UTF8.self)
        guard text.hasPrefix("#!:") else {
            self.pairs = nil
            self.isMalformed = text.hasPrefix("#!")
            return
        }
        let content = text.dropFirst(3)
        let isNested = content.hasPrefix("{")
        var pairs: [(key: String, value: String)] = []
        var isMalformed = isNested ? !content.hasSuffix("}") : !content.hasPrefix(":")
        for part in content.dropFirst().split(separator: ",", omittingEmptySubsequences: false) where !isNested {
            let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if let key = halves.first, let value = halves.dropFirst().first, !key.isEmpty {
                pairs.append((String(key), String(value)))
            } else {
                isMalformed = true
            }
        }
        self.isMalformed = isMalformed
        self.pairs = pairs
    }

    /// Returns the value of a key.
    func value(_ key: String) -> String? { pairs?.first { $0.key == key }?.value }

    /// Keys whose values are no secrets: host, type and mode.
    private static let plainKeys: Set<String> = ["h", "t", "m"]

    /// Returns the ID with names of resources and users masked, since whoever knows them can publish.
    func text(_ secrets: SecretPolicy) -> String {
        guard let pairs, !pairs.isEmpty else { return secrets.apply(String(decoding: octets, as: UTF8.self)) }
        let parts = pairs.map { key, value in
            "\(key)=\(Self.plainKeys.contains(key) ? value : secrets.apply(value))"
        }
        return "#!::" + parts.joined(separator: ",")
    }

    static func == (one: Self, other: Self) -> Bool { one.octets == other.octets }
    func hash(into hasher: inout Hasher) { hasher.combine(octets) }
}
