import WeirEngine
import WeirPackets

/// The conformance report as JUnit XML: a test suite for each capture, a test case for each rule.
///
/// A case fails if its findings fail the check; less severe findings are in the output of a passing case. It is skipped
/// if the rule was undecided or not applicable, or if all its findings were accepted.
final class JUnitPage: VerdictPage {
    private let words: FindingWords
    private let details: VerdictOptions
    private var captures: [CheckedCapture] = []
    private var octets: [UInt8] = []

    /// The result of a case.
    private enum Outcome {
        case passed(output: String)
        case failed(type: String, message: String, text: String)
        case skipped(String)
        case broken(String)
    }

    private struct Case {
        var group: String
        var name: String
        var outcome: Outcome
    }

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
        var suites = captures.map { (capture: Optional($0), name: name($0), cases: cases($0, run.threshold)) }
        for (file, reason) in run.unread {
            let unread = Case(group: "capture", name: "readable", outcome: .broken(reason))
            suites.append((nil, details.paths.relative(file), [unread]))
        }
        let own = cases(run)
        if !own.isEmpty { suites.append((nil, "profile \(run.profile)", own)) }
        var xml = XMLWriter()
        // The JUnit schema of Jenkins has no count of skipped cases here.
        xml.begin("testsuites", [("name", "weir")] + counts(suites.flatMap(\.cases)).dropLast())
        for suite in suites { write(suite.name, suite.cases, suite.capture, &xml) }
        xml.end()
        octets = Array(xml.text.utf8)
    }

    private func name(_ capture: CheckedCapture) -> String { details.paths.relative(capture.record.file) }

    private func write(_ name: String, _ cases: [Case], _ capture: CheckedCapture?, _ xml: inout XMLWriter) {
        var attributes = [("name", name)] + counts(cases)
        if let start = capture?.summary.startTime, let end = capture?.summary.endTime {
            // The schema allows neither fractions nor time zones.
            let civil = CivilTime(start)
            attributes.append(("time", decimal(end.seconds(since: start), places: 3)))
            attributes.append(
                (
                    "timestamp",
                    "\(padded(civil.year, 4))-\(padded(civil.month, 2))-\(padded(civil.day, 2))T"
                        + "\(padded(civil.secondOfDay / 3600, 2)):\(padded(civil.secondOfDay / 60 % 60, 2)):"
                        + padded(civil.secondOfDay % 60, 2)
                ))
        }
        xml.begin("testsuite", attributes)
        for one in cases { write(one, &xml) }
        let remarks = (capture?.verdict.advice ?? []).map { Printable.clean(words.catalogue.sentence($0.text)) }
        if !remarks.isEmpty { xml.element("system-out", [], remarks.joined(separator: "\n")) }
        xml.end()
    }

    private func write(_ one: Case, _ xml: inout XMLWriter) {
        let attributes = [("classname", one.group), ("name", one.name), ("time", "0")]
        switch one.outcome {
        case .passed(let output) where output.isEmpty: xml.element("testcase", attributes)
        case .passed(let output):
            xml.begin("testcase", attributes)
            xml.element("system-out", [], output)
            xml.end()
        case .failed(let type, let message, let text):
            xml.begin("testcase", attributes)
            xml.element("failure", [("type", type), ("message", message)], text)
            xml.end()
        case .skipped(let message):
            xml.begin("testcase", attributes)
            xml.element("skipped", [("message", message)])
            xml.end()
        case .broken(let message):
            xml.begin("testcase", attributes)
            xml.element("error", [("type", "damage"), ("message", message)], message)
            xml.end()
        }
    }

    private func counts(_ cases: [Case]) -> [(String, String)] {
        var (failures, errors, skipped) = (0, 0, 0)
        for one in cases {
            switch one.outcome {
            case .passed: break
            case .failed: failures += 1
            case .broken: errors += 1
            case .skipped: skipped += 1
            }
        }
        return [
            ("tests", "\(cases.count)"), ("failures", "\(failures)"), ("errors", "\(errors)"),
            ("skipped", "\(skipped)"),
        ]
    }
}

extension JUnitPage {
    private func cases(_ capture: CheckedCapture, _ threshold: Severity) -> [Case] {
        let folds = Dictionary(grouping: capture.folds) { $0.finding.rule }
        let rules = Dictionary(capture.verdict.rules.map { ($0.id, $0) }) { first, _ in first }
        var cases = capture.tallies.map { tally in
            Case(
                group: rules[tally.rule]?.protocolName ?? "", name: tally.rule,
                outcome: outcome(tally, folds[tally.rule] ?? [], threshold))
        }
        if let damage = capture.summary.damage {
            cases.insert(Case(group: "capture", name: "readable", outcome: .broken(damage.reason)), at: 0)
        }
        return cases
    }

    private func outcome(_ tally: RuleTally, _ folds: [CheckedCapture.Fold], _ threshold: Severity) -> Outcome {
        let failing = folds.filter { $0.finding.counts && $0.finding.severity >= threshold }
        if let worst = failing.first {
            return .failed(
                type: worst.finding.severity.rawValue, message: words.sentence(worst.finding),
                text: failing.map(text).joined(separator: "\n\n"))
        }
        let output = folds.map(text).joined(separator: "\n\n")
        if tally.fail > 0 {
            let isAccepted = !folds.isEmpty && folds.allSatisfy { $0.finding.verdict != .fail || !$0.finding.counts }
            guard isAccepted, let first = folds.first else { return .passed(output: output) }
            return .skipped(first.finding.isKnown ? words.label("isKnown") : first.finding.waivedBy ?? "")
        }
        if tally.inconclusive > 0 {
            return .skipped(
                words.label("inconclusive")
                    + (folds.first.map { words.catalogue.colon + words.sentence($0.finding) } ?? ""))
        }
        return tally.pass > 0 ? .passed(output: "") : .skipped(words.label("idle"))
    }

    /// Returns a finding with its position, clause and fix.
    private func text(_ fold: CheckedCapture.Fold) -> String {
        let finding = fold.finding
        var head = words.severity(finding)
        if let frame = finding.frame { head += " #\(frame)" }
        var lines = [head + (fold.first.step.map { "  \($0)" } ?? ""), words.sentence(finding)]
        if !finding.reference.isEmpty { lines.append(finding.reference) }
        if let mend = words.mend(finding) { lines.append(words.label("mend", .string(mend))) }
        if let repeats = words.repeats(fold) { lines.append(repeats) }
        // A line feed from the wire must not start a line of the log, where runners may interpret it (`::error::`).
        return lines.map { Printable.clean($0) }.joined(separator: "\n")
    }

    /// Returns cases about the profile itself: expired and unused waivers.
    private func cases(_ run: RunVerdict) -> [Case] {
        run.expired.map { waiver in
            Case(
                group: "waiver", name: "\(waiver.place) \(waiver.rule)",
                outcome: .failed(
                    type: "expired", message: "\(waiver.expires ?? ""): \(waiver.reason)", text: waiver.reason))
        }
            + run.stale.map { waiver in
                Case(
                    group: "waiver", name: "\(waiver.place) \(waiver.rule)",
                    outcome: .skipped(words.label("staleWaiver")))
            }
    }
}
