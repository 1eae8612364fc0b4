/// A bounded store of recent entries, such as connections; the oldest entry is removed at the limit.
struct Recent<Key: Hashable, Value> {
    /// For so few entries, comparing all keys is cheaper than hashing.
    private static var few: Int { 4 }
    /// Entries; if there are more than a few, each with the hash of its key.
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
            if let known, known == entries.count - 1, let newValue {
                entries[known].value = newValue
                return
            }
            if let known { entries.remove(at: known) }
            if let newValue { append(key, newValue) }
        }
    }

    private mutating func append(_ key: Key, _ value: Value) {
        if entries.count == limit { entries.removeFirst() }
        if entries.count == Self.few {
            for index in entries.indices { entries[index].hash = entries[index].key.hashValue }
        }
        entries.append((entries.count < Self.few ? 0 : key.hashValue, key, value))
    }

    private func place(of key: Key) -> Int? {
        let isHashed = entries.count > Self.few
        let hash = isHashed ? key.hashValue : 0
        // By index: a closure would be passed copies of the values.
        for index in entries.indices
        where !isHashed || entries[index].hash == hash {
            if entries[index].key == key { return index }
        }
        return nil
    }

    /// The key stored last.
    var lastKey: Key? { entries.last?.key }

    /// The values, oldest first.
    var values: [Value] { entries.map(\.value) }
    /// The keys, oldest first.
    var keys: [Key] { entries.map(\.key) }
    /// Whether the store is empty.
    var isEmpty: Bool { entries.isEmpty }

    /// Removes the entries with values of a kind.
    mutating func removeAll(where isKind: (Value) -> Bool) {
        entries.removeAll { isKind($0.value) }
    }

    /// Removes all entries.
    mutating func removeAll() { entries = [] }
}
