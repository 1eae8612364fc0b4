/// Values by key, in order of insertion. While there are few, a key is found by comparison, which takes less than
/// hashing it.
struct KeyedList<Key: Hashable, Value> {
    /// The maximum number of keys that are not hashed.
    private static var few: Int { 12 }

    struct Entry {
        let key: Key
        var value: Value
    }

    private(set) var entries: [Entry] = []
    /// The index of each key, if there are more.
    private var places: [Key: Int] = [:]

    var isEmpty: Bool { entries.isEmpty }

    /// Changes the value of a key, and returns whether it has one.
    mutating func change(_ key: Key, _ change: (inout Value) -> Void) -> Bool {
        guard let place = place(of: key) else { return false }
        change(&entries[place].value)
        return true
    }

    /// Appends the value of a key that has none.
    mutating func append(_ key: Key, _ value: consuming Value) {
        if entries.isEmpty { entries.reserveCapacity(4) }
        entries.append(Entry(key: key, value: value))
        guard entries.count > Self.few else { return }
        for place in places.count..<entries.count { places[entries[place].key] = place }
    }

    private func place(of key: Key) -> Int? {
        guard entries.count <= Self.few else { return places[key] }
        for place in entries.indices where entries[place].key == key { return place }
        return nil
    }
}

extension KeyedList<String, Int> {
    /// Adds to the number of a key.
    mutating func count(_ key: String, _ number: Int) {
        if !change(key, { $0 += number }) { append(key, number) }
    }

    /// The keys with their numbers, greatest first.
    var sorted: [(rule: String, count: Int)] {
        entries.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
    }
}
