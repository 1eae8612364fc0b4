/// The flow ids of a session, in order of joining.
///
/// A session may have thousands of connections, and is passed to reports after each event. Copies of this list share
/// all but later additions, so that neither copying nor appending gets slower with length: its chunks halve in length
/// from one to the next, and two of equal length are merged.
struct FlowList: Sendable {
    private var parts: [[Int]] = []

    /// All ids, in order.
    var all: [Int] { parts.count == 1 ? parts[0] : parts.flatMap { $0 } }
    /// The number of ids.
    private(set) var count = 0
    /// The first id.
    var first: Int? { parts.first?.first }

    /// Appends an id.
    mutating func append(_ flow: Int) {
        var last = [flow]
        while let before = parts.last, before.count == last.count {
            parts.removeLast()
            last = before + last
        }
        parts.append(last)
        count += 1
    }
}
