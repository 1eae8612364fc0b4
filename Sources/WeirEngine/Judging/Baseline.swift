/// The findings that a project had when it began to check: they are accepted, new ones are not.
public struct Baseline: Sendable {
    /// How findings that a baseline accepts are marked in `waivedBy`.
    public static let name = "baseline"

    /// One finding that was there.
    public struct Entry: Sendable, Hashable {
        /// The finding's fingerprint.
        public var fingerprint: String
        /// The rule's id.
        public var rule: String
        /// What was wrong, for the people who read the file.
        public var message: String

        /// Creates an entry.
        public init(fingerprint: String, rule: String, message: String) {
            self.fingerprint = fingerprint
            self.rule = rule
            self.message = message
        }
    }

    /// The entries, in the order of the file.
    public private(set) var entries: [Entry] = []
    private var fingerprints: Set<String> = []
    /// Entries that are kept: more than anybody will read.
    private static let most = 100_000

    /// A baseline without findings.
    public init() {}

    /// Adds an entry, unless one with its fingerprint is there.
    public mutating func add(_ entry: Entry) {
        guard entries.count < Self.most, fingerprints.insert(entry.fingerprint).inserted else { return }
        entries.append(entry)
    }

    /// Whether a finding is accepted.
    public func contains(_ fingerprint: String) -> Bool { fingerprints.contains(fingerprint) }

    /// The entries in an order that depends on nothing but what they are.
    public var sorted: [Entry] {
        entries.sorted { ($0.rule, $0.fingerprint) < ($1.rule, $1.fingerprint) }
    }
}
