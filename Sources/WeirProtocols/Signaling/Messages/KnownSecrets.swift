import WeirEngine

/// Secrets that messages of a connection have told by name: where another repeats one among its words, as errors do, it is
/// found again.
package struct KnownSecrets: Sendable, Hashable {
    /// Octets of the shortest that is looked for: shorter ones stand in words by chance.
    private static let shortest = 6
    private static let longest = 4_096

    private var values: [String] = []
    private let most: Int

    /// Nothing is known.
    ///
    /// - Parameter most: secrets that are remembered, the latest ones.
    package init(most: Int) { self.most = most }

    /// Takes in what a message tells. Returns whether there was room for all.
    mutating func learn(_ node: JSONNode) -> Bool {
        var hasRoom = true
        if let id = SignalingSecrets.session(of: node) { hasRoom = learn(id) && hasRoom }
        for member in node.members {
            if let word = member.value.word, SignalingSecrets.isSecret(member.name) {
                hasRoom = learn(word) && hasRoom
            } else {
                hasRoom = learn(member.value) && hasRoom
            }
        }
        for element in node.elements { hasRoom = learn(element) && hasRoom }
        return hasRoom
    }

    private mutating func learn(_ word: String) -> Bool {
        guard Self.shortest...Self.longest ~= word.utf8.count, !values.contains(word) else { return true }
        values.append(word)
        guard values.count > most else { return true }
        values.removeFirst()
        return false
    }

    /// A text without them.
    func masked(_ text: String) -> String {
        guard !values.isEmpty, text.utf8.count >= Self.shortest else { return text }
        return values.reduce(text) { $1.utf8.count <= $0.utf8.count ? $0.replacing($1, with: SecretPolicy.mask) : $0 }
    }
}
