/// The results of rules that depend only on a message's content, for contents that occur again.
///
/// Only contents without findings are stored: a finding contains the place of its message.
struct JudgedContents {
    /// How often each rule passed or did not apply, by rule position.
    typealias Counts = [(position: Int, passes: Int, unconcerned: Int)]

    private struct Entry {
        let content: any AnyObject & Sendable
        let kind: String?
        let counts: Counts
    }

    private var entries: [Entry] = []
    /// The maximum number of entries; searched one by one.
    private static let limit = 32

    /// Returns the stored counts of a content in sessions of a kind.
    func counts(of content: AnyObject, in kind: String?) -> Counts? {
        entries.first { $0.content === content && $0.kind == kind }?.counts
    }

    /// Stores the counts of a content.
    mutating func add(_ content: any AnyObject & Sendable, in kind: String?, _ counts: Counts) {
        if entries.count == Self.limit { entries.removeFirst() }
        entries.append(Entry(content: content, kind: kind, counts: counts))
    }
}
