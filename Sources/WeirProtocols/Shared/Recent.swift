/// What a rule remembers of the latest of many things, such as connections; the oldest is forgotten beyond the limit.
struct Recent<Key: Hashable, Value> {
    /// With the hash of the key, by which it is looked for among many.
    private var entries: [(hash: Int, key: Key, value: Value)] = []
    private let limit: Int

    /// Remembers up to `limit` things.
    init(limit: Int = 16) {
        self.limit = max(1, limit)
    }

    /// What is remembered of `key`.
    subscript(key: Key) -> Value? {
        get { place(of: key).map { entries[$0].value } }
        set {
            if let place = place(of: key) { entries.remove(at: place) }
            guard let newValue else { return }
            if entries.count == limit { entries.removeFirst() }
            entries.append((key.hashValue, key, newValue))
        }
    }

    private func place(of key: Key) -> Int? {
        // Of a few, comparing them all is cheaper than a hash.
        guard entries.count > 4 else { return entries.firstIndex { $0.key == key } }
        let hash = key.hashValue
        return entries.firstIndex { $0.hash == hash && $0.key == key }
    }

    /// The key that was remembered last.
    var lastKey: Key? { entries.last?.key }

    /// What is remembered, the oldest first.
    var values: [Value] { entries.map(\.value) }
    /// The keys, the oldest first.
    var keys: [Key] { entries.map(\.key) }
    /// Whether nothing is remembered.
    var isEmpty: Bool { entries.isEmpty }

    /// Forgets everything.
    mutating func removeAll() { entries = [] }
}
