import WeirEngine
import WeirPackets

/// The columns of a ladder: hosts, in the order in which they appear, those of client and server first.
struct LadderLanes {
    /// A column.
    struct Lane: Hashable {
        var name: String
        /// `client`, `server`, `relay`, `peer` or `others`.
        var roles: [String] = []
        /// The program there, if known.
        var tool: String?
    }

    /// What is known of the hosts of a session.
    struct Ends {
        /// The endpoints whose columns are the first.
        var client: Endpoint?
        var server: Endpoint?
        /// The programs of both.
        var tools: (client: String?, server: String?) = (nil, nil)
        /// The addresses of TURN servers.
        var relays: Set<String> = []
        /// Whether other hosts are peers of a call.
        var isCall = false
    }

    /// The maximum number of columns; further hosts share the last.
    private static let most = 6

    private(set) var names: [Lane] = []
    private var places: [String: Int] = [:]
    /// Whether both sides have the same address, so that the sides are the columns.
    private let isLocal: Bool

    var count: Int { names.count }

    init(_ steps: [PageStep], _ known: Ends = Ends()) {
        isLocal = steps.contains { $0.ends.map { $0.source.address == $0.destination.address } ?? false }
        if let client = known.client { add(client, isClient: true, "client", known) }
        if let server = known.server { add(server, isClient: false, "server", known) }
        for step in steps {
            guard let ends = step.ends else { continue }
            add(ends.source, isClient: step.isForward, nil, known)
            add(ends.destination, isClient: !step.isForward, nil, known)
        }
    }

    private mutating func add(_ end: Endpoint, isClient: Bool, _ role: String?, _ known: Ends) {
        let name = key(end, isClient: isClient)
        guard places[name] == nil else { return }
        guard names.count < Self.most else {
            names[Self.most - 1] = Lane(name: "…", roles: ["others"])
            places[name] = Self.most - 1
            return
        }
        places[name] = names.count
        var lane = Lane(name: end.address.description)
        let isRelay = known.relays.contains(lane.name) && !(isLocal && isClient)
        if let role = role ?? (isLocal ? isClient ? "client" : "server" : nil) { lane.roles.append(role) }
        if isRelay { lane.roles.append("relay") }
        if lane.roles.isEmpty, known.isCall { lane.roles = ["peer"] }
        lane.tool = role == "client" ? known.tools.client : role == "server" ? known.tools.server : nil
        names.append(lane)
    }

    private func key(_ end: Endpoint, isClient: Bool) -> String {
        isLocal ? "\(end.address) \(isClient)" : end.address.description
    }

    /// Returns from which column to which a step goes; nil for a finding.
    func arrow(_ step: PageStep) -> LadderSymbols.Arrow? {
        guard let ends = step.ends, let from = places[key(ends.source, isClient: step.isForward)],
            let to = places[key(ends.destination, isClient: !step.isForward)]
        else { return nil }
        return LadderSymbols.Arrow(from: from, to: to)
    }
}

/// The streams beside a ladder: which of them run at a step, and which have a gap there.
struct LadderBars {
    /// The streams at a step, as bits.
    struct Marks: Hashable {
        var active = 0
        var lost = 0
        var isEmpty: Bool { active == 0 }
    }

    /// The maximum number of bars.
    static let most = 6

    private let spans: [(stream: Int, range: ClosedRange<Int64>)]

    /// The number of bars.
    var count: Int { spans.count }

    init(_ streams: [StreamRecord], _ scale: TimeScale) {
        spans = streams.sorted { $0.id < $1.id }.prefix(Self.most).map { stream in
            let start = stream.startTime.nanoseconds &- scale.start.nanoseconds
            return (stream.id, start...max(start, stream.endTime.nanoseconds &- scale.start.nanoseconds))
        }
    }

    func marks(_ step: PageStep) -> Marks {
        var marks = Marks()
        for (index, span) in spans.enumerated() where span.range.contains(step.offset) {
            marks.active |= 1 << index
            if step.kind == "gap", step.stream == span.stream { marks.lost |= 1 << index }
        }
        return marks
    }
}

/// The arrows and bars of a ladder, each drawn once and referred to from the rows.
struct LadderSymbols {
    /// From column to column.
    struct Arrow: Hashable, Comparable {
        var from: Int
        var to: Int

        static func < (one: Self, other: Self) -> Bool { (one.from, one.to) < (other.from, other.to) }
    }

    /// What the rows refer to.
    struct Used {
        var arrows: Set<Arrow> = []
        var marks: Set<LadderBars.Marks> = []
    }

    /// The distance of an arrow from the top of its row, and of bars from each other.
    private static let (line, bar) = (13, 7)

    let prefix: String

    func use(_ arrow: Arrow, _ used: inout Used, _ page: inout HTMLWriter) {
        used.arrows.insert(arrow)
        page.markup("<use href=\"#\(name(arrow))\"/>")
    }

    func use(_ marks: LadderBars.Marks, _ used: inout Used, _ page: inout HTMLWriter) {
        used.marks.insert(marks)
        page.markup("<use href=\"#\(name(marks))\"/>")
    }

    private func name(_ arrow: Arrow) -> String { "\(prefix)-\(arrow.from)-\(arrow.to)" }

    private func name(_ marks: LadderBars.Marks) -> String { "\(prefix)-b\(marks.active)-\(marks.lost)" }

    /// Writes the definitions.
    func define(_ used: Used, lanes: Int, _ page: inout HTMLWriter) {
        page.markup("<svg class=\"symbols\" width=\"0\" height=\"0\" aria-hidden=\"true\">")
        for arrow in used.arrows.sorted() { define(arrow, lanes, &page) }
        for marks in used.marks.sorted(by: { ($0.active, $0.lost) < ($1.active, $1.lost) }) { define(marks, &page) }
        page.markup("</svg>\n")
    }

    private func define(_ arrow: Arrow, _ lanes: Int, _ page: inout HTMLWriter) {
        func place(_ lane: Int) -> String { coordinate((Double(lane) + 0.5) * 100 / Double(lanes)) + "%" }
        let (from, to) = (place(arrow.from), place(arrow.to))
        page.markup("<symbol id=\"\(name(arrow))\" overflow=\"visible\">")
        if arrow.from == arrow.to {
            page.markup(
                "<svg x=\"\(from)\" y=\"\(Self.line)\" overflow=\"visible\"><path class=\"wire\" d=\"M0-6h18v12h-12\"/>"
                    + "<path class=\"head\" d=\"M0 6l8-4v8z\"/></svg>")
        } else {
            let isRight = arrow.to > arrow.from
            page.markup("<line class=\"wire\" x1=\"\(from)\" x2=\"\(to)\" y1=\"\(Self.line)\" y2=\"\(Self.line)\"/>")
            page.markup(
                "<svg x=\"\(to)\" y=\"\(Self.line)\" overflow=\"visible\"><path class=\"head\" d=\"M0 0l"
                    + (isRight ? "-9-4v8z" : "9-4v8z") + "\"/></svg>"
                    + "<circle class=\"foot\" cx=\"\(from)\" cy=\"\(Self.line)\" r=\"2.5\"/>")
        }
        page.markup("</symbol>")
    }

    private func define(_ marks: LadderBars.Marks, _ page: inout HTMLWriter) {
        page.markup(
            "<symbol id=\"\(name(marks))\" overflow=\"visible\"><svg x=\"100%\" height=\"100%\" overflow=\"visible\">")
        for index in 0..<LadderBars.most where marks.active & 1 << index != 0 {
            let x = Self.bar * (index + 1)
            if marks.lost & 1 << index != 0 {
                page.markup("<line class=\"bar b\(index)\" x1=\"\(x)\" x2=\"\(x)\" y1=\"0\" y2=\"6\"/>")
                page.markup("<path class=\"hole\" d=\"M\(x - 3) \(Self.line - 3)l6 6m0-6l-6 6\"/>")
                page.markup("<line class=\"bar b\(index)\" x1=\"\(x)\" x2=\"\(x)\" y1=\"20\" y2=\"100%\"/>")
            } else {
                page.markup("<line class=\"bar b\(index)\" x1=\"\(x)\" x2=\"\(x)\" y1=\"0\" y2=\"100%\"/>")
            }
        }
        page.markup("</svg></symbol>")
    }
}
