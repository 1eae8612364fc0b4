import WeirEngine

/// Secrets that messages of a connection have told by name: where another repeats one among its words, as errors do, it is
/// found again.
package struct KnownSecrets: Sendable, Hashable {
    /// Octets of the shortest that is looked for: shorter ones stand in words by chance.
    private static let shortest = 6
    private static let longest = 4_096

    /// They, by their first octet, the longest first.
    private var values: [UInt8: [[UInt8]]] = [:]
    /// They, in the order in which they were told.
    private var order: [[UInt8]] = []
    private let most: Int

    /// Nothing is known.
    ///
    /// - Parameter most: secrets that are remembered, the latest ones.
    package init(most: Int) { self.most = most }

    /// Takes in what a message tells. Returns whether there was room for all.
    mutating func learn(_ node: JSONNode) -> Bool {
        var hasRoom = true
        if let id = SignalingSecrets.session(of: node) { hasRoom = learn(id) && hasRoom }
        let named = node.hidesValue(SignalingSecrets.isSecret)
        for member in node.members {
            let isSecret = SignalingSecrets.isSecret(member.name) || named && JSONNode.values.contains(member.name)
            if let word = member.value.word, isSecret {
                hasRoom = learn(word) && hasRoom
            } else {
                hasRoom = learn(member.value) && hasRoom
            }
        }
        for element in node.elements { hasRoom = learn(element) && hasRoom }
        return hasRoom
    }

    private mutating func learn(_ word: String) -> Bool {
        let octets = Array(word.utf8)
        guard Self.shortest...Self.longest ~= octets.count, !order.contains(octets) else { return true }
        order.append(octets)
        values[octets[0], default: []].append(octets)
        values[octets[0]]?.sort { $0.count > $1.count }
        guard order.count > most else { return true }
        let oldest = order.removeFirst()
        values[oldest[0]]?.removeAll { $0 == oldest }
        return false
    }

    /// A text without them.
    func masked(_ text: String) -> String {
        guard !values.isEmpty, text.utf8.count >= Self.shortest else { return text }
        // A text may be long: it is walked once, however many are known.
        let octets = Array(text.utf8)
        var (shown, done, index) = ([UInt8](), 0, 0)
        while index < octets.count {
            guard let secret = values[octets[index]]?.first(where: { octets[index...].starts(with: $0) }) else {
                index += 1
                continue
            }
            shown += octets[done..<index] + Array(SecretPolicy.mask.utf8)
            index += secret.count
            done = index
        }
        return done == 0 ? text : String(decoding: shown + octets[done...], as: UTF8.self)
    }
}
