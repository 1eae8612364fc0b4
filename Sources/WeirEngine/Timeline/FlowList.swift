/// The flow ids of a session, in order of joining.
///
/// A session may have thousands of connections, and is passed to reports after each event. Copies of this list share
/// all but later additions, so that neither copying nor appending gets slower with length: after the first few, its chunks
/// halve in length from one to the next, and two of equal length are merged.
struct FlowList: Sendable {
    /// The largest number of ids in one chunk that is copied as it grows: those of most sessions.
    static let mostFew = 8
    private var few: [Int] = []
    private var parts: [[Int]] = []

    /// All ids, in order.
    var all: [Int] { parts.isEmpty ? few : few + parts.flatMap { $0 } }
    /// The number of ids.
    private(set) var count = 0
    /// The first id.
    var first: Int? { few.first }

    /// Whether an id is among the first few.
    func begins(with flow: Int) -> Bool { few.contains(flow) }

    /// Appends an id.
    mutating func append(_ flow: Int) {
        count += 1
        guard few.count == Self.mostFew else { return few.append(flow) }
        var last = [flow]
        while let before = parts.last, before.count == last.count {
            parts.removeLast()
            last = before + last
        }
        parts.append(last)
    }
}

/// A flow table index, with the flow id to detect reuse.
struct FlowHandle {
    /// The index.
    var index: Int
    /// The flow id.
    var id: Int
}
