import WeirEngine
import WeirPackets

/// A row of a ladder: an event, or a finding without one.
struct PageStep: Sendable {
    /// A finding at the row.
    struct Found: Sendable {
        var rule: String
        /// `error`, `warning`, `note`, `inconclusive` or `accepted`.
        var look: String
        /// Its severity in words, or that it is undecided.
        var severity: PageText
        var text: PageText
    }

    /// Under which name a row may be counted with its neighbors.
    struct Fold: Sendable {
        var name: String
        /// Whether it answers requests of the name.
        var isAnswer: Bool
        /// Whether the first of its kind has a row of its own.
        var sparesFirst: Bool
    }

    /// The number of the event, or nil for a finding without one.
    var event: Int?
    /// Nanoseconds since the first packet.
    var offset: Int64
    var frame: Int?
    var flow: Int?
    var session: Int?
    var stream: Int?
    var direction = Direction.clientToServer
    /// The sender and the receiver; nil for a finding without an event.
    var ends: (source: Endpoint, destination: Endpoint)?
    /// Whether it goes from the side of the session's client to the other.
    var isForward = true
    var protocolName = ""
    var kind = ""
    var text = PageText("")
    /// Nanoseconds from the request to this response.
    var latency: Int64?
    var phase: Phase?
    var fold: Fold?
    /// What is remarkable about it beside findings, such as a delay by TCP.
    var remarks: [PageText] = []
    var hasRemarks: Bool { !remarks.isEmpty }
    var findings: [Found] = []
    /// The record of the event, as in the JSON report; empty for a finding.
    var record: [UInt8] = []

    /// What is kept first if not everything can be: 0 for errors, 1 for warnings, 2 for other findings, 4 for steps, 5
    /// for those that recur.
    var rank: Int {
        let looks = findings.map { ["error": 0, "warning": 1][$0.look] ?? 2 }
        return looks.min() ?? (event == nil ? 2 : fold == nil ? 4 : 5)
    }

    /// About how many octets of the page it takes.
    var octets: Int {
        record.count + text.main.utf8.count * 2 + 300 + findings.reduce(0) { $0 + $1.text.main.utf8.count * 2 + 80 }
    }
}

/// The rows of a page, bounded by number and size: beyond that, those with findings and their neighbors are kept.
struct KeptSteps {
    /// How many rows before and after one with a finding are its neighbors.
    private static let near = 8
    /// How many of the latest rows are kept as neighbors of what may follow.
    private static let latest = 64

    private(set) var steps: [PageStep] = []
    /// How many were dropped, by protocol and kind.
    private(set) var dropped: [String: Int] = [:]
    /// Their total.
    var droppedCount: Int { dropped.values.reduce(0, +) }
    private var octets = 0
    private let most: (count: Int, octets: Int)

    init(most: Int, octets: Int) { self.most = (max(1, most), octets) }

    /// Adds a row.
    mutating func add(_ step: PageStep) {
        octets += step.octets
        steps.append(step)
        if steps.count >= 2 * most.count + 2 * Self.latest || octets >= 2 * most.octets { cut(sparing: Self.latest) }
    }

    /// Drops what is beyond the bounds.
    mutating func finish() { cut(sparing: 0) }

    private mutating func cut(sparing latest: Int) {
        guard steps.count > most.count || octets > most.octets else { return }
        var ranks = steps.map(\.rank)
        for (index, rank) in ranks.enumerated() where rank <= 2 {
            for near in max(0, index - Self.near)...min(steps.count - 1, index + Self.near)
            where ranks[near] > 3 && steps[near].session == steps[index].session {
                ranks[near] = 3
            }
        }
        for index in max(0, steps.count - latest)..<steps.count { ranks[index] = min(ranks[index], 3) }
        let order = steps.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }
        var kept: Set<Int> = []
        var left = most.octets
        for index in order.prefix(most.count) {
            left -= steps[index].octets
            guard left >= 0 else { break }
            kept.insert(index)
        }
        for index in steps.indices where !kept.contains(index) && steps[index].event != nil {
            dropped["\(steps[index].protocolName) \(steps[index].kind)", default: 0] += 1
        }
        steps = steps.indices.filter { kept.contains($0) }.map { steps[$0] }
        octets = steps.reduce(0) { $0 + $1.octets }
    }
}
