/// The numbers of the flows of a session, in the order in which they took part.
///
/// A session of thousands of connections is handed to reports after each step. A copy of this list shares all but what is
/// added afterwards, so that neither copying nor adding costs more the longer it is: its parts are of lengths that halve from
/// one to the next, and two of one length become one.
struct FlowList: Sendable {
    private var parts: [[Int]] = []

    /// All of them, in order.
    var all: [Int] { parts.count == 1 ? parts[0] : parts.flatMap { $0 } }
    /// How many.
    private(set) var count = 0
    /// The one that took part first.
    var first: Int? { parts.first?.first }

    /// Adds one.
    mutating func append(_ flow: Int) {
        var last = [flow]
        while let before = parts.last, before.count == last.count {
            parts.removeLast()
            last = before + last
        }
        parts.append(last)
        count += 1
    }

    /// Whether it is among them.
    func contains(_ flow: Int) -> Bool { parts.contains { $0.contains(flow) } }
}
