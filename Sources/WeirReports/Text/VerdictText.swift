import WeirEngine
import WeirPackets

/// The conformance report as text: reasons for undecided verdicts, then the findings of each session, worst first.
final class VerdictText: VerdictPage {
    /// The column of a finding's text.
    private static let textColumn = 13

    private let words: FindingWords
    private let withCoverage: Bool
    private var text: TextPage

    init(_ options: ReportOptions, _ details: VerdictOptions) {
        words = FindingWords(options)
        withCoverage = details.withCoverage
        text = TextPage(options, details.page)
    }

    func take() -> [UInt8] { text.takeOctets() }

    func add(_ capture: CheckedCapture) {
        text.line(text.style(Printable.clean(capture.record.file), .heading))
        advise(capture)
        let folds = capture.folds
        for sessions in Self.order(folds) {
            introduce(sessions, capture)
            for fold in folds where fold.sessions == sessions { write(fold, capture.summary.startTime) }
        }
        if !folds.isEmpty { text.line() }
        if capture.unlisted > 0 { text.hanging("  ", text.label("unlisted", .integer(capture.unlisted)), column: 2) }
        text.hanging("  ", verdict(capture), column: 2)
        if withCoverage { cover(capture.verdict.coverage) }
        for limit in capture.summary.limitsReached { text.hanging("  ", text.catalogue.sentence(limit), column: 2) }
        if let damage = capture.summary.damage { text.hanging("  ", text.describe(damage), column: 2) }
        text.line()
    }

    func conclude(_ run: RunVerdict) {
        for line in words.remarks(run) { text.hanging("", line, column: 2) }
    }

    /// Returns groups of sessions with the same findings, by the worst finding; findings without a session come first.
    private static func order(_ folds: [CheckedCapture.Fold]) -> [[Int]] {
        var order: [[Int]] = folds.contains { $0.sessions.isEmpty } ? [[]] : []
        for fold in folds where !order.contains(fold.sessions) { order.append(fold.sessions) }
        return order
    }

    /// Prints the heading of a session, or the numbers of several.
    private func introduce(_ sessions: [Int], _ capture: CheckedCapture) {
        guard let first = sessions.first else { return }
        text.line()
        guard sessions.count == 1 else {
            let named = sessions.prefix(Self.mostSessions).map(String.init).joined(separator: text.catalogue.comma)
            let numbers = named + (sessions.count > Self.mostSessions ? " …" : "")
            text.hanging("  ", text.label("sessionNumbers", .string(numbers)), column: 4)
            return
        }
        guard let name = capture.sessions[first] else { return }
        text.hanging("  ", text.label("session", .integer(first)) + "  " + name, column: 4)
    }

    /// The maximum number of sessions listed for the same finding.
    private static let mostSessions = 20

    /// Prints advice for capturing, if that would decide a rule.
    private func advise(_ capture: CheckedCapture) {
        guard !capture.verdict.advice.isEmpty else { return }
        text.line()
        let undecided = capture.counts.inconclusive
        let head = undecided > 0 ? text.label("advice", .integer(undecided)) : text.label("adviceHead")
        text.hanging("  ", head, column: 2)
        for advice in capture.verdict.advice {
            text.hanging("  - ", text.catalogue.sentence(advice.text), column: 4)
        }
    }

    private func write(_ fold: CheckedCapture.Fold, _ start: Timestamp?) {
        let finding = fold.finding
        let column = Self.textColumn
        let look: TextStyle =
            switch (finding.verdict, finding.severity) {
            case (.fail, .error) where finding.counts: .error
            case (.fail, .warning) where finding.counts: .warning
            default: .note
            }
        let head = [finding.rule, place(finding, start), fold.first.step ?? ""].filter { !$0.isEmpty }
        text.hanging(
            text.style(TextLayout.right(words.severity(finding), column - 2), look) + "  ",
            head.joined(separator: "  "), column: column)
        func under(_ line: String) { text.hanging(TextLayout.spaces(column), line, column: column) }
        var sentence = words.sentence(finding)
        if !finding.reference.isEmpty { sentence += text.catalogue.aside(finding.reference) }
        if let quirk = finding.quirk { sentence += " [\(quirk)]" }
        under(sentence)
        if finding.verdict == .fail, let mend = words.mend(finding) { under(text.label("mend", .string(mend))) }
        if finding.isKnown {
            under(text.label("isKnown"))
        } else if let reason = finding.waivedBy {
            under(text.label("isWaived", .string(reason)))
        }
        if let repeats = words.repeats(fold) { under(repeats) }
    }

    private func place(_ finding: Finding, _ start: Timestamp?) -> String {
        var parts: [String] = []
        if let frame = finding.frame { parts.append("#\(frame)") }
        if let time = finding.time, let start {
            let offset = "\(decimal(time.seconds(since: start), places: 3)) s"
            parts.append(text.page.showsTimeOfDay ? CivilTime(time).precise : offset)
        }
        return parts.joined(separator: text.catalogue.comma)
    }

    private func verdict(_ capture: CheckedCapture) -> String {
        let tallies = capture.tallies
        let failed = tallies.count { $0.fail > 0 }
        let undecided = tallies.count { $0.fail == 0 && $0.inconclusive > 0 }
        let passed = tallies.count { $0.fail == 0 && $0.inconclusive == 0 && $0.pass > 0 }
        let idle = tallies.count - failed - passed - undecided
        let rules = text.label(
            "verdict", .integer(tallies.count), .integer(passed), .integer(failed), .integer(undecided), .integer(idle))
        return [words.tally(capture.counts), rules].compactMap { $0 }.joined(separator: words.catalogue.semicolon)
    }

    private func cover(_ coverage: [ClauseCoverage]) {
        for specification in coverage where specification.exercised > 0 {
            text.hanging(
                "  ",
                text.label(
                    "coverage", .integer(specification.exercised), .integer(specification.clauses.count),
                    .string(specification.specification), .integer(specification.count(.kept)),
                    .integer(specification.count(.broken)), .integer(specification.count(.undecided))), column: 4)
            let untried = specification.clauses.filter { $0.state == .untried }.map(\.name)
            if !untried.isEmpty {
                text.hanging(
                    "    ", text.label("untried", .string(untried.joined(separator: text.catalogue.comma))), column: 6)
            }
        }
    }
}
