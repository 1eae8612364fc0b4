/// A bounded store of recent entries, such as connections; the oldest entry is removed at the limit.
struct Recent<Key: Hashable, Value> {
    /// Entries with the hash of their key, which speeds up searching many.
    private var entries: [(hash: Int, key: Key, value: Value)] = []
    private let limit: Int

    /// Creates a store of at most `limit` entries.
    init(limit: Int = 16) {
        self.limit = max(1, limit)
    }

    /// The value stored for `key`.
    subscript(key: Key) -> Value? {
        get { place(of: key).map { entries[$0].value } }
        set {
            let known = place(of: key)
            let hash = known.map { entries[$0].hash } ?? key.hashValue
            if let known, known < entries.count - 1 || newValue == nil { entries.remove(at: known) }
            guard let newValue else { return }
            if entries.last?.key == key {
                entries[entries.count - 1].value = newValue
                return
            }
            if entries.count == limit { entries.removeFirst() }
            entries.append((hash, key, newValue))
        }
    }

    private func place(of key: Key) -> Int? {
        // For a few entries, comparing all keys is cheaper than hashing.
        guard entries.count > 4 else { return entries.firstIndex { $0.key == key } }
        let hash = key.hashValue
        return entries.firstIndex { $0.hash == hash && $0.key == key }
    }

    /// The key stored last.
    var lastKey: Key? { entries.last?.key }

    /// The values, oldest first.
    var values: [Value] { entries.map(\.value) }
    /// The keys, oldest first.
    var keys: [Key] { entries.map(\.key) }
    /// Whether the store is empty.
    var isEmpty: Bool { entries.isEmpty }

    /// Removes all entries.
    mutating func removeAll() { entries = [] }
}
