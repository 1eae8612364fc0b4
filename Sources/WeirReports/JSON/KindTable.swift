import Synchronization

/// The kinds of messages that have a template, at the index of the template.
struct KindTable {
    /// The number of indices.
    static let most = 256
    /// The number of candidate indices per kind.
    private static let choice = 4

    private var kinds = [RecordTemplate.Kind?](repeating: nil, count: most)

    /// The kind of the template at an index.
    subscript(place: Int) -> RecordTemplate.Kind? {
        get { kinds[place] }
        set { kinds[place] = newValue }
    }

    /// Returns the index of the template of a kind, or nil if there is none.
    @inline(__always)
    func place(of kind: RecordTemplate.Kind) -> Int? {
        let first = kind.mixed
        for step in 0..<Self.choice {
            let place = Self.place(first, step)
            if kinds[place] == kind { return place }
        }
        return nil
    }

    /// Returns the candidate indices of a kind.
    func places(for kind: RecordTemplate.Kind) -> [Int] {
        (0..<Self.choice).map { Self.place(kind.mixed, $0) }
    }

    @inline(__always)
    private static func place(_ mixed: UInt64, _ step: Int) -> Int {
        Int(truncatingIfNeeded: mixed &+ UInt64(step)) & (most - 1)
    }
}

/// The kinds of which a report copies the records, for the thread that hands over the messages.
///
/// The template of such a kind stays at its index.
final class ProvenKinds: Sendable {
    /// The table of one thread, with those added up to a moment.
    struct Known {
        private var table = KindTable()
        private var count = 0

        /// Returns the index of the template of a kind, or nil if its records are not copied yet.
        @inline(__always)
        mutating func place(of kind: RecordTemplate.Kind, among proven: ProvenKinds) -> Int? {
            if proven.count.load(ordering: .acquiring) != count { update(from: proven) }
            return table.place(of: kind)
        }

        @inline(never)
        private mutating func update(from proven: ProvenKinds) {
            let added = proven.kinds.withLock { [count] in Array($0[count...]) }
            for (kind, place) in added { table[place] = kind }
            count += added.count
        }
    }

    private let kinds = Mutex<[(RecordTemplate.Kind, Int)]>([])
    private let count = Atomic(0)

    /// Adds a kind, given the index of its template.
    func append(_ kind: RecordTemplate.Kind, at place: Int) {
        let number = kinds.withLock {
            $0.append((kind, place))
            return $0.count
        }
        count.store(number, ordering: .releasing)
    }
}
