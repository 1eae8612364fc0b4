import WeirEngine

/// The conformance report as Markdown, for a pull request comment or a job summary.
final class MarkdownPage: VerdictPage {
    /// The maximum size of a page in octets: GitHub limits comments to 65,536 characters.
    private static let mostOctets = 60_000
    /// The maximum size of the table of captures, and of the remarks about the run.
    private static let overviewOctets = mostOctets / 3
    private static let remarkOctets = mostOctets / 6

    private let words: FindingWords
    private let details: VerdictOptions
    private var captures: [CheckedCapture] = []
    private var octets: [UInt8] = []

    init(_ options: ReportOptions, _ details: VerdictOptions) {
        words = FindingWords(options)
        self.details = details
    }

    func add(_ capture: CheckedCapture) { captures.append(capture) }

    func take() -> [UInt8] {
        defer { octets = [] }
        return octets
    }

    func conclude(_ run: RunVerdict) {
        var page = "## \(title(run))\n\n"
        page += overview() + remarks(run)
        if run.fresh != nil { page += news(run) }
        // Captures that do not fit are counted; the first ones are complete.
        var left = 0
        for capture in captures {
            let rows = rows(capture)
            let part = section(capture, rows)
            if page.utf8.count + part.utf8.count <= Self.mostOctets {
                page += part
            } else {
                let (some, rest) = shortened(capture, rows, Self.mostOctets - page.utf8.count)
                page += some
                left += rest
            }
        }
        if left > 0 { page += "\n" + words.count("unlisted", left) + "\n" }
        octets = Array(page.utf8)
    }

    private func title(_ run: RunVerdict) -> String {
        let tally = words.tally(run.counts) ?? words.label("nothingFound")
        let isWell = !run.isFailed && run.isWhole
        if isWell, run.judged == 0 { return "⚠️ Weir: \(words.label("nothingJudged"))" }
        return
            "\(isWell ? "✅" : "❌") Weir: \(words.label(isWell ? "passed" : "failed"))\(words.catalogue.comma)\(tally)"
    }

    private func overview() -> String {
        var text = row(["capture", "errors", "warnings", "notes", "inconclusives"].map { words.label("column.\($0)") })
        text += "| --- | ---: | ---: | ---: | ---: |\n"
        let rows = captures.map { capture in
            let counts = capture.counts
            let numbers = [counts.errors, counts.warnings, counts.notes, counts.inconclusive]
            return (
                text: row([Self.code(name(capture))] + numbers.map { String($0) }),
                isWell: counts.errors + counts.warnings == 0
            )
        }
        // If not all fit, those with findings come first.
        let fits = rows.reduce(text.utf8.count) { $0 + $1.text.utf8.count } <= Self.overviewOctets
        let ordered = fits ? rows : rows.filter { !$0.isWell } + rows.filter { $0.isWell }
        let (some, left) = Self.fitting(ordered.map(\.text), Self.overviewOctets - text.utf8.count)
        return text + some + "\n" + (left > 0 ? words.count("unlistedCaptures", left) + "\n\n" : "")
    }

    private func remarks(_ run: RunVerdict) -> String {
        let lines = words.remarks(run).map { "- \(Self.inline($0))\n" }
        let (some, left) = Self.fitting(lines, Self.remarkOctets)
        return some + (left > 0 ? "- \(words.count("unlistedRemarks", left))\n" : "")
    }

    /// Returns the first of `rows` that fit into `octets` together, and the number of the others.
    private static func fitting(_ rows: [String], _ octets: Int) -> (text: String, left: Int) {
        var text = ""
        for (index, row) in rows.enumerated() {
            guard text.utf8.count + row.utf8.count <= octets else { return (text, rows.count - index) }
            text += row
        }
        return (text, 0)
    }

    /// Returns the differences from the baseline: new findings, and unused entries.
    private func news(_ run: RunVerdict) -> String {
        guard let fresh = run.fresh, !fresh.isEmpty else { return "" }
        let shown = fresh.prefix(50).map { "- \(Self.code($0.rule)) \(Self.code($0.fingerprint))\n" }.joined()
        return "\n### \(words.label("freshTitle"))\n\n\(shown)"
            + (fresh.count > 50 ? words.count("unlisted", fresh.count - 50) + "\n" : "")
    }

    private func name(_ capture: CheckedCapture) -> String { details.paths.relative(capture.record.file) }

    private func rows(_ capture: CheckedCapture) -> [String] {
        capture.folds.map { fold in
            let finding = fold.finding
            var state = words.severity(finding)
            if finding.isKnown { state += words.catalogue.comma + words.label("isKnown") }
            if let reason = finding.waivedBy, !finding.isKnown {
                state += words.catalogue.comma + words.label("isWaived", .string(reason))
            }
            let place = [finding.frame.map { "#\($0)" }, finding.session.map { words.label("session", .integer($0)) }]
            var what = words.sentence(finding)
            if let repeats = words.repeats(fold) { what += " " + repeats }
            return row([
                Self.inline(state), Self.code(finding.rule),
                place.compactMap { $0 }.joined(separator: words.catalogue.comma), Self.inline(what),
                Self.inline(finding.reference),
            ])
        }
    }

    private func section(_ capture: CheckedCapture, _ rows: [String]) -> String {
        var text = "\n### \(Self.code(name(capture)))\n\n"
        for advice in capture.verdict.advice { text += "> \(Self.inline(words.catalogue.sentence(advice.text)))\n>\n" }
        if let damage = capture.summary.damage { text += "> \(Self.inline(damage.reason))\n>\n" }
        if !capture.verdict.advice.isEmpty || capture.summary.damage != nil { text += "\n" }
        if rows.isEmpty {
            text += words.label("nothingFound") + "\n"
        } else {
            text += head + rows.joined()
        }
        if capture.unlisted > 0 { text += "\n" + words.count("unlisted", capture.unlisted) + "\n" }
        if details.withCoverage { text += coverage(capture.verdict.coverage) }
        return text
    }

    private var head: String {
        row(["severity", "rule", "place", "finding", "clause"].map { words.label("column.\($0)") })
            + "| --- | --- | --- | --- | --- |\n"
    }

    /// Returns as many rows as fit into `octets`, and the number of the others.
    private func shortened(_ capture: CheckedCapture, _ rows: [String], _ octets: Int) -> (String, Int) {
        // The table of captures shows that this one has no findings.
        if rows.isEmpty { return ("", capture.unlisted) }
        let start = "\n### \(Self.code(name(capture)))\n\n" + head
        let (some, left) = Self.fitting(rows, octets - start.utf8.count)
        return (some.isEmpty ? "" : start + some, left + capture.unlisted)
    }

    private func coverage(_ coverage: [ClauseCoverage]) -> String {
        let tried = coverage.filter { $0.exercised > 0 }
        guard !tried.isEmpty else { return "" }
        let columns = ["specification", "exercised", "kept", "broken", "undecided", "untried"]
        var text = "\n<details><summary>\(words.label("coverageTitle"))</summary>\n\n"
        text += row(columns.map { words.label("column.\($0)") })
        text += "| --- | ---: | ---: | ---: | ---: | --- |\n"
        for one in tried {
            let untried = one.clauses.filter { $0.state == .untried }.map(\.name).joined(separator: ", ")
            text += row([
                Self.inline(one.specification), "\(one.exercised)/\(one.clauses.count)", "\(one.count(.kept))",
                "\(one.count(.broken))", "\(one.count(.undecided))", Self.inline(untried),
            ])
        }
        return text + "\n</details>\n"
    }

    private func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }

    private static let linked = ["http:", "https:", "ftp:"]

    /// Returns text from the wire, escaped such that it contains neither markup nor mentions.
    static func inline(_ text: String) -> String {
        var result = ""
        for scalar in Printable.clean(text).unicodeScalars {
            switch scalar {
            case "\\", "`", "*", "_", "[", "]", "<", ">", "|", "#", "~", "$":
                result += scalar == "<" ? "&lt;" : scalar == ">" ? "&gt;" : "\\\(scalar)"
            case "&": result += "&amp;"
            // A word joiner prevents mentions and automatic links of addresses.
            case "@": result += "@\u{2060}"
            // GitHub automatically links `http://` and `www.`.
            case "/"
            where result.hasSuffix(":") && linked.contains(where: { result.suffix(6).lowercased().hasSuffix($0) }):
                result = "\(result.dropLast())\\:/"
            case "." where result.hasSuffix("www"): result += "\\."
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Returns a name as a code span; a bar would end the table cell.
    static func code(_ text: String) -> String {
        "`"
            + Printable.clean(text).replacing("`", with: "'").replacing("|", with: "\\|")
            .replacing("##[", with: "## [") + "`"
    }
}
