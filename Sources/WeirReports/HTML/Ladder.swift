import WeirEngine
import WeirPackets

/// The ladder of a session: endpoints as columns, steps as arrows in time, with their findings, and media as bars beside.
///
/// Steps that recur throughout a healthy session are folded in runs, as the condensed timeline counts them.
struct Ladder {
    /// The rows of a block that the browser lays out when it becomes visible.
    private static let block = 50

    private let steps: [PageStep]
    private let words: PageWords
    private let name: String
    private let id: String
    private let lanes: LadderLanes
    private let bars: LadderBars
    private let symbols: LadderSymbols

    /// - Parameters:
    ///   - capture: The id of the capture's section.
    ///   - name: The name of the ladder in the capture.
    ///   - ends: The hosts that are known.
    init(
        _ steps: [PageStep], _ streams: [StreamRecord], _ words: PageWords, _ scale: TimeScale, capture: String,
        name: String, ends: LadderLanes.Ends = LadderLanes.Ends()
    ) {
        self.steps = steps.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
            .map(\.element)
        self.words = words
        self.name = name
        id = capture
        lanes = LadderLanes(self.steps, ends)
        bars = LadderBars(streams, scale)
        symbols = LadderSymbols(prefix: capture + name)
    }

    func write(_ page: inout HTMLWriter) {
        guard !steps.isEmpty else { return }
        var rows = HTMLWriter()
        var used = LadderSymbols.Used()
        var seen: Set<String> = []
        for part in parts() {
            rows.element("section", ["class": "phase"]) { rows in
                if let phase = part.phase { heading(phase, part.steps, &rows) }
                let folded = fold(part.steps, &seen)
                for start in stride(from: 0, to: folded.count, by: Self.block) {
                    let end = min(start + Self.block, folded.count)
                    // The height of a full block can be estimated.
                    rows.open("ol", ["class": end - start == Self.block ? "rows many" : "rows"])
                    rows.markup("\n")
                    for run in folded[start..<end] { write(run, &used, &rows) }
                    rows.markup("</ol>")
                }
            }
        }
        page.open("section", ["class": "ladder lanes\(lanes.count) bars\(bars.count)", "id": "\(id)\(name)-ladder"])
        page.leaf("h4", [:], words.page("ladder"))
        symbols.define(used, lanes: lanes.count, &page)
        header(&page)
        page.append(rows)
        page.close("section")
        page.markup("\n")
    }

    /// Writes the names of the columns.
    private func header(_ page: inout HTMLWriter) {
        page.element("div", ["class": "lanes"]) { page in
            page.leaf("span", ["class": "t"], words.page("column.time"))
            page.element("span", ["class": "names"]) { page in
                for lane in lanes.names {
                    page.element("span", ["class": "lane"]) { page in
                        page.leaf("b", [:], lane.name)
                        if let first = lane.roles.first {
                            let roles = lane.roles.dropFirst().reduce(words.page("lane.\(first)")) {
                                $0 + PageText(", ") + words.page("lane.\($1)")
                            }
                            page.leaf("small", [:], roles)
                        }
                        if let tool = lane.tool { page.leaf("small", ["class": "tool"], tool) }
                    }
                }
            }
            page.leaf("span", ["class": "m"], words.page("column.message"))
        }
    }

    // MARK: - Phases and runs

    private struct Part {
        var phase: Phase?
        var steps: [PageStep]
    }

    /// Returns the steps by phase; those before the first phase, and findings, are in the one around them.
    private func parts() -> [Part] {
        var parts: [Part] = []
        let first = steps.first { $0.phase != nil }?.phase
        for step in steps {
            let phase = step.phase ?? parts.last?.phase ?? first
            if parts.isEmpty || parts[parts.count - 1].phase != phase { parts.append(Part(phase: phase, steps: [])) }
            parts[parts.count - 1].steps.append(step)
        }
        return parts
    }

    private func heading(_ phase: Phase, _ steps: [PageStep], _ page: inout HTMLWriter) {
        let times = steps.map(\.offset).filter { $0 != .max }
        page.element("h5", ["class": "band"]) { page in
            page.leaf("span", [:], words.sentence(Text("phase.\(phase.name)")))
            if let first = times.min(), let last = times.max(), last > first {
                page.leaf("small", [:], duration(Double(last - first) / 1_000_000_000))
            }
        }
    }

    /// Returns runs of steps that are shown in one row; the first of a kind is spared, where its kind asks for that.
    private func fold(_ steps: [PageStep], _ seen: inout Set<String>) -> [[PageStep]] {
        var runs: [[PageStep]] = []
        var isOpen = false
        for step in steps {
            guard let fold = step.fold, step.findings.isEmpty, !step.hasRemarks,
                !fold.sparesFirst || !seen.insert(key(step, fold)).inserted
            else {
                runs.append([step])
                isOpen = false
                continue
            }
            if isOpen { runs[runs.count - 1].append(step) } else { runs.append([step]) }
            isOpen = true
        }
        return runs
    }

    private func key(_ step: PageStep, _ fold: PageStep.Fold) -> String {
        "\(step.flow ?? 0) \(step.stream ?? 0) \(step.direction.rawValue) \(step.protocolName) \(fold.name)"
    }

    private func write(_ run: [PageStep], _ used: inout LadderSymbols.Used, _ page: inout HTMLWriter) {
        guard run.count > 1, let first = run.first, let last = run.last else {
            for step in run { row(step, &used, &page) }
            return
        }
        var counted = CountedSteps()
        for step in run {
            if let fold = step.fold {
                counted.count(step.protocolName, frame: step.frame ?? 0, fold.name, isAnswer: fold.isAnswer)
            }
        }
        page.open("li", ["class": "fold", "data-o": TimeScale.seconds(first.offset), "data-n": String(run.count)])
        page.markup("<details><summary>")
        page.leaf("span", ["class": "t"], TimeScale.seconds(first.offset))
        picture(first, isFold: true, &used, &page)
        page.element("span", ["class": "m"]) { page in
            page.leaf("span", ["class": "count"], words.page("folded", .integer(run.count)))
            page.leaf("span", ["class": "dim"], words.both { counted.text($0.catalogue, label: $0.protocolLabel) })
        }
        if last.offset - first.offset >= 100_000 {
            page.leaf("span", ["class": "a"], duration(Double(last.offset - first.offset) / 1_000_000_000))
        }
        page.markup("</summary><ol>\n")
        for step in run { row(step, &used, &page) }
        page.markup("</ol></details></li>\n")
    }

    // MARK: - Rows

    private func row(_ step: PageStep, _ used: inout LadderSymbols.Used, _ page: inout HTMLWriter) {
        let worst = ["error", "warning", "note", "inconclusive", "accepted"].first { look in
            step.findings.contains { $0.look == look }
        }
        guard let event = step.event else { return finding(step, worst ?? "note", &used, &page) }
        var look = "s"
        if let worst { look += " \(worst)" }
        if step.kind == "gap" { look += " gap" }
        page.open(
            "li",
            [
                "class": look, "id": "\(id)e\(event)", "data-o": TimeScale.seconds(step.offset),
                "data-f": "\(step.frame ?? 0)",
            ])
        page.open("a", ["class": "go", "href": "#\(id)e\(event)"])
        page.leaf("span", ["class": "t"], TimeScale.seconds(step.offset))
        picture(step, isFold: false, &used, &page)
        page.element("span", ["class": "m"]) { page in
            page.leaf("b", [:], words.both { $0.protocolLabel(step.protocolName) })
            page.markup(" ")
            page.leaf("span", [:], step.text)
        }
        if let latency = step.latency {
            page.leaf("span", ["class": "a"], MemberText.short(Double(latency) / 1_000_000) + " ms")
        }
        page.close("a")
        if step.hasRemarks {
            page.element("ul", ["class": "found"]) { page in
                for remark in step.remarks { page.leaf("li", ["class": "note"], remark) }
            }
        }
        list(step.findings, &page)
        page.markup("</li>\n")
    }

    /// Writes a finding without an event, at its time.
    private func finding(_ step: PageStep, _ look: String, _ used: inout LadderSymbols.Used, _ page: inout HTMLWriter) {
        page.open("li", ["class": "lone \(look)", "data-o": step.offset == .max ? "" : TimeScale.seconds(step.offset)])
        page.element("div", ["class": "go"]) { page in
            page.leaf("span", ["class": "t"], step.offset == .max ? "" : TimeScale.seconds(step.offset))
            picture(step, isFold: true, &used, &page)
            page.element("div", ["class": "m"]) { list(step.findings, &$0) }
        }
        page.markup("</li>\n")
    }

    private func list(_ findings: [PageStep.Found], _ page: inout HTMLWriter) {
        guard !findings.isEmpty else { return }
        page.element("ul", ["class": "found"]) { page in
            for finding in findings {
                page.element("li", ["class": finding.look]) { page in
                    page.leaf("b", ["class": "severity"], finding.severity)
                    page.markup(" ")
                    page.leaf("b", ["class": "rule"], finding.rule)
                    page.markup(" ")
                    page.leaf("span", [:], finding.text)
                }
            }
        }
    }

    private func picture(_ step: PageStep, isFold: Bool, _ used: inout LadderSymbols.Used, _ page: inout HTMLWriter) {
        let active = step.offset == .max ? LadderBars.Marks() : bars.marks(step)
        page.markup("<svg class=\"l\" aria-hidden=\"true\">")
        if !isFold, let arrow = lanes.arrow(step) { symbols.use(arrow, &used, &page) }
        if !active.isEmpty { symbols.use(active, &used, &page) }
        page.markup("</svg>")
    }
}
