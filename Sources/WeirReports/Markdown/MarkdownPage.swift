import WeirEngine

/// The conformance report for a comment on a pull request, or for the summary of a job.
final class MarkdownPage: VerdictPage {
    /// Octets of a page: GitHub takes comments of 65,536 characters.
    private static let mostOctets = 60_000

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
        page += overview()
        for line in words.remarks(run) { page += "- \(Self.inline(line))\n" }
        if run.fresh != nil { page += news(run) }
        // What does not fit is counted: the first captures are told in full.
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
        for capture in captures {
            let counts = capture.counts
            text += row(
                [Self.code(name(capture))]
                    + [counts.errors, counts.warnings, counts.notes, counts.inconclusive].map { String($0) })
        }
        return text + "\n"
    }

    /// What the baseline does not have, and what it has for nothing.
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

    /// As many rows as fit into `octets`, and how many do not.
    private func shortened(_ capture: CheckedCapture, _ rows: [String], _ octets: Int) -> (String, Int) {
        var text = "\n### \(Self.code(name(capture)))\n\n" + head
        for (index, row) in rows.enumerated() {
            guard text.utf8.count + row.utf8.count <= octets else {
                return (index == 0 ? "" : text, rows.count - index + capture.unlisted)
            }
            text += row
        }
        return (text, capture.unlisted)
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

    /// Words from the wire are words here, too: neither markup nor mentions.
    static func inline(_ text: String) -> String {
        var result = ""
        for scalar in Printable.clean(text).unicodeScalars {
            switch scalar {
            case "\\", "`", "*", "_", "[", "]", "<", ">", "|", "#", "~", "$":
                result += scalar == "<" ? "&lt;" : scalar == ">" ? "&gt;" : "\\\(scalar)"
            case "&": result += "&amp;"
            // A word joiner keeps a mention from being one, and an address from becoming a link.
            case "@": result += "@\u{2060}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// A name in a code span; a bar would end the cell.
    static func code(_ text: String) -> String {
        "`" + Printable.clean(text).replacing("`", with: "'").replacing("|", with: "\\|") + "`"
    }
}
