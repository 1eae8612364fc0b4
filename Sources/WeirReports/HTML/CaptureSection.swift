import WeirEngine
import WeirPackets

/// The part of the page for one capture: facts, overview, sessions, records.
struct CaptureSection {
    /// The maximum number of sessions with a ladder, and of rows of the session table.
    private static let (mostLadders, mostRows) = (200, 200)
    /// The maximum number of sessions whose sections are all open at first.
    private static let few = 4
    /// The maximum number of open sections otherwise.
    private static let mostOpen = 3

    let capture: PageCapture
    let words: PageWords
    let id: String
    private let scale: TimeScale
    private let steps: [Int: [PageStep]]
    /// The sessions with a section, in order of their start, and those without.
    private let shown: [PageCapture.Ended]
    private let hidden: Set<Int>

    init(_ capture: PageCapture, number: Int, _ words: PageWords) {
        self.capture = capture
        self.words = words
        id = "c\(number)"
        let summary = capture.checked.summary
        let latest = capture.kept.steps.filter { $0.offset != .max }.map(\.offset).max() ?? 0
        let length = summary.endTime.flatMap { end in summary.startTime.map { end.nanoseconds &- $0.nanoseconds } } ?? 0
        scale = TimeScale(start: capture.start ?? Timestamp(nanoseconds: 0), length: max(length, latest))
        steps = Dictionary(grouping: capture.kept.steps) { capture.session(of: $0) }
        shown = Self.shown(capture)
        let hidden = Set(capture.ended.map(\.record.id)).subtracting(shown.map(\.record.id))
        self.hidden = hidden
    }

    func write() -> [UInt8] {
        var page = HTMLWriter()
        let start = capture.checked.summary.startTime.map { CivilTime($0).precise } ?? ""
        page.open(
            "section",
            ["class": "capture", "id": id, "data-ms": String(scale.milliseconds), "data-start": start])
        heading(&page)
        page.append(TimeStrip(capture.kept.steps, scale, words).write(id: id))
        sessions(&page)
        findings(&page)
        for (index, session) in shown.enumerated() {
            section(session, isOpen: opens(session, index), &page)
        }
        if !hidden.isEmpty { page.leaf("p", ["class": "more"], words.page("hidden", .integer(hidden.count))) }
        loose(&page)
        PageTables(words, scale, id: id).flows(capture.flows, count: capture.flowCount, &page)
        page.markup("<script type=\"application/x-ndjson\" class=\"records\">\n")
        capture.writeRecords(to: &page) { !hidden.contains(capture.session(of: $0)) }
        page.markup("</script></section>\n")
        return page.octets
    }

    // MARK: - The capture

    private func heading(_ page: inout HTMLWriter) {
        let summary = capture.checked.summary
        page.element("header", ["class": "facts"]) { page in
            page.leaf("h2", [:], capture.record.file)
            page.leaf(
                "p", [:],
                words.both { text in
                    var facts = [capture.record.format] + capture.record.linkTypes.map(\.name)
                    if let length = capture.record.snapLength, length > 0, length < 65_535 {
                        facts.append(text.label("snapLength", .integer(length)))
                    }
                    return facts.joined(separator: text.catalogue.comma) + text.catalogue.semicolon
                        + text.extent(summary)
                })
        }
        let caveats = words.lists { $0.caveats(summary) }
        let advice = words.lists { text in capture.verdict.advice.map { text.catalogue.sentence($0.text) } }
        if !caveats.isEmpty { list(caveats, "caveats", words.page("caveats"), &page) }
        if !advice.isEmpty { list(advice, "advice", words.label("adviceHead"), &page) }
        if capture.kept.droppedCount > 0 {
            let kinds = capture.kept.dropped.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(6)
            let named = kinds.map { "\($0.key) ×\(grouped($0.value))" }.joined(separator: ", ")
            page.leaf(
                "p", ["class": "dropped"],
                words.page("dropped", .string(grouped(capture.kept.droppedCount)), .string(named)))
        }
    }

    private func list(_ texts: [PageText], _ look: String, _ title: PageText, _ page: inout HTMLWriter) {
        page.element("div", ["class": "box \(look)"]) { page in
            page.leaf("h3", [:], title)
            page.element("ul") { page in
                for text in texts { page.leaf("li", [:], text) }
            }
        }
    }

    // MARK: - Overview

    /// Returns the sessions with a section: those with something to see first.
    private static func shown(_ capture: PageCapture) -> [PageCapture.Ended] {
        let notable = capture.ended.filter(\.row.isNotable).prefix(mostLadders)
        let rest = capture.ended.filter { !$0.row.isNotable }.prefix(mostLadders - notable.count)
        return (notable + rest).sorted {
            ($0.row.start ?? .distant, $0.record.id) < ($1.row.start ?? .distant, $1.record.id)
        }
    }

    private func opens(_ session: PageCapture.Ended, _ index: Int) -> Bool {
        guard shown.count > Self.few else { return true }
        let notable = shown.filter(\.row.isNotable).prefix(Self.mostOpen).map(\.record.id)
        return notable.isEmpty ? index == 0 : notable.contains(session.record.id)
    }

    private func sessions(_ page: inout HTMLWriter) {
        let overview = capture.overview
        guard !overview.sessions.isEmpty else { return }
        let outcomes = Dictionary(capture.ended.map { ($0.record.id, $0.outcome) }) { first, _ in first }
        let linked = Set(shown.map(\.record.id))
        let sorted = overview.sessions.sorted { ($0.start ?? .distant, $0.id) < ($1.start ?? .distant, $1.id) }
        page.element("section", ["class": "panel", "id": "\(id)-sessions"]) { page in
            page.element("h3") { page in
                page.leaf("span", [:], words.label("sessions.table"))
                if overview.failedCount > 0 {
                    page.leaf(
                        "small", [:],
                        words.label("sessions.failed", .integer(overview.failedCount), .integer(overview.sessionCount)))
                }
            }
            page.markup("<div class=\"wide\"><table class=\"sessions\"><thead><tr>")
            for (key, look) in [
                ("session", ""), ("start", "n"), ("protocol", ""), ("ends", ""), ("what", ""), ("long", "n"),
                ("err", "n"), ("warn", "n"), ("outcome", ""),
            ] {
                page.leaf(
                    "th", ["scope": "col", "class": look],
                    key == "session" || key == "protocol"
                        ? words.page("column.\(key)") : words.label("column.\(key)"))
            }
            page.markup("</tr></thead><tbody>\n")
            for row in sorted.prefix(Self.mostRows) {
                self.row(row, outcomes[row.id] ?? PageText(row.outcome ?? ""), isLinked: linked.contains(row.id), &page)
            }
            page.markup("</tbody></table></div>")
            let rest = overview.sessionCount - sorted.prefix(Self.mostRows).reduce(0) { $0 + $1.attempts }
            if rest > 0 { page.leaf("p", ["class": "more"], words.label("endings.more", .integer(rest))) }
        }
    }

    private func row(_ row: Overview.Session, _ outcome: PageText, isLinked: Bool, _ page: inout HTMLWriter) {
        let look = row.counts.errors > 0 || row.series != nil ? "error" : row.counts.warnings > 0 ? "warning" : ""
        page.element("tr", ["class": look]) { page in
            page.element("td") { page in
                guard isLinked else { return page.text(String(row.id)) }
                page.leaf("a", ["href": "#\(id)s\(row.id)"], String(row.id))
            }
            page.leaf("td", ["class": "n"], row.start.map { scale.seconds($0) } ?? "")
            page.leaf("td", [:], row.kind.uppercased())
            page.leaf("td", ["class": "mono"], "\(row.client.address) → \(row.server)")
            page.leaf("td", ["class": "mono about"], row.subject ?? "")
            let length = row.start.flatMap { start in row.end.map { duration(max(0, $0.seconds(since: start))) } }
            page.leaf("td", ["class": "n"], row.attempts > 1 ? "" : length ?? "")
            page.leaf("td", ["class": "n err"], row.counts.errors > 0 ? String(row.counts.errors) : "")
            page.leaf("td", ["class": "n warn"], row.counts.warnings > 0 ? String(row.counts.warnings) : "")
            let attempts =
                row.attempts > 1 ? words.page("attempts", .integer(row.attempts)) + PageText(" ") : PageText("")
            page.leaf("td", ["class": "outcome"], attempts + outcome)
        }
        page.markup("\n")
    }

    private func findings(_ page: inout HTMLWriter) {
        let folds = capture.checked.folds
        guard !folds.isEmpty else { return }
        let loud = folds.filter { CheckedCapture.rank($0.finding) < 2 }
        let quiet = folds.filter { CheckedCapture.rank($0.finding) >= 2 }
        let known = Set(capture.kept.steps.compactMap(\.event))
        let table = FindingTable(words, id: id, known: known, sessions: Set(shown.map(\.record.id)))
        page.element("section", ["class": "panel", "id": "\(id)-findings"]) { page in
            page.leaf("h3", [:], words.label("findings"))
            if !loud.isEmpty { table.write(loud, &page) }
            if !quiet.isEmpty {
                page.open("details", loud.isEmpty ? ["class": "quiet", "open": ""] : ["class": "quiet"])
                page.leaf("summary", [:], words.page("quiet", .integer(quiet.count)))
                table.write(quiet, &page)
                page.close("details")
            }
            if capture.checked.unlisted > 0 {
                page.leaf("p", ["class": "more"], words.label("unlisted", .integer(capture.checked.unlisted)))
            }
        }
    }

    // MARK: - Sessions

    private func section(_ session: PageCapture.Ended, isOpen: Bool, _ page: inout HTMLWriter) {
        let streams = capture.streams.filter { $0.session == session.record.id }
        let rows = steps[session.record.id] ?? []
        let section = SessionSection(session, rows, streams, words, scale, capture: id)
        let ladder = Ladder(
            rows, streams, words, scale, capture: id, name: "s\(session.record.id)",
            ends: section.ends)
        let graphs = StreamGraphs(capture, words, scale, id: id)
        section.write(isOpen: isOpen, &page) { page in
            ladder.write(&page)
            graphs.write(streams, session.record.id, rows, &page)
        }
    }

    /// Writes what belongs to no session.
    private func loose(_ page: inout HTMLWriter) {
        let rows = steps.filter { $0.key == 0 || !capture.ended.contains(session: $0.key) }.flatMap(\.value)
        let streams = capture.streams.filter { $0.session == nil }
        guard !rows.isEmpty || !streams.isEmpty else { return }
        page.open("details", ["class": "session loose", "id": "\(id)s0", "open": ""])
        page.element("summary") { $0.leaf("h3", [:], words.page("loose")) }
        Ladder(rows, streams, words, scale, capture: id, name: "s0").write(&page)
        StreamGraphs(capture, words, scale, id: id).write(streams, nil, rows, &page)
        page.close("details")
    }
}

extension [PageCapture.Ended] {
    fileprivate func contains(session: Int) -> Bool { contains { $0.record.id == session } }
}

extension Timestamp {
    /// Later than anything captured.
    static let distant = Timestamp(nanoseconds: .max)
}
