/// What a rule remembers of the latest of many things, such as connections; the oldest is forgotten beyond the limit.
struct Recent<Key: Hashable, Value> {
    private var entries: [(key: Key, value: Value)] = []
    private let limit: Int

    /// Remembers up to `limit` things.
    init(limit: Int = 16) {
        self.limit = max(1, limit)
    }

    /// What is remembered of `key`.
    subscript(key: Key) -> Value? {
        get { entries.last { $0.key == key }?.value }
        set {
            entries.removeAll { $0.key == key }
            guard let newValue else { return }
            if entries.count == limit { entries.removeFirst() }
            entries.append((key, newValue))
        }
    }

    /// What is remembered, the oldest first.
    var values: [Value] { entries.map(\.value) }
    /// The keys, the oldest first.
    var keys: [Key] { entries.map(\.key) }
    /// Whether nothing is remembered.
    var isEmpty: Bool { entries.isEmpty }

    /// Forgets everything.
    mutating func removeAll() { entries = [] }
}
