import WeirEngine

/// Secrets that messages of a connection contained under their names, so that they can be masked in other text, such as
/// error messages.
package struct KnownSecrets: Sendable, Hashable {
    /// The minimum length of a secret in octets: shorter ones occur in text by chance.
    private static let shortest = 6
    private static let longest = 4_096

    /// The secrets by first octet, longest first.
    private var values: [UInt8: [[UInt8]]] = [:]
    /// The secrets, oldest first.
    private var order: [[UInt8]] = []
    private let most: Int

    /// Creates an empty set.
    ///
    /// - Parameter most: The maximum number of secrets; the oldest are dropped.
    package init(most: Int) { self.most = most }

    /// Adds the secrets in a message. Returns whether there was room for all.
    mutating func recordObserved(_ node: JSONNode) -> Bool {
        var isWithinLimit = true
        if let id = SignalingSecrets.session(of: node) { isWithinLimit = recordObserved(id) && isWithinLimit }
        let named = node.hidesValue(SignalingSecrets.isSecret)
        for member in node.members {
            let isSecret = SignalingSecrets.isSecret(member.name) || named && JSONNode.values.contains(member.name)
            if let word = member.value.word, isSecret {
                isWithinLimit = recordObserved(word) && isWithinLimit
            } else {
                isWithinLimit = recordObserved(member.value) && isWithinLimit
            }
        }
        for element in node.elements { isWithinLimit = recordObserved(element) && isWithinLimit }
        return isWithinLimit
    }

    private mutating func recordObserved(_ word: String) -> Bool {
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

    /// Returns a text with the secrets masked.
    func masked(_ text: String) -> String {
        guard !values.isEmpty, text.utf8.count >= Self.shortest else { return text }
        // The text may be long: a single pass, however many secrets there are.
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
